# SPDX-License-Identifier: Apache-2.0
"""Signs of bad translations that need no reference.

Systems that fail often repeat themselves, leave words untranslated that all others
translate, or lose sentences of a long segment. Similarity to good outputs shows none of
these well, since the rest of such an output is often right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tertium.data.checks.view import words

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["SYMPTOMS", "Symptoms"]

#: What is measured, in order; more is worse.
SYMPTOMS = ("repetition", "untranslated", "sentences")

_END = re.compile(r"[.!?]+(?=\s|$)|[。！？।]")
_SHORTEST = 4  # letters; shorter words of two languages are often the same


class Symptoms:
    """The symptoms of outputs of a test set.

    Parameters
    ----------
    testset : Testset

    Examples
    --------
    >>> from tertium import Testset
    >>> outputs = {"A": ["Die Katze sitzt."]}
    >>> testset = Testset([()], outputs, sources=["The cat sits."])
    >>> Symptoms(testset).of(0, "B", "Die Katze sits. Die Katze sits.")
    (0.4, 0.3333333333333333, 1)
    """

    def __init__(self, testset: Testset) -> None:
        self._testset = testset
        self._known: dict[int, list[_Kept]] = {}

    def of(self, line: int, system: str, text: str) -> tuple[float, float, int]:
        """Return the symptoms of one output; 0 for those that need a source.

        Parameters
        ----------
        line : int
        system : str
            Its own output in the test set is not one of the others.
        text : str
        """
        said = words(text)
        sources = self._testset.sources
        source = "" if sources is None else sources[line]
        if not source:
            return _repetition(said), 0.0, 0
        wanted = {word for word in words(source) if len(word) >= _SHORTEST}
        if line not in self._known:
            self._known[line] = list(self._kept(line, wanted))
        for each in self._known[line]:
            if each.system != system and not (
                each.system is None and each.text == text
            ):
                wanted -= each.words
        alone = sum(word in wanted for word in said)
        lost = abs(_sentences(text) - _sentences(source))
        return _repetition(said), alone / max(len(said), 1), lost

    def _kept(self, line: int, wanted: set[str]) -> Iterator[_Kept]:
        """Yield the words that outputs and references share with the source."""
        for system, texts in self._testset.systems.items():
            yield _Kept(system, texts[line], wanted.intersection(words(texts[line])))
        for text in self._testset.references[line]:
            yield _Kept(None, text, wanted.intersection(words(text)))


class _Kept(NamedTuple):
    """Words of a source in an output, or in a reference, which has no system."""

    system: str | None
    text: str
    words: set[str]


def _sentences(text: str) -> int:
    return len(_END.findall(text))


def _repetition(said: Sequence[str]) -> float:
    """Return the share of pairs of words that were there before."""
    pairs = list(pairwise(said))
    return 1 - len(set(pairs)) / len(pairs) if pairs else 0.0
