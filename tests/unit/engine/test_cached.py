# SPDX-License-Identifier: Apache-2.0
"""Scores with a cache: the same bits, and only what changed is computed."""

from __future__ import annotations

import os
import pickle
import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from support.strategies import segments, short_lines
from tertium.cache import Cache, using
from tertium.data.annotated import Annotated
from tertium.engine import Processes
from tertium.engine.chunks import ChunkRows, ChunkSums, place_of
from tertium.errors import InputError
from tertium.metrics import Metric, metric_class, setting
from tertium.metrics.resources import metric_key

METRICS = ["bleu", "kendall", "meteor", "ter", "mean:chrf+wer", "nist"]


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "cache")


@pytest.fixture
def counted(monkeypatch):
    """Return the sizes of batches that BLEU was asked to score."""
    sizes = []
    rows = metric_class("bleu").rows

    def counting(self, batch, *, threads=None):
        sizes.append((len(batch.systems), len(batch)))
        return rows(self, batch, threads=threads)

    monkeypatch.setattr(metric_class("bleu"), "rows", counting)
    return sizes


def texts(count, seed=1):
    chance = random.Random(seed)
    words = ["a", "b", "c", "d", "e", "f", "g", "h"]
    return [" ".join(chance.choices(words, k=9)) + f" {i}" for i in range(count)]


def scored(systems, refs, **options):
    table = tertium.score(systems, refs, metrics=METRICS, segments=True, **options)
    return table.to_json()


def test_a_second_run_computes_nothing_and_gives_the_same(cache, counted):
    refs, systems = texts(300), {"A": texts(300, 2), "B": texts(300, 3)}
    plain = scored(systems, refs)
    counted.clear()
    assert scored(systems, refs, cache=cache) == plain
    assert counted == [(2, 300)]
    for options in ({"cache": cache.folder}, {"cache": cache, "threads": 1}):
        assert scored(systems, refs, **options) == plain
    assert counted == [(2, 300)]
    assert not cache.notes


def test_a_new_system_leaves_the_others_alone(cache, counted):
    refs = texts(200)
    systems = {"A": texts(200, 2), "B": texts(200, 3)}
    tertium.score(systems, refs, metrics="bleu", cache=cache)
    systems = {"new": texts(200, 4), **systems}
    tertium.compare(systems, refs, metrics="bleu", cache=cache, resamples=10)
    assert counted == [(2, 200), (1, 200)]


def test_one_changed_segment_costs_one_block(cache, counted):
    refs, hyps = texts(3000), texts(3000, 2)
    tertium.score(hyps, refs, metrics="bleu", cache=cache)
    hyps[1234] += " more"
    tertium.score(hyps, refs, metrics="bleu", cache=cache)
    assert counted[1][1] <= 512
    refs.insert(5, "a new segment")
    hyps.insert(5, "a new segment")
    tertium.score(hyps, refs, metrics="bleu", cache=cache)
    assert counted[2][1] <= 1024


@settings(max_examples=8)
@given(
    segments(short_lines, max_size=8),
    st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=12), max_size=3),
)
def test_any_mix_of_found_and_missing_gives_the_same_bits(base, picks):
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        # Blocks of one or two segments, so that some are found and others are not.
        patch.setattr("tertium.cache.blocks._LEAST", 1)
        patch.setattr("tertium.cache.blocks._MEAN", 2)
        for pick in [range(len(base)), *picks]:
            chosen = [base[i % len(base)] for i in pick]
            refs = [refs for _, refs in chosen]
            systems = {"A": [hyp for hyp, _ in chosen], "B": [r[0] for r in refs]}
            assert scored(systems, refs, cache=folder) == scored(systems, refs)


@settings(max_examples=10)
@given(st.data())
def test_links_of_some_systems_give_the_same_bits(data):
    """Where one output brings links, all outputs of the segment are cut alike."""
    text = st.sampled_from(["a b.", "b. a", "c a b.", "a, b"])
    links = st.sampled_from([None, [[(0, 0)]], [[(0, 1), (1, 0)]]])

    def linked(text, pairs):
        return text if pairs is None else Annotated(text, {"links": pairs})

    output = st.builds(linked, text, links)
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("tertium.cache.blocks._LEAST", 1)
        patch.setattr("tertium.cache.blocks._MEAN", 1)
        for _ in range(3):
            size = data.draw(st.integers(1, 3))
            column = st.lists(output, min_size=size, max_size=size)
            systems = {"A": data.draw(column), "B": data.draw(column)}
            refs = data.draw(st.lists(text, min_size=size, max_size=size))
            options = {"metrics": ["kendall", "aligned-percentage"], "segments": True}
            with_cache = tertium.score(systems, refs, cache=folder, **options)
            assert (
                with_cache.to_json()
                == tertium.score(systems, refs, **options).to_json()
            )


