# SPDX-License-Identifier: Apache-2.0
"""Reference sets: compiling, closest-reference search, an evaluation with its page.

python -m bench grammars [--write]

With --write the table goes into bench/GRAMMARS.md.
"""

from __future__ import annotations

import itertools
import os
import platform
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench.measure import ROOT, Report, best, cpu
from bench.peers.openfst_search import OpenFstSearch
from bench.peers.plain_search import PlainSearch
from tertium.automata.expressions import EMPTY, Expression, choice, literal, sequence
from tertium.grammars import Automaton, Matcher, load_template
from tertium.grammars.analysis import TemplateReferenceSets, evaluate_outputs
from tertium.grammars.authoring.bundled import bundled_templates
from tertium.grammars.morphology.analysers import template_analyser
from tertium.grammars.sets.selection import select_sources
from tertium.report.grammar.page import grammar_page

#: Parts of a sentence, each in several ways; which may come in any order.
_TIME = ("nyt", "tänään", "tällä viikolla", "nykyään", "juuri nyt")
_PLACE = (
    "kaupungissa",
    "meillä",
    "koulussa",
    "vanhassa talossa",
    "torilla",
    "järven rannalla",
)
_MANNER = ("hitaasti", "iloisesti", "hyvin varovasti", "hiljaa")
_WHO = (
    "iso koira",
    "vanha mies",
    "pieni lapsi",
    "suuri joukko",
    "nuori opettaja",
    "uusi naapuri",
)
_DOES = ("rakentaa", "tekee", "maalaa", "korjaa", "ostaa")
_WHAT = (
    "punaisen talon",
    "uuden pöydän",
    "puisen veneen",
    "sinisen oven",
    "pitkän aidan",
)
_WHOM = ("itselleen", "naapurilleen", "koko kylälle", "ystävälleen")
_WITH = ("vasaralla", "omin käsin", "uudella koneella", "muiden kanssa", "illan aikana")


def _part(ways: Sequence[str], *, optional: bool = False) -> Expression:
    ways_in = [literal(way) for way in ways]
    return choice([*ways_in, EMPTY] if optional else ways_in)


def references(*, large: bool) -> Expression:
    """Return a reference set: some ten million, or more than a thousand million."""
    parts = [_part(_WHO), _part(_DOES), _part(_WHAT), _part(_PLACE)]
    parts += [_part(_TIME, optional=True), _part(_MANNER, optional=True)]
    if large:
        parts.append(_part(_WHOM, optional=True))
    orders = itertools.permutations(parts)
    kept = [order for n, order in enumerate(orders) if n % (2 if large else 1) == 0]
    ends = _part(_WITH, optional=True)
    return choice(sequence([*order, ends]) for order in kept)


def damaged(
    tokens: Sequence[str], errors: int, symbols: Sequence[str], draw: random.Random
) -> list[str]:
    """Return a sentence with so many errors: replaced, left out, put in, moved."""
    out = list(tokens)
    for _ in range(errors):
        kind, at = draw.choice("sdim"), draw.randrange(len(out))
        other = draw.choice([*symbols, f"x{draw.randrange(99)}"])
        if kind == "s":
            out[at] = other
        elif kind == "d" and len(out) > 3:
            del out[at]
        elif kind == "i":
            out.insert(at, other)
        elif kind == "m":
            out.insert(draw.randrange(len(out)), out.pop(at))
    return out


def compiling(report: Report) -> Automaton:
    """Compile both sets; write a part of the first out as a tree of strings."""
    made: dict[bool, Automaton] = {}
    for large in (False, True):
        expression = references(large=large)

        def compile_it(
            expression: Expression = expression, large: bool = large
        ) -> None:
            made[large] = Automaton.from_expression(expression)

        seconds = best(compile_it, lambda: None, 3)
        automaton = made[large]
        rate = f"{len(automaton):,} states, {automaton.arc_count:,} arcs"
        report.add(f"compile {automaton.count:,} references", seconds, rate=rate)
    sample = made[False].sample(100_000)
    began = time.perf_counter()
    tree: dict[str, dict] = {}
    for tokens in sample:
        here = tree
        for token in tokens:
            here = here.setdefault(token, {})
    trie = time.perf_counter() - began
    report.note(
        f"A tree of 100,000 of these strings, in plain Python: {trie:.2f} s; all of "
        "them are in the automaton."
    )
    return made[False]


