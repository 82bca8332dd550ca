# SPDX-License-Identifier: Apache-2.0
"""The light notation: what patterns mean, and errors in wrong ones."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.errors import FormatError, InputError
from tertium.grammars.light.notation import LightError, parse_light, read_light
from tests.oracles.light_strings import meant, written

WORDS = st.text("ab{|&é", min_size=1, max_size=2).filter(lambda text: text != "&+")


def _rows(inner):
    return st.lists(st.tuples(inner, st.sampled_from(["", " "])), max_size=3).map(
        lambda pairs: ("row", tuple(p for p, _ in pairs), tuple(g for _, g in pairs))
    )


PATTERNS = st.recursive(
    WORDS.map(lambda text: ("word", text)),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda p: ("choice", tuple(p)))
        | st.lists(inner, min_size=2, max_size=3).map(lambda p: ("shuffle", tuple(p)))
        | inner.map(lambda part: ("optional", part))
        | _rows(inner)
    ),
    max_leaves=7,
)


def read(text: str, slots: dict[str, str] | None = None) -> list[str]:
    automaton = Automaton.from_expression(parse_light(text, slots))
    return [" ".join(tokens) for tokens in automaton]


@given(PATTERNS)
def test_a_pattern_means_its_texts_cut_at_spaces(pattern):
    automaton = Automaton.from_expression(parse_light(written(pattern)))
    assert automaton == Automaton.from_sentences(meant(pattern))


@pytest.mark.parametrize(
    ("pattern", "sentences"),
    [
        ("{the|a} ball", ["a ball", "the ball"]),
        ("red | navy blue", ["navy blue", "red"]),
        ("red [in colour]", ["red", "red in colour"]),
        ("[in|by] colour", ["by colour", "colour", "in colour"]),
        ("{a|{b|c [d]}}", ["a", "b", "c", "c d"]),
        ("{ a | b }", ["a", "b"]),
        ("{a|}", ["", "a"]),
        ("{}", [""]),
        ("", [""]),
        ("colo[u]r", ["color", "colour"]),
        ("very [un]{happy|sure}", [
            "very happy", "very sure", "very unhappy", "very unsure",
        ]),
        ("a[b] c", ["a c", "ab c"]),
        ("a [[x]y]['s]z", ["a 'sz", "a xy'sz", "a xyz", "a y'sz", "a yz", "a z"]),
        ("{in Rome|now}'s", ["in Rome's", "now's"]),
        ("{a & b}", ["a b", "b a"]),
        ("{a & b [c]} d", ["a b c d", "a b d", "b a d", "b c a d"]),
        ("[a & b]", ["", "a b", "b a"]),
        ("{R&D|AT&T} & more", ["AT&T & more", "R&D & more"]),
        (r"\{a\} \[b\] \| \< > \\ \# \&", [r"{a} [b] | < > \ # &"]),
        ("5 > 4 = x ; y # z", ["5 > 4 = x ; y # z"]),
        ("two\nlines", ["two lines"]),
    ],
)  # fmt: skip
def test_what_a_pattern_means(pattern, sentences):
    assert read(pattern) == sentences


SLOTS = {
    "colour": "{red|navy blue}",
    "dark": "dark <colour>",
    "article": "der|die|das",
    "noun": "{Hund|Rüde}|Katze|Pferd",
    "same": "<colour#x> and <colour#x>",
}


@pytest.mark.parametrize(
    ("pattern", "sentences"),
    [
        ("<dark> ball", ["dark navy blue ball", "dark red ball"]),
        ("<colour>ish", ["navy blueish", "redish"]),
        ("<colour> on <colour>", [
            "navy blue on navy blue", "navy blue on red", "red on navy blue",
            "red on red",
        ]),
        ("<colour#1> on <colour#1>", ["navy blue on navy blue", "red on red"]),
        ("<article#1> <noun#1>", [
            "das Pferd", "der Hund", "der Rüde", "die Katze",
        ]),
        ("<colour#1> [<colour#1>]", [
            "navy blue", "navy blue navy blue", "red", "red red",
        ]),
        ("<same> or <same>", [
            "navy blue and navy blue or navy blue and navy blue",
            "navy blue and navy blue or red and red",
            "red and red or navy blue and navy blue",
            "red and red or red and red",
        ]),
    ],
)  # fmt: skip
def test_slots_choose_freely_and_links_choose_together(pattern, sentences):
    assert read(pattern, SLOTS) == sentences


def test_links_are_written_out_by_alternative_and_not_by_sentence():
    ten = " ".join("{0|1|2|3|4|5|6|7|8|9}" for _ in range(9))
    automaton = Automaton.from_expression(
        parse_light(f"<colour#1> {ten} <colour#1>", SLOTS)
    )
    assert automaton.count == 2 * 10**9


@pytest.mark.parametrize(
    ("pattern", "column", "message"),
    [
        ("the {red|green ball", 5, "'{' is never closed; add '}'"),
        ("a [b {c|d}", 3, "'[' is never closed"),
        ("red} ball", 4, "'}' closes nothing; remove it, or write"),
        ("{a [b} c]", 6, "'}' where ']' must come"),
        ("a < b", 3, "'<' begins no name"),
        ("<1a>", 1, "'<' begins no name"),
        ("the <hue>", 5, "no slot is called <hue>; write a line <hue> = ..., or use"),
        ("a\\b", 2, "write \\\\ for a plain"),
        ("a \\", 3, "write \\\\ for a plain"),
        ("{a & b|c}", 7, "'|' and '&' stand in one group"),
        ("a &+ b", 3, "means glue"),
        (
            "<colour#1> <noun#1>",
            12,
            "#1 links <noun> with 3 alternatives to <colour> with 2",
        ),
        ("x [a]" + "[b]" * 17, 1, "more than 100,000 forms of one token"),
        ("{a & b & c & d & e & f & g & h & i}", 1, "9 parts in any order"),
        ("{" * 51 + "}" * 51, 50, "nested more than 50 deep"),
        (" ".join(f"<noun#{i}>" for i in range(9)), 73, "more than 10,000 copies"),
        ("日本 {", 4, "never closed"),
    ],
)
def test_errors_point_at_their_place(pattern, column, message):
    with pytest.raises(LightError, match=re.escape(message)) as caught:
        read(pattern, SLOTS)
    assert caught.value.column == column
    assert caught.value.line == 1
    first, shown, caret = str(caught.value).split("\n")
    assert first.startswith(f"<pattern>:1:{column}: ")
    assert shown == f"    {pattern}"
    wide = 2 if "日" in pattern else 0
    assert caret == " " * (4 + column - 1 + wide) + "^"


def test_a_slot_cannot_hold_itself():
    with pytest.raises(LightError, match=r"inside itself \(a -> b -> a\)"):
        read("<a>", {"a": "x <b>", "b": "[<a>]"})


def test_slots_have_a_limit_of_depth():
    slots = {f"s{i}": f"<s{i + 1}>" for i in range(99)} | {"s99": "x"}
    with pytest.raises(LightError, match="more than 50 deep"):
        read("<s0>", slots)


def test_a_file_has_a_segment_a_line(write_lines):
    path = write_lines(
        "a.refs",
        [
            "# colours", "<colour> = {red|green|navy blue}", "",
            "the ball is <colour>", "   # more", "\\# [not] a comment", "<x> \\= 5",
            "<x> = 1|2",
        ],
    )  # fmt: skip
    segments = read_light(path)
    assert [(s.id, s.automaton.count) for s in segments] == [
        ("1", 3),
        ("2", 2),
        ("3", 2),
    ]
    assert "the ball is navy blue" in segments[0].automaton
    assert "# a comment" in segments[1].automaton
    assert "2 = 5" in segments[2].automaton


def test_lines_with_one_id_are_united(write_lines):
    path = write_lines("a.refs", ["x\ta|b", "y\tc", "x\tb|d"])
    segments = read_light(path)
    assert [(s.id, list(s.automaton)) for s in segments] == [
        ("x", [("a",), ("b",), ("d",)]),
        ("y", [("c",)]),
    ]


def test_files_share_slots(write_lines):
    write_lines("base.refs", ["@include slots.refs", "<deep> = <colour> | black"])
    write_lines("slots.refs", ["# shared", "<colour> = red|blue"])
    path = write_lines(
        "a.refs", ["@include base.refs", "@include slots.refs", "a <deep> <colour>"]
    )
    assert read_light(path)[0].automaton.count == 6


@pytest.mark.parametrize(
    ("lines", "line", "message"),
    [
        (["a", "x\tb"], 2, "this line has an id, those above have none"),
        (["x\ta", "b"], 2, "this line has no id, those above have one"),
        (["\ta"], 1, "the id is empty"),
        (["<a> = x", "<a> = y"], 2, "<a> is defined at .*a.refs:1 too"),
        (["<a b> = x"], 1, "'a b' is not a slot name"),
        (["a", "<a> = <b>"], 2, "no slot is called <b>"),
        (["@include"], 1, "names no file"),
        (["@include none.refs"], 1, "cannot include .*none.refs: no such file"),
        (["@include wrong.refs"], 2, "holds slots only"),
        (["", "a {b"], 2, "never closed"),
    ],
)
def test_errors_name_file_and_line(write_lines, lines, line, message):
    write_lines("wrong.refs", ["", "a pattern"])
    with pytest.raises(FormatError, match=message) as caught:
        read_light(write_lines("a.refs", lines))
    assert caught.value.line == line


@given(st.text("ab {}[]|<>#1=\\&@\t\n", max_size=40))
def test_broken_patterns_are_rejected_politely(tmp_path_factory, text):
    with contextlib.suppress(InputError):
        parse_light(text, {"a": "x|y"})
    path = tmp_path_factory.mktemp("light") / "a.refs"
    path.write_text(text, encoding="utf-8")
    with contextlib.suppress(FormatError):
        read_light(path)
