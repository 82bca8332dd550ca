# SPDX-License-Identifier: Apache-2.0
"""Corrects the outputs of systems and adds up what was found.

One matcher serves all outputs of a variable set; an output that several systems or
segments share is corrected once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.analysis.bootstrap import Resamples
from tertium.grammars.analysis.differences import score_of
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.records import SegmentRecord, make_record
from tertium.grammars.analysis.reference_sets import (
    FixedReferenceSets,
    Item,
    ReferenceSets,
)
from tertium.grammars.analysis.sensitivity import MOVES, MoveSensitivity
from tertium.grammars.analysis.systems import system_results
from tertium.grammars.edits import PROFILES, EditCosts
from tertium.grammars.matching import Budget, Match, Matcher
from tertium.grammars.morphology.base import Analyser
from tertium.grammars.words import Lexis

__all__ = ["Hypotheses", "evaluate"]

#: The outputs of one system: by the id of the item, or in the order of items.
Hypotheses = Mapping[str, str] | Sequence[str]


def evaluate(
    items: Iterable[Item],
    hypotheses: Mapping[str, Hypotheses],
    references: ReferenceSets | Mapping[tuple[str, str], Automaton],
    *,
    analyser: Analyser | Lexis | None = None,
    costs: EditCosts = PROFILES["default"],
    budget: Budget | None = None,
    humans: Iterable[str] = (),
    near: Near | None = None,
    run: Resamples | None = None,
    moves: Sequence[int] = MOVES,
    top: int = 20,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Compare systems on a test set.

    Parameters
    ----------
    items : iterable of Item
        Objects with ``id, template, set, source, constructions``.
    hypotheses : dict of str to outputs
        By system: outputs by the id of the item, or in the order of items.
    references : ReferenceSets, or dict of (template, set) to Automaton
        What is right.
    analyser : Analyser or Lexis, optional
        Where readings of words come from.
    costs : EditCosts
    budget : Budget, optional
        How long to look for one correction.
    humans : iterable of str
        Which systems are people.
    near : Near, optional
        Which corrections beside the best one are looked at.
    run : Resamples, optional
        How the bootstrap is run.
    moves : sequence of int
        Costs of a move to try beside the chosen one, in ten-thousandths.
    top : int
        How many recurring edits to keep.
    threads : int, optional
        All cores by default; results do not depend on it.
    progress : callable, optional
        Is told how many different outputs are done, and how many there are.

    Raises
    ------
    InputError
        When an output is missing, an item is there twice, or there is nothing to do.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> item = SimpleNamespace(
    ...     id="1", template="ball", set="", source="der Ball ist rot", constructions=()
    ... )
    >>> ball = Automaton.from_sentences(["the ball is red", "a ball is red"])
    >>> found = evaluate([item], {"A": ["the ball red"]}, {("ball", ""): ball})
    >>> found.system("A").score
    0.2
    """
    items = list(items)
    near = near or Near()
    known = frozenset(humans)
    outputs = _outputs(items, hypotheses, known)
    sets: ReferenceSets = (
        FixedReferenceSets(references)
        if isinstance(references, Mapping)
        else references
    )
    lexis = analyser if isinstance(analyser, Lexis) else Lexis(analyser)
    others = [replace(costs, move=move) for move in moves if move != costs.move]
    search = _Search(sets, lexis, costs, budget or Budget(), near, others, threads)
    rows: dict[str, list[SegmentRecord | None]] = {
        system: [None] * len(items) for system in outputs
    }
    tried: dict[str, list[tuple[int, int]]] = {
        system: [(0, 0)] * len(others) for system in outputs
    }
    groups: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        groups.setdefault((item.template, sets.set_name(item.set)), []).append(place)
    wanted = {
        key: list(
            dict.fromkeys(own[place] for own in outputs.values() for place in places)
        )
        for key, places in groups.items()
    }
    done, whole = 0, sum(map(len, wanted.values()))
    for (template, codes), places in groups.items():
        texts = wanted[template, codes]
        found = search.run(template, codes, texts)
        for system, own in outputs.items():
            for place in places:
                match, constructions, sums = found[own[place]]
                item = items[place]
                rows[system][place] = make_record(
                    match,
                    id=item.id,
                    system=system,
                    hyp=own[place],
                    template=template,
                    set=codes,
                    source=item.source,
                    source_constructions=tuple(item.constructions)
                    or sets.of_source(template, codes, item.source),
                    constructions=constructions,
                    analyser=lexis.name,
                    near=near,
                )
                tried[system] = [
                    (cost + more, tokens + longer)
                    for (cost, tokens), (more, longer) in zip(
                        tried[system], sums, strict=True
                    )
                ]
        done += len(texts)
        if progress is not None:
            progress(done, whole)
    records = {
        system: tuple(row for row in own if row is not None)
        for system, own in rows.items()
    }
    run = (run or Resamples()).for_systems(len(records))
    systems, differences = system_results(records, humans=known, run=run, top=top)
    sensitivity = [
        MoveSensitivity(costs.move, {own.name: own.score for own in systems})
    ]
    sensitivity += [
        MoveSensitivity(
            other.move,
            {system: score_of(*sums[number]) for system, sums in tried.items()},
        )
        for number, other in enumerate(others)
    ]
    return Evaluation(
        records=records,
        systems=systems,
        differences=differences,
        sensitivity=tuple(sorted(sensitivity, key=lambda own: own.move)),
        costs=costs,
        near=near,
        run=run,
        analyser=lexis.name,
        templates=_prototypes(sets, items),
    )


