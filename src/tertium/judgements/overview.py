# SPDX-License-Identifier: Apache-2.0
"""All about agreement in one result, as ``tertium agree`` shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import numpy as np

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.adjustment import METHODS, Adjustment, adjust
from tertium.judgements.agreement import (
    Agreement,
    agreement_over_time,
    pooled_agreement,
)
from tertium.judgements.annotators import JudgeProfile, profile_judges
from tertium.judgements.estimates import Bootstrap, Estimate
from tertium.judgements.outcomes import Outcomes, outcomes
from tertium.judgements.ratings import (
    RatingAgreement,
    RatingData,
    rating_agreement,
    rating_data,
    rating_slices,
    scales,
)
from tertium.judgements.reliability import fleiss_kappa, krippendorff_alpha

if TYPE_CHECKING:
    import polars as pl

    from tertium.judgements.tables import Judgements

__all__ = ["GROUPINGS", "AgreementReport", "Group", "agree"]

GROUPINGS = ("langpair", "campaign", "judge", "time")
_UNKNOWN = "(unknown)"


@dataclass(frozen=True)
class Group:
    """Agreement on some of the judgements, or on all of them.

    Parameters
    ----------
    name : str
        Such as a language pair; "all" for all judgements.
    rankings : Agreement, optional
        None where there are no rankings.
    outcomes : dict of str to Estimate
        Krippendorff's alpha (nominal) and Fleiss' kappa of rankings taken apart into
        outcomes of two candidates.
    ratings : dict of str to RatingAgreement
        By scale.
    """

    name: str
    rankings: Agreement | None
    outcomes: dict[str, Estimate]
    ratings: dict[str, RatingAgreement]

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        shown: dict[str, object] = {"name": self.name, "rankings": None}
        if (found := self.rankings) is not None:
            shown["rankings"] = {
                "intra": found.intra.to_dict(),
                "inter": found.inter.to_dict(),
                "ties": found.ties,
                "expected": found.expected,
                "rankings": found.rankings,
                "comparisons": found.comparisons,
                "segments": found.segments,
                "outcomes": {k: v.to_dict() for k, v in self.outcomes.items()},
            }
        shown["ratings"] = {
            scale: {
                "ratings": one.ratings,
                "units": one.units,
                "judges": one.judges,
                "alpha": {k: v.to_dict() for k, v in one.alpha.items()},
                "icc": {k: v.to_dict() for k, v in one.icc.values.items()},
                "k": one.icc.k,
                "icc_method": one.icc.method,
                "fleiss": None if one.fleiss is None else one.fleiss.to_dict(),
                "intra": one.intra.to_dict(),
            }
            for scale, one in self.ratings.items()
        }
        return shown


@dataclass(frozen=True)
class Adjusted:
    """An adjustment, and agreement on the scale before and after it."""

    scale: str
    adjustment: Adjustment
    before: Estimate
    after: Estimate

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        found = self.adjustment
        fit = found.fit
        return {
            "method": found.method,
            "reason": found.reason,
            "kept": int(found.kept.sum()),
            "effects": found.effects,
            "spreads": found.spreads,
            "left_out": found.left_out,
            "variances": None
            if fit is None
            else dict(
                zip(found.method.split("+"), fit.variances, strict=True),
                residual=fit.residual,
            ),
            "test": None if found.test is None else asdict(found.test),
            "alpha_before": self.before.to_dict(),
            "alpha_after": self.after.to_dict(),
        }


@dataclass(frozen=True)
class AgreementReport:
    """What :func:`agree` finds.

    Parameters
    ----------
    groups : list of Group
        All judgements first, then the groups asked for.
    by : str, optional
    judges : list of JudgeProfile
    adjusted : dict of str to Adjusted
        By scale, if asked for.
    remarks : list of str
        What a reader should know.
    bootstrap : Bootstrap, optional
    """

    groups: list[Group]
    by: str | None
    judges: list[JudgeProfile]
    adjusted: dict[str, Adjusted]
    remarks: list[str]
    bootstrap: Bootstrap | None

    @property
    def whole(self) -> Group:
        """Agreement on all judgements."""
        return self.groups[0]

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows; see ``tertium agree --help``."""
        whole = self.whole.rankings
        return {
            "by": self.by,
            "bootstrap": None if self.bootstrap is None else asdict(self.bootstrap),
            "groups": [group.to_dict() for group in self.groups],
            "judges": [_judge(profile) for profile in self.judges],
            "pairs": [
                {"a": a, "b": b} | kappa.to_dict()
                for (a, b), kappa in (whole.pairs if whole else {}).items()
            ],
            "adjusted": {k: v.to_dict() for k, v in self.adjusted.items()},
            "remarks": self.remarks,
        }


