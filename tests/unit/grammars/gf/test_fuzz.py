# SPDX-License-Identifier: Apache-2.0
"""Broken files: an error that says where and what, never a crash."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.grammar_texts import HAVE
from support.random_grammars import random_grammar, show_grammar
from tertium.grammars.gf import GrammarError, parse_grammar

SLOW = settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
SPOTS = st.integers(min_value=0, max_value=100_000)
BITS = st.sampled_from(
    [
        *";{}()=>-|+*!.,:\\\"_'&[] \n\t\x00“é0",
        *("=>", "->", "++", "\\\\", "{-", "-}", "--", "[]", "&+"),
        *("variants", "table", "let", "in", "case", "of", "lin", "oper", "param"),
        *("Str", "XHasY", "Nom", "nyt", "a.i", '"x"', "nonExist", "BIND", "Template"),
    ]
)


def problem(text):
    """Return what is wrong with a grammar, or None."""
    try:
        grammar = parse_grammar({"have.gf": text})
        for language in grammar.languages:
            grammar.sets(language)
    except GrammarError as error:
        return error
    return None


def accepted_or_explained(text):
    error = problem(text)
    if error is None:
        return
    message = str(error)
    assert message.startswith("have.gf")
    assert "; " in message
    if error.at:
        assert message.endswith("^")
        assert 1 <= error.line <= text.count("\n") + 1
        assert 1 <= error.column <= len(text.split("\n")[error.line - 1]) + 1


@SLOW
@given(st.lists(st.tuples(SPOTS, st.integers(0, 12), BITS | st.just("")), max_size=3))
def test_changed_characters(changes):
    text = HAVE
    for spot, gone, new in changes:
        place = spot % len(text)
        text = text[:place] + new + text[place + gone :]
    accepted_or_explained(text)


@SLOW
@given(st.lists(st.tuples(SPOTS, SPOTS, st.booleans()), min_size=1, max_size=3))
def test_lines_deleted_and_doubled(changes):
    lines = HAVE.split("\n")
    for spot, other, gone in changes:
        if gone:
            del lines[spot % len(lines)]
        else:
            lines.insert(other % len(lines), lines[spot % len(lines)])
    accepted_or_explained("\n".join(lines))


@SLOW
@given(st.lists(st.tuples(SPOTS, SPOTS), min_size=1, max_size=3))
def test_words_exchanged(changes):
    # Mostly well-formed, so that types and names are wrong rather than syntax.
    words = HAVE.split(" ")
    for one, other in changes:
        words[one % len(words)] = words[other % len(words)]
    accepted_or_explained(" ".join(words))


@settings(SLOW, max_examples=30)
@given(st.randoms(use_true_random=False), SPOTS, st.integers(0, 5), BITS)
def test_changes_in_random_grammars(random, spot, gone, new):
    text = show_grammar(random_grammar(random))
    place = spot % len(text)
    accepted_or_explained(text[:place] + new + text[place + gone :])


@settings(SLOW, max_examples=40)
@given(st.text(max_size=60))
def test_any_text(text):
    accepted_or_explained(text)


def test_what_is_nested_too_deeply_is_rejected():
    deep = "(" * 3000 + '"a"' + ")" * 3000
    wide = " ++ ".join(['"a"'] * 3000)
    for body in (deep, wide):
        accepted_or_explained(
            "abstract A = { flags startcat = S ; cat S ; fun f : S ; }\n"
            f"concrete AEng of A = {{ lincat S = Str ; lin f = {body} ; }}"
        )
