# SPDX-License-Identifier: Apache-2.0
"""Vectors for reductions, and alignments made by hand."""

from __future__ import annotations

import gzip

import pytest

from conftest import missing
from tertium.align import (
    Eflomal,
    align_bilingual,
    alignment_quality,
    as_links,
    bilingual,
    check_links,
    read_pharaoh,
    reduce_links,
)

NINE = [(1, 1), (2, 2), (3, 4), (5, 3), (7, 5), (8, 5), (9, 5)]
FOUR = [(1, 2), (1, 5), (2, 1), (3, 3), (3, 4), (4, 3)]

# Segments, links, sure links, counted with standard tools from the files.
GOLD = {
    "enfr": (447, 17438, 4038),
    "roen": (248, 6198, 6198),
    "jaen": (582, 13562, 13562),
    "zhen": (450, 11416, 11238),
}


def from_one(pairs):
    return as_links((a - 1, b - 1) for a, b in pairs)


@pytest.mark.parametrize(
    ("pairs", "settings", "perm"),
    [
        (NINE, {"unaligned": "right"}, "125346789"),
        (NINE, {"unaligned": "left"}, "125634789"),
        (NINE, {"unaligned": "drop"}, "1243567"),
        (FOUR, {"keep": "leftmost"}, "2134"),
        (FOUR, {"keep": "rightmost"}, "4132"),
    ],
)
def test_vectors_of_the_specification(pairs, settings, perm):
    length = max(a for a, _ in pairs)
    result = reduce_links(from_one(pairs), length, **settings)
    assert "".join(map(str, result)) == perm


@pytest.mark.wmt
@pytest.mark.parametrize("pair", GOLD)
def test_gold_links_are_read_and_fit_their_texts(pair, wmt_data):
    segments, links, sure = GOLD[pair]
    gold = read_pharaoh(wmt_data / "align" / f"{pair}.gold.gz", base=1)
    quality = alignment_quality(gold, gold)
    assert (len(gold), quality.possible, quality.sure) == (segments, links, sure)
    assert (quality.precision, quality.recall, quality.aer) == (1, 1, 0)
    for one, (source, target) in zip(gold, texts(wmt_data, pair), strict=True):
        # The ideographic space is a word of its own in the Japanese texts.
        check_links(one, *(len(text.strip().split(" ")) for text in (source, target)))


@pytest.mark.wmt
def test_eflomal_is_near_its_usual_error_rate(wmt_data):
    """Trained on 447 sentences only; with a million, about 0.1 is published."""
    if bilingual._program("eflomal-align") is None:
        missing("eflomal is not installed; make .venv/.aligners")
    sources, targets = zip(*texts(wmt_data, "enfr"), strict=True)
    gold = read_pharaoh(wmt_data / "align" / "enfr.gold.gz", base=1)
    result = align_bilingual(sources, targets, aligner=Eflomal(samplers=1))
    assert alignment_quality(result, gold).aer < 0.25  # 0.17 to 0.19 over runs


def texts(wmt_data, pair):
    path = wmt_data / "align" / f"{pair}.src-tgt.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n").split(" ||| ") for line in lines]
