# SPDX-License-Identifier: Apache-2.0
"""Everything that a model learns from, as texts and then as matrices of features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.errors import InputError
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
        found = [
            [pairs_from(s, kind=kind, filter=recipe.filter, gap=gap) for s in own]
            for own in (ranked, [source for source in tune if source.has(kind)])
        ]
        if not sum(map(len, found[0])):
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
            [own for own in found[0] if len(own)],
            [own for own in found[1] if len(own)],
            corpora,
            [own for own in rated if own is not None and len(own)],
        )

    def words(self) -> str:
        """Return how much there is, for a line of progress."""
        pairs = sum(map(len, self.pairs))
        lacking = sum(own.lacking for own in (*self.pairs, *self.tuning))
        text = f"{pairs:,} pairs of {', '.join(own.name for own in self.pairs)}"
        if self.tuning:
            text += f", {sum(map(len, self.tuning)):,} more to tune on"
        if lacking:
            text += f"; {lacking:,} comparisons have no text on a side"
        return text

    def references(self) -> list[str]:
        """Return every reference that is learnt from, once."""
        found = (ref for own in self.pairs for refs in own.refs for ref in refs)
        return list(dict.fromkeys(found))

    def outputs(self) -> list[tuple[str, str]]:
        """Return every output that is learnt from, with each of its references."""
        return list(
            dict.fromkeys(
                (hyp, ref)
                for own in self.pairs
                for hyp, refs in zip(own.hyps, own.refs, strict=True)
                for ref in refs
            )
        )

    def described(self) -> dict[str, object]:
        """Return what goes into the model file."""
        used = [*self.pairs, *self.tuning]
        return {
            "sources": {
                name: {
                    "comparisons": sum(
                        own.comparisons for own in used if own.name == name
                    ),
                    "pairs": sum(len(own) for own in used if own.name == name),
                }
                for name in dict.fromkeys(own.name for own in used)
            },
            "comparisons": sum(own.comparisons for own in used),
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
        systems = None
        if recipe.objective != "sentence":
            systems = texts.system_pairs(self.corpora)
        features = texts.features(profile, threads=threads, progress=progress)
        ranges = Ranges.of(features)
        tuning = None
        if self.tuning:
            held = TextRows()
            own = held.examples(self.tuning)
            rows = held.features(profile, threads=threads)
            tuning = own.with_features(ranges.scale(rows))
        return Matrices(
            examples.with_features(ranges.scale(features)), tuning, systems, ranges
        )


def _nothing(recipe: Recipe, sources: Sequence[Source]) -> str:
    names = ", ".join(source.name for source in sources[:3])
    cure = "give more judgements"
    if recipe.filter == "agreed":
        cure += ", or take all pairs (filter all): few texts were judged twice"
    return f"no pair of texts to learn from in {names or 'no source at all'}; {cure}"
