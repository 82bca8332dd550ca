# SPDX-License-Identifier: Apache-2.0
"""The demo of grammars: its sources, and the faults of the imitated systems."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import tertium
from tertium.grammars import Template, load_analyser, load_template
from tertium.grammars.authoring.samples import accepts
from tertium.grammars.gf.variables import show_set
from tertium.grammars.search.matching import Match, Matcher
from tertium.grammars.sets.exchange import SourceSentence, read_outputs, read_sources

pytestmark = pytest.mark.slow

ROOM = Path(tertium.__file__).parent
FOLDER = ROOM / "demo" / "grammar"
#: What most edits of a system are.
FAULTS = {
    "compounds": "comp_lemma_join",
    "cases": "caseshift",
    "omissions": "insert",
    "order": "move",
}


@cache
def sources() -> list[SourceSentence]:
    return read_sources(FOLDER / "testset.jsonl")


@cache
def template(name: str) -> Template:
    return load_template(ROOM / "grammars" / "templates" / name)


@cache
def matcher(name: str, codes: str) -> Matcher:
    one = template(name)
    sets = {show_set(each): result for each, result in one.grammar.sets("Fin").items()}
    lexicon = one.folder / "lexicon.lock.tsv"
    return Matcher(sets[codes], load_analyser(f"tsv:{lexicon}"))


def matches(name: str) -> list[Match]:
    outputs = read_outputs(FOLDER / f"{name}.txt", [source.id for source in sources()])
    return [
        matcher(source.template, source.set).closest(output)
        for source, output in zip(sources(), outputs, strict=True)
    ]


def test_sources_are_accepted_by_their_grammars():
    assert len(sources()) == 60
    for source in sources():
        sets = template(source.template).grammar.sets("Eng")
        result = next(
            one for codes, one in sets.items() if show_set(codes) == source.set
        )
        assert accepts(result, source.source.rstrip(".")), source.source


@pytest.mark.parametrize("name", FAULTS)
def test_systems_have_the_faults_they_are_named_for(name):
    result = matches(name)
    kinds = Counter(
        "move" if change.moved else change.kind.name.lower()
        for match in result
        for change in match.best.changes
        if change.moved or change.cost
    )
    assert kinds[FAULTS[name]] > 0.6 * sum(kinds.values()), kinds
    assert len(kinds) > 1, "there is a little noise as well"
    assert 10 <= sum(match.best.cost == 0 for match in result) <= 30


def test_a_person_is_better_than_all_systems():
    cost = sum(match.best.cost for match in matches("human/translator"))
    assert all(
        cost < sum(match.best.cost for match in matches(one)) / 3 for one in FAULTS
    )
