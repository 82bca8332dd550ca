# SPDX-License-Identifier: Apache-2.0
"""Figures of the dashboard: agreement, judges' habits, systems so far.

They are computed from the judgements as exports have them, so that ``tertium agree``
and ``tertium rank`` report the same for an export. A figure that is not defined is
None, with the reason in plain words. Intervals have `RESAMPLES` resamples, which keeps
a page of 10^5 judgements within seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from time import monotonic
from typing import TYPE_CHECKING

from django.utils.timezone import now
from django.utils.translation import get_language, gettext_noop, override
from django.utils.translation import gettext as _

from tertium._seed import SEED
from tertium.campaigns.dashboard.activity import Activity, activity
from tertium.campaigns.dashboard.progress import (
    MemberProgress,
    Progress,
    judged_times,
    members,
    progress,
)
from tertium.campaigns.dashboard.remembering import Memory, State, state_of
from tertium.campaigns.exchange.exporting import tables
from tertium.campaigns.models import Campaign
from tertium.campaigns.rendering import render_error
from tertium.campaigns.tasks import Section, get_task
from tertium.errors import TertiumError

if TYPE_CHECKING:
    from tertium.judgements import Judgements, JudgeProfile
    from tertium.judgements.agreement.ratings import RatingData
    from tertium.judgements.composition import Composition
    from tertium.judgements.estimates import Estimate
    from tertium.judgements.ranking import SystemRanking
    from tertium.notes import Note

__all__ = [
    "RESAMPLES",
    "WAITING",
    "Counts",
    "Figure",
    "Findings",
    "Systems",
    "compute",
    "counts",
    "findings",
    "forget",
    "sections",
]

#: Resamples of every interval on the dashboard.
RESAMPLES = 200
_NOTHING = gettext_noop("there are no judgements yet")
_NO_ORDER = gettext_noop("there are no rankings or ratings to compare")
_FAILED = gettext_noop("the figures could not be computed; see the server log")
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Figure:
    """A coefficient of agreement.

    Parameters
    ----------
    kind : {"intra", "inter"}
        Of judges with themselves, or with each other.
    name : str
        Which coefficient, such as ``kappa``.
    scale : str
        Of ratings; empty for rankings.
    estimate : Estimate
    compared : int
        On how many comparisons or outputs it rests.
    """

    kind: str
    name: str
    scale: str
    estimate: Estimate
    compared: int


@dataclass(frozen=True)
class Systems:
    """A ranking of systems, or why there is none."""

    scale: str
    method: str
    ranking: SystemRanking | None
    reason: Note | str = ""


@dataclass(frozen=True)
class Findings:
    """Agreement, judges and systems in a campaign so far.

    Parameters
    ----------
    judgements : int
        Judgements that were there, checks included.
    records : dict of str to int
        Rankings, ratings and spans that it is made of: those of an export. Spans
        that say that a text has no error are ``clean``.
    at : datetime
        When it was made.
    seconds : float
        How long that took.
    reason : str
        Why there is no agreement at all, if there is none.
    waiting : bool
        Whether it is being made still, and holds nothing.
    """

    judgements: int
    records: dict[str, int]
    at: datetime
    seconds: float
    agreement: tuple[Figure, ...]
    judges: dict[str, JudgeProfile]
    systems: tuple[Systems, ...]
    composition: tuple[Composition, ...]
    ties: float | None = None
    reason: str = ""
    waiting: bool = False


#: While the first figures are being made.
WAITING = Findings(
    judgements=0,
    records={},
    at=datetime(1970, 1, 1, tzinfo=timezone.utc),
    seconds=0.0,
    agreement=(),
    judges={},
    systems=(),
    composition=(),
    waiting=True,
)


@dataclass(frozen=True)
class Counts:
    """A campaign's progress and activity."""

    progress: Progress
    activity: Activity
    people: list[MemberProgress]


_findings: Memory[Findings] = Memory()
_sections: Memory[list[Section]] = Memory()
_counts: Memory[Counts] = Memory(quick=True)


