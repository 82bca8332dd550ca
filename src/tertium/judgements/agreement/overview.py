# SPDX-License-Identifier: Apache-2.0
"""All about agreement in one result, as ``tertium agree`` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.adjustment.intervals import adjustment_intervals
from tertium.judgements.adjustment.models import METHODS, adjust
from tertium.judgements.agreement.outcome_reliability import outcome_reliability
from tertium.judgements.agreement.outcomes import Outcomes, outcomes, time_slices
from tertium.judgements.agreement.pooled import (
    agreement_over_time,
    pooled_agreement,
)
from tertium.judgements.agreement.ratings import (
    RatingData,
    rating_agreement,
    rating_data,
    rating_slices,
    scales,
)
from tertium.judgements.agreement.reliability import krippendorff_alpha
from tertium.judgements.agreement.report import Adjusted, AgreementReport, Group
from tertium.judgements.annotators.checks import attention_checks
from tertium.judgements.annotators.profiles import profile_judges
from tertium.judgements.estimates import Bootstrap, Estimate
from tertium.judgements.ranking.defaults import kinds_of
from tertium.judgements.summary import count_errors

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.tables import Judgements

__all__ = ["GROUPINGS", "AgreementReport", "Group", "agree"]

GROUPINGS = ("langpair", "campaign", "judge", "time")
_UNKNOWN = "(unknown)"
_COSTS = "MQM"


def agree(
    judgements: Judgements,
    *,
    by: str | None = None,
    scale: str | None = None,
    adjustment: str | None = None,
    pairs: bool = False,
    slices: int = 4,
    bootstrap: Bootstrap | None = None,
) -> AgreementReport:
    """Return how far judges agree with themselves and with each other.

    Parameters
    ----------
    judgements : Judgements
    by : {"langpair", "campaign", "judge", "time"}, optional
        Also by group. A language pair or campaign has a P(E) of its own; slices of
        time share that of all rankings. Judges are always listed; ``judge`` adds
        nothing.
    scale : str, optional
        Look at ratings on this scale only. ``MQM`` stands for what error spans cost,
        where no ratings are on such a scale; error spans without ratings of systems
        are always taken so.
    adjustment : {"judge", "judge+segment", "z"}, optional
        Adjust ratings, and test what that changes.
    pairs : bool
        Keep the kappa of every two judges in the result.
    slices : int
        For ``by="time"``.
    bootstrap : Bootstrap, optional
        Ask for intervals.
    """
    if by is not None and by not in GROUPINGS:
        raise UnknownNameError("grouping", by, GROUPINGS)
    if adjustment is not None and adjustment not in METHODS:
        raise UnknownNameError("adjustment", adjustment, METHODS)
    given = judgements
    judgements, remarks = _with_spans_rated(judgements, scale)
    names = scales(judgements)
    if scale is not None:
        if scale not in names:
            there = ", ".join(names) or "none"
            message = f"no ratings on the scale {scale!r}; there are {there}"
            raise InputError(message)
        names = [scale]
    data = [rating_data(judgements, scale=name) for name in names]
    found = outcomes(judgements.rankings)
    if not len(found) and not any(len(one) for one in data):
        message = "there are no rankings or ratings to agree on; import some first"
        raise InputError(message)
    if not found.judges and not any(one.judges for one in data):
        message = (
            "no judgement names its judge, so there is no agreement to measure; import "
            "files that say who judged"
        )
        raise InputError(message)
    # Pairs of judges always, as flags need them; intervals of pairs only if wanted.
    paired = pairs or bootstrap is None
    whole = _group("all", found, data, pairs=paired, bootstrap=bootstrap)
    flagging = whole.rankings
    if flagging is not None and not paired:
        flagging = replace(flagging, pairs=pooled_agreement(found, pairs=True).pairs)
    if whole.rankings is not None and not pairs:
        whole = replace(whole, rankings=replace(whole.rankings, pairs={}))
    profiles = profile_judges(
        judgements.rankings,
        data,
        flagging,
        checks=attention_checks(given.ratings, judgements.ratings),
        bootstrap=bootstrap,
    )
    groups = [whole, *_groups(judgements, by, found, data, slices, bootstrap)]
    adjusted = {
        one.scale: _adjusted(one, adjustment, bootstrap) for one in data if adjustment
    }
    remarks += _remarks(found, data, by, groups)
    if adjustment and not data:
        remarks.append("there are no ratings to adjust")
    if pairs and not len(found):
        remarks.append("there are no rankings, so no pairs of judges are listed")
    return AgreementReport(groups, by, profiles, adjusted, remarks, bootstrap)


def _group(
    name: str,
    found: Outcomes,
    data: list[RatingData],
    *,
    pairs: bool = False,
    bootstrap: Bootstrap | None,
) -> Group:
    agreement = None
    if len(found):
        agreement = pooled_agreement(found, pairs=pairs, bootstrap=bootstrap)
    return Group(
        name,
        agreement,
        outcome_reliability(found, bootstrap=bootstrap) if agreement else {},
        {
            one.scale: rating_agreement(one, bootstrap=bootstrap)
            for one in data
            if len(one)
        },
    )


def _groups(
    judgements: Judgements,
    by: str | None,
    found: Outcomes,
    data: list[RatingData],
    slices: int,
    bootstrap: Bootstrap | None,
) -> Iterator[Group]:
    if by in ("langpair", "campaign"):
        for name, part in _parts(judgements, by):
            rated = [
                rating_data(part, scale=one.scale)
                for one in data
                if one.scale in scales(part)
            ]
            yield _group(name, outcomes(part.rankings), rated, bootstrap=bootstrap)
    elif by == "time":
        timed, number = time_slices(found, slices)
        by_time = agreement_over_time(found, slices=slices, bootstrap=bootstrap)
        for i, (first, last, agreement) in enumerate(by_time):
            # These look at rankings of the slice only, as those of ratings do.
            own = outcome_reliability(timed.select(number == i), bootstrap=bootstrap)
            yield Group(_span(first, last), agreement, own, {})
        for one in data:
            for first, last, some in rating_slices(one, slices):
                agreed = rating_agreement(some, bootstrap=bootstrap)
                yield Group(_span(first, last), None, {}, {one.scale: agreed})


def _parts(judgements: Judgements, column: str) -> Iterator[tuple[str, Judgements]]:
    import polars as pl

    from tertium.judgements.tables import Judgements

    tables = judgements.tables()

    def part(chosen: pl.Expr) -> Judgements:
        return Judgements(**{k: table.filter(chosen) for k, table in tables.items()})

    for name in judgements.names(column):
        yield name, part(pl.col(column).cast(pl.String) == name)
    rest = part(pl.col(column).is_null())
    counts = rest.counts()
    if counts["rankings"] or counts["ratings"]:
        yield _UNKNOWN, rest


def _span(first: int, last: int) -> str:
    def show(milliseconds: int) -> str:
        moment = datetime.fromtimestamp(milliseconds / 1000, tz=timezone.utc)
        return moment.strftime("%Y-%m-%d %H:%M")

    return f"{show(first)} - {show(last)}"


def _adjusted(
    data: RatingData, method: str | None, bootstrap: Bootstrap | None
) -> Adjusted:
    found = adjust(data, method or "judge")

    def alpha(part: RatingData) -> Estimate:
        one = part.first()
        return krippendorff_alpha(
            one.unit, one.score, clusters=one.segment, bootstrap=bootstrap
        )

    if found.reason is not None:
        none = Estimate(None, reason=found.reason)
        return Adjusted(data.scale, found, alpha(data), none, none)
    kept = data.select(found.kept)
    before, after = alpha(kept), alpha(replace(kept, score=found.scores))
    change = Estimate(None, reason=before.reason or after.reason)
    if before.value is not None and after.value is not None:
        change = Estimate(after.value - before.value)
    drawn = None
    if bootstrap is not None:
        drawn = adjustment_intervals(data, found, bootstrap)
    if drawn is not None and change.value is not None:
        after = replace(after, interval=drawn.alpha)
        change = replace(change, interval=drawn.change)
    return Adjusted(data.scale, found, before, after, change, drawn)


def _remarks(
    found: Outcomes,
    data: list[RatingData],
    by: str | None,
    groups: list[Group],
) -> list[str]:
    remarks = []
    strangers = int(
        np.count_nonzero(np.bincount(found.ranking[found.judge < 0], minlength=1))
    )
    if strangers:
        remarks.append(
            f"{strangers:,} rankings have no judge: they count for agreement by "
            "chance only"
        )
    unknown = sum(int(np.count_nonzero(one.judge < 0)) for one in data)
    if unknown:
        remarks.append(f"{unknown:,} ratings have no judge and were left out")
    if found.nameless:
        remarks.append(
            f"{found.nameless:,} places of rankings name neither system nor text and "
            "were left out"
        )
    if by == "time" and len(groups) == 1:
        remarks.append("no judgement has a time, so there are no slices of time")
    return remarks


def _names_judges(judgements: Judgements) -> bool:
    import polars as pl

    known = judgements.ratings.select(pl.col("judge").is_not_null().any())
    return bool(known.collect().item())


def _with_spans_rated(
    judgements: Judgements, scale: str | None
) -> tuple[Judgements, list[str]]:
    """Return judgements with error spans as ratings where they are to be compared."""
    import polars as pl

    from tertium.judgements.ranking.ratings import span_ratings
    from tertium.judgements.tables import schemas

    if not judgements.counts()["spans"]:
        return judgements, []
    errors = count_errors(judgements)
    spans = f"{errors:,} error {'span' if errors == 1 else 'spans'}"
    wanted = scale == _COSTS and scale not in scales(judgements)
    if not wanted and "ratings" in kinds_of(judgements) and _names_judges(judgements):
        what = f"{spans} left out; choose the scale {_COSTS} to compare them by cost"
        return judgements, [what] if errors else []
    rated, notes = span_ratings(judgements)
    columns = schemas()["ratings"]
    table = rated.with_columns(pl.lit(None).alias("meta")).select(
        pl.col(name).cast(dtype) for name, dtype in columns.items()
    )
    what = f"{spans} compared by cost, as {_COSTS} does"
    return replace(judgements, ratings=table), [what, *map(str, notes)]
