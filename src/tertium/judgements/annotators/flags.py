# SPDX-License-Identifier: Apache-2.0
"""What stands out about a judge.

Flags are hints to look closer, never reasons to delete: each states in plain words
what was observed, and all limits are constants of this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tertium.judgements.agreement.pooled import Agreement, Kappa
from tertium.judgements.annotators.flag import Flag
from tertium.judgements.annotators.profiles import RUSHED, JudgeProfile
from tertium.judgements.annotators.reading import FASTEST
from tertium.notes import Note

__all__ = ["flag_judges"]

_RUSHED_SHARE = 0.25
_FEW_TIMED = 10
_FEW_WORDED = 5  # judgements that nobody can have read need no other judge
_FEW_COMPARED = 30  # comparisons before a low kappa counts against a judge
_MANY_COMPARED = 100  # comparisons before a kappa below 0.1 counts as chance
_FEW_SHARED = 10  # units or comparisons that two judges have in common
_FEW_JUDGED = 10
_FAR = 3.5  # robust standard deviations (Iglewicz and Hoaglin 1993)
_FEW_JUDGES = 5  # before anybody can be far from the others
_GAP = 0.1  # of kappa
_FEW_CHECKS = 5


def flag_judges(
    profiles: list[JudgeProfile], agreement: Agreement | None, usual: float | None
) -> list[JudgeProfile]:
    """Return the profiles with their flags.

    Parameters
    ----------
    profiles : list of JudgeProfile
    agreement : Agreement, optional
        Of the rankings, with pairs of judges.
    usual : float, optional
        Median seconds of all judges.
    """
    flags: dict[str, list[Flag]] = {profile.judge: [] for profile in profiles}
    _flag_speed(profiles, usual, flags)
    _flag_agreement(profiles, agreement, flags)
    _flag_ties(profiles, flags)
    _flag_usage(profiles, flags)
    _flag_checks(profiles, flags)
    return [replace(p, flags=tuple(flags[p.judge])) for p in profiles]


def _distances(values: Mapping[str, float]) -> dict[str, float]:
    """Return how many robust standard deviations each is from the median."""
    if len(values) < _FEW_JUDGES:
        return {}
    x = np.array(list(values.values()))
    middle = float(np.median(x))
    spread = float(np.median(np.abs(x - middle))) * 1.4826
    if spread == 0:
        return {}
    return {name: (value - middle) / spread for name, value in values.items()}


_Flags = dict[str, list[Flag]]


def _flag_speed(
    profiles: list[JudgeProfile], usual: float | None, flags: _Flags
) -> None:
    medians = {
        p.judge: float(np.log(max(p.speed.median.value, 0.1)))
        for p in profiles
        if p.speed.median.value is not None and p.speed.timed >= _FEW_TIMED
    }
    for name, far in _distances(medians).items():
        if abs(far) >= _FAR:
            kind = "fast" if far < 0 else "slow"
            seconds = float(np.exp(medians[name]))
            note = Note(kind, {"seconds": seconds, "usual": usual})
            flags[name].append(Flag(kind, note))
    for p in profiles:
        total, worded = p.speed.timed + p.speed.long, p.speed.worded
        if worded >= _FEW_WORDED and p.speed.unread >= _RUSHED_SHARE * worded:
            note = Note(
                "unread", {"unread": p.speed.unread, "total": worded, "limit": FASTEST}
            )
            flags[p.judge].append(Flag("rushed", note))
        elif total >= _FEW_TIMED and p.speed.rushed >= _RUSHED_SHARE * total:
            limit = RUSHED * (usual or 0)
            note = Note(
                "rushed", {"rushed": p.speed.rushed, "total": total, "limit": limit}
            )
            flags[p.judge].append(Flag("rushed", note))


def _flag_agreement(
    profiles: list[JudgeProfile], agreement: Agreement | None, flags: _Flags
) -> None:
    if agreement is None:
        return
    inter = {
        p.judge: p.inter.value
        for p in profiles
        if p.inter and p.inter.value is not None and p.inter.compared >= _FEW_COMPARED
    }
    far = _distances(inter)
    for p in profiles:
        kappa, same = inter.get(p.judge), p.intra
        if kappa is not None and p.inter is not None:
            values = {"kappa": kappa, "compared": p.inter.compared}
            if _by_chance(p.inter):
                note = Note("chance" if kappa <= 0 else "near-chance", values)
                flags[p.judge].append(Flag("chance", note))
            elif far.get(p.judge, 0.0) <= -_FAR:
                pooled = agreement.inter.value or 0.0
                note = Note("low-agreement", {**values, "pooled": pooled})
                flags[p.judge].append(Flag("low agreement", note))
        if same is None or same.value is None or same.compared < _FEW_COMPARED:
            continue
        if _by_chance(same) or (kappa is not None and same.value < kappa - _GAP):
            values = {"kappa": same.value, "compared": same.compared}
            note = (
                Note("inconsistent", values)
                if kappa is None
                else Note("less-consistent", {**values, "others": kappa})
            )
            flags[p.judge].append(Flag("inconsistent", note))
    for name, partners in _alone(agreement).items():
        flags[name].append(Flag("alone", Note("alone", {"partners": partners})))


def _by_chance(kappa: Kappa) -> bool:
    """Return whether a kappa is chance; near zero, that takes more comparisons."""
    if kappa.value is None or kappa.compared < _FEW_COMPARED:
        return False
    return kappa.value <= (_GAP if kappa.compared >= _MANY_COMPARED else 0.0)


def _alone(agreement: Agreement) -> dict[str, int]:
    """Return judges with whom every partner agrees less than with others.

    Partners share at least ten comparisons. There must be three of them, and the
    judge's kappa must be clearly below theirs: one of many partners is below average by
    chance, all of them are not.
    """
    partners: dict[str, list[tuple[str, Kappa]]] = {}
    for (a, b), kappa in agreement.pairs.items():
        if kappa.value is not None and kappa.compared >= _FEW_SHARED:
            partners.setdefault(a, []).append((b, kappa))
            partners.setdefault(b, []).append((a, kappa))
    alone = {}
    for name, shared in partners.items():
        if len(shared) < 3:
            continue
        worse = []
        for other, kappa in shared:
            whole = agreement.judges[other].inter
            rest = whole.compared - kappa.compared
            if rest < _FEW_SHARED:
                break
            expected = kappa.expected or 0.0
            without = ((whole.agreed - kappa.agreed) / rest - expected) / (1 - expected)
            worse.append(without - (kappa.value or 0.0))
        if len(worse) == len(shared) and min(worse) > 0 and np.mean(worse) >= _GAP:
            alone[name] = len(shared)
    return alone


def _flag_ties(profiles: list[JudgeProfile], flags: _Flags) -> None:
    shares = {
        p.judge: p.ties.value
        for p in profiles
        if p.ties.value is not None and p.rankings >= _FEW_JUDGED
    }
    far = _distances(shares)
    for name, share in shares.items():
        if share == 1:
            flags[name].append(Flag("ties", Note("ties-only")))
        elif far.get(name, 0.0) >= _FAR:
            usual = float(np.median(list(shares.values())))
            note = Note("ties", {"percent": 100 * share, "usual": 100 * usual})
            flags[name].append(Flag("ties", note))


def _flag_usage(profiles: list[JudgeProfile], flags: _Flags) -> None:
    for scale in sorted({scale for p in profiles for scale in p.usage}):
        used = {p.judge: p.usage[scale] for p in profiles if scale in p.usage}
        many = {n: u for n, u in used.items() if u.ratings >= _FEW_JUDGED}
        far = _distances(
            {n: u.lenience for n, u in many.items() if u.lenience is not None}
        )
        for name, use in many.items():
            if use.values == 1:
                note = Note("one-value", {"value": use.low, "ratings": use.ratings})
                flags[name].append(Flag("one value", note, scale))
                continue
            if use.share >= 0.8:
                percent = 100 * use.share
                note = Note(
                    "favourite-value", {"percent": percent, "value": use.favourite}
                )
                flags[name].append(Flag("favourite value", note, scale))
            if abs(far.get(name, 0.0)) >= _FAR:
                kind = "lenient" if far[name] > 0 else "strict"
                note = Note(kind, {"gap": abs(use.lenience or 0.0)})
                flags[name].append(Flag(kind, note, scale))
            r = use.correlation.value
            if r is not None and use.shared >= _FEW_COMPARED and r <= 0:
                note = Note("uncorrelated", {"r": r, "shared": use.shared})
                flags[name].append(Flag("chance", note, scale))


def _flag_checks(profiles: list[JudgeProfile], flags: _Flags) -> None:
    for p in profiles:
        checks = p.checks
        if checks and checks.total >= _FEW_CHECKS and 2 * checks.passed < checks.total:
            note = Note("checks", {"passed": checks.passed, "total": checks.total})
            flags[p.judge].append(Flag("checks", note))
