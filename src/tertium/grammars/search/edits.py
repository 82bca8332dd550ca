# SPDX-License-Identifier: Apache-2.0
"""Edits that turn a token of a translation into one of a reference, and their costs.

Nieminen 2018, 6.3.3. Where several edits explain a pair of tokens the cheapest wins,
and among equally cheap ones the most reliable (the order of :class:`Kind`). Costs are
integers, ten thousand to the unit, so that sums are exact and ties are ties.

Two tokens *share a lemma* if any of their readings do; edits that ask for different
lemmas are those of tokens that share none. Choices where the thesis is silent:

* A case shift needs two nominal readings of one lemma in different cases. Readings
  of one lemma that agree in case and number (a possessive suffix makes the
  difference), or that agree in case while none agrees in number, are not a shift.
* Verbs of one lemma have no case shift, even if they are also read as participles.
* Words that share a case, or case and number, replace each other only if their parts
  of speech can: a noun is not a wrong choice of determiner.
* What differs only in hyphens is a misspelt compound, regardless of its readings.
* A word that a lexicon lacks is not unknown: no list has all words of a language.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING

from tertium.errors import InputError, UnknownNameError
from tertium.grammars.search.words import Word, letters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tertium.grammars.morphology.base import Analysis

__all__ = [
    "ANIMACY",
    "PROFILES",
    "TAXONOMY",
    "UNIT",
    "UNRELIABLE",
    "Edit",
    "EditCosts",
    "Kind",
    "backoff",
    "case_pairs",
    "case_shift",
    "category_of",
    "classify",
    "shift_label",
    "unrelated",
]

#: What a cost of 1 is stored as.
UNIT = 10_000


class Kind(IntEnum):
    """Kinds of edits, the most reliable first; a match is none.

    Behind those of the thesis are others. Where they stand decides between corrections
    of equal cost only.
    """

    MATCH = 0
    MOVE = 1
    CASESHIFT = 2
    LEMMA_SUB = 3
    COMP_LEMMA_JOIN = 4
    UNKDEL = 5
    UNKSUB = 6
    ANIMACY_SUB = 7
    CASENUM_SUB = 8
    TENSENUM_SUB = 9
    CASE_SUB = 10
    INSERT = 11
    DELETE = 12
    SUB = 13
    OUTDEL = 14
    OUTSUB = 15
    COMP_HYPHEN = 16
    COMP_SPLIT = 17

    @property
    def label(self) -> str:
        """The name in reports, such as ``casenum_sub``."""
        return self.name.lower()


#: Kinds of errors and the edits that show them, in decreasing reliability (table 3).
TAXONOMY: dict[str, tuple[Kind, ...]] = {
    "word order": (Kind.MOVE,),
    "incorrect noun case": (Kind.CASESHIFT,),
    "other incorrect form": (Kind.LEMMA_SUB,),
    "unknown words": (Kind.UNKDEL, Kind.UNKSUB),
    "wrong lexical choice": (
        Kind.CASENUM_SUB,
        Kind.TENSENUM_SUB,
        Kind.CASE_SUB,
        Kind.ANIMACY_SUB,
    ),
    # The thesis has no category.
    "compound spelling": (Kind.COMP_LEMMA_JOIN, Kind.COMP_HYPHEN, Kind.COMP_SPLIT),
    "missing words": (Kind.INSERT,),
    "extra words": (Kind.DELETE,),
    "other mistranslation": (Kind.SUB,),
    "not in the lexicon": (Kind.OUTDEL, Kind.OUTSUB),
}

#: Categories that say little: what fits nothing else, halves of mistranslations, and
#: words of which a lexicon knows nothing.
UNRELIABLE = frozenset(
    {"missing words", "extra words", "other mistranslation", "not in the lexicon"}
)

_CATEGORIES = {kind: name for name, kinds in TAXONOMY.items() for kind in kinds}

#: Pronouns for persons and for things, as pairs of lemmas of equal number.
ANIMACY = {"fi": (("hän", "se"), ("he", "ne"))}


def category_of(kind: Kind) -> str:
    """Return the kind of error that an edit shows.

    Examples
    --------
    >>> category_of(Kind.CASESHIFT)
    'incorrect noun case'
    """
    if kind not in _CATEGORIES:
        message = "a match is not an error; ask for edits only"
        raise InputError(message)
    return _CATEGORIES[kind]


@dataclass(frozen=True)
class EditCosts:
    """What edits cost, in ten-thousandths, and how far tokens may move.

    To switch ``case_sub`` off, make it more expensive than ``sub``.

    Parameters
    ----------
    profile : str
        Its name, for results; ``default`` if nothing was changed.
    insert, delete, ... : int
        The cost of one edit; of ``comp_lemma_join`` for each token joined, of
        ``comp_split`` for each token that should be several.
    moves : int
        How many tokens of a sentence may move (k).
    window : int
        How far one may move (w).
    animacy : tuple of pairs of str
        Lemmas of pronouns that differ in animacy alone.

    Examples
    --------
    >>> EditCosts.read("fig8").window
    3
    >>> EditCosts.read("default,move=0.5").move
    5000
    """

    profile: str = "default"
    insert: int = 8_000
    delete: int = 9_000
    unkdel: int = 9_000
    caseshift: int = 3_500
    lemma_sub: int = 3_500
    casenum_sub: int = 5_000
    tensenum_sub: int = 5_000
    animacy_sub: int = 5_000
    case_sub: int = 7_500
    comp_lemma_join: int = 3_520
    sub: int = 15_000
    unksub: int = 15_000
    move: int = 6_000
    outdel: int = 9_000
    outsub: int = 15_000
    comp_hyphen: int = 3_520
    comp_split: int = 3_520
    moves: int = 3
    window: int = 6
    animacy: tuple[tuple[str, str], ...] = ANIMACY["fi"]

    def __post_init__(self) -> None:
        for name in (*_COSTS, "moves", "window"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                message = f"{name} is {value!r}; give an integer of at least 0"
                raise InputError(message)
            most = _MOST.get(name, 10 * UNIT)
            if value > most:
                shown = value if name in _MOST else f"{value / UNIT:g}"
                limit = most if name in _MOST else 10
                message = f"{name} is {shown}; give at most {limit}"
                raise InputError(message)

    @classmethod
    def read(cls, text: str = "default") -> EditCosts:
        """Return the costs of a profile, with changes: ``default,move=0.5,moves=2``.

        Raises
        ------
        UnknownNameError
            When there is no such profile or cost.
        InputError
            When a value is not a number from 0 to 10 with up to four decimals, or more
            than 8 moves or a window of more than 24 is asked for.
        """
        name, *changes = [part.strip() for part in text.split(",")]
        if name not in PROFILES:
            raise UnknownNameError("cost profile", name, PROFILES)
        changed: dict[str, int] = {}
        for change in changes:
            key, _, value = change.partition("=")
            if key in ("moves", "window"):
                changed[key] = _whole(key, value)
            elif key in _COSTS:
                changed[key] = _cost(key, value)
            else:
                raise UnknownNameError("edit", key, (*_COSTS, "moves", "window"))
        if not changed:
            return PROFILES[name]
        base = PROFILES[name]
        called = text.replace(" ", "")
        return replace(base, profile=called, animacy=base.animacy, **changed)

    def of(self, kind: Kind) -> int:
        """Return the cost of a kind of edit; a match costs nothing."""
        return 0 if kind is Kind.MATCH else int(getattr(self, kind.label))


#: What the search can count to; costs may be 10 at most.
_MOST = {"moves": 8, "window": 24}
_COSTS = tuple(kind.label for kind in Kind if kind is not Kind.MATCH)

#: Cost profiles: the default, the weights in section 6.3.3 of Nieminen (2018), and the
#: window of the published counts (the caption of figure 8 there).
PROFILES = {
    "default": EditCosts(),
    "thesis-table": EditCosts("thesis-table", caseshift=2_500, lemma_sub=2_500),
    "fig8": EditCosts("fig8", window=3),
}


@dataclass(frozen=True, slots=True)
class Edit:
    """What turns one token into another.

    Parameters
    ----------
    kind : Kind
        What it is.
    cost : int
        In ten-thousandths.
    label : str
        ``CASESHIFT-NOM-ADE`` for case shifts, ``CASESHIFT-NOM-DAT|GEN`` where it may
        be either; else the name of the kind.
    """

    kind: Kind
    cost: int
    label: str


def classify(hyp: Word, ref: Word, costs: EditCosts) -> Edit:
    """Return the edit that turns a hypothesis token into a reference token.

    For one pair; :class:`~.vocabulary.Vocabulary` does whole rows.
    """
    if hyp.key == ref.key:
        return Edit(Kind.MATCH, 0, Kind.MATCH.label)
    if letters(hyp.key) == letters(ref.key) != "":
        return Edit(Kind.COMP_HYPHEN, costs.comp_hyphen, Kind.COMP_HYPHEN.label)
    if not hyp.lemmas & ref.lemmas:
        kind, cost = unrelated(hyp, ref, costs)
        return Edit(kind, cost, kind.label)
    choices = [(costs.lemma_sub, Kind.LEMMA_SUB), (costs.sub, Kind.SUB)]
    shift = case_shift(hyp, ref)
    if shift:
        choices.append((costs.caseshift, Kind.CASESHIFT))
    cost, kind = min(choices)
    return Edit(kind, cost, shift if kind is Kind.CASESHIFT else kind.label)


def unrelated(hyp: Word, ref: Word, costs: EditCosts) -> tuple[Kind, int]:
    """Return the edit of two tokens that differ and share no lemma."""
    kinds = [backoff(hyp, Kind.SUB, Kind.OUTSUB, Kind.UNKSUB)]
    if hyp.casenums & ref.casenums:
        kinds.append(Kind.CASENUM_SUB)
    if hyp.cases & ref.cases:
        kinds.append(Kind.CASE_SUB)
    if hyp.tenses & ref.tenses:
        kinds.append(Kind.TENSENUM_SUB)
    if any(
        (one, case, number) in hyp.pronouns and (other, case, number) in ref.pronouns
        for pair in costs.animacy
        for one, other in (pair, pair[::-1])
        for case, number, _ in hyp.casenums & ref.casenums
    ):
        kinds.append(Kind.ANIMACY_SUB)
    cost, kind = min((costs.of(kind), kind) for kind in kinds)
    return kind, cost


def backoff(hyp: Word, known: Kind, outside: Kind, unknown: Kind) -> Kind:
    """Return the kind of edit that fits what is known of a hypothesis token."""
    if hyp.outside:
        return outside
    return known if hyp.known else unknown


def case_shift(hyp: Word, ref: Word) -> str:
    """Return the label of the case shift between two tokens, or an empty string.

    Where several shifts are possible it names all cases, ``CASESHIFT-NOM-DAT|GEN``;
    in a sentence their neighbours may tell (:mod:`tertium.grammars.search.agreement`).
    """
    pairs = case_pairs(hyp, ref)
    if any(one.case == other.case for one, other in pairs):
        return ""
    return shift_label(pairs)


def case_pairs(hyp: Word, ref: Word) -> list[tuple[Analysis, Analysis]]:
    """Return the nominal readings of one lemma that two tokens may have.

    Those of equal number, if there are any.
    """
    if hyp.verbs & ref.verbs:
        return []
    pairs = [
        (one, other)
        for one in hyp.analyses
        if one.nominal
        for other in ref.analyses
        if other.nominal and other.lemma == one.lemma
    ]
    equal = [(one, other) for one, other in pairs if one.number == other.number]
    return equal or pairs


def shift_label(pairs: Iterable[tuple[Analysis, Analysis]]) -> str:
    """Return the label of a shift between readings; of none an empty string."""
    pairs = list(pairs)
    if not pairs:
        return ""
    used = "|".join(sorted({one.case for one, _ in pairs}))
    needed = "|".join(sorted({other.case for _, other in pairs}))
    return f"CASESHIFT-{used}-{needed}"


def _cost(key: str, value: str) -> int:
    from decimal import Decimal, InvalidOperation

    message = (
        f"{key}={value} is not a cost; give a number of at least 0 with up to four "
        "decimals, such as 0.35"
    )
    try:
        cost = Decimal(value) * UNIT
    except InvalidOperation:
        raise InputError(message) from None
    if not cost.is_finite() or cost < 0 or cost != cost.to_integral_value():
        raise InputError(message)
    return int(cost)


def _whole(key: str, value: str) -> int:
    if not value.isdecimal():
        message = f"{key}={value} is not a count; give 0, 1, 2 ..."
        raise InputError(message)
    return int(value)