def _judge(profile: JudgeProfile) -> dict[str, object]:
    found = {
        "judge": profile.judge,
        "rankings": profile.rankings,
        "ratings": profile.ratings,
        "ties": profile.ties,
        "intra": None if profile.intra is None else profile.intra.to_dict(),
        "inter": None if profile.inter is None else profile.inter.to_dict(),
        "seconds": profile.speed.median.to_dict()
        | {
            "timed": profile.speed.timed,
            "long": profile.speed.long,
            "rushed": profile.speed.rushed,
        },
        "usage": {},
        "flags": [asdict(flag) for flag in profile.flags],
    }
    found["usage"] = {
        scale: asdict(use) | {"correlation": use.correlation.to_dict()}
        for scale, use in profile.usage.items()
    }
    return found


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
        Look at ratings on this scale only.
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
    # Pairs of judges always, as flags need them; intervals of pairs only if wanted.
    whole = _group("all", found, data, pairs=pairs, bootstrap=bootstrap)
    flagging = pooled_agreement(found, pairs=True) if len(found) else None
    profiles = profile_judges(
        judgements.rankings,
        data,
        _with_pairs(whole.rankings, flagging),
        ties=_ties(found),
        bootstrap=bootstrap,
    )
    groups = [whole, *_groups(judgements, by, found, data, slices, bootstrap)]
    adjusted = {
        one.scale: _adjusted(one, adjustment, bootstrap) for one in data if adjustment
    }
    remarks = _remarks(judgements, found, data, by, groups)
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
            own = [
                rating_data(part, scale=one.scale)
                for one in data
                if one.scale in scales(part)
            ]
            yield _group(name, outcomes(part.rankings), own, bootstrap=bootstrap)
    elif by == "time":
        for first, last, agreement in agreement_over_time(
            found, slices=slices, bootstrap=bootstrap
        ):
            yield Group(_span(first, last), agreement, {}, {})
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


def _with_pairs(whole: Agreement | None, other: Agreement | None) -> Agreement | None:
    from dataclasses import replace

    if whole is None or other is None:
        return whole
    return replace(whole, pairs=other.pairs)


def _ties(found: Outcomes) -> dict[str, float]:
    known = found.judge >= 0
    size = len(found.judges)
    counts = np.bincount(found.judge[known], minlength=size)
    ties = np.bincount(found.judge[known], found.sign[known] == 0, minlength=size)
    return {
        name: float(ties[j] / counts[j])
        for j, name in enumerate(found.judges)
        if counts[j]
    }


def _adjusted(
    data: RatingData, method: str | None, bootstrap: Bootstrap | None
) -> Adjusted:
    from dataclasses import replace

    found = adjust(data, method or "judge")

    def alpha(part: RatingData) -> Estimate:
        one = part.first()
        return krippendorff_alpha(
            one.unit, one.score, clusters=one.segment, bootstrap=bootstrap
        )

    if found.reason is not None:
        none = Estimate(None, reason=found.reason)
        return Adjusted(data.scale, found, alpha(data), none)
    kept = data.select(found.kept)
    after = alpha(replace(kept, score=found.scores))
    return Adjusted(data.scale, found, alpha(kept), after)


def _remarks(
    judgements: Judgements,
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
    spans = judgements.counts()["spans"]
    if spans:
        remarks.append(
            f"{spans:,} error spans were not looked at; turn them into ratings first"
        )
    return remarks
