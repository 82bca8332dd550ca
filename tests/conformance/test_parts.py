# SPDX-License-Identifier: Apache-2.0
"""Parts and projections: figure 2.1 of Macháček (2014), and vectors made for it."""

from __future__ import annotations

import pytest

from tertium.align import parse_pharaoh
from tertium.judgements.parts import (
    ExtractionCounts,
    ProjectionCounts,
    extract,
    image,
    project,
    sentence_parts,
)
from tertium.trees import ConstituencyTree

FIGURE = (
    "(S (NP (DT The)(JJ prepaid)(NNS mobiles)) (VP (VBP are)(ADVP (RB then)) "
    "(VP (VBN thrown)(PRT (RP away))(ADVP (RB afterwards)))))"
)
OUTPUT = "Předplacené mobilní telefony jsou pak vyhozeny později"
LINKS = "0-0 1-0 2-1 2-2 3-3 4-4 5-5 6-5 7-6"


@pytest.mark.parametrize(
    ("text", "low", "high", "spans"),
    [
        (FIGURE, 3, 4, [(0, 2), (5, 7)]),
        (FIGURE, 3, 6, [(0, 2), (3, 7)]),
        (FIGURE, 3, 8, [(0, 7)]),
        (FIGURE, 1, 4, [(0, 2), (3, 3), (4, 4), (5, 7)]),
        (FIGURE, 4, 4, []),
        ("(S a b c d e f g)", 1, 6, [(i, i) for i in range(7)]),
    ],
)
def test_parts_of_the_figure(text, low, high, spans):
    parts = extract(ConstituencyTree.parse(text), min_length=low, max_length=high)
    assert [(part[0], part[-1]) for part in parts] == spans


def test_candidates_of_the_figure():
    tree = ConstituencyTree.parse(FIGURE)
    sentences = list(sentence_parts([tree], min_length=3, max_length=4))
    projection = project(sentences, {"A": [OUTPUT]}, {"A": [parse_pharaoh(LINKS)]})
    ((_, segments),) = projection.sentences
    assert [origin.text for origin in segments] == [
        "The prepaid mobiles",
        "thrown away afterwards",
    ]
    assert [origin.candidates for origin in segments] == [
        ("Předplacené mobilní telefony",),
        ("vyhozeny později",),
    ]
    covered = {place for origin in projection.origins for place in origin.image.indices}
    words = OUTPUT.split()
    assert [w for i, w in enumerate(words) if i not in covered] == ["jsou", "pak"]
    assert ExtractionCounts.of(sentences).coverage == 6 / 8
    assert ProjectionCounts.of(projection).candidates_per_part == 1


def test_words_out_of_order_and_with_gaps():
    links = parse_pharaoh("0-2 1-2 2-0")
    words = ["telefony", "jsou", "předplacené", "a", "pak", "vyhozeny"]
    result = image((0, 1, 2), links, words)
    assert result.text == "telefony předplacené"
    assert result.indices == (0, 2)
    assert result.has_gaps
    assert image((3,), links, words) is None
