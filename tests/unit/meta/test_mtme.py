# SPDX-License-Identifier: Apache-2.0
"""Folders of mt-metrics-eval, read and written."""

from __future__ import annotations

import gzip
from dataclasses import replace

import numpy as np
import pytest

import tertium
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, Rating, Span
from tertium.meta import MetricScores, human_of, read_mtme, read_scores, write_mtme


def texts(folder):
    """Return every file below a folder with its text, decompressed."""
    results = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file():
            data = file.read_bytes()
            packed = file.suffix == ".gz"
            name = str(file.relative_to(folder)).removesuffix(".gz")
            results[name] = (gzip.decompress(data) if packed else data).decode()
    return results


def rows(text):
    """Return system and score of every row."""
    cells = [line.split("\t") for line in text.splitlines()]
    return [(system, None if cell == "None" else float(cell)) for system, cell in cells]


@pytest.fixture
def testset():
    return tertium.Testset.build(
        [["r1", "R1"], ["r2", "R2"], ["r3", "R3"]],
        {"A": ["a", "b", "c"], "B": ["d", "e", "f"]},
        sources=["s1", "s2", "s3"],
        docs=["x", "x", "y"],
        langpair="en-de",
        layers={"domain": ["news", "news", "speech"]},
    )


JUDGEMENTS = [
    Rating("A", 70.0, "DA", "1", "j", langpair="en-de"),
    Rating("A", 80.0, "DA", "1", "k", langpair="en-de"),
    Rating("A", 60.0, "DA", "3", "k", langpair="en-de"),
    Rating("B", 50.0, "DA", "2", "k", langpair="en-de"),
    Rating("B", 1.0, "DA-control", "2", "k", langpair="en-de"),
    Rating("B", 1.0, "DA", "9", "k", langpair="cs-de"),
]


def test_everything_is_written(testset, tmp_path):
    scores = [
        MetricScores("ter", {"A": 0.5}, {"A": {"1": 0.25}}, higher_is_better=False),
        MetricScores("QE-src", {"A": 1.0, "B": 2.0}),
    ]
    write_mtme(tmp_path / "out", testset, Judgements.from_iterable(JUDGEMENTS), scores)
    metric = "metric-scores/en-de"
    assert texts(tmp_path / "out") == {
        "documents/en-de.docs": "news\tx\nnews\tx\nspeech\ty\n",
        "human-scores/en-de.DA.domain.score": (
            "news\tA\t75.0\nnews\tB\t50.0\nspeech\tA\t60.0\n"
        ),
        "human-scores/en-de.DA.seg.score": (
            "A\t75.0\nA\tNone\nA\t60.0\nB\tNone\nB\t50.0\nB\tNone\n"
        ),
        "human-scores/en-de.DA.sys.score": "A\t67.5\nB\t50.0\n",
        f"{metric}/QE-src.sys.score": "A\t1.0\nB\t2.0\n",
        f"{metric}/ter-refA.refB.seg.score": "A\t-0.25\nA\tNone\nA\tNone\n",
        f"{metric}/ter-refA.refB.sys.score": "A\t-0.5\n",
        "references/en-de.refA.txt": "r1\nr2\nr3\n",
        "references/en-de.refB.txt": "R1\nR2\nR3\n",
        "sources/en-de.txt": "s1\ns2\ns3\n",
        "system-outputs/en-de/A.txt": "a\nb\nc\n",
        "system-outputs/en-de/B.txt": "d\ne\nf\n",
    }


def test_error_spans_are_scored(testset, tmp_path):
    spans = [
        Span("A", "Accuracy/Addition", "Major", "1", judge="j", langpair="en-de"),
        Span("A", "Fluency/Punctuation", "Minor", "1", judge="j", langpair="en-de"),
        Span("A", "no-error", "no-error", "1", judge="k", langpair="en-de"),
        Span("A", "no-error", "no-error", "3", judge="k"),
        Span("A", "Style", "Major", "3", judge="k", langpair="cs-de"),
    ]
    write_mtme(tmp_path / "out", testset, Judgements.from_iterable(spans))
    scores = tmp_path / "out" / "human-scores"
    assert rows((scores / "en-de.mqm.seg.score").read_text()) == [
        ("A", pytest.approx(-2.55)), ("A", None), ("A", 0.0),
    ]  # fmt: skip
    twice = Judgements.from_iterable([*spans, spans[0]._replace(document="d")])
    with pytest.raises(InputError, match="'1' is in several documents"):
        write_mtme(tmp_path / "x", testset, twice)
    table = Judgements.from_iterable([*spans, Rating("A", 1.0, "mqm", "1")])
    with pytest.raises(InputError, match="called mqm"):
        write_mtme(tmp_path / "x", testset, table)


@pytest.mark.parametrize("compress", [False, True])
def test_round_trip(testset, tmp_path, compress):
    table = Judgements.from_iterable(JUDGEMENTS)
    scores = [MetricScores("m-src", {"A": 1.0}, {"A": {"2": 0.1}, "B": {}})]
    write_mtme(tmp_path / "one", testset, table, scores, compress=compress)
    result = read_mtme(tmp_path / "one")
    assert result.testset == testset
    assert result.references == ("refA", "refB")
    assert result.metrics[0].segment == {"A": {"2": 0.1}, "B": {}}
    assert result.human["DA"].segment["A"] == {"1": 75.0, "3": 60.0}
    result.write(tmp_path / "two", compress=not compress)
    assert texts(tmp_path / "one") == texts(tmp_path / "two")
    assert read_mtme(tmp_path / "two", "en-de") == result


