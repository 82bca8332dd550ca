# SPDX-License-Identifier: Apache-2.0
"""Signs of bad translations that need no reference.

Systems that fail often repeat themselves, leave words untranslated that all others
translate, or lose sentences of a long segment. Similarity to good outputs shows none of
these well, since the rest of such an output is often right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
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
        self._lines: dict[int, _Line] = {}

    def of(self, line: int, system: str, text: str) -> tuple[float, float, float]:
        """Return the symptoms of one output.

        Without a source, no word is known to be untranslated, and the usual number of
        sentences is the median of all outputs.

        Parameters
        ----------
        line : int
        system : str
            Its own output in the test set is not one of the others.
        text : str
        """
        if line not in self._lines:
            self._lines[line] = self._read(line)
        here = self._lines[line]
        tokens = words(text)
        kept = here.source.intersection(tokens)
        for each in here.outputs:
            if not kept:
                break
            if each.system != system and (each.system is not None or each.text != text):
                kept = kept - each.words
        alone = sum(word in kept for word in tokens)
        lost = abs(_sentences(text) - here.sentences)
        return _repetition(tokens), alone / max(len(tokens), 1), lost

    def _read(self, line: int) -> _Line:
        testset = self._testset
        outputs = [(name, texts[line]) for name, texts in testset.systems.items()]
        source = "" if testset.sources is None else testset.sources[line]
        counts = [_sentences(text) for _, text in outputs]
        expected = _sentences(source) if source else median(counts or [1])
        long = frozenset(word for word in words(source) if len(word) >= _SHORTEST)
        references = [(None, text) for text in testset.references[line]]
        listed = [
            _Output(name, text, long.intersection(words(text)))
            for name, text in (*outputs, *references)
        ]
        return _Line(long, expected, listed)


class _Output(NamedTuple):
    """An output, or a reference, which has no system, with words of the source."""

    system: str | None
    text: str
    words: frozenset[str]


class _Line(NamedTuple):
    """Long words of a source, the usual number of sentences, and all outputs."""

    source: frozenset[str]
    sentences: float
    outputs: list[_Output]


def _sentences(text: str) -> int:
    return len(_END.findall(text))


def _repetition(tokens: Sequence[str]) -> float:
    """Return the share of pairs of words that were there before."""
    pairs = list(pairwise(tokens))
    return 1 - len(set(pairs)) / len(pairs) if pairs else 0.0
