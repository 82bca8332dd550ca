# SPDX-License-Identifier: Apache-2.0
"""Alpha and Fleiss' kappa of rankings, taken apart into outcomes of two candidates."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from tertium.judgements.agreement.outcomes import Outcomes
from tertium.judgements.agreement.reliability import fleiss_kappa, krippendorff_alpha
from tertium.judgements.estimates import Estimate
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from tertium.judgements.estimates import Codes

__all__ = ["outcome_reliability"]


def outcome_reliability(
    outcomes: Outcomes, *, bootstrap: Bootstrap | None = None
) -> dict[str, Estimate]:
    """Return alpha and Fleiss' kappa of outcomes as categories better, tie, worse.

    Of each judge, the first ranking of two candidates counts. The order of two
    candidates is arbitrary, so better and worse are equally likely by chance.
    """
    key = outcomes.pair * (len(outcomes.judges) + 1)
    key += outcomes.judge + 1  # judge -1 is unknown
    if not _in_order(outcomes.ranking):
        order = np.argsort(outcomes.ranking, kind="stable")
        order = order[np.argsort(key[order], kind="stable")]
    else:
        order = np.argsort(key, kind="stable")
    key = key[order]
    first = np.r_[True, np.diff(key) != 0][: len(key)]
    del key
    first &= outcomes.judge[order] >= 0
    order = order[first]
    del first
    unit, sign = outcomes.pair[order], outcomes.sign[order]
    segment = outcomes.segment[order]
    del order
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


def _in_order(numbers: Codes) -> bool:
    return bool((np.diff(numbers) >= 0).all())