def test_what_cannot_be_written(testset, tmp_path):
    out = tmp_path / "out"

    def reject(why, *arguments, **options):
        with pytest.raises(InputError, match=why):
            write_mtme(out, *arguments, **options)
        assert not out.exists()

    bare = tertium.Testset.build(["r"], {"A": ["a"]}, sources=["s"])
    reject("no language pair", bare)
    reject("no sources", tertium.Testset.build(["r"], langpair="a-b"))
    reject("1 names for 2 references", testset, references=["refA"])
    strange = Judgements.from_iterable(JUDGEMENTS[-1:])
    reject("no ratings or error spans of segments for en-de", testset, strange)
    strange = Judgements.from_iterable([Rating("A", 1.0, "DA", "9", langpair="en-de")])
    reject("segment '9' of A", testset, strange)
    table = Judgements.from_iterable(JUDGEMENTS)
    reject("two kinds", testset, table, human={"DA": MetricScores("DA")})
    reject("file name", testset, scores=[MetricScores("a/b", {"A": 1.0})])


def test_what_cannot_be_read(testset, tmp_path):
    with pytest.raises(FormatError, match="no sources"):
        read_mtme(tmp_path)
    scores = [MetricScores("m-src", {"A": 1.0}, {"A": {"2": 0.1}})]
    write_mtme(tmp_path / "x", testset, scores=scores)
    with pytest.raises(InputError, match="no language pair de-en; there are en-de"):
        read_mtme(tmp_path / "x", "de-en")
    file = tmp_path / "x" / "metric-scores" / "en-de" / "m-src.seg.score"
    for text, why in (
        ("A\t1\n", "A has 1 scores for 3"),
        ("A\t1\nA\tx\n", ":2: score 'x'"),
        ("A\t1\t2\n", ":1: 3 fields where 2"),
    ):
        file.write_text(text)
        with pytest.raises(FormatError, match=why):
            read_mtme(tmp_path / "x")
    file.write_text("A\t1\nA\t1\nA\t1\n")
    (file.parent / "m-src.seg.score.gz").write_bytes(gzip.compress(b""))
    with pytest.raises(FormatError, match="remove one"):
        read_mtme(tmp_path / "x")
    (tmp_path / "x" / "sources" / "de-en.txt").write_text("s\n")
    with pytest.raises(InputError, match="more than one language pair"):
        read_mtme(tmp_path / "x")


def test_human_scores_are_chosen_by_name(testset, tmp_path):
    write_mtme(tmp_path / "x", testset, Judgements.from_iterable(JUDGEMENTS))
    folder = read_mtme(tmp_path / "x")
    human = human_of(folder)
    assert (human.systems, human.segments) == (("A", "B"), ("1", "2", "3"))
    assert human.scores == {"A": 67.5, "B": 50.0}
    assert np.array_equal(
        human.ratings, [[75.0, np.nan, 60.0], [np.nan, 50.0, np.nan]], equal_nan=True
    )
    assert human.draw is not None
    folder.human["x"] = MetricScores("x", {"A": 1.0})
    folder.human["y"] = replace(folder.human["DA"], system={"A": 1.0, "B": 2.0})
    assert human_of(folder, "y").scores == {"A": 1.0, "B": 2.0}
    assert human_of(folder, "y").draw is None
    for name, why in (
        (None, "DA, x, y; choose one"),
        ("z", "no human scores called z"),
        ("x", "no scores of segments"),
    ):
        with pytest.raises(InputError, match=why):
            human_of(folder, name)


@pytest.mark.wmt
def test_wmt23_people(wmt_data):
    folder = read_mtme(wmt_data / "wmt23-mtme", "en-de")
    for name, segments in (("mqm", 460), ("da-sqm", 549)):
        assert len(human_of(folder, name).systems) == 12
        human = human_of(folder, name, references=True)
        assert len(human.systems) == 13
        assert human.ratings.shape == (13, len(human.segments))
        assert len(human.segments) == segments
        assert human.scores == folder.human[name].system


@pytest.mark.wmt
def test_wmt23_round_trip(wmt_data, tmp_path):
    """Every file comes back with the same rows in the same order, to the last digit.

    Two metrics write 1 for 1.0, and one system starts with a byte order mark.
    """
    folder = wmt_data / "wmt23-mtme"
    result = read_mtme(folder)
    assert len(result.testset) == 557
    assert set(result.human) == {"mqm", "da-sqm"}
    assert len(result.metrics) == 10
    assert result.references == ("refA", "synthetic_ref")
    result.write(tmp_path / "out", compress=True)
    before, after = texts(folder), texts(tmp_path / "out")
    assert before.keys() == after.keys()
    different = {name for name in before if before[name] != after[name]}
    assert {name.rpartition("/")[2] for name in different} == {
        "AIRC.txt", "Random-sysname-src.seg.score", "YiSi-1-refA.seg.score",
    }  # fmt: skip
    for name in different:
        if name.endswith(".txt"):
            assert before[name].removeprefix("\ufeff") == after[name]
        else:
            assert rows(before[name]) == rows(after[name])


@pytest.mark.wmt
def test_wmt23_agrees_with_the_reader_of_scores(wmt_data):
    folder = wmt_data / "wmt23-mtme"
    files = sorted((folder / "metric-scores" / "en-de").glob("*.s??.score.gz"))
    known = {metric.name: metric for metric in read_scores(files)}
    for metric in read_mtme(folder).metrics:
        assert metric.system == known[metric.name].system
        assert metric.segment == known[metric.name].segment
