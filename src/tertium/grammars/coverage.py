# SPDX-License-Identifier: Apache-2.0
"""What people say and a grammar rejects: the coverage of sets of references.

The share of independent human translations that a set holds estimates its recall
(Nieminen 2018, equation 7). Every other translation is corrected into the set, and
the edits say what is lacking: they are grouped, those that would let in the most
translations first, each with the nearest sentence of the set and a proposal. A
proposal is a thought for the designer, who may also find the translation wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.edits import PROFILES, TAXONOMY, EditCosts, Kind
from tertium.grammars.matching import Change, Correction, Matcher
from tertium.grammars.morphology.base import Analyser
from tertium.grammars.words import Lexis

__all__ = ["Cause", "Coverage", "Rejected", "Share", "Translation", "cover"]


@dataclass(frozen=True)
class Translation:
    """What somebody wrote.

    Attributes
    ----------
    text : str
        The sentence.
    template, set : str
        What it is a translation of.
    by : str
        Who wrote it.
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
    """A translation that the set lacks, and the cheapest way into it.

    Attributes
    ----------
    translation : Translation
        What somebody wrote.
    correction : Correction
        The edits, and the nearest sentence of the set.
    constructions : tuple of str
        The functions that make that sentence, where known.
    """

    translation: Translation
    correction: Correction
    constructions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Cause:
    """An edit that keeps translations out.

    Attributes
    ----------
    template : str
        Where.
    kind : str
        The edit, such as ``casenum_sub``; ``sub+delete`` if a phrase stands for
        another one.
    hyp, ref : str
        What people wrote, and what the set has there.
    rejected : tuple of Rejected
        The translations it occurs in, those it alone keeps out first.
    alone : int
        How many it alone keeps out.
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


@dataclass(frozen=True)
class Share:
    """How many translations of a template are in its sets."""

    template: str
    accepted: int
    total: int

    @property
    def share(self) -> float:
        """The share accepted: an estimate of recall."""
        return self.accepted / self.total


@dataclass(frozen=True)
class Coverage:
    """What came of a list of translations.

    Attributes
    ----------
    shares : tuple of Share
        By template.
    people : tuple of Share
        The same by translator; their names stand for that of the template.
    causes : tuple of Cause
        Those that alone keep out the most translations first.
    rejected : tuple of Rejected
        In the order given.
    analyser : str
        Name and version.
    """

    shares: tuple[Share, ...]
    people: tuple[Share, ...]
    causes: tuple[Cause, ...]
    rejected: tuple[Rejected, ...]
    analyser: str

    @property
    def total(self) -> Share:
        """All templates together."""
        return Share(
            "all",
            sum(own.accepted for own in self.shares),
            sum(own.total for own in self.shares),
        )


def cover(
    translations: Iterable[Translation],
    references: Callable[[str, str], Automaton],
    *,
    analyser: Analyser | Lexis | None = None,
    costs: EditCosts = PROFILES["default"],
    constructions: Callable[[str, str, Sequence[str]], tuple[str, ...]] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Coverage:
    """Return which translations sets of references hold, and what the others lack.

    Parameters
    ----------
    translations : iterable of Translation
        Right translations, written by people who did not see the set.
    references : callable
        Returns the set of a template and variable set.
    analyser : Analyser or Lexis, optional
        Where readings of words come from; without, most edits are ``sub``.
    costs : EditCosts
        What edits cost.
    constructions : callable, optional
        Returns the functions that make a sentence of a template and variable set.
    threads : int, optional
        All cores by default.
    progress : callable, optional
        Is told how many translations are done.

    Raises
    ------
    InputError
        When there is no translation.

    Examples
    --------
    >>> ball = Automaton.from_sentences(["the ball is red", "a ball is red"])
    >>> found = cover(
    ...     [Translation("The ball is red.", "ball", ""),
    ...      Translation("The sphere is red.", "ball", "")],
    ...     lambda template, codes: ball,
    ... )
    >>> found.total.share, found.causes[0].proposal
    (0.5, "accept 'sphere' where there is 'ball'")
    """
    given = list(translations)
    if not given:
        raise InputError("no translation; give at least one")
    lexis = analyser if isinstance(analyser, Lexis) else Lexis(analyser)
    groups: dict[tuple[str, str], list[int]] = {}
    for place, own in enumerate(given):
        groups.setdefault((own.template, own.set), []).append(place)
    best: dict[int, Rejected] = {}
    done = 0
    for (template, codes), places in groups.items():
        matcher = Matcher(references(template, codes), lexis, costs)
        texts = [given[place].text for place in places]
        for place, match in zip(
            places, matcher.closest_many(texts, threads=threads), strict=True
        ):
            if match.best.edits:
                makers = (
                    constructions(template, codes, match.best.reference)
                    if constructions is not None
                    else ()
                )
                best[place] = Rejected(given[place], match.best, makers)
        done += len(places)
        if progress is not None:
            progress(done)
    rejected = tuple(best[place] for place in sorted(best))
    lost = Counter(own.translation.template for own in rejected)
    lost_by = Counter(own.translation.by for own in rejected)
    return Coverage(
        _shares(Counter(own.template for own in given), lost),
        _shares(Counter(own.by for own in given), lost_by),
        _causes(rejected),
        rejected,
        lexis.name,
    )


def _shares(every: Counter[str], lost: Counter[str]) -> tuple[Share, ...]:
    return tuple(Share(name, n - lost[name], n) for name, n in every.items())


def _causes(rejected: Sequence[Rejected]) -> tuple[Cause, ...]:
    groups: dict[tuple[str, str, str, str], list[Rejected]] = {}
    proposals: dict[tuple[str, str, str, str], Counter[str]] = {}
    for own in rejected:
        for change in _whole(own.correction):
            key = (
                own.translation.template,
                change.label,
                change.hyp.casefold(),
                change.ref.casefold() if change.kind is not Kind.MOVE else "",
            )
            seen = groups.setdefault(key, [])
            if not seen or seen[-1] is not own:
                seen.append(own)
            said = _proposal(change, own.correction)
            proposals.setdefault(key, Counter())[said] += 1
    causes = [
        Cause(
            *key,
            rejected=tuple(sorted(own, key=_edits)),
            alone=sum(_edits(one) == 1 for one in own),
            proposal=proposals[key].most_common(1)[0][0],
        )
        for key, own in groups.items()
    ]
    return tuple(
        sorted(causes, key=lambda own: (-own.alone, -len(own.rejected), _name(own)))
    )


def _name(cause: Cause) -> tuple[str, ...]:
    return cause.template, cause.kind, cause.hyp, cause.ref


def _edits(own: Rejected) -> int:
    return len(_whole(own.correction))


#: Edits that may be parts of a phrase put for another one.
_PARTS = (
    *(Kind.INSERT, Kind.DELETE, Kind.UNKDEL, Kind.OUTDEL),
    *(Kind.SUB, Kind.UNKSUB, Kind.OUTSUB),
)
#: Edits of the spelling of compounds, which are no parts of a phrase.
_COMPOUNDS = frozenset(TAXONOMY["compound spelling"])


def _whole(correction: Correction) -> list[Change]:
    """Return the edits, with those that make one phrase or one compound joined."""
    found: list[Change] = []
    compound = 0
    side_by_side = False
    for change in correction.changes:
        if change.moved:
            move = (Kind.MOVE, Kind.MOVE.label, change.index, change.hyp, change.hyp)
            found.append(Change(*move, correction.move_cost, change.moved_by))
            side_by_side = False
        if change.kind is Kind.MATCH:
            side_by_side = False
        elif change.continues:
            found[compound] = _joined(found[compound], change)
        elif side_by_side and _one_phrase(found[-1], change) and not change.moved:
            found[-1] = _joined(found[-1], change)
        else:
            compound = len(found)
            found.append(change)
            side_by_side = not change.moved
    return found


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
        return f"let {change.ref!r} be left out"
    if not change.ref:
        before = _before(change, correction)
        place = f"after {before!r}" if before else "at the beginning"
        return f"allow {change.hyp!r} {place}"
    if change.kind in _COMPOUNDS:
        return f"if {change.hyp!r} may be written so, accept it for {change.ref!r}"
    if change.kind in (Kind.CASESHIFT, Kind.LEMMA_SUB):
        return f"accept the form {change.hyp!r} where there is {change.ref!r}"
    return f"accept {change.hyp!r} where there is {change.ref!r}"


def _before(change: Change, correction: Correction) -> str:
    """Return the token of the reference before an edit."""
    last = ""
    for own in correction.changes:
        if own.index == change.index:
            break
        last = own.ref or last
    return last
