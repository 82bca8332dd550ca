# SPDX-License-Identifier: Apache-2.0
"""What stands out about a judge.

Flags are hints to look, never reasons to delete: each says in plain words what was
seen, and all limits are constants of this module.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from tertium.judgements.agreement.pooled import Agreement, Kappa
from tertium.judgements.annotators.profiles import RUSHED, Flag, JudgeProfile
from tertium.judgements.annotators.reading import FASTEST

__all__ = ["flag_judges"]

_RUSHED_SHARE = 0.25
_FEW_TIMED = 10
_FEW_WORDED = 5  # that showed more words than anybody reads: no other judge is needed
_FEW_COMPARED = 30  # comparisons before a kappa of a judge is held against anybody
_MANY_COMPARED = 100  # before a kappa of less than a tenth is taken for nothing
_FEW_SHARED = 10  # units or comparisons that two judges have in common
_FEW_JUDGED = 10
_FAR = 3.5  # robust standard deviations (Iglewicz and Hoaglin 1993)
_FEW_JUDGES = 5  # before anybody can be far from the others
_GAP = 0.1  # of kappa
_FEW_CHECKS = 5


def flag_judges(
    profiles: list[JudgeProfile], agreement: Agreement | None, usual: float | None
) -> list[JudgeProfile]:
    """Return the profiles with what is worth a look.

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
            word = "fast" if far < 0 else "slow"
            seconds = np.exp(medians[name])
            reason = f"half the judgements took {seconds:.0f} s or less"
            if far > 0:
                reason = f"half the judgements took {seconds:.0f} s or more"
            flags[name].append(Flag(word, f"{reason}; all judges: {usual:.0f} s"))
    for p in profiles:
        total, worded = p.speed.timed + p.speed.long, p.speed.worded
        if worded >= _FEW_WORDED and p.speed.unread >= _RUSHED_SHARE * worded:
            reason = (
                f"{p.speed.unread} of {worded} judgements showed more than "
                f"{FASTEST:g} words per second, too many to read"
            )
            flags[p.judge].append(Flag("rushed", reason))
        elif total >= _FEW_TIMED and p.speed.rushed >= _RUSHED_SHARE * total:
            reason = (
                f"{p.speed.rushed} of {total} judgements took less than "
                f"{RUSHED * (usual or 0):.1f} s, a fifth of the usual time"
            )
            flags[p.judge].append(Flag("rushed", reason))


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
        own, same = inter.get(p.judge), p.intra
        if own is not None and p.inter is not None:
            on = f"on {p.inter.compared} comparisons"
            if _by_chance(p.inter):
                than = "no" if own <= 0 else "hardly"
                reason = f"agrees with others {than} better than chance"
                reason += f" (κ {own:.2f}, {on})"
                flags[p.judge].append(Flag("chance", reason))
            elif far.get(p.judge, 0.0) <= -_FAR:
                reason = (
                    f"agrees with others far less than other judges do (κ {own:.2f}, "
                    f"{on}; pooled {agreement.inter.value or 0:.2f})"
                )
                flags[p.judge].append(Flag("low agreement", reason))
        if same is None or same.value is None or same.compared < _FEW_COMPARED:
            continue
        if _by_chance(same) or (own is not None and same.value < own - _GAP):
            with_others = "" if own is None else f", with others {own:.2f}"
            reason = (
                f"does not repeat own judgements (κ with self {same.value:.2f} on "
                f"{same.compared} comparisons{with_others})"
            )
            flags[p.judge].append(Flag("inconsistent", reason))
    for name, partners in _alone(agreement).items():
        reason = (
            f"all {partners} partners agree better with others than with this judge"
        )
        flags[name].append(Flag("alone", reason))


def _by_chance(kappa: Kappa) -> bool:
    """Tell whether a kappa is nothing: the closer to zero, the more it takes."""
    if kappa.value is None or kappa.compared < _FEW_COMPARED:
        return False
    return kappa.value <= (_GAP if kappa.compared >= _MANY_COMPARED else 0.0)


def _alone(agreement: Agreement) -> dict[str, int]:
    """Return judges with whom every partner agrees less than with others.

    A partner shares ten comparisons at least; three partners are needed, and the
    judge's kappa must lie clearly below theirs: of many partners, one is below
    average by chance, all are not.
    """
    partners: dict[str, list[tuple[str, Kappa]]] = {}
    for (a, b), kappa in agreement.pairs.items():
        if kappa.value is not None and kappa.compared >= _FEW_SHARED:
            partners.setdefault(a, []).append((b, kappa))
            partners.setdefault(b, []).append((a, kappa))
    found = {}
    for name, known in partners.items():
        if len(known) < 3:
            continue
        worse = []
        for other, kappa in known:
            whole = agreement.judges[other].inter
            rest = whole.compared - kappa.compared
            if rest < _FEW_SHARED:
                break
            expected = kappa.expected or 0.0
            without = ((whole.agreed - kappa.agreed) / rest - expected) / (1 - expected)
            worse.append(without - (kappa.value or 0.0))
        if len(worse) == len(known) and min(worse) > 0 and np.mean(worse) >= _GAP:
            found[name] = len(known)
    return found


def _flag_ties(profiles: list[JudgeProfile], flags: _Flags) -> None:
    shares = {
        p.judge: p.ties.value
        for p in profiles
        if p.ties.value is not None and p.rankings >= _FEW_JUDGED
    }
    far = _distances(shares)
    for name, share in shares.items():
        if share == 1:
            flags[name].append(Flag("ties", "calls everything a tie"))
        elif far.get(name, 0.0) >= _FAR:
            usual = float(np.median(list(shares.values())))
            reason = f"{share:.0%} of comparisons are ties; other judges: {usual:.0%}"
            flags[name].append(Flag("ties", reason))


def _flag_usage(profiles: list[JudgeProfile], flags: _Flags) -> None:
    for scale in sorted({scale for p in profiles for scale in p.usage}):
        used = {p.judge: p.usage[scale] for p in profiles if scale in p.usage}
        many = {n: u for n, u in used.items() if u.ratings >= _FEW_JUDGED}
        far = _distances(
            {n: u.lenience for n, u in many.items() if u.lenience is not None}
        )
        for name, use in many.items():
            on = f" ({scale})" if scale else ""
            if use.values == 1:
                reason = f"gave {use.low:g} to all {use.ratings} outputs{on}"
                flags[name].append(Flag("one value", reason))
                continue
            if use.share >= 0.8:
                reason = f"{use.share:.0%} of ratings are {use.favourite:g}{on}"
                flags[name].append(Flag("favourite value", reason))
            if abs(far.get(name, 0.0)) >= _FAR:
                word = "lenient" if far[name] > 0 else "strict"
                reason = (
                    f"{abs(use.lenience or 0):.3g} "
                    f"{'above' if far[name] > 0 else 'below'} others on the same "
                    f"outputs{on}"
                )
                flags[name].append(Flag(word, reason))
            r = use.correlation.value
            if r is not None and use.shared >= _FEW_COMPARED and r <= 0:
                reason = (
                    f"does not go along with the mean of others (r {r:.2f} on "
                    f"{use.shared} outputs{on})"
                )
                flags[name].append(Flag("chance", reason))


def _flag_checks(profiles: list[JudgeProfile], flags: _Flags) -> None:
    for p in profiles:
        found = p.checks
        if found and found.total >= _FEW_CHECKS and 2 * found.passed < found.total:
            reason = (
                f"gave only {found.passed} of {found.total} spoilt outputs less than "
                "their originals"
            )
            flags[p.judge].append(Flag("checks", reason))
