# SPDX-License-Identifier: Apache-2.0
"""The monolingual aligner: outputs against references of the same language."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, cast

from tertium import _core
from tertium.data.annotated import layer

if TYPE_CHECKING:
    from tertium.align.links import Links

__all__ = ["Aligner", "aligner"]

_Columns: TypeAlias = "Sequence[Sequence[str]]"


class Aligner:
    """Aligns outputs with references.

    The last batch is kept: metrics that share an aligner share its work.
    Outputs that bring links of their own (see
    :class:`tertium.data.annotated.Annotated`) keep them.
    """

    def __init__(self, *, tokenize: str = "none", lowercase: bool = True) -> None:
        self.tokenize = tokenize
        self.lowercase = lowercase
        self._last: tuple[list[list[str]], _core.Pairs] | None = None

    def pairs(
        self, systems: _Columns, refs: _Columns, *, threads: int | None = None
    ) -> _core.Pairs:
        """Return the outputs of systems, each aligned with every reference.

        Parameters
        ----------
        systems : sequence of sequences of str
            One sequence of outputs a system.
        refs : sequence of sequences of str
            The references of every segment.
        threads : int, optional
            All cores by default.
        """
        texts = [[text for hyps in systems for text in hyps], *map(list, refs)]
        if self._last is not None and _same(self._last[0], texts):
            return self._last[1]
        pairs = _core.Pairs(
            [[self._prepare(text) for text in hyps] for hyps in systems],
            [[self._prepare(text) for text in own] for own in refs],
            self.tokenize,
        )
        _core.align(pairs, threads or 0)
        _keep_given_links(pairs, systems)
        self._last = texts, pairs
        return pairs

    def token_pairs(
        self,
        hyp_words: Sequence[Sequence[Sequence[str]]],
        ref_words: Sequence[Sequence[Sequence[str]]],
        *,
        systems: _Columns,
        threads: int | None = None,
    ) -> _core.Pairs:
        """Return texts that are already cut into words as aligned pairs.

        `systems` are the texts of `hyp_words`, for links they may bring.
        """
        pairs = _core.Pairs(
            [[self._prepare_words(words) for words in hyps] for hyps in hyp_words],
            [[self._prepare_words(words) for words in own] for own in ref_words],
            "none",
        )
        _core.align(pairs, threads or 0)
        _keep_given_links(pairs, systems)
        return pairs

    def _prepare_words(self, words: Sequence[str]) -> Sequence[str]:
        return [word.lower() for word in words] if self.lowercase else words

    def _prepare(self, text: str) -> str:
        return text.lower() if self.lowercase else text


def _same(first: _Columns, second: _Columns) -> bool:
    # The very same objects: equal texts may bring different layers.
    return len(first) == len(second) and all(
        len(a) == len(b) and all(map(operator.is_, a, b))
        for a, b in zip(first, second, strict=True)
    )


def _keep_given_links(pairs: _core.Pairs, systems: _Columns) -> None:
    for system, hyps in enumerate(systems):
        for segment, hyp in enumerate(hyps):
            given = cast("Sequence[Links] | None", layer(hyp, "links"))
            for ref, links in enumerate(given or ()):
                matches = [(h, 1, r, 1, 0, weight) for h, r, weight, _ in links]
                pairs.set_matches(system, segment, ref, matches)


@lru_cache(maxsize=8)
def aligner(*, tokenize: str = "none", lowercase: bool = True) -> Aligner:
    """Return the shared aligner with these settings."""
    return Aligner(tokenize=tokenize, lowercase=lowercase)
