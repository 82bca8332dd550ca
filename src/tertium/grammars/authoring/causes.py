# SPDX-License-Identifier: Apache-2.0
"""Why a reference set rejects translations: edits, grouped, with proposals.

A proposal is a suggestion for the author of the grammar, who may also find that the
translation is wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from tertium.grammars.search.edits import TAXONOMY, UNIT, Kind
from tertium.grammars.search.matching import Change, Correction

__all__ = ["Cause", "Rejected", "Translation", "find_causes"]


@dataclass(frozen=True)
class Translation:
    """A human translation.

    Attributes
    ----------
    text : str
        The sentence.
    template, set : str
        The template and variable set it translates.
    by : str
        The translator.
    id : str
        The segment, or the place in a file.
    """

    text: str
    template: str
    set: str
    by: str = ""
    id: str = ""


@dataclass(frozen=True)
class Rejected:
    """A translation that the reference set lacks, and its cheapest correction.

    Attributes
    ----------
    translation : Translation
        The translation.
    correction : Correction
        The edits, and the nearest sentence of the set.
    constructions : tuple of str
        The functions that make that sentence, where known.
    """

    translation: Translation
    correction: Correction
    constructions: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the translation with its correction; the cost is in units."""
        return {
            "by": self.translation.by,
            "id": self.translation.id,
            "template": self.translation.template,
            "set": self.translation.set,
            "text": self.translation.text,
            "nearest": " ".join(self.correction.reference),
            "correction": str(self.correction),
            "cost": self.correction.cost / UNIT,
            "constructions": list(self.constructions),
        }


@dataclass(frozen=True)
class Cause:
    """An edit that separates translations from the reference set.

    Attributes
    ----------
    template : str
        The template.
    kind : str
        The edit, such as ``casenum_sub``; ``sub+delete`` if one phrase replaces
        another.
    hyp, ref : str
        What people wrote, and what the set has instead.
    rejected : tuple of Rejected
        The translations it occurs in; those it alone keeps out come first.
    alone : int
        How many translations it alone keeps out.
    proposal : str
        What to add.
    """

    template: str
    kind: str
    hyp: str
    ref: str
    rejected: tuple[Rejected, ...]
    alone: int
    proposal: str


def find_causes(rejected: Sequence[Rejected]) -> tuple[Cause, ...]:
    """Return the edits of rejected translations, the most frequent causes first."""
    groups: dict[tuple[str, str, str, str], list[Rejected]] = {}
    proposals: dict[tuple[str, str, str, str], Counter[str]] = {}
    for one in rejected:
        for change in _whole(one.correction):
            key = (
                one.translation.template,
                change.label,
                change.hyp.casefold(),
                change.ref.casefold() if change.kind is not Kind.MOVE else "",
            )
            seen = groups.setdefault(key, [])
            if not seen or seen[-1] is not one:
                seen.append(one)
            proposal = _proposal(change, one.correction)
            proposals.setdefault(key, Counter())[proposal] += 1
    causes = [
        Cause(
            *key,
            rejected=tuple(sorted(group, key=_edits)),
            alone=sum(_edits(one) == 1 for one in group),
            proposal=proposals[key].most_common(1)[0][0],
        )
        for key, group in groups.items()
    ]
    return tuple(sorted(causes, key=_order))


def _order(cause: Cause) -> tuple[int, int, tuple[str, ...]]:
    name = cause.template, cause.kind, cause.hyp, cause.ref
    return -cause.alone, -len(cause.rejected), name


def _edits(rejected: Rejected) -> int:
    return len(_whole(rejected.correction))


#: Edits that may be parts of a phrase that replaces another one.
_PARTS = (
    *(Kind.INSERT, Kind.DELETE, Kind.UNKDEL, Kind.OUTDEL),
    *(Kind.SUB, Kind.UNKSUB, Kind.OUTSUB),
)
#: Edits of compound spelling, which are not parts of a phrase.
_COMPOUNDS = frozenset(TAXONOMY["compound spelling"])


def _whole(correction: Correction) -> list[Change]:
    """Return the edits, joining those of one phrase or one compound."""
    joined: list[Change] = []
    compound = 0
    side_by_side = False
    for change in correction.changes:
        if change.moved:
            move = (Kind.MOVE, Kind.MOVE.label, change.index, change.hyp, change.hyp)
            joined.append(Change(*move, correction.move_cost, change.moved_by))
            side_by_side = False
        if change.kind is Kind.MATCH:
            side_by_side = False
        elif change.continues:
            joined[compound] = _joined(joined[compound], change)
        elif side_by_side and _one_phrase(joined[-1], change) and not change.moved:
            joined[-1] = _joined(joined[-1], change)
        else:
            compound = len(joined)
            joined.append(change)
            side_by_side = not change.moved
    return joined


def _one_phrase(one: Change, other: Change) -> bool:
    if _COMPOUNDS & {one.kind, other.kind}:
        return False
    return one.label == other.label or one.kind in _PARTS or other.kind in _PARTS


def _joined(one: Change, other: Change) -> Change:
    labels = dict.fromkeys([*one.label.split("+"), other.label])
    return replace(
        one,
        kind=one.kind if len(labels) == 1 else Kind.SUB,
        label="+".join(labels),
        hyp=f"{one.hyp} {other.hyp}".strip(),
        ref=f"{one.ref} {other.ref}".strip(),
        cost=one.cost + other.cost,
    )


def _proposal(change: Change, correction: Correction) -> str:
    if change.kind is Kind.MOVE:
        way = "further left" if (change.moved_by or 0) > 0 else "further right"
        return f"allow {change.hyp!r} {way} than now"
    if not change.hyp:
        return f"make {change.ref!r} optional"
    if not change.ref:
        before = _before(change, correction)
        place = f"after {before!r}" if before else "at the beginning"
        return f"allow {change.hyp!r} {place}"
    if change.kind in _COMPOUNDS:
        return f"accept {change.hyp!r} for {change.ref!r} if that is a correct spelling"
    if change.kind in (Kind.CASESHIFT, Kind.LEMMA_SUB):
        return f"accept the form {change.hyp!r} as an alternative to {change.ref!r}"
    return f"accept {change.hyp!r} as an alternative to {change.ref!r}"


def _before(change: Change, correction: Correction) -> str:
    """Return the token of the reference before an edit."""
    last = ""
    for each in correction.changes:
        if each.index == change.index:
            break
        last = each.ref or last
    return last
