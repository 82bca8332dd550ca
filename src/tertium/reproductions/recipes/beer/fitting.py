# SPDX-License-Identifier: Apache-2.0
"""Rankers from matrices: features once, many rankers from their columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tertium.learn.data import Source
from tertium.learn.examples import Examples, SystemPairs
from tertium.learn.matrices import TextRows
from tertium.learn.model import Ranges
from tertium.learn.objectives import fit_linear
from tertium.learn.pairs import Pairs, corpora_of, pairs_from
from tertium.learn.profile import Profile
from tertium.learn.rankers import Linear
from tertium.meta.agreement.ties import Cells, tau, tie_matrix

__all__ = [
    "STRENGTH",
    "Rows",
    "Training",
    "pair_tau",
    "segment_counts",
    "svm",
    "training",
]

Rows: TypeAlias = NDArray[np.float64]

#: The strength of the released BEER 2.0; never chosen anew, so nothing is tuned here.
STRENGTH = 2.0**-11


@dataclass(frozen=True, eq=False)
class Training:
    """What rankers learn from, with features in their ranges."""

    profile: Profile
    ranges: Ranges
    examples: Examples
    systems: SystemPairs | None

    def features(self, hyps: Sequence[str], refs: Sequence[str]) -> Rows:
        """Return the features of other texts in the same ranges."""
        return self.ranges.scale(self.profile.features(hyps, refs))


def training(
    sources: Sequence[Source],
    profile: Profile,
    *,
    corpora: bool = False,
    size: int = 600,
) -> Training:
    """Return all pairs of some sources, and their systems if asked for.

    Parameters
    ----------
    sources : sequence of Source
    profile : Profile
    corpora : bool
        Whether to have systems too.
    size : int
        The most segments of every system.
    """
    parts = [pairs_from(source) for source in sources]
    texts = TextRows()
    examples = texts.examples(parts)
    systems = None
    if corpora:
        results = [corpora_of(source, size=size) for source in sources]
        systems = texts.system_pairs(
            [result for result in results if result is not None]
        )
    refs = list(
        dict.fromkeys(ref for result in parts for all_ in result.refs for ref in all_)
    )
    profile = profile.fitted(refs)
    features = texts.features(profile)
    ranges = Ranges.of(features)
    result = examples.with_features(ranges.scale(features))
    return Training(profile, ranges, result, systems)


def svm(trained: Training, columns: Sequence[int], *, rising: bool) -> Linear:
    """Return the linear SVM on some of the features, with weight 0 for the others.

    Parameters
    ----------
    trained : Training
    columns : sequence of int
    rising : bool
        Whether weights may only reward agreement with the reference.
    """
    kept = list(columns)
    signs = [trained.profile.signs[i] for i in kept] if rising else None
    examples = trained.examples.with_features(
        np.ascontiguousarray(trained.examples.features[:, kept])
    )
    ranker = fit_linear(
        examples, loss="svm", regularisation=STRENGTH, nonnegative=signs
    ).ranker
    if not isinstance(ranker, Linear):
        raise TypeError(f"an SVM gave a {type(ranker).__name__}")
    weights = np.zeros(len(trained.profile.names))
    weights[kept] = ranker.weights
    return replace(ranker, weights=tuple(weights.tolist()))


def pair_tau(pairs: Pairs, scores: Rows, preset: str = "wmt14") -> float:
    """Return Kendall's tau of scores, one for every text of the pairs."""
    difference = scores[pairs.better] - scores[pairs.worse]
    right, wrong = int((difference > 0).sum()), int((difference < 0).sum())
    counts = (right, len(difference) - right - wrong, wrong)
    value = tau(Cells((counts, (0, 0, 0), (0, 0, 0))), tie_matrix(preset))
    return 0.0 if value is None else value


def segment_counts(
    pairs: Pairs, scores: Rows, *, ties: bool = False
) -> NDArray[np.int64]:
    """Return right and wrong pairs of every segment, for a bootstrap over segments.

    Ties of the scores are in neither; they are a third row if asked for. A segment is
    what has the same references.
    """
    place: dict[tuple[str, ...], int] = {}
    numbers = np.array([place.setdefault(refs, len(place)) for refs in pairs.refs])
    segments = numbers[pairs.better]
    sign = np.sign(scores[pairs.better] - scores[pairs.worse])
    return np.stack(
        [
            np.bincount(segments[sign == kind], minlength=len(place))
            for kind in ((1, -1, 0) if ties else (1, -1))
        ]
    )
