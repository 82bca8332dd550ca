# SPDX-License-Identifier: Apache-2.0
"""Agreement of judges, as one result that JSON can show."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass

from tertium._notebook import Shown
from tertium._version import __version__
from tertium.judgements.adjustment.intervals import AdjustmentIntervals
from tertium.judgements.adjustment.models import Adjustment
from tertium.judgements.agreement.pooled import Agreement
from tertium.judgements.agreement.ratings import RatingAgreement
from tertium.judgements.annotators.profiles import JudgeProfile
from tertium.judgements.annotators.time_spent import TimeSpent
from tertium.judgements.estimates import Estimate
from tertium.notes import Note
from tertium.stats.resample import Bootstrap

__all__ = ["Adjusted", "AgreementReport", "Group"]


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
        if (agreement := self.rankings) is not None:
            shown["rankings"] = {
                "intra": agreement.intra.to_dict(),
                "inter": agreement.inter.to_dict(),
                "ties": agreement.ties,
                "ties_interval": _list(agreement.ties_interval),
                "expected": agreement.expected,
                "expected_interval": _list(agreement.expected_interval),
                "rankings": agreement.rankings,
                "comparisons": agreement.comparisons,
                "segments": agreement.segments,
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
                "repeated": one.repeated,
            }
            for scale, one in self.ratings.items()
        }
        return shown


@dataclass(frozen=True)
class Adjusted:
    """An adjustment, and agreement on the scale before and after it.

    Parameters
    ----------
    scale : str
    adjustment : Adjustment
    before, after, change : Estimate
        Alpha (interval level), and what the adjustment adds to it. Resamples are
        adjusted separately, so both intervals include the adjustment's own error.
    intervals : AdjustmentIntervals, optional
        Of everything else.
    """

    scale: str
    adjustment: Adjustment
    before: Estimate
    after: Estimate
    change: Estimate
    intervals: AdjustmentIntervals | None = None

    def to_dict(self) -> dict[str, object]:
        """Return what JSON shows."""
        adjustment = self.adjustment
        fit = adjustment.fit
        return {
            "method": adjustment.method,
            "reason": adjustment.reason,
            "kept": int(adjustment.kept.sum()),
            "effects": adjustment.effects,
            "spreads": adjustment.spreads,
            "left_out": adjustment.left_out,
            "variances": None
            if fit is None
            else dict(
                zip(adjustment.method.split("+"), fit.variances, strict=True),
                residual=fit.residual,
            ),
            "test": None if adjustment.test is None else asdict(adjustment.test),
            "alpha_before": self.before.to_dict(),
            "alpha_after": self.after.to_dict(),
            "alpha_change": self.change.to_dict(),
            "intervals": None if self.intervals is None else self.intervals.to_dict(),
        }


@dataclass(frozen=True)
class AgreementReport(Shown):
    """The result of :func:`tertium.agree`.

    Parameters
    ----------
    groups : list of Group
        All judgements first, then the groups asked for.
    by : str, optional
    judges : list of JudgeProfile
    adjusted : dict of str to Adjusted
        By scale, if asked for.
    notes : tuple of Note
        What a reader should know.
    bootstrap : Bootstrap, optional
        How intervals were computed.
    time : tuple of TimeSpent
        The time of every judge, and of all together, if judges were asked for.
    """

    groups: list[Group]
    by: str | None
    judges: list[JudgeProfile]
    adjusted: dict[str, Adjusted]
    notes: tuple[Note | str, ...]
    bootstrap: Bootstrap | None
    time: tuple[TimeSpent, ...] = ()

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
            **({"time": [one.to_dict() for one in self.time]} if self.time else {}),
            "pairs": [
                {"a": a, "b": b} | kappa.to_dict()
                for (a, b), kappa in (whole.pairs if whole else {}).items()
            ],
            "adjusted": {k: v.to_dict() for k, v in self.adjusted.items()},
            "remarks": [str(note) for note in self.notes],
        }

    def to_json(self) -> str:
        """Return the JSON that ``tertium agree -f json`` writes."""
        shown = {"tertium": __version__, **self.to_dict()}
        return json.dumps(shown, ensure_ascii=False, indent=2)


def _list(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _judge(profile: JudgeProfile) -> dict[str, object]:
    shown = {
        "judge": profile.judge,
        "rankings": profile.rankings,
        "ratings": profile.ratings,
        "ties": profile.ties.value,
        "ties_interval": _list(profile.ties.interval),
        "intra": None if profile.intra is None else profile.intra.to_dict(),
        "inter": None if profile.inter is None else profile.inter.to_dict(),
        "seconds": profile.speed.median.to_dict()
        | {
            "timed": profile.speed.timed,
            "long": profile.speed.long,
            "rushed": profile.speed.rushed,
            "worded": profile.speed.worded,
            "unread": profile.speed.unread,
        },
        "checks": None if profile.checks is None else asdict(profile.checks),
        "usage": {},
        "flags": [flag.to_dict() for flag in profile.flags],
    }
    shown["usage"] = {
        scale: asdict(use) | {"correlation": use.correlation.to_dict()}
        for scale, use in profile.usage.items()
    }
    return shown