def findings(campaign: Campaign, state: State | None = None) -> Findings:
    """Return the findings; remembered until there are other judgements."""
    latest = _findings.get(campaign, lambda: _try(campaign), state=state)
    return latest or WAITING


def _try(campaign: Campaign) -> Findings:
    """Return the findings; the page works even if they cannot be computed."""
    try:
        return compute(campaign)
    except Exception:
        _log.exception("the figures of campaign %s could not be made", campaign)
        return replace(WAITING, at=now(), waiting=False, reason=_FAILED)


def sections(campaign: Campaign, state: State | None = None) -> list[Section] | None:
    """Return what the task adds to the dashboard, in the language of the reader.

    None while it is being made.
    """
    language = get_language() or ""

    def report() -> list[Section]:
        with override(language):  # a thread starts in the server's language
            return _report(campaign)

    return _sections.get(campaign, report, state=state, variant=language)


def counts(campaign: Campaign, state: State | None = None) -> Counts | None:
    """Return progress and times; None where they are being counted still.

    Counting is quick, so it is as new as can be without a load on the server.
    """
    return _counts.get(campaign, lambda: _count(campaign), state=state)


def _count(campaign: Campaign) -> Counts:
    times = judged_times(campaign)
    return Counts(
        progress(campaign, times), activity(campaign, times), members(campaign, times)
    )


def forget(campaign: Campaign) -> None:
    """Compute everything anew at the next request, as after a deletion."""
    _findings.forget(campaign)
    _sections.forget(campaign)
    _counts.forget(campaign)


def _report(campaign: Campaign) -> list[Section]:
    task = get_task(campaign.task)
    try:
        return task.report(campaign)
    except TertiumError as error:
        return [Section(str(task.title), render_error(error))]
    except Exception:
        _log.exception("the sections of campaign %s could not be made", campaign)
        return [Section(str(task.title), _(_FAILED))]


def compute(campaign: Campaign) -> Findings:
    """Return the findings of a campaign, computed anew."""
    start = monotonic()
    task = get_task(campaign.task)
    number, *_others = state_of(campaign)
    judgements = tables(campaign)
    figures, judges, ties, reason = _agreement(judgements)
    return Findings(
        judgements=number,
        records=_records(judgements),
        at=now(),
        agreement=tuple(figures),
        judges=judges,
        # Sentences of a survey come from everywhere: there is nothing to rank.
        systems=() if task.private else tuple(_systems(judgements)),
        composition=tuple(_composition(judgements)),
        ties=ties,
        reason=reason,
        seconds=monotonic() - start,
    )


def _records(judgements: Judgements) -> dict[str, int]:
    from tertium.judgements.summary import count_errors

    counts = judgements.counts()
    errors = count_errors(judgements)
    return {**counts, "spans": errors, "clean": counts["spans"] - errors}


def _agreement(
    judgements: Judgements,
) -> tuple[list[Figure], dict[str, JudgeProfile], float | None, str]:
    from tertium.judgements import pooled_agreement, profile_judges
    from tertium.judgements.agreement.outcomes import outcomes
    from tertium.judgements.agreement.ratings import rating_data, scales
    from tertium.stats.resample import Bootstrap

    bootstrap = Bootstrap(resamples=RESAMPLES, seed=SEED)
    compared = outcomes(judgements.rankings)
    data = [rating_data(judgements, scale=name) for name in scales(judgements)]
    data = [one for one in data if len(one)]
    if not len(compared) and not data:
        if not judgements.counts()["spans"]:
            return [], {}, None, _NOTHING
        # Marks are not compared, but whoever makes them in a hurry is seen.
        profiled = profile_judges(judgements.rankings, [], None, spans=judgements.spans)
        return [], {one.judge: one for one in profiled}, None, _NO_ORDER
    figures, pairs, ties = [], None, None
    if len(compared):
        # Pairs of judges are for flags, which need no intervals.
        pairs = pooled_agreement(compared, pairs=True)
        whole = pooled_agreement(compared, bootstrap=bootstrap)
        ties = whole.ties
        figures += [
            Figure(kind, "kappa", "", kappa, kappa.compared)
            for kind, kappa in (("intra", whole.intra), ("inter", whole.inter))
        ]
    for one in data:
        figures += _rated(one, bootstrap)
    profiles = profile_judges(judgements.rankings, data, pairs)
    return figures, {profile.judge: profile for profile in profiles}, ties, ""


