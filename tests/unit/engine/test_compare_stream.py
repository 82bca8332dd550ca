# SPDX-License-Identifier: Apache-2.0
"""Comparing texts that arrive in chunks: the same result, and no text is kept."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

import pytest

import tertium
from tertium.engine import Processes, compare_stream

METRICS = ["bleu", "nist", "ribes"]


@pytest.fixture(scope="module")
def demo():
    testset = tertium.read("demo")
    docs = [f"d{number % 7}" for number in range(len(testset))]
    return replace(testset, docs=docs)


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize("by_document", [False, True])
def test_chunks_of_any_size_give_the_result_of_the_whole(demo, size, by_document):
    options = {"metrics": METRICS, "resamples": 50, "by_document": by_document}
    whole = tertium.compare(demo, data_hash=True, **options)
    parts = compare_stream(lambda: demo.chunks(size), data_hash=True, **options)
    assert parts.to_dict() == whole.to_dict()


def test_processes_give_the_same(demo):
    options = {"metrics": METRICS, "resamples": 50}
    parts = compare_stream(lambda: demo.chunks(9), executor=Processes(2), **options)
    assert parts.to_dict() == tertium.compare(demo, **options).to_dict()


def test_texts_are_not_kept(demo):
    alive = []
    most = []

    def chunks():
        for chunk in demo.chunks(2):
            alive.append(weakref.ref(chunk))
            gc.collect()
            most.append(sum(each() is not None for each in alive))
            yield chunk

    gc.collect()
    gc.freeze()  # what other tests left behind need not be walked 30 times
    try:
        compare_stream(chunks, metrics="bleu", resamples=10)
    finally:
        gc.unfreeze()
    assert len(most) == 30
    # The first is kept for its names; one is being scored, one is read ahead.
    assert max(most) <= 4


def test_every_chunk_needs_documents(demo):
    def chunks():
        yield demo.select(range(5))
        yield replace(demo.select(range(5, 10)), docs=None)

    with pytest.raises(tertium.InputError, match="no document ids"):
        compare_stream(chunks, metrics="bleu", by_document=True)


def test_no_chunks_are_nothing_to_compare():
    with pytest.raises(tertium.InputError, match="no segments to compare"):
        compare_stream(list, metrics="bleu")
