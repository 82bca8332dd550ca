# SPDX-License-Identifier: Apache-2.0
"""Diagrams: valid XML, nothing cut off, no text upon another."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.data.annotated import Annotated
from tertium.report.draw.lettering import columns, shorten, text_width
from tertium.report.draw.palette import DARK, KINDS, MATCHERS, STATUS
from tertium.report.draw.svg import Box, Canvas, Paint
from tertium.report.explain import DIAGRAMS, explain, explain_permutation
from tertium.trees import DependencyTree

SVG = "{http://www.w3.org/2000/svg}"

WORDS = [
    "a", ",", "of", "the", "house", "Donaudampfschiff", "été", "中午", "在",
    "المدرسة", "שלום", "👩‍👩‍👧", "e\u0301\u0302", "<b>&amp;</b>", '"quoted"',
    "https://example.org/a/very/long/address/that/does/not/end/here",
]  # fmt: skip

CASES = {
    "short": ("at noon we meet", "we will meet her at noon"),
    "one word": ("hello", "hello"),
    "empty output": ("", "we meet at noon"),
    "empty reference": ("we meet at noon", ""),
    "both empty": ("", ""),
    "nothing aligned": ("delta epsilon", "alpha beta gamma"),
    "shuffled": ("b d a c", "a b c d"),
    "many words": (
        " ".join(WORDS[i % 9] + str(i) for i in [*range(40, 70), *range(40)]),
        " ".join(WORDS[i % 9] + str(i) for i in range(70)),
    ),
    "scripts": (" ".join(WORDS), " ".join(reversed(WORDS))),
}


def check(canvas: Canvas) -> ET.Element:
    """Check a diagram and return its root."""
    root = ET.fromstring(canvas.to_svg())
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    assert (width, height) == (
        float(root.attrib["width"]),
        float(root.attrib["height"]),
    )
    for text, box in canvas.texts:
        assert left <= box.left, text
        assert box.right <= left + width, text
        assert top <= box.top, text
        assert box.bottom <= top + height, text
    # Text heights are generous, so a pixel or two is not an overlap.
    for (one, first), (two, second) in combinations(canvas.texts, 2):
        assert not first.overlaps(second, slack=2.5), (one, two)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-label"]
    assert root.find(f"{SVG}title").text
    return root


@pytest.mark.parametrize("diagram", DIAGRAMS)
@pytest.mark.parametrize("case", CASES)
def test_diagrams_are_valid_and_nothing_overlaps(case, diagram):
    explanation = explain(*CASES[case], metrics=["recpef"])
    check(DIAGRAMS[diagram](explanation))


@pytest.mark.parametrize("diagram", DIAGRAMS)
def test_permutations_alone_can_be_drawn(diagram):
    for perm in ([2, 4, 1, 3], [5, 7, 4, 6, 3, 1, 2], [1], []):
        check(DIAGRAMS[diagram](explain_permutation(perm)))


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(WORDS), max_size=14),
    st.lists(st.sampled_from(WORDS), max_size=14),
)
def test_random_texts_can_be_drawn(hyp, ref):
    explanation = explain(" ".join(hyp), " ".join(ref), metrics=["recpef"])
    for draw in DIAGRAMS.values():
        check(draw(explanation))


@st.composite
def trees(draw, words):
    """Return any tree over words; it need not be projective."""
    order = draw(st.permutations(range(len(words))))
    heads = [0] * len(words)
    for place, word in enumerate(order[1:], start=1):
        heads[word] = order[draw(st.integers(0, place - 1))] + 1
    names = st.sampled_from(["nsubj", "obl:tmod", "root", "x"])
    relations = tuple(draw(names) for _ in words)
    return DependencyTree(tuple(words), tuple(heads), relations)


@settings(max_examples=60)
@given(st.data())
def test_random_trees_can_be_drawn(data):
    words = [f"w{i}" for i in range(data.draw(st.integers(1, 9)))]
    hyp = data.draw(st.permutations(words))
    texts = [
        Annotated(" ".join(one), {"tree": data.draw(trees(one))})
        for one in (hyp, words)
    ]
    explanation = explain(*texts, metrics=["wer"])
    for name in ("dependencies", "derp"):
        check(DIAGRAMS[name](explanation))


def test_long_texts_become_columns_and_fit_a_page():
    explanation = explain(*CASES["many words"], metrics=["recpef"])
    for name in ("forest", "dependencies", "derp"):
        box = DIAGRAMS[name](explanation).box
        assert box.right - box.left < 1300
    short = DIAGRAMS["forest"](explain(*CASES["short"], metrics=["recpef"])).box
    assert short.right - short.left < 500


def test_kinds_differ_in_more_than_colour():
    """In grey, shape or dash must still tell them apart."""
    shapes = []
    for perm, kind in (
        ([1, 2], "straight"),
        ([2, 1], "inverted"),
        ([2, 4, 1, 3], "prime"),
    ):
        root = check(DIAGRAMS["forest"](explain_permutation(perm)))
        name = KINDS[kind].name
        nodes = [e for e in root.iter() if e.attrib.get("class") == name and len(e)]
        shapes.append((nodes[0].tag, nodes[0].attrib.get("rx")))
    assert len(set(shapes)) == 3
    assert len({paint.dash for paint in STATUS.values()}) == len(STATUS)


def test_every_word_is_in_the_diagram_in_full():
    """Long words are cut in the picture, but a tooltip has them."""
    explanation = explain(*CASES["scripts"], metrics=["recpef:tokenize=none"])
    for draw in DIAGRAMS.values():
        texts = "".join(ET.fromstring(draw(explanation).to_svg()).itertext())
        for word in WORDS:
            assert word in texts


def test_forbidden_characters_become_visible():
    canvas = Canvas("a\x00b", "c\x07d")
    canvas.text(0, 0, "x\x1by\ufffez")
    root = ET.fromstring(canvas.to_svg())
    assert root.find(f"{SVG}text").text == "x\ufffdy\ufffdz"
    assert root.attrib["aria-label"] == "a\ufffdb"


def test_dark_colours_cover_all_paints():
    paints = [*KINDS.values(), *STATUS.values(), *MATCHERS.values()]
    assert {paint.name.split()[0] for paint in paints} <= set(DARK)


def test_boxes_overlap_only_beyond_the_slack():
    box = Box(0, 0, 10, 10)
    assert box.overlaps(Box(5, 5, 15, 15))
    assert not box.overlaps(Box(10, 0, 20, 10))
    assert not box.overlaps(Box(8, 8, 20, 20), slack=2)


def test_view_box_grows_with_everything_drawn():
    canvas = Canvas("t")
    canvas.rect(Box(-50, -60, 10, 20), Paint("ink"))
    canvas.text(0, 0, "x", anchor="end", turned=-90)
    box = canvas.box
    assert (box.left, box.top) == (-64, -74)


def test_letter_widths():
    assert text_width("", 10) == 0
    assert text_width("iii", 10) < text_width("mmm", 10)
    assert text_width("é", 10) == text_width("e", 10) == text_width("e\u0301", 10)
    assert text_width("中", 10) > text_width("m", 10)
    assert text_width("ab", 20) == pytest.approx(2 * text_width("ab", 10))


def test_shortened_words_fit_and_keep_marks():
    word = "x" * 80
    assert text_width(shorten(word, 10, 100), 10) <= 100
    assert shorten("short", 10, 100) == "short"
    marked = "e\u0301" * 40
    cut = shorten(marked, 10, 60)
    assert cut.endswith("e\u0301…")


def test_columns_of_terminals():
    assert columns("abc") == 3
    assert columns("中午") == 4
    assert columns("e\u0301") == 1
