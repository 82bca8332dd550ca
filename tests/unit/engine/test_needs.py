# SPDX-License-Identifier: Apache-2.0
"""Metrics that ask for sources and documents, and do without references."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import tertium
from tertium.cache import Cache
from tertium.cli import main
from tertium.data.batch import Batch
from tertium.data.testset import Testset
from tertium.engine import compare_stream, score_stream
from tertium.engine.chunks import ChunkRows, place_of
from tertium.errors import InputError
from tertium.metrics import Metric, registry
from tertium.metrics.laws import check_metric


class Copied(Metric):
    """Words of the output that occur in the source."""

    name = "test-copied"
    summary = formula = paper = equal_to = cost = empty = "for tests"
    needs_source = True
    needs_references = False
    uses_references = False
    higher_is_better = False
    copy_exception = "it ignores references"
    width = 2

    def statistics(self, hyps, refs, *, sources=(), threads=None):
        rows = np.zeros((len(hyps), 2))
        for row, hyp, source in zip(rows, hyps, sources, strict=True):
            words = hyp.split()
            row[:] = sum(word in source.split() for word in words), len(words)
        return rows

    def from_statistics(self, rows):
        rows = np.asarray(rows, dtype=float)
        score = 100 * rows[..., 0] / np.maximum(rows[..., 1], 1)
        return float(score) if score.ndim == 0 else score

    def resources(self):
        return {"version": "1"}


class ByDocument(Copied):
    """Adds the length of the document's name."""

    name = "test-by-document"
    needs_source = False
    needs_docs = True
    bounds = (0.0, float("inf"))

    def statistics(self, hyps, refs, *, docs=(), threads=None):
        return np.array([[len(doc), 1.0] for doc in docs]).reshape(-1, 2)


@pytest.fixture(autouse=True)
def registered(monkeypatch):
    for kind in (Copied, ByDocument):
        monkeypatch.setitem(registry._registered, kind.name, kind)


def make(size=40):
    """Return a test set in which every third output is left untranslated."""
    sources = [f"quelle nummer {i}" for i in range(size)]
    return Testset.build(
        None,
        {
            "A": [f"source number {i}" for i in range(size)],
            "B": [s if i % 3 == 0 else f"number {i}" for i, s in enumerate(sources)],
        },
        sources=sources,
        docs=[f"doc{i // 10}" for i in range(size)],
    )


def test_the_laws_pass_what_a_metric_asks_for():
    for name in ("test-copied", "test-by-document"):
        findings = check_metric(name, examples=5)
        assert [f.problem for f in findings if not f.holds] == []


def test_sources_go_with_chunks_of_any_size():
    testset = make()
    whole = tertium.score(testset, metrics="test-copied", segments=True)
    parts = score_stream(
        lambda: testset.chunks(7), metrics="test-copied", segments=True
    )
    assert parts.to_dict() == whole.to_dict()
    assert whole["A"]["test-copied"].score == pytest.approx(100 / 3)
    assert whole.metrics["test-copied"].signature.startswith("nrefs:0|")


def test_a_comparison_without_references():
    testset = make()
    whole = tertium.compare(testset, metrics="test-copied", resamples=50)
    parts = compare_stream(
        lambda: testset.chunks(9), metrics="test-copied", resamples=50
    )
    assert parts.to_dict() == whole.to_dict()
    assert whole.pair("A", "B").better == "A"


def test_lists_in_memory_with_sources_and_documents():
    table = tertium.score(
        ["a b", "c"],
        sources=["b", "c"],
        docs=["x", "long name"],
        metrics=["test-copied", "test-by-document"],
        documents=True,
    )
    assert table["system"]["test-copied"].documents == {"x": 50.0, "long name": 100.0}


def test_a_mean_asks_for_what_its_parts_ask():
    metric = tertium.metric("mean:bleu+test-copied")
    assert metric.needs_source
    assert metric.needs_references
    batch = Batch([["a b"]], ["a b"], sources=["a"])
    assert metric.rows(batch)[0].shape == (1, metric.width)


