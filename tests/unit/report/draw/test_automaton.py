# SPDX-License-Identifier: Apache-2.0
"""Diagrams of automata: valid, complete, nothing upon another."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.errors import InputError
from tertium.grammars.light.notation import parse_light
from tertium.report.draw.automaton import draw_automaton
from tertium.report.draw.layered import Item, place
from tertium.report.draw.palette import DARK
from tertium.report.draw.svg import Canvas

SVG = "{http://www.w3.org/2000/svg}"
SETS = st.frozensets(
    st.lists(st.sampled_from(["a", "bb", "<c>", "中午", "été"]), max_size=5).map(tuple),
    min_size=1,
    max_size=12,
)


def drawn(pattern: str, **options) -> Canvas:
    automaton = Automaton.from_expression(parse_light(pattern))
    return draw_automaton(automaton, **options)


def check(canvas: Canvas) -> ET.Element:
    root = ET.fromstring(canvas.to_svg())
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    for text, box in canvas.texts:
        assert left <= box.left, text
        assert box.right <= left + width, text
        assert top <= box.top, text
        assert box.bottom <= top + height, text
    for (one, first), (two, second) in combinations(canvas.texts, 2):
        assert not first.overlaps(second, slack=2.5), (one, two)
    names = {
        name
        for element in root.iter()
        for name in element.attrib.get("class", "").split()
    }
    assert names - {"line", "solid", "text"} <= set(DARK)
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(e.itertext()) for e in root.iter(f"{SVG}text")]


@settings(max_examples=40)
@given(SETS)
def test_every_automaton_is_drawn_without_overlaps(wanted):
    automaton = Automaton.from_sentences(wanted)
    root = check(draw_automaton(automaton))
    message = texts(root)
    for state in range(len(automaton)):
        assert str(state) in message
    pairs = {(s, to) for s, arcs in enumerate(automaton.arcs) for _, to in arcs}
    # One arc between two states, however many words; and one in the legend.
    assert len(list(root.iter(f"{SVG}rect"))) == len(pairs) + 2
    rings = list(root.iter(f"{SVG}circle"))
    assert len(rings) == len(automaton) + sum(automaton.finals) + 2


def test_words_of_one_arc_are_stacked():
    canvas = drawn("{a|the} ball {is|was} {red|green}", name="balls")
    message = [text for text, _ in canvas.texts]
    places = dict(canvas.texts)
    assert places["green"].bottom <= places["red"].top + 2.5
    assert abs(places["a"].left + places["a"].right - places["the"].left
               - places["the"].right) < 1  # fmt: skip
    assert "8 sentences, 5 states, 7 arcs" in message
    assert "Automaton of balls" in canvas.to_svg()


def test_many_words_are_counted_and_long_ones_cut():
    many = "|".join(f"word{i:02d}" for i in range(20))
    canvas = drawn(f"{{{many}}} {'x' * 80}", most_words=5)
    message = [text for text, _ in canvas.texts]
    assert "word03" in message
    assert "word04" not in message
    assert "… and 16 more" in message
    assert any(text.startswith("xxx") and text.endswith("…") for text in message)
    # What is cut is in the tooltips.
    assert "word19" in canvas.to_svg()
    assert "x" * 80 in canvas.to_svg()


def test_large_automata_are_rejected_with_advice():
    with pytest.raises(InputError, match=r"balls: 62 states .* write OpenFst text"):
        drawn(" ".join("a" * 61), name="balls")


def test_the_empty_set_can_be_drawn():
    check(draw_automaton(Automaton.from_sentences([])))


def test_straight_paths_are_level_and_nothing_crosses_needlessly():
    start, end = Item(0, 10, 10), Item(4, 10, 10)
    ways = [[Item(column, 10, 10) for column in (1, 2, 3)] for _ in range(3)]
    items = [start, end, *(item for way in reversed(ways) for item in way)]
    # Given in a tangled order.
    items[3], items[6] = items[6], items[3]
    for way in ways:
        for one, two in zip([start, *way], [*way, end], strict=True):
            one.after.append(two)
            two.before.append(one)
    place(items)
    for way in ways:
        assert max(i.y for i in way) - min(i.y for i in way) < 0.01
    heights = sorted(way[0].y for way in ways)
    assert heights[1] - heights[0] >= 10
    assert start.y == pytest.approx(heights[1], abs=0.01)
