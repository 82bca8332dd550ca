# SPDX-License-Identifier: Apache-2.0
"""Explanations as terminal text and as a page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest

from tertium.data.annotated import Annotated
from tertium.report.draw.lettering import columns
from tertium.report.explain import (
    explain,
    explain_permutation,
    render_page,
    render_text,
)
from tertium.report.explain.terminal import SECTIONS
from tertium.report.explain.terminal_trees import brackets
from tertium.trees import DependencyTree

GOLDEN = """\
reference   we will meet her at noon
output      at noon we meet

  • The block *at noon* moved before *we meet*.
  • The word *will* is missing; the reference has it between *we* and *meet*.
  • The word *her* is missing; the reference has it between *meet* and *at*.

scores      WER 1.0000 ↓
order       recpef 0.4   recpet 0.4   kendall 0.3333   spearman 0.2
            hamming 0   ulam 0.3333   fuzzy 0.6667

Alignment (output ↓, reference →)  ■ exact

          we
          │  will
          │  │  meet
          │  │  │  her
          │  │  │  │  at
          │  │  │  │  │  noon
  1 at    ·  ·  ·  ·  ■  ·
  2 noon  ·  ·  ·  ·  ·  ■
  3 we    ■  ·  ·  ·  ·  ·
  4 meet  ·  ·  ■  ·  ·  ·

Permutation forest  1 tree
  3 4 1 2
  ⟨2 1⟩ inverted  0.40
  ├─ ⟨1 2⟩ straight  at noon  3 4
  └─ ⟨1 2⟩ straight  we meet  1 2

Flattened trees  DTED cl: 4 + 2 operations, score 0.4208
  = matched  ~ renamed  - deleted  + inserted
  ~at→we ~noon→meet ~we→at ~meet→noon +will +her

DERP spanning tree of flattened trees  1 - 7/11 = 0.3636
  cost  words      path in the output  path in the reference
  0/2   at – noon  1 word →            1 word →
  1/3   we – meet  1 word →            2 words →
  6/6   meet – at  3 words ←           2 words →

N-grams of the output  ■ in the reference, · not
  1  4/4      ■■■■
  2  1/3      ■··
  3  0/2      ··
  4  0/1      ·

Word edits  6; [-deleted-] {+inserted+}
  {+we+} {+will+} [-at-]{+meet+} [-noon-]{+her+} [-we-]{+at+} [-meet-]{+noon+}
"""


def tree(text, heads, relations):
    """Return a text with its tree."""
    words = tuple(text.split())
    made = DependencyTree(
        words, tuple(map(int, heads.split())), tuple(relations.split())
    )
    return Annotated(text, {"tree": made})


@pytest.fixture
def small():
    """Return a small explanation."""
    return explain("at noon we meet", "we will meet her at noon", metrics=["wer"])


@pytest.fixture
def parsed():
    """Return an explanation with trees."""
    return explain(
        tree("dog slept well", "2 0 2", "nsubj root advmod"),
        tree("a dog barked", "2 3 0", "det nsubj root"),
        metrics=["wer"],
        variant="c",
        system="A & B",
        segment=7,
        source="un chien",
    )


def test_text_output_is_unchanged(small):
    assert render_text(small) == GOLDEN


def test_trees_are_drawn_with_what_became_of_words(parsed):
    text = render_text(parsed, sections=["dependencies"])
    assert text.startswith(
        "Segment 7, system A & B\n\n"
        "source      un chien\n"
        "reference   a dog barked\n"
        "output      dog slept well\n\n"
    )
    body = text[text.index("Dependency trees") :]
    assert body == (
        "Dependency trees  DTED c: 3 operations, score 0.5000\n"
        "  = matched  ~ renamed  - deleted  + inserted\n"
        "\n"
        "  output\n"
        "  ~ slept  root\n"
        "  ├─ = dog  nsubj\n"
        "  └─ - well  advmod\n"
        "\n"
        "  reference\n"
        "  ~ barked  root\n"
        "  └─ = dog  nsubj\n"
        "     └─ + a  det\n"
    )


def test_paths_show_labels_and_direction(parsed):
    hyp = tree("mat the sat cat", "3 1 0 3", "nsubj det root obj")
    ref = tree("the cat sat mat", "2 3 0 3", "det nsubj root obj")
    text = render_text(explain(hyp, ref, metrics=["wer"]), sections=["derp"])
    assert "↑det ↑nsubj" in text
    assert "↓" in text
    assert render_text(parsed, sections=["derp"]).count("DERP") == 0  # one word aligned


def test_colour_only_adds_escapes(small):
    plain, coloured = render_text(small), render_text(small, colour=True)
    assert "\x1b[" not in plain
    assert re.sub(r"\x1b\[[0-9]*m", "", coloured) == plain


@pytest.mark.parametrize("width", [60, 80, 120])
def test_text_keeps_to_the_width(width):
    words = [f"word{i}" for i in range(45)]
    hyp = " ".join([*words[20:], *words[:20], "中午", "e\u0301"])
    result = explain(hyp, " ".join(words), metrics=["wer"])
    sections = [name for name in SECTIONS if name != "derp"]
    for line in render_text(result, sections=sections, width=width).splitlines():
        assert columns(line) <= width, line


def test_brackets_are_those_of_the_order_room():
    perm = [5, 7, 4, 6, 3, 1, 2]
    order = explain_permutation(perm).order
    assert brackets(order.tree) == "(21 (21 (2413 5 7 4 6) 3) (12 1 2))"
    assert brackets(order.forest) == "(321 (2413 5 7 4 6) 3 (12 1 2))"


class Page(HTMLParser):
    """Checks that tags close and collects what matters."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_page_is_complete_and_needs_no_network(small, parsed):
    page = render_page([small, parsed], title="Why <this>?")
    read = Page(page)
    assert read.open == []
    assert "Why &lt;this&gt;?" in page
    assert "A &amp; B" in page
    for _, attributes in read.tags:
        assert "src" not in attributes
        assert not attributes.get("href", "#").startswith("http")
    assert "url(" not in page
    assert "@import" not in page
    assert "<script" not in page
    # Every diagram has a title and a caption.
    diagrams = [tag for tag, _ in read.tags if tag == "svg"]
    captions = [tag for tag, _ in read.tags if tag == "figcaption"]
    assert len(diagrams) == len(captions) == 7
    for svg in re.findall(r"<svg.*?</svg>", page, re.S):
        assert ET.fromstring(svg).attrib["aria-label"]


def test_page_names_its_segments_and_links_to_them(small, parsed):
    page = render_page([small, parsed])
    assert '<a href="#s2">segment 7, system A &amp; B</a>' in page
    assert '<section id="s2"' in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page


def test_page_of_nothing_and_of_empty_texts():
    assert "Nothing to explain" in render_page([])
    for hyp, ref in (("", ""), ("", "a b"), ("a b", "")):
        Page(render_page([explain(hyp, ref, metrics=["wer"])]))


def test_page_shows_hostile_text_as_text():
    text = "<script>alert(1)</script> & \x07 \"x\" 'y'"
    page = render_page([explain(text, "a b", metrics=["wer:tokenize=none"])])
    assert "<script" not in page
    assert "\x07" not in page
