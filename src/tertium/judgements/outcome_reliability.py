# SPDX-License-Identifier: Apache-2.0
"""Alpha and Fleiss' kappa of rankings, taken apart into outcomes of two candidates."""

from __future__ import annotations

import numpy as np

from tertium.judgements.estimates import Bootstrap, Estimate
from tertium.judgements.outcomes import Outcomes
from tertium.judgements.reliability import fleiss_kappa, krippendorff_alpha

__all__ = ["outcome_reliability"]


def outcome_reliability(
    found: Outcomes, *, bootstrap: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Return alpha and Fleiss' kappa of outcomes as categories better, tie, worse.

    Of each judge, the first ranking of two candidates counts. The order of two
    candidates is arbitrary, so better and worse are equally likely by chance.
    """
    known = np.flatnonzero(found.judge >= 0)
    order = known[
        np.lexsort((found.ranking[known], found.judge[known], found.pair[known]))
    ]
    pair, judge = found.pair[order], found.judge[order]
    first = np.ones(len(order), bool)
    first[1:] = (pair[1:] != pair[:-1]) | (judge[1:] != judge[:-1])
    order = order[first]
    unit, sign = found.pair[order], found.sign[order].astype(np.int64)
    segment = found.segment[order]
    return {
        "alpha": krippendorff_alpha(
            unit,
            sign,
            level="nominal",
            mirrored=True,
            clusters=segment,
            bootstrap=bootstrap,
        ),
        "fleiss": fleiss_kappa(
            unit, sign, mirrored=True, clusters=segment, bootstrap=bootstrap
        ),
    }
