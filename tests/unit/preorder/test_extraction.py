# SPDX-License-Identifier: Apache-2.0
"""Statistics of aligned corpora."""

from __future__ import annotations

from tertium.align import parse_pharaoh
from tertium.preorder.extraction import extract_units


def test_operators_and_arities_are_counted():
    lines = "0-1 1-3 2-0 3-2", "0-0 1-1 2-2", "0-2 1-1 2-0 3-3", "0-0 1-0", ""
    sentences = [["w"] * 4, ["w"] * 3, ["w"] * 5, ["w"] * 2, []]
    result = extract_units(sentences, [parse_pharaoh(line) for line in lines])
    content = result.to_dict()
    assert content["operators"] == {"12": 2, "2413": 1, "21": 1}
    assert content["arities"] == {"2": 2, "4": 1}
    assert content["covered"] == {"2": 2 / 3, "5": 1.0}
    assert (content["words"], content["linked"], content["units"]) == (14, 13, 13)
    assert (content["phrases"], content["unaligned"]) == (1, 1)
    assert (content["too_few"], content["monotone"]) == (2, 1)


def test_an_empty_corpus_has_no_coverage():
    result = extract_units([], [])
    assert result.covered(2) is None
    assert result.to_dict()["sentences"] == 0
