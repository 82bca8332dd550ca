# SPDX-License-Identifier: Apache-2.0
"""How many variable sets there are, counted before any is written out."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.grammars.gf import GrammarError, abstracts, parse_grammar
from tertium.grammars.gf.abstracts import AbstractGrammar, TreeFunction, chosen
from tertium.grammars.gf.families import count_sets
from tertium.grammars.gf.problems import Position, Source

AT = Position(Source("t.gf", ""), 1, 1)


def grammar(arguments: list[str], values: dict[str, list[str | None]]) -> str:
    """Return a grammar whose sentence takes arguments of variables with values."""
    words = [
        (f"SemVar{code}W" if code else f"No{category}", category)
        for category, codes in values.items()
        for code in codes
    ]
    funs = " ; ".join(f"{name} : {category}" for name, category in words)
    lins = " ; ".join(f'{name} = "{name.lower()}"' for name, _ in words)
    names = [f"x{number}" for number in range(len(arguments))]
    cats = ", ".join(values)
    return f"""
    abstract T = {{ flags startcat = S ; cat S, {cats} ;
      fun Say : {" -> ".join([*arguments, "S"])} ; {funs} ; }}
    concrete TEng of T = {{ lincat S, {cats} = Str ;
      lin Say {" ".join(names)} = {" ++ ".join(names)} ; {lins} ; }}"""


def test_millions_of_sets_are_rejected_by_their_number_and_not_written_out(monkeypatch):
    def never(*_: object) -> None:
        raise AssertionError("sets are written out")

    monkeypatch.setattr(AbstractGrammar, "tree_counts", never)
    monkeypatch.setattr(abstracts, "chosen", never)
    monkeypatch.setattr("tertium.grammars.gf.packing.chosen", never)
    names = [f"V{number}" for number in range(1, 8)]
    values = {name: [f"{name[1:]}{letter}" for letter in "abcdefgh"] for name in names}
    with pytest.raises(GrammarError, match=r"has 2,097,152 variable sets") as caught:
        parse_grammar(grammar(names, values))
    assert "fewer variables" in str(caught.value)


def test_as_many_sets_as_are_allowed_are_read(monkeypatch):
    text = grammar(["V1", "V2"], {"V1": ["1a", "1b", None], "V2": ["2a", "2b"]})
    monkeypatch.setattr(abstracts, "MOST_SETS", 6)
    assert len(parse_grammar(text).sets("Eng")) == 6
    monkeypatch.setattr(abstracts, "MOST_SETS", 5)
    with pytest.raises(GrammarError, match="has 6 variable sets, more than 5"):
        parse_grammar(text)


def test_ways_to_choose_that_conflict_are_left_out_early():
    """Eight values in seven places: eight sets, though two million ways to choose."""
    values = [frozenset({f"1{letter}"}) for letter in "abcdefgh"]
    looked = 0

    class Counted(list[frozenset[str]]):
        def __iter__(self):
            nonlocal looked
            for one in super().__iter__():
                looked += 1
                yield one

    function = TreeFunction("Say", ("V",) * 7, "S", None, AT)
    results = list(chosen(function, [Counted(values)] * 7))
    assert [codes for _, codes in results] == values
    assert looked <= 7 * 8 * 8


codes = st.sampled_from(["1a", "1b", "2a", "2b", "3a", None])


@settings(max_examples=60)
@given(
    st.lists(st.lists(codes, min_size=1, max_size=4, unique=True), max_size=4),
    st.lists(st.tuples(codes, st.lists(st.integers(0, 3), max_size=3)), max_size=3),
)
def test_sets_are_counted_as_if_written_out(leaves, tops):
    functions = {}
    for number, codes in enumerate(leaves):
        for place, code in enumerate(codes):
            name = f"L{number}.{place}"
            functions[name] = TreeFunction(name, (), f"C{number}", code, AT)
    for number, (code, arguments) in enumerate(tops):
        known = tuple(f"C{one}" for one in arguments if one < len(leaves))
        functions[f"T{number}"] = TreeFunction(f"T{number}", known, "S", code, AT)
    categories = (*(f"C{number}" for number in range(len(leaves))), "S")
    abstract = AbstractGrammar(
        "T", "S", categories, functions, AT, frozenset(categories), functions
    )
    want = set()
    for function in abstract.of("S"):
        choices = [[leaf.code for leaf in abstract.of(c)] for c in function.arguments]
        for picked in itertools.product(*choices):
            results = {code for code in (function.code, *picked) if code}
            if len({code[0] for code in results}) == len(results):
                want.add(frozenset(results))
    assert count_sets(abstract) == len(want)
    assert set(abstract.tree_counts()) == want