@pytest.mark.parametrize(
    ("metric", "match"),
    [
        ("test-copied", "reads the source text, and there is none; give sources"),
        ("test-by-document", "reads document ids, and there are none; give docs"),
        ("mean:bleu+test-copied", "reads the source text"),
    ],
)
def test_what_is_missing_is_named(metric, match):
    with pytest.raises(InputError, match=match):
        tertium.score(["a"], ["a"], metrics=metric)
    with pytest.raises(InputError, match=match):
        tertium.metric(metric).corpus_score(["a"], ["a"])
    with pytest.raises(InputError, match=match):
        tertium.metric(metric).rows(Batch([["a"]], ["a"]))


def test_metrics_that_need_references_say_so_beside_one_that_does_not():
    with pytest.raises(InputError, match="no references to score against for bleu;"):
        tertium.score(make(), metrics=["bleu", "test-copied"])
    with pytest.raises(InputError, match="no references to compare against for bleu;"):
        tertium.compare(make(), metrics=["bleu", "test-copied"])
    with pytest.raises(InputError, match="references are missing"):
        tertium.score(["a"], metrics="bleu")
    with pytest.raises(InputError, match="compares outputs with references"):
        tertium.metric("bleu").corpus_score(["a"])


def test_direct_calls_take_sources():
    metric = tertium.metric("test-copied")
    assert metric.corpus_score(["a b"], sources=["a"]) == 50
    assert metric.segment_scores(["a b", "c"], sources=["a", "c"]).tolist() == [50, 100]
    with pytest.raises(InputError, match="2 sources but 1 references"):
        metric.corpus_score(["a"], sources=["a", "b"])


def rows(testset, cache=None, metric="test-copied"):
    work = ChunkRows({metric: tertium.metric(metric)}, cache=cache)
    work = pickle.loads(pickle.dumps(work))
    return [r.tolist() for r in work(place_of(testset, 0)).statistics[metric]]


def test_the_source_is_part_of_the_key_of_a_cached_row(tmp_path):
    first = make()
    changed = Testset.build(
        None,
        first.systems,
        sources=["number", *first.sources[1:]],
        docs=first.docs,
    )
    cache = Cache(tmp_path)
    assert rows(first, cache) == rows(first) == rows(first, cache)
    assert rows(changed, cache) == rows(changed) != rows(first)
    assert cache.usage()["rows"].entries > 0


def test_a_metric_that_asks_for_nothing_keeps_its_keys(tmp_path):
    texts = make()
    plain = Testset(
        [(text,) for text in texts.systems["A"]],
        texts.systems,
    )
    with_sources = Testset(plain.references, plain.systems, sources=texts.sources)
    cache = Cache(tmp_path)
    rows(plain, cache, "bleu")
    before = cache.usage()
    rows(with_sources, cache, "bleu")
    assert cache.usage() == before


def test_parts_of_a_batch_keep_what_belongs_to_them():
    batch = Batch(
        [["a", "b"], ["c", "d"]],
        ["x", "y"],
        sources=["s", "t"],
        docs=["1", "2"],
        ids=["i", "j"],
        names=["A", "B"],
        numbers=range(10, 12),
    )
    part = batch.part([1], [1])
    assert (part.systems, part.references, part.sources) == ([["d"]], ["y"], ["t"])
    assert (part.docs, part.ids, part.names) == (["2"], ["j"], ["B"])
    assert list(part.numbers) == [11]


def test_the_command_line_needs_no_references(tmp_path, capsys):
    for name, lines in (("src.txt", "a\nb c\n"), ("out.txt", "a\nx\n")):
        (tmp_path / name).write_text(lines)
    source, output = str(tmp_path / "src.txt"), f"A={tmp_path / 'out.txt'}"
    assert main(["score", "-s", source, "-i", output, "-m", "test-copied"]) == 0
    assert "50.00" in capsys.readouterr().out
    assert main(["score", "-i", output, "-m", "test-copied"]) == 2
    message = capsys.readouterr().err
    assert (
        "reads the source text, and there is none; give sources (--source)" in message
    )
