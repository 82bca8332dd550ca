# SPDX-License-Identifier: Apache-2.0
"""Intraclass correlations, the six of Shrout and Fleiss (1979).

(1) every unit has judges of its own; (2) judges are a sample, and their levels count
as error; (3) these judges only, levels do not count. ``,1`` is one judgement, ``,k``
the mean of k. Complete tables are solved by mean squares as in the paper. With missing
judgements, (1) uses the mean squares of unequal groups, and (2) and (3) the variances
of a mixed model with crossed units and judges; k is then the size of groups that the
first mean square stands for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from tertium._executor import spread
from tertium.errors import InputError, NotDefinedError
from tertium.judgements.adjustment.mixed import (
    MixedFit,
    fit_mixed,
    resampled_ratios,
    solved_alike,
)
from tertium.judgements.estimates import (
    Estimate,
    as_weights,
    codes,
    percentiles,
    sample_weights,
    sampled_parts,
)
from tertium.stats.resample import Bootstrap

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from tertium.judgements.estimates import Codes, Floats

__all__ = ["ICC_NAMES", "IntraclassCorrelations", "intraclass_correlations"]

ICC_NAMES = ("ICC(1,1)", "ICC(2,1)", "ICC(3,1)", "ICC(1,k)", "ICC(2,k)", "ICC(3,k)")


#: Resamples of a mixed model, each of which is a search.
REFITS = 200
#: Values beyond which resamples make two steps instead of a search.
MOST_SEARCHED = 10_000
_SENT = 10  # resamples that go elsewhere together


@dataclass(frozen=True)
class IntraclassCorrelations:
    """The six coefficients, by name.

    Parameters
    ----------
    values : dict of str to Estimate
    k : float
        The judgements a unit that ``,k`` stands for.
    method : {"mean squares", "mixed model"}
        How (2) and (3) were found.
    units, judges : int
        That were used: units judged twice at least.
    """

    values: dict[str, Estimate]
    k: float
    method: str
    units: int
    judges: int

    def __getitem__(self, name: str) -> Estimate:
        return self.values[name]


def intraclass_correlations(
    units: ArrayLike,
    judges: ArrayLike,
    values: ArrayLike,
    *,
    clusters: ArrayLike | None = None,
    bootstrap: Bootstrap | None = None,
) -> IntraclassCorrelations:
    """Return the intraclass correlations of judgements in long form.

    Parameters
    ----------
    units, judges, values : array
        What was judged, by whom, and the score: one per unit and judge.
    clusters : array, optional
        What is sampled together for intervals, such as segments. Units by default.
    bootstrap : Bootstrap, optional
        Ask for intervals. Those of (2) and (3) of incomplete tables rest on 200
        resamples at most, as the mixed model is fitted to each; beyond 10,000
        values, by two steps of Newton from the fit of the whole table.

    Examples
    --------
    >>> units, judges = [0, 0, 1, 1, 2, 2], [0, 1, 0, 1, 0, 1]
    >>> found = intraclass_correlations(units, judges, [1, 2, 4, 5, 7, 8])
    >>> round(found["ICC(2,1)"].value, 4), round(found["ICC(3,1)"].value, 4)
    (0.9474, 1.0)
    """
    x = np.asarray(values, np.float64)
    unit, judge = codes(np.asarray(units)), codes(np.asarray(judges))
    cluster = unit if clusters is None else codes(np.asarray(clusters))
    if not len(unit) == len(judge) == len(x) == len(cluster):
        message = "units, judges, values and clusters must have the same length"
        raise InputError(message)
    if not np.isfinite(x).all():
        message = "values must be finite; leave missing judgements out"
        raise InputError(message)
    keep = np.bincount(unit, minlength=1)[unit] > 1 if len(unit) else unit > 0
    unit, judge, cluster = codes(unit[keep]), codes(judge[keep]), codes(cluster[keep])
    x = x[keep]
    n, k = int(unit.max(initial=-1)) + 1, int(judge.max(initial=-1)) + 1
    if len(np.unique(unit * max(k, 1) + judge)) < len(x):
        message = "a judge has two values of a unit; keep one, such as the first"
        raise InputError(message)
    reason = None
    if n < 2:
        reason = "fewer than two units were judged twice"
    elif np.ptp(x) == 0:
        reason = "all values are the same"
    if reason:
        empty = dict.fromkeys(ICC_NAMES, Estimate(None, reason=reason))
        return IntraclassCorrelations(empty, float(k), "mean squares", n, k)
    x = (x - x.mean()) / x.std()  # no coefficient knows origin or unit
    if len(x) == n * k:
        return _complete(unit, judge, x, cluster, bootstrap)
    return _incomplete(unit, judge, x, cluster, bootstrap)


def _complete(
    unit: Codes, judge: Codes, x: Floats, cluster: Codes, bootstrap: Bootstrap | None
) -> IntraclassCorrelations:
    n, k = int(unit.max()) + 1, int(judge.max()) + 1
    table = np.zeros((n, k))
    table[unit, judge] = x
    of_unit = np.zeros(n, np.int64)
    of_unit[unit] = cluster
    rows = np.column_stack(
        [np.ones(n), table, (table**2).sum(axis=1), table.sum(axis=1) ** 2]
    )
    spread = _by_cluster(rows, of_unit)

    def six(sums: Floats) -> Floats:
        count, columns = sums[:, 0], sums[:, 1 : k + 1]
        squares, of_rows = sums[:, k + 1], sums[:, k + 2]
        grand = columns.sum(axis=1) ** 2 / (count * k)
        between = of_rows / k - grand
        judges = (columns**2).sum(axis=1) / count - grand
        total = squares - grand
        rest = total - between - judges
        for part in (between, judges, rest):
            part[part < 1e-12 * total] = 0.0  # what rounding leaves of nothing
        msb, msj = between / (count - 1), judges / (k - 1)
        mse = rest / ((count - 1) * (k - 1))
        msw = (judges + rest) / (count * (k - 1))
        below = [
            msb + (k - 1) * msw,
            msb + (k - 1) * mse + k * (msj - mse) / count,
            msb + (k - 1) * mse,
            msb,
            msb + (msj - mse) / count,
            msb,
        ]
        above = [msb - msw, msb - mse, msb - mse] * 2
        nothing = 1e-12 * (msb + msj + mse + msw)  # but for rounding
        return np.stack(
            [
                np.where(np.abs(under) > nothing, over / under, np.nan)
                for over, under in zip(above, below, strict=True)
            ],
            axis=1,
        )

    values = _estimates(six, spread, bootstrap, ICC_NAMES)
    return IntraclassCorrelations(values, float(k), "mean squares", n, k)


def _incomplete(
    unit: Codes, judge: Codes, x: Floats, cluster: Codes, bootstrap: Bootstrap | None
) -> IntraclassCorrelations:
    sizes = np.bincount(unit).astype(np.float64)
    totals = np.bincount(unit, x)
    of_unit = np.zeros(len(sizes), np.int64)
    of_unit[unit] = cluster
    rows = np.column_stack(
        [
            np.ones(len(sizes)),
            sizes,
            sizes**2,
            totals,
            totals**2 / sizes,
            np.bincount(unit, x**2),
        ]
    )
    spread = _by_cluster(rows, of_unit)

    def group_size(sums: Floats) -> Floats:
        k: Floats = (sums[:, 1] - sums[:, 2] / sums[:, 1]) / (sums[:, 0] - 1)
        return k

    def first(sums: Floats) -> Floats:
        count, size = sums[:, 0], sums[:, 1]
        k = group_size(sums)
        between = sums[:, 4] - sums[:, 3] ** 2 / size
        within = sums[:, 5] - sums[:, 4]
        for part in (between, within):
            part[part < 1e-12 * sums[:, 5]] = 0.0
        msb, msw = between / (count - 1), within / (size - count)
        return np.stack([(msb - msw) / (msb + (k - 1) * msw), (msb - msw) / msb], 1)

    names = ("ICC(1,1)", "ICC(1,k)")
    values = _estimates(first, spread, bootstrap, names)
    k = float(group_size(spread.sum(axis=0)[None, :])[0])
    shape = len(sizes), int(judge.max()) + 1
    if np.abs(x - (totals / sizes)[unit]).max() < 1e-12:  # all agree on every unit
        perfect = dict.fromkeys(ICC_NAMES, Estimate(1.0)) | values
        return IntraclassCorrelations(perfect, k, "mean squares", *shape)
    try:
        fit = fit_mixed(x, [unit, judge])
    except NotDefinedError as error:
        for name in set(ICC_NAMES) - set(names):
            values[name] = Estimate(None, reason=str(error))
    else:
        ratios = np.array(fit.variances)[None, :] / fit.residual
        sampled = _sampled_ratios(unit, judge, x, of_unit, fit, bootstrap)
        for name in ("2", "3"):
            for tail, size in (("1", 1.0), ("k", k)):
                value = float(_from_ratios(ratios, name, size)[0])
                low_high = None
                if sampled is not None and bootstrap is not None:
                    again = _from_ratios(sampled, name, size)
                    low_high = percentiles(again, bootstrap)
                values[f"ICC({name},{tail})"] = Estimate(value, low_high)
    ordered = {name: values[name] for name in ICC_NAMES}
    return IntraclassCorrelations(ordered, k, "mixed model", *shape)


def _from_ratios(ratios: Floats, kind: str, k: float) -> Floats:
    """Return ICC(2,k) or ICC(3,k) from variances over that of the rest."""
    between, judges = ratios.T
    error = 1 + (judges if kind == "2" else 0)
    values: Floats = between / (between + error / k)
    return values


def _sampled_ratios(
    unit: Codes,
    judge: Codes,
    x: Floats,
    of_unit: Codes,
    fit: MixedFit,
    bootstrap: Bootstrap | None,
) -> Floats | None:
    """Return the variances of resamples."""
    groups, place = np.unique(of_unit, return_inverse=True)
    if bootstrap is None or len(groups) < 2:
        return None
    run = replace(bootstrap, resamples=min(bootstrap.resamples, REFITS))
    method = "search" if len(x) <= MOST_SEARCHED else "steps"
    work = partial(_ratios, unit, judge, x, place.reshape(-1), fit, method)
    parts = sampled_parts(len(groups), run, _SENT)
    anywhere = solved_alike([unit, judge])
    return np.concatenate(list((spread if anywhere else map)(work, parts)))


def _ratios(
    unit: Codes,
    judge: Codes,
    x: Floats,
    place: Codes,
    fit: MixedFit,
    method: str,
    part: NDArray[np.generic],
) -> Floats:
    """Return the variances of some resamples."""
    samples = (weights[place] for weights in as_weights(part))
    return resampled_ratios(x, unit, judge, fit, samples, method=method)


def _by_cluster(rows: Floats, of_unit: Codes) -> Floats:
    names, place = np.unique(of_unit, return_inverse=True)
    spread = np.zeros((len(names), rows.shape[1]))
    np.add.at(spread, place.reshape(-1), rows)
    return spread


def _estimates(
    formula: Callable[[Floats], Floats],
    rows: Floats,
    bootstrap: Bootstrap | None,
    names: tuple[str, ...],
) -> dict[str, Estimate]:
    with np.errstate(divide="ignore", invalid="ignore"):
        values = formula(rows.sum(axis=0)[None, :])[0]
        sampled = None
        if bootstrap is not None and len(rows) > 1:
            parts = [formula(w @ rows) for w in sample_weights(len(rows), bootstrap)]
            sampled = np.concatenate(parts)
    estimates = {}
    for i, name in enumerate(names):
        if not np.isfinite(values[i]):
            why = "units do not differ, so there is nothing to agree on"
            estimates[name] = Estimate(None, reason=why)
            continue
        low_high = None
        if sampled is not None and bootstrap is not None:
            low_high = percentiles(sampled[:, i], bootstrap)
        estimates[name] = Estimate(float(values[i]), low_high)
    return estimates
