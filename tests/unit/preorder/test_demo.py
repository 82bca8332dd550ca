# SPDX-License-Identifier: Apache-2.0
"""The bundled corpus."""

from __future__ import annotations

import runpy
from pathlib import Path

from tertium.align.links import check_links
from tertium.preorder import gold_orders
from tertium.preorder.demo import demo_text

ROOT = Path(__file__).parents[3]


def test_links_fit_the_sentences_and_reorder_them():
    text = demo_text("train")
    for source, target, links in zip(*text, strict=True):
        check_links(links, len(source), len(target))
        assert all(source[link.hyp] == target[link.ref] for link in links)
    orders = [gold.order for gold in gold_orders(text.sentences, text.links)]
    assert sum(order != tuple(range(len(order))) for order in orders) == 600


def test_no_sentence_of_the_test_part_is_in_the_training_part():
    train, test = (demo_text(part).sentences for part in ("train", "test"))
    assert not {*map(tuple, train)} & {*map(tuple, test)}


def test_the_corpus_is_what_its_tool_writes(tmp_path):
    tool = runpy.run_path(str(ROOT / "tools" / "make_demo_preorder.py"))
    tool["main"](tmp_path)
    for name in ("train.tsv", "test.tsv"):
        bundled = ROOT / "src" / "tertium" / "demo" / "preorder" / name
        assert (tmp_path / name).read_bytes() == bundled.read_bytes()
