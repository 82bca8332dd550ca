# SPDX-License-Identifier: Apache-2.0
"""Corrects the outputs of systems and adds up the results.

One matcher serves all outputs of a variable set; an output that several systems or
segments share is corrected once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from tertium._seed import SEED
from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.analysis.bootstrap import bootstrap_for
from tertium.grammars.analysis.differences import score_of
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.records import SegmentRecord, make_record
from tertium.grammars.analysis.sensitivity import MOVES, MoveSensitivity
from tertium.grammars.analysis.systems import system_results
from tertium.grammars.morphology.base import Analyser
from tertium.grammars.search.edits import PROFILES, EditCosts
from tertium.grammars.search.matching import Budget, Match, Matcher
from tertium.grammars.search.words import Lexis
from tertium.grammars.sets.reference_sets import FixedReferenceSets, Item, ReferenceSets

__all__ = ["Outputs", "evaluate_outputs"]

#: The outputs of one system: by item id, or in the order of items.
Outputs = Mapping[str, str] | Sequence[str]


def evaluate_outputs(
    items: Iterable[Item],
    outputs: Mapping[str, Outputs],
    references: ReferenceSets | Mapping[tuple[str, str], Automaton],
    *,
    analyser: Analyser | Lexis | None = None,
    costs: EditCosts = PROFILES["default"],
    budget: Budget | None = None,
    human: Iterable[str] = (),
    near: Near | None = None,
    resamples: int | None = None,
    seed: int = SEED,
    confidence: float = 0.95,
    moves: Sequence[int] = MOVES,
    top: int = 20,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    notes: tuple[str, ...] = (),
) -> Evaluation:
    """Compare systems on a test set that is in memory.

    Parameters
    ----------
    items : iterable of Item
        Objects with ``id, template, set, source, constructions``.
    outputs : dict of str to outputs
        By system: outputs by item id, or in the order of items.
    references : ReferenceSets, or dict of (template, set) to Automaton
        The reference sets.
    analyser : Analyser or Lexis, optional
        Where the readings of words come from.
    costs : EditCosts
    budget : Budget, optional
        How long to search for one correction.
    human : iterable of str
        Which of the systems are people.
    near : Near, optional
        Which corrections besides the best one are considered.
    resamples : int, optional
        Bootstrap resamples; 0 for no intervals. By default 1,000, and more for many
        systems.
    seed : int
        The seed of the bootstrap.
    confidence : float
        The confidence level of intervals.
    moves : sequence of int
        Other move costs to try, in ten-thousandths.
    top : int
        How many recurring edits to keep.
    threads : int, optional
        All cores by default; results do not depend on it.
    progress : callable, optional
        Called with how many different outputs are done, and how many there are.
    notes : tuple of str
        Notes on the references, kept in the result.

    Raises
    ------
    InputError
        When an output is missing, an item occurs twice, or there is nothing to do.

    Examples
    --------
    >>> from tertium.grammars import SourceSentence
    >>> item = SourceSentence("1", "ball", "", "der Ball ist rot")
    >>> ball = Automaton.from_sentences(["the ball is red", "a ball is red"])
    >>> result = evaluate_outputs(
    ...     [item], {"A": ["the ball red"]}, {("ball", ""): ball}
    ... )
    >>> result.system("A").score
    0.2
    """
    items = list(items)
    near = near or Near()
    people = frozenset(human)
    texts = _in_order(items, outputs, people)
    sets: ReferenceSets = (
        FixedReferenceSets(references)
        if isinstance(references, Mapping)
        else references
    )
    lexis = analyser if isinstance(analyser, Lexis) else Lexis(analyser)
    others = [replace(costs, move=move) for move in moves if move != costs.move]
    search = _Search(sets, lexis, costs, budget or Budget(), near, others, threads)
    records, sums = _correct(search, items, texts, progress)
    bootstrap = bootstrap_for(
        len(records), resamples=resamples, seed=seed, confidence=confidence
    )
    systems, differences = system_results(
        records, humans=people, bootstrap=bootstrap, top=top
    )
    sensitivity = [
        MoveSensitivity(costs.move, {system.name: system.score for system in systems})
    ]
    sensitivity += [
        MoveSensitivity(
            other.move,
            {name: score_of(*system[number]) for name, system in sums.items()},
        )
        for number, other in enumerate(others)
    ]
    return Evaluation(
        records=records,
        systems=systems,
        differences=differences,
        sensitivity=tuple(sorted(sensitivity, key=lambda scores: scores.move)),
        costs=costs,
        near=near,
        bootstrap=bootstrap,
        analyser=lexis.name,
        templates=_prototypes(sets, items),
        notes=notes,
    )


#: A match, the functions that make its reference, and cost and reference tokens with
#: every other move cost.
_Corrected = tuple[Match, tuple[str, ...], list[tuple[int, int]]]


@dataclass(frozen=True)
class _Search:
    """Corrects the outputs of one variable set after the other."""

    sets: ReferenceSets
    lexis: Lexis
    costs: EditCosts
    budget: Budget
    near: Near
    others: Sequence[EditCosts]
    threads: int | None

    def run(
        self, template: str, codes: str, texts: Sequence[str]
    ) -> dict[str, _Corrected]:
        automaton = self.sets.automaton(template, codes)
        matcher = Matcher(automaton, self.lexis, self.costs, self.budget)
        matches = matcher.closest_many(
            texts, count=self.near.count, close=True, threads=self.threads
        )
        sums: list[list[tuple[int, int]]] = [[] for _ in texts]
        for other in self.others:
            again = Matcher(automaton, self.lexis, other, self.budget)
            for row, match in zip(
                sums, again.closest_many(texts, threads=self.threads), strict=True
            ):
                row.append((match.best.cost, len(match.best.reference)))
        return {
            text: (
                match,
                self.sets.of_reference(template, codes, match.best.reference),
                row,
            )
            for text, match, row in zip(texts, matches, sums, strict=True)
        }


def _correct(
    search: _Search,
    items: Sequence[Item],
    outputs: Mapping[str, Sequence[str]],
    progress: Callable[[int, int], None] | None,
) -> tuple[
    dict[str, tuple[SegmentRecord, ...]], dict[str, tuple[tuple[int, int], ...]]
]:
    """Return the records of every system, and its sums with every other move cost."""
    groups: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(items):
        key = item.template, search.sets.set_name(item.set)
        groups.setdefault(key, []).append(place)
    distinct = {
        key: list(
            dict.fromkeys(texts[place] for texts in outputs.values() for place in group)
        )
        for key, group in groups.items()
    }
    done, total = 0, sum(map(len, distinct.values()))
    records: dict[str, dict[int, SegmentRecord]] = {system: {} for system in outputs}
    sums = {system: ((0, 0),) * len(search.others) for system in outputs}
    for (template, codes), places in groups.items():
        corrected = search.run(template, codes, distinct[template, codes])
        for system, texts in outputs.items():
            for place in places:
                match, constructions, added = corrected[texts[place]]
                item = items[place]
                records[system][place] = make_record(
                    match,
                    id=item.id,
                    system=system,
                    hyp=texts[place],
                    template=template,
                    set=codes,
                    source=item.source,
                    source_constructions=tuple(item.constructions)
                    or search.sets.of_source(template, codes, item.source),
                    constructions=constructions,
                    analyser=search.lexis.name,
                    near=search.near,
                )
                sums[system] = tuple(
                    (cost + more, tokens + longer)
                    for (cost, tokens), (more, longer) in zip(
                        sums[system], added, strict=True
                    )
                )
        done += len(distinct[template, codes])
        if progress is not None:
            progress(done, total)
    ordered = {
        system: tuple(rows[place] for place in range(len(items)))
        for system, rows in records.items()
    }
    return ordered, sums


def _in_order(
    items: Sequence[Item], outputs: Mapping[str, Outputs], human: frozenset[str]
) -> dict[str, list[str]]:
    """Return the outputs of every system in the order of items."""
    if not items or not outputs:
        what = "test item" if not items else "system"
        message = f"there is no {what} to evaluate; give at least one"
        raise InputError(message)
    ids = [item.id for item in items]
    if len(set(ids)) < len(ids):
        twice = next(name for place, name in enumerate(ids) if name in ids[:place])
        message = f"the test set has the id {twice!r} twice; give every item its own"
        raise InputError(message)
    for name in sorted(human - outputs.keys()):
        message = f"there is no system {name!r} to count as human; give its outputs"
        raise InputError(message)
    return {name: _of_system(name, texts, ids) for name, texts in outputs.items()}


def _of_system(system: str, texts: Outputs, ids: Sequence[str]) -> list[str]:
    if isinstance(texts, Mapping):
        missing = [name for name in ids if name not in texts]
        if missing:
            message = (
                f"system {system!r} has no output for {len(missing)} of "
                f"{len(ids)} items (first: {missing[0]!r}); give one for each, "
                "even if it is empty"
            )
            raise InputError(message)
        return [texts[name] for name in ids]
    if len(texts) != len(ids):
        message = (
            f"system {system!r} has {len(texts)} outputs, the test set has "
            f"{len(ids)} items; give one line for each"
        )
        raise InputError(message)
    return list(texts)


def _prototypes(sets: ReferenceSets, items: Sequence[Item]) -> dict[str, str]:
    known = getattr(sets, "templates", {})
    return {
        name: known[name].prototype if name in known else ""
        for name in dict.fromkeys(item.template for item in items)
        if name
    }