#: A match, the functions that make its reference, and cost and reference tokens with
#: every other cost of moves.
_Found = tuple[Match, tuple[str, ...], list[tuple[int, int]]]


class _Search:
    """Corrects outputs of one variable set after the other."""

    def __init__(
        self,
        sets: ReferenceSets,
        lexis: Lexis,
        costs: EditCosts,
        budget: Budget,
        near: Near,
        others: Sequence[EditCosts],
        threads: int | None,
    ) -> None:
        self.sets = sets
        self.lexis = lexis
        self.costs = costs
        self.budget = budget
        self.near = near
        self.others = others
        self.threads = threads

    def run(self, template: str, codes: str, texts: Sequence[str]) -> dict[str, _Found]:
        automaton = self.sets.automaton(template, codes)
        matcher = Matcher(automaton, self.lexis, self.costs, self.budget)
        found = matcher.closest_many(
            texts, count=self.near.count, close=True, threads=self.threads
        )
        sums: list[list[tuple[int, int]]] = [[] for _ in texts]
        for other in self.others:
            again = Matcher(automaton, self.lexis, other, self.budget)
            for own, match in zip(
                sums, again.closest_many(texts, threads=self.threads), strict=True
            ):
                own.append((match.best.cost, len(match.best.reference)))
        return {
            text: (
                match,
                self.sets.of_reference(template, codes, match.best.reference),
                own,
            )
            for text, match, own in zip(texts, found, sums, strict=True)
        }


def _outputs(
    items: Sequence[Item],
    hypotheses: Mapping[str, Hypotheses],
    humans: frozenset[str],
) -> dict[str, list[str]]:
    """Return the outputs of every system in the order of items."""
    if not items or not hypotheses:
        what = "test item" if not items else "system"
        message = f"there is no {what} to evaluate; give at least one"
        raise InputError(message)
    ids = [item.id for item in items]
    if len(set(ids)) < len(ids):
        twice = next(name for place, name in enumerate(ids) if name in ids[:place])
        message = f"the test set has the id {twice!r} twice; give every item its own"
        raise InputError(message)
    for name in sorted(humans - hypotheses.keys()):
        message = f"there is no system {name!r} to count as human; give its outputs"
        raise InputError(message)
    found = {}
    for system, own in hypotheses.items():
        if isinstance(own, Mapping):
            lacking = [name for name in ids if name not in own]
            if lacking:
                message = (
                    f"system {system!r} has no output for {len(lacking)} of "
                    f"{len(ids)} items (first: {lacking[0]!r}); give one for each, "
                    "even if it is empty"
                )
                raise InputError(message)
            found[system] = [own[name] for name in ids]
        else:
            if len(own) != len(ids):
                message = (
                    f"system {system!r} has {len(own)} outputs, the test set has "
                    f"{len(ids)} items; give one line for each"
                )
                raise InputError(message)
            found[system] = list(own)
    return found


def _prototypes(sets: ReferenceSets, items: Sequence[Item]) -> dict[str, str]:
    known = getattr(sets, "templates", {})
    return {
        name: known[name].prototype if name in known else ""
        for name in dict.fromkeys(item.template for item in items)
        if name
    }