def test_sums_are_those_of_rows(cache):
    metrics = {spec: tertium.metric(spec) for spec in METRICS if spec != "nist"}
    testset = tertium.read("demo")
    plain = ChunkSums(metrics)(place_of(testset, 0)).statistics
    for _ in range(2):
        work = pickle.loads(pickle.dumps(ChunkSums(metrics, cache=cache)))
        for spec, sums in work(place_of(testset, 0)).statistics.items():
            assert [s.values() for s in sums] == [s.values() for s in plain[spec]]


def test_processes_use_the_cache(cache):
    testset = tertium.read("demo")
    plain = tertium.score(testset, metrics=["bleu", "nist"])
    for _ in range(2):
        table = tertium.score(
            testset, metrics=["bleu", "nist"], executor=Processes(2), cache=cache
        )
        assert table.to_json() == plain.to_json()
    assert cache.usage()["rows"].entries > 0


def test_the_variable_names_a_cache_and_off_is_none(tmp_path, counted):
    for _ in range(2):
        with using(tmp_path / "named"):
            tertium.score(["a b c d"], ["a b c e"], metrics="bleu")
    assert len(counted) == 1
    with using(None):
        tertium.score(["a b c d"], ["a b c e"], metrics="bleu")
    assert Cache(tmp_path / "named").usage()["rows"].entries == 1
    assert "TERTIUM_CACHE" not in os.environ


def test_other_code_has_other_entries(cache, counted, monkeypatch):
    for code in ("one", "one", "two"):
        monkeypatch.setattr(
            "tertium.metrics.resources.code_fingerprint", lambda c=code: c
        )
        tertium.score(["a b c d"], ["a b c e"], metrics="bleu", cache=cache)
    assert len(counted) == 2


def test_an_edited_resource_has_other_entries(tmp_path, cache):
    words = tmp_path / "words.txt"
    scores = []
    for number, content in enumerate(("the\n", "cat\n", "the\n")):
        words.write_text(content)
        os.utime(words, ns=(number, number))
        metric = f"meteor:function_words={words}"
        table = tertium.score(["the cat"], ["a cat"], metrics=metric, cache=cache)
        scores.append(table.systems["system"][metric].score)
    assert scores[0] == scores[2] != scores[1]
    assert cache.usage()["rows"].entries == 2


def test_fitted_metrics_have_the_key_of_what_they_were_fitted_to():
    nist = tertium.metric("nist")
    keys = [metric_key(nist.prepare(refs)) for refs in (["a b"], ["a c"], [["a b"]])]
    assert keys[0] == keys[2] != keys[1]
    assert metric_key(nist) not in keys


def test_errors_name_segments_of_the_whole_chunk(cache):
    refs, hyps = texts(100), texts(100, 2)
    tertium.score(hyps, refs, metrics="bleu", cache=cache)
    hyps[70] = "\ud800"
    with pytest.raises(InputError) as plain:
        tertium.score(hyps, refs, metrics="bleu")
    with pytest.raises(InputError) as cached:
        tertium.score(hyps, refs, metrics="bleu", cache=cache)
    assert str(cached.value) == str(plain.value)
    assert "70" in str(plain.value)


def test_layers_without_a_key_are_not_cached(cache):
    odd = Annotated("a b c d", {"odd": object()})
    for _ in range(2):
        tertium.score([odd], ["a b c d"], metrics="bleu", cache=cache)
    assert not cache.usage()


def test_damaged_entries_are_computed_again(cache, counted):
    refs, hyps = texts(100), texts(100, 2)
    plain = tertium.score(hyps, refs, metrics="bleu", cache=cache).to_json()
    for path in Path(cache.folder).rglob("*"):
        if path.is_file():
            content = bytearray(path.read_bytes())
            content[-3] ^= 1
            path.write_bytes(content)
    assert tertium.score(hyps, refs, metrics="bleu", cache=cache).to_json() == plain
    assert [note.code for note in cache.notes] == ["cache-damaged"]
    assert len(counted) == 2


class Foreign(Metric):
    """A metric of someone else."""

    name = "foreign"
    width = 1
    factor: float = setting(1.0, "a factor")

    def statistics(self, hyps, refs, *, threads=None):
        return np.array([[self.factor * len(hyp)] for hyp in hyps])

    def from_statistics(self, rows):
        return np.asarray(rows)[..., 0]


class Versioned(Foreign):
    """The same, with a version that its author keeps."""

    def resources(self):
        return {"version": "1"}


def test_metrics_from_elsewhere_are_cached_only_if_they_say_on_what_they_depend(cache):
    assert metric_key(Foreign()) is None
    assert metric_key(Versioned()) != metric_key(Versioned(factor=2.0))
    testset = tertium.read("demo")
    for metric, entries in ((Foreign(), 0), (Versioned(), 3)):
        work = ChunkRows({"m": metric}, cache=cache)
        for _ in range(2):
            assert work(place_of(testset, 0)).statistics["m"][0].shape == (60, 1)
        assert sum(use.entries for use in cache.usage().values()) == entries
