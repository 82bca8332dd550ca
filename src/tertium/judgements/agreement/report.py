# SPDX-License-Identifier: Apache-2.0
"""What is known of agreement, as one result that JSON can show."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from tertium.judgements.adjustment.intervals import AdjustmentIntervals
from tertium.judgements.adjustment.models import Adjustment
from tertium.judgements.agreement.pooled import Agreement
from tertium.judgements.agreement.ratings import RatingAgreement
from tertium.judgements.annotators.profiles import JudgeProfile
from tertium.judgements.estimates import Bootstrap, Estimate

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
        if (found := self.rankings) is not None:
            shown["rankings"] = {
                "intra": found.intra.to_dict(),
                "inter": found.inter.to_dict(),
                "ties": found.ties,
                "ties_interval": _list(found.ties_interval),
                "expected": found.expected,
                "expected_interval": _list(found.expected_interval),
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
        adjusted anew, so both intervals hold what the adjustment itself may miss.
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
            "alpha_change": self.change.to_dict(),
            "intervals": None if self.intervals is None else self.intervals.to_dict(),
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


def _list(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _judge(profile: JudgeProfile) -> dict[str, object]:
    found = {
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
    found["usage"] = {
        scale: asdict(use) | {"correlation": use.correlation.to_dict()}
        for scale, use in profile.usage.items()
    }
    return found