def _rated(data: RatingData, bootstrap: object) -> Iterator[Figure]:
    """Yield the figures that fit ratings: alpha, and r of repeated ones."""
    import numpy as np

    from tertium.judgements import krippendorff_alpha
    from tertium.judgements.estimates import Estimate, codes
    from tertium.stats.resample import Bootstrap

    if not isinstance(bootstrap, Bootstrap):
        raise TypeError
    known, first = data.known(), data.first()
    both = codes(known.unit, known.judge) if len(known) else known.unit
    size = np.bincount(both) if len(both) else np.zeros(0, np.int64)
    repeated = int(np.count_nonzero(size > 1))
    alpha = Estimate(None, reason=gettext_noop("no judge rated an output twice"))
    if repeated:
        alpha = krippendorff_alpha(
            both, known.score, clusters=known.segment, bootstrap=bootstrap
        )
    yield Figure("intra", "alpha", data.scale, alpha, repeated)
    yield Figure("intra", "pearson", data.scale, _repeats(known, both), repeated)
    judged = np.bincount(first.unit) if len(first) else np.zeros(0, np.int64)
    shared = int(np.count_nonzero(judged > 1))
    inter = Estimate(None, reason=gettext_noop("no two judges rated the same output"))
    if shared:
        inter = krippendorff_alpha(
            first.unit, first.score, clusters=first.segment, bootstrap=bootstrap
        )
    yield Figure("inter", "alpha", data.scale, inter, shared)


def _repeats(known: RatingData, both: object) -> Estimate:
    """Return Pearson's r of the first and the second rating of the same output."""
    import numpy as np

    from tertium.judgements.estimates import Estimate
    from tertium.stats.correlation import pearson

    key = np.asarray(both)
    order = np.lexsort((np.arange(len(key)), known.time, key))
    key, score = key[order], known.score[order]
    new = np.r_[True, key[1:] != key[:-1]] if len(key) else np.zeros(0, bool)
    starts = np.flatnonzero(new)
    twice = starts[np.diff(np.r_[starts, len(key)]) > 1]
    if len(twice) < 3:
        return Estimate(
            None, reason=gettext_noop("fewer than three outputs were rated twice")
        )
    value = pearson(list(score[twice]), list(score[twice + 1]))
    if value is None:
        return Estimate(None, reason=gettext_noop("the ratings do not vary"))
    return Estimate(float(value))


def _systems(judgements: Judgements) -> Iterator[Systems]:
    """Yield rankings of systems by the method that fits the judgements."""
    from tertium.judgements.agreement.ratings import scales
    from tertium.judgements.ranking.defaults import default_method, kinds_of

    for kind in kinds_of(judgements):
        for scale in scales(judgements) if kind == "ratings" else [None]:
            default = default_method(judgements, kind=kind, scale=scale)
            yield _ranked(judgements, default.method, scale or "")


def _ranked(judgements: Judgements, method: str, scale: str) -> Systems:
    from tertium.judgements.ranking import rank_systems

    try:
        ranking = rank_systems(
            judgements,
            method=method,
            resamples=RESAMPLES,
            seed=SEED,
            scale=scale or None,
        )
    except TertiumError as error:
        return Systems(scale, method, None, error.note or str(error))
    return Systems(scale, method, ranking)


def _composition(judgements: Judgements) -> list[Composition]:
    """Return what surveys are made of: where items say where they stood."""
    from tertium.judgements.composition import compose

    if not judgements.counts()["ratings"]:
        return []
    try:
        parts = compose(judgements)
    except TertiumError:
        return []
    return [one for one in parts if one.positions or one.questionnaires]
