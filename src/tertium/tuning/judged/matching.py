# SPDX-License-Identifier: Apache-2.0
"""Which judged candidate of a part an output contains.

Macháček (2014, section 3.3.2) tests whether a candidate occurs in an output and takes
the longest that does. His program compares characters, so that *art* occurs in
*party*; here words are compared, unless ``compat=char`` is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from tertium.text.tokenizers import tokenize
from tertium.tuning.judged.parts import Candidate

__all__ = ["Matcher", "Pattern", "extra_words"]


class Pattern(NamedTuple):
    """A candidate in the form that is searched for.

    Parameters
    ----------
    text : str
        With spaces around it where words are compared.
    wins, decided : int
        As in :class:`Candidate`.
    """

    text: str
    wins: int
    decided: int


class Matcher:
    """Finds candidates in outputs.

    Parameters
    ----------
    tokenize : str
    lowercase : bool
    characters : bool
        Whether to compare characters instead of words.
    gaps : int
        How many words may stand between the words of a candidate, all together.

    Examples
    --------
    >>> matcher = Matcher("13a")
    >>> patterns = matcher.patterns([Candidate("a cat", 3, 4), Candidate("cat", 1, 4)])
    >>> matcher.match(matcher.outputs(["There is a cat."])[0], patterns)
    Pattern(text=' a cat ', wins=3, decided=4)
    """

    def __init__(
        self,
        tokenize: str,
        *,
        lowercase: bool = False,
        characters: bool = False,
        gaps: int = 0,
    ) -> None:
        self._tokenize = tokenize
        self._lowercase = lowercase
        self._characters = characters
        self._gaps = gaps
        self._occurs: Callable[[str, str], bool] = self._gapped if gaps else _inside

    def outputs(self, texts: Sequence[str]) -> list[str]:
        """Return texts in the form that patterns are searched in."""
        lines = [text.lower() for text in texts] if self._lowercase else list(texts)
        if self._characters:
            return lines
        return [f" {' '.join(words)} " for words in tokenize(lines, self._tokenize)]

    def patterns(self, candidates: Iterable[Candidate]) -> tuple[Pattern, ...]:
        """Return what to search for, the longest first; of equal length the better."""
        listed = list(candidates)
        texts = self.outputs([candidate.text for candidate in listed])
        patterns = [
            Pattern(text, candidate.wins, candidate.decided)
            for text, candidate in zip(texts, listed, strict=True)
            if text.strip()
        ]
        return tuple(sorted(patterns, key=_order))

    def match(self, output: str, patterns: Iterable[Pattern]) -> Pattern | None:
        """Return the first pattern that occurs in an output, or None."""
        for pattern in patterns:
            if self._occurs(pattern.text, output):
                return pattern
        return None

    def _gapped(self, pattern: str, output: str) -> bool:
        if pattern in output:
            return True
        extra = extra_words(pattern.split(), output.split())
        return extra is not None and extra <= self._gaps


def extra_words(words: Sequence[str], output: Sequence[str]) -> int | None:
    """Return how many words stand between `words` where they are closest together.

    Returns
    -------
    int or None
        None if the output does not have the words in this order.

    Notes
    -----
    O(|words| |output|).

    Examples
    --------
    >>> extra_words(["turn", "off"], "turn the light off or turn it off".split())
    1
    """
    # Where a match of the first k words started that ends at or before here.
    starts: list[int | None] = [None] * len(words)
    fewest: int | None = None
    for place, word in enumerate(output):
        for k in range(len(words) - 1, -1, -1):
            if words[k] == word:
                starts[k] = place if k == 0 else starts[k - 1]
        start = starts[-1] if words and words[-1] == word else None
        if start is not None:
            extra = place - start + 1 - len(words)
            fewest = extra if fewest is None else min(fewest, extra)
    return fewest


def _inside(pattern: str, output: str) -> bool:
    return pattern in output


def _order(pattern: Pattern) -> tuple[int, int, float, str]:
    share = pattern.wins / pattern.decided if pattern.decided else 0.0
    return -pattern.text.count(" "), -len(pattern.text), -share, pattern.text
