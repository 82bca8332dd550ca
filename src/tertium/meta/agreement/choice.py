# SPDX-License-Identifier: Apache-2.0
"""Which coefficients are computed, and whether judgements allow them."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.errors import InputError
from tertium.meta.agreement.coefficients import (
    COEFFICIENTS,
    Coefficient,
    find_coefficients,
)
from tertium.meta.evaluation import Evaluation
from tertium.meta.figures import possible
from tertium.meta.human import Human
from tertium.meta.uncertainty.resampling import misfit

__all__ = [
    "check_resampling",
    "chosen_coefficients",
    "default_coefficients",
    "impossible",
    "needs_segments",
]


def default_coefficients(evaluations: Sequence[Evaluation]) -> list[str]:
    """Return the coefficients of the latest tasks with judgements of this kind.

    Those of single judgements are as in McCaffery (2017).
    """
    if all(both.human.clusters is not None for both in evaluations):
        return ["spearman:none", "pearson:none"]
    chosen = ["pearson", "accuracy"]
    if all(both.human.are_parts for both in evaluations):
        return chosen
    if any(both.human.comparisons is not None for both in evaluations):
        chosen += ["tau-wmt14"]
    if any(both.human.ratings is not None for both in evaluations):
        chosen += ["pearson:none", "tau-b:item", "acc-eq:item"]
    return chosen


def chosen_coefficients(
    evaluations: Sequence[Evaluation], names: Sequence[str] | None
) -> list[Coefficient]:
    """Return coefficients by name, those of recent tasks by default.

    Raises
    ------
    InputError
        When there is no such coefficient, or the judgements allow none of them.
    """
    asked = find_coefficients(names or default_coefficients(evaluations))
    allowed = {name for both in evaluations for name in possible(both.human)}
    if not any(each.name in allowed for each in asked):
        raise impossible(asked, evaluations)
    return asked


def needs_segments(human: Human, names: Sequence[str] | None) -> bool:
    """Return whether coefficients compare single outputs, and not systems alone.

    Parameters
    ----------
    human : Human
    names : sequence of str, optional
        As for :func:`correlate_evaluations`. The default is to compare all that was
        judged: systems and segments, or systems alone where parts of segments were
        judged.
    """
    if names is None:
        return not human.are_parts
    return any(
        each.level == "segment" or each.needs != "scores"
        for each in find_coefficients(names)
        if each.name in possible(human)
    )


def check_resampling(
    evaluations: Sequence[Evaluation],
    asked: Sequence[Coefficient],
    over: str,
    *,
    resamples: int,
) -> None:
    """Raise an error if no coefficient can be resampled in this way.

    Raises
    ------
    InputError
        With the reasons.
    """
    if not resamples:
        raise InputError(f"nothing to resample {over} for; give at least one resample")
    reasons: dict[str, None] = {}
    for both in evaluations:
        allowed = possible(both.human)
        for each in asked:
            if each.name not in allowed:
                continue
            reason = misfit(each, both.human, over)
            if reason is None:
                return
            reasons[reason] = None
    raise InputError(f"{over} cannot be resampled: {'; '.join(reasons)}")


def impossible(
    asked: Sequence[Coefficient], evaluations: Sequence[Evaluation]
) -> InputError:
    """Return an error that lists the coefficients that are possible."""
    kinds = ", ".join(sorted({both.human.kind for both in evaluations}))
    allowed = {name for both in evaluations for name in possible(both.human)}
    known = [name for name in COEFFICIENTS if name in allowed]
    cure = f"choose from {', '.join(known)}"
    if not known:
        cure = "give judgements of two systems or more on the same segments"
    return InputError(
        f"none of {', '.join(each.name for each in asked)} is possible with {kinds} "
        f"and these scores; {cure}"
    )