def searching(report: Report, automaton: Automaton, count: int = 12) -> None:
    """Look for the closest reference, against plain Python and OpenFst."""
    draw = random.Random(12345)
    matcher = Matcher(automaton)
    plain = PlainSearch(automaton)
    folder = Path(tempfile.mkdtemp())
    openfst = OpenFstSearch(automaton, folder) if shutil.which("fstcompose") else None
    for errors in (0, 4, 8):
        some = [
            damaged(tokens, errors, automaton.symbols, draw)
            for tokens in automaton.sample(count, seed=errors)
        ]
        matcher.closest_many(some, threads=1)  # tokens and lattices are made once
        seconds = best(
            lambda some=some: matcher.closest_many(some, threads=1), lambda: None, 5
        )
        costs = [match.best.cost for match in matcher.closest_many(some)]
        few = some[:4] if errors > 4 else some
        began = time.perf_counter()
        assert [plain.cost(tokens) for tokens in few] == costs[: len(few)]
        other = (time.perf_counter() - began) / len(few)
        rate = f"{1e3 * seconds / count:.2f} ms per sentence"
        job = f"closest of {automaton.count:,}, {errors} errors"
        report.add(
            job,
            seconds / count,
            peer="plain Python",
            other=other,
            wanted=500,
            rate=rate,
        )
        if openfst is not None:
            began = time.perf_counter()
            assert [openfst.cost(tokens) for tokens in some[:3]] == costs[:3]
            other = (time.perf_counter() - began) / 3
            report.add(job, seconds / count, peer="OpenFst, eager", other=other)
    shutil.rmtree(folder)
    report.note(
        "Of a sentence without errors plain Python takes few steps; here most of the "
        "time goes into the bound, which is made for all states first."
    )


def reporting(report: Report, size: int = 500, systems: int = 8) -> None:
    """Evaluate systems on the bundled templates, and make the page."""
    templates = [load_template(folder) for folder in bundled_templates().values()]
    sources = select_sources(templates, size)
    references = TemplateReferenceSets(templates, "Fin")
    outputs: dict[str, list[str]] = {}
    for number in range(systems):
        draw = random.Random(number)
        hyps = outputs[f"system {number + 1}"] = []
        for one in sources:
            target = references.automaton(one.template, one.set)
            tokens = target[draw.randrange(target.count)]
            errors = draw.choice((0, 1, 2, 3, 4, 6))
            hyps.append(" ".join(damaged(tokens, errors, target.symbols, draw)))
    began = time.perf_counter()
    evaluation = evaluate_outputs(
        sources, outputs, references, analyser=template_analyser(templates, "Fin")
    )
    page = grammar_page(evaluation)
    report.add(
        f"evaluate {len(sources)} outputs of {systems} systems, with the page",
        time.perf_counter() - began,
        rate=f"{len(page) / 1e6:.1f} MB of HTML",
    )


def main() -> None:
    report = Report()
    searching(report, compiling(report))
    reporting(report)
    if "--write" in sys.argv:
        head = (
            "# Reference sets\n\nPrinted by `python -m bench grammars --write` on "
            f"{time.strftime('%Y-%m-%d')}: Python {platform.python_version()}, "
            f"{cpu()}, {os.cpu_count()} cores. Searches run on one thread; three words "
            "may move, six places at most; there is no morphology. The evaluation runs "
            "on all cores, with the words of the templates.\n\n"
        )
        (ROOT / "bench" / "GRAMMARS.md").write_text(head + report.table())


if __name__ == "__main__":
    main()
