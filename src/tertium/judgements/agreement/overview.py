# SPDX-License-Identifier: Apache-2.0
"""Agreement of judges on rankings and ratings, in one result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import numpy as np

from tertium._messages import count
from tertium._seed import SEED
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.adjustment.intervals import adjustment_intervals
from tertium.judgements.adjustment.models import METHODS
from tertium.judgements.adjustment.models import adjust as adjust_data
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
from tertium.judgements.annotators.time_spent import time_spent
from tertium.judgements.estimates import Estimate
from tertium.judgements.ranking.defaults import kinds_of
from tertium.judgements.selection import campaign_notes, check_read
from tertium.judgements.summary import count_errors
from tertium.notes import Note
from tertium.stats.resample import Bootstrap, check_run

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
    adjust: str | None = None,
    pairs: bool = False,
    slices: int = 4,
    intervals: bool = False,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = SEED,
) -> AgreementReport:
    """Return how far judges agree with themselves and with each other.

    Parameters
    ----------
    judgements : Judgements
    by : {"langpair", "campaign", "judge", "time"}, optional
        Also by group. A language pair or campaign has a P(E) of its own; slices of
        time share that of all rankings. Judges are always listed; ``judge`` adds the
        time they spent.
    scale : str, optional
        Look at ratings on this scale only. ``MQM`` stands for what error spans cost,
        where no ratings are on such a scale; error spans without ratings of systems
        are always taken so.
    adjust : {"judge", "judge+segment", "z"}, optional
        Adjust ratings, and test what that changes.
    pairs : bool
        Keep the kappa of every two judges in the result.
    slices : int
        Number of time slices for ``by="time"``.
    intervals : bool
        Also compute bootstrap intervals, for which segments are resampled.
    resamples : int
        Number of bootstrap resamples.
    confidence : float
        Of the intervals.
    seed : int

    Raises
    ------
    InputError
        When there are no rankings or ratings, or no judgement names its judge.

    Examples
    --------
    >>> import tertium
    >>> report = tertium.agree(tertium.Judgements.read("demo"))
    >>> round(report.whole.rankings.inter.value, 3)
    0.331
    """
    check_read(judgements)
    if by is not None and by not in GROUPINGS:
        raise UnknownNameError("grouping", by, GROUPINGS)
    if adjust is not None and adjust not in METHODS:
        raise UnknownNameError("adjustment", adjust, METHODS)
    bootstrap = None
    if intervals:
        check_run(resamples, seed)  # intervals without resamples do not exist
        bootstrap = Bootstrap(resamples, seed, confidence)
    notes: list[Note | str] = []
    if by != "campaign":
        notes += campaign_notes(judgements)
    original = judgements
    judgements, span_notes = _with_spans_rated(judgements, scale)
    notes += span_notes
    names = scales(judgements)
    if scale is not None:
        if scale not in names:
            there = ", ".join(names) or "none"
            message = f"no ratings on the scale {scale!r}; there are {there}"
            raise InputError(message)
        names = [scale]
    data = [rating_data(judgements, scale=name) for name in names]
    compared = outcomes(judgements.rankings)
    if not len(compared) and not any(len(one) for one in data):
        message = "there are no rankings or ratings to agree on; import some first"
        raise InputError(message)
    if not compared.judges and not any(one.judges for one in data):
        message = (
            "no judgement names its judge, so there is no agreement to measure; import "
            "files that say who judged"
        )
        raise InputError(message)
    # Pairs of judges always, as flags need them; intervals of pairs only if wanted.
    paired = pairs or bootstrap is None
    whole = _group("all", compared, data, pairs=paired, bootstrap=bootstrap)
    flagging = whole.rankings
    if flagging is not None and not paired:
        flagging = replace(flagging, pairs=pooled_agreement(compared, pairs=True).pairs)
    if whole.rankings is not None and not pairs:
        whole = replace(whole, rankings=replace(whole.rankings, pairs={}))
    profiles = profile_judges(
        judgements.rankings,
        data,
        flagging,
        checks=attention_checks(original.ratings, judgements.ratings),
        bootstrap=bootstrap,
    )
    groups = [whole, *_groups(judgements, by, compared, data, slices, bootstrap)]
    adjusted = {one.scale: _adjusted(one, adjust, bootstrap) for one in data if adjust}
    notes += _left_out(compared, data)
    if by == "time" and len(groups) == 1:
        notes.append(Note("no-times"))
    if adjust and not data:
        notes.append(Note("nothing-to-adjust"))
    if pairs and not len(compared):
        notes.append(Note("no-judge-pairs"))
    spent = time_spent(judgements, data) if by == "judge" else ()
    return AgreementReport(
        groups, by, profiles, adjusted, tuple(notes), bootstrap, spent
    )


def _group(
    name: str,
    compared: Outcomes,
    data: list[RatingData],
    *,
    pairs: bool = False,
    bootstrap: Bootstrap | None,
) -> Group:
    agreement = None
    if len(compared):
        agreement = pooled_agreement(compared, pairs=pairs, bootstrap=bootstrap)
    return Group(
        name,
        agreement,
        outcome_reliability(compared, bootstrap=bootstrap) if agreement else {},
        {
            one.scale: rating_agreement(one, bootstrap=bootstrap)
            for one in data
            if len(one)
        },
    )


def _groups(
    judgements: Judgements,
    by: str | None,
    compared: Outcomes,
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
        timed, number = time_slices(compared, slices)
        by_time = agreement_over_time(compared, slices=slices, bootstrap=bootstrap)
        for i, (first, last, agreement) in enumerate(by_time):
            # These look at rankings of the slice only, as those of ratings do.
            reliability = outcome_reliability(
                timed.select(number == i), bootstrap=bootstrap
            )
            yield Group(_span(first, last), agreement, reliability, {})
        for one in data:
            for first, last, some in rating_slices(one, slices):
                agreed = rating_agreement(some, bootstrap=bootstrap)
                yield Group(_span(first, last), None, {}, {one.scale: agreed})


def _parts(judgements: Judgements, column: str) -> Iterator[tuple[str, Judgements]]:
    import polars as pl

    tables = judgements.tables()

    def part(chosen: pl.Expr) -> Judgements:
        filtered = {name: table.filter(chosen) for name, table in tables.items()}
        return judgements.with_tables(filtered)

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


def _adjusted(data: RatingData, method: str, bootstrap: Bootstrap | None) -> Adjusted:
    adjustment = adjust_data(data, method)

    def alpha(part: RatingData) -> Estimate:
        one = part.first()
        return krippendorff_alpha(
            one.unit, one.score, clusters=one.segment, bootstrap=bootstrap
        )

    if adjustment.reason is not None:
        none = Estimate(None, reason=adjustment.reason)
        return Adjusted(data.scale, adjustment, alpha(data), none, none)
    kept = data.select(adjustment.kept)
    before, after = alpha(kept), alpha(replace(kept, score=adjustment.scores))
    change = Estimate(None, reason=before.reason or after.reason)
    if before.value is not None and after.value is not None:
        change = Estimate(after.value - before.value)
    sampled = None
    if bootstrap is not None:
        sampled = adjustment_intervals(data, adjustment, bootstrap)
    if sampled is not None and change.value is not None:
        after = replace(after, interval=sampled.alpha)
        change = replace(change, interval=sampled.change)
    return Adjusted(data.scale, adjustment, before, after, change, sampled)


def _left_out(compared: Outcomes, data: list[RatingData]) -> list[Note]:
    """Return notes on judgements that do not count, or not fully."""
    notes = []
    no_judge = np.bincount(compared.ranking[compared.judge < 0], minlength=1)
    if unknown := int(np.count_nonzero(no_judge)):
        notes.append(Note("rankings-without-judge", {"rankings": f"{unknown:,}"}))
    if unknown := sum(int(np.count_nonzero(one.judge < 0)) for one in data):
        notes.append(Note("ratings-without-judge", {"ratings": f"{unknown:,}"}))
    if compared.nameless:
        notes.append(Note("places-without-name", {"places": f"{compared.nameless:,}"}))
    return notes


def _names_judges(judgements: Judgements) -> bool:
    import polars as pl

    known = judgements.ratings.select(pl.col("judge").is_not_null().any())
    return bool(known.collect().item())


def _with_spans_rated(
    judgements: Judgements, scale: str | None
) -> tuple[Judgements, list[Note | str]]:
    """Return judgements with error spans as ratings where they are to be compared."""
    import polars as pl

    from tertium.judgements.ranking.ratings import span_ratings
    from tertium.judgements.tables import schemas

    if not judgements.counts()["spans"]:
        return judgements, []
    errors = count_errors(judgements)
    values = {"spans": count(errors, "error span"), "scale": _COSTS}
    wanted = scale == _COSTS and scale not in scales(judgements)
    if not wanted and "ratings" in kinds_of(judgements) and _names_judges(judgements):
        return judgements, [Note("spans-left-out", values)] if errors else []
    rated, notes = span_ratings(judgements)
    columns = schemas()["ratings"]
    table = rated.with_columns(pl.lit(None).alias("meta")).select(
        pl.col(name).cast(dtype) for name, dtype in columns.items()
    )
    return replace(judgements, ratings=table), [Note("spans-by-cost", values), *notes]
