# SPDX-License-Identifier: Apache-2.0
"""Everything that a model learns from, as texts and then as matrices of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tertium.data.kept import Lazy
from tertium.errors import InputError
from tertium.learn.distinct import digests, distinct
from tertium.learn.matrices import TextRows
from tertium.learn.model import Ranges
from tertium.learn.pairs import (
    Corpora,
    Pairs,
    Rated,
    corpora_of,
    fingerprint,
    pairs_from,
    rated_from,
)
from tertium.learn.recipes import NEED_PEOPLE, Recipe
from tertium.learn.scales import check_gap, check_scales

if TYPE_CHECKING:
    from tertium.learn.data import Source
    from tertium.learn.examples import Examples, SystemPairs
    from tertium.learn.profile import Profile
    from tertium.stats.resample import Report

__all__ = ["Data", "Matrices"]


@dataclass(frozen=True, eq=False)
class Matrices:
    """Pairs as rows of features: to learn from, to tune on, and of systems."""

    examples: Examples
    tuning: Examples | None
    systems: SystemPairs | None
    ranges: Ranges


@dataclass(frozen=True, eq=False)
class Data:
    """Everything that a model learns from."""

    pairs: list[Pairs]
    tuning: list[Pairs]
    corpora: list[Corpora]
    rated: list[Rated]

    @classmethod
    def of(
        cls,
        learn: Sequence[Source],
        tune: Sequence[Source],
        recipe: Recipe,
        *,
        kind: str | None,
        gap: float | None,
        seed: int,
    ) -> Data:
        """Return what a recipe takes from sources to learn from and to tune on."""
        # A source may be there for its ratings alone, to set the scale.
        ranked = [source for source in learn if source.has(kind)]
        check_gap(ranked, kind, gap)
        pairs = [
            [pairs_from(s, kind=kind, filter=recipe.filter, gap=gap) for s in sources]
            for sources in (ranked, [source for source in tune if source.has(kind)])
        ]
        if not sum(map(len, pairs[0])):
            raise InputError(_nothing(recipe, learn))
        corpora = []
        if recipe.objective != "sentence":
            drawn = [corpora_of(s, kind=kind, gap=gap, seed=seed) for s in ranked]
            corpora = [each for each in drawn if each is not None]
        rated: list[Rated | None] = []
        if recipe.scaling in NEED_PEOPLE:
            check_scales([*learn, *tune])
            rated = [rated_from(source) for source in (*learn, *tune)]
        return cls(
            [each for each in pairs[0] if len(each)],
            [each for each in pairs[1] if len(each)],
            corpora,
            [each for each in rated if each is not None and len(each)],
        )

    def words(self) -> str:
        """Return how much there is, for a line of progress."""
        pairs = sum(map(len, self.pairs))
        lacking = sum(each.lacking for each in (*self.pairs, *self.tuning))
        text = f"{pairs:,} pairs of {', '.join(each.name for each in self.pairs)}"
        if self.tuning:
            text += f", {sum(map(len, self.tuning)):,} more to tune on"
        if lacking:
            text += f"; {lacking:,} comparisons have no text on a side"
        return text

    def references(self) -> Sequence[str]:
        """Return every reference that is learnt from, once."""
        pairs = self._flat()
        return distinct(
            Lazy(len(pairs), lambda place: pairs[place][1]),
            digests(
                (ref,) for each in self.pairs for refs in each.refs for ref in refs
            ),
        )

    def outputs(self) -> Sequence[tuple[str, str]]:
        """Return every output that is learnt from, with each of its references."""
        return distinct(
            self._flat(),
            digests(
                (hyp, ref)
                for each in self.pairs
                for hyp, refs in zip(each.hyps, each.refs, strict=True)
                for ref in refs
            ),
        )

    def _flat(self) -> Sequence[tuple[str, str]]:
        """Return all outputs with each of their references, repeats included."""
        counts = [np.fromiter(map(len, p.refs), np.int64) for p in self.pairs]
        part = np.repeat(np.arange(len(counts)), [each.sum() for each in counts])
        text = np.concatenate([np.repeat(np.arange(len(c)), c) for c in counts])
        number = np.concatenate(
            [np.arange(c.sum()) - np.repeat(np.cumsum(c) - c, c) for c in counts]
        )

        def pair(place: int) -> tuple[str, str]:
            pairs, row = self.pairs[part[place]], int(text[place])
            return pairs.hyps[row], pairs.refs[row][number[place]]

        return Lazy(len(part), pair)

    def described(self) -> dict[str, object]:
        """Return what goes into the model file."""
        used = [*self.pairs, *self.tuning]
        return {
            "sources": {
                name: {
                    "comparisons": sum(
                        each.comparisons for each in used if each.name == name
                    ),
                    "pairs": sum(len(each) for each in used if each.name == name),
                }
                for name in dict.fromkeys(each.name for each in used)
            },
            "comparisons": sum(each.comparisons for each in used),
            "pairs": sum(map(len, used)),
            "rated_texts": sum(map(len, self.rated)),
            "sha256": fingerprint([*used, *self.corpora, *self.rated]),
        }

    def matrices(
        self,
        profile: Profile,
        recipe: Recipe,
        *,
        threads: int | None,
        progress: Report | None = None,
    ) -> Matrices:
        """Return all features in the ranges of those that are learnt from."""
        texts = TextRows()
        examples = texts.examples(self.pairs)
        if recipe.balance == "sources":
            examples = examples.balanced()
        systems = None
        if recipe.objective != "sentence":
            systems = texts.system_pairs(self.corpora)
        features = texts.features(profile, threads=threads, progress=progress)
        ranges = Ranges.of(features)
        tuning = None
        if self.tuning:
            held = TextRows()
            held_out = held.examples(self.tuning)
            rows = held.features(profile, threads=threads)
            tuning = held_out.with_features(ranges.scale_in_place(rows))
        return Matrices(
            examples.with_features(ranges.scale_in_place(features)),
            tuning,
            systems,
            ranges,
        )


def _nothing(recipe: Recipe, sources: Sequence[Source]) -> str:
    names = ", ".join(source.name for source in sources[:3])
    cure = "give more judgements"
    if recipe.filter == "agreed":
        cure += ", or take all pairs (filter all): few texts were judged twice"
    return f"no pair of texts to learn from in {names or 'no source at all'}; {cure}"
