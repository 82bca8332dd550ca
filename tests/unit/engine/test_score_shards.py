# SPDX-License-Identifier: Apache-2.0
"""Segment scores in shards: written, read again, and what goes wrong with them."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.data import Testset, open_lines
from tertium.data.kept import Kept
from tertium.data.partitions import open_partitions, write_line_shards
from tertium.engine import Score, ScoreTable, score_stream, write_score_shards
from tertium.engine.results import MetricInfo
from tertium.errors import FormatError, InputError
from tertium.meta import read_scores

SPECS = ["chrf", "wer", "sentbleu"]
NAMES = st.sampled_from(["A", "Bß", "c d"])
FIGURES = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw):
    size = draw(st.integers(1, 7))
    systems = draw(st.lists(NAMES, unique=True, min_size=1))
    specs = draw(st.lists(st.sampled_from(SPECS), unique=True, min_size=1))
    column = st.lists(FIGURES | st.none(), min_size=size, max_size=size)
    ids = draw(st.none() | st.just([f"d/{n}\u2028" for n in range(size)]))
    return ScoreTable(
        {spec: MetricInfo(spec, "", spec != "wer", 1.0) for spec in specs},
        {
            name: {
                spec: Score(draw(FIGURES), segments=Kept(draw(column)))
                for spec in specs
            }
            for name in systems
        },
        segments=size,
        ids=ids,
    )


@settings(max_examples=60, deadline=None)
@given(tables(), st.integers(1, 9), st.sampled_from([None, "gz", "zst"]))
def test_any_scores_are_read_as_they_were_written(table, rows, compression):
    with tempfile.TemporaryDirectory() as folder:
        place = os.path.join(folder, "scores")
        manifest = write_score_shards(table, place, rows=rows, compression=compression)
        assert manifest.rows == table.segments * len(table.systems)
        assert all(shard.rows <= rows for shard in manifest.shards)
        open_partitions(place, "scores").verify()
        back = read_scores([place])
        text = Path(folder, "scores.json")
        text.write_text(table.to_json())
        # The JSON has no ids.
        alike = read_scores([text], segments=table.ids)
    # Lines differ.
    assert {each.name: replace(each, unnumbered={}) for each in back} == {
        each.name: replace(each, unnumbered={}) for each in alike
    }
    assert {each.name for each in back} == set(table.metrics)
    for each in back:
        assert each.higher_is_better == (each.name != "wer")
        assert each.system == {n: s[each.name].score for n, s in table.systems.items()}


def test_scores_on_disk_are_written_as_those_in_memory_are(tmp_path):
    testset = Testset.build(
        [f"the cat {n} sat" for n in range(1300)],
        {"A": [f"the cat {n} sits" for n in range(1300)], "B": ["a cat"] * 1300},
        ids=[str(n % 13) for n in range(1300)],
        docs=[str(n // 13) for n in range(1300)],
    )
    for name, hold in (("list", list), ("kept", Kept)):
        table = score_stream(
            lambda: testset.chunks(70), metrics=SPECS, segments=True, hold=hold
        )
        write_score_shards(table, tmp_path / name, rows=1000)
    parts = sorted(os.listdir(tmp_path / "list"))
    assert len(parts) == 4
    assert all(
        (tmp_path / "list" / part).read_bytes()
        == (tmp_path / "kept" / part).read_bytes()
        for part in parts
    )
    line = list(open_lines(tmp_path / "kept" / "part-00002.jsonl"))[-1]
    assert json.loads(line)["id"] == "99/12"


def test_every_shard_can_be_read_alone(tmp_path):
    table = tertium.score(
        {"A": ["a cat", "a dog", "a"], "B": ["a cat", "dog", ""]},
        ["a cat", "the dog", "a"],
        metrics=["chrf", "ter"],
        segments=True,
    )
    write_score_shards(table, tmp_path / "scores", rows=4)
    last = read_scores([tmp_path / "scores" / "part-00001.jsonl"])
    assert [each.name for each in last] == ["chrf", "ter"]
    assert [each.higher_is_better for each in last] == [True, False]
    assert last[0].system == {n: s["chrf"].score for n, s in table.systems.items()}
    assert list(last[0].segment["A"]) == ["3"]


def test_progress_counts_rows(tmp_path):
    table = tertium.score(
        {"A": ["a", "b"], "B": ["b", "b"]}, ["a", "b"], metrics="wer", segments=True
    )
    calls = []
    write_score_shards(
        table, tmp_path / "scores", progress=lambda *args: calls.append(args)
    )
    assert calls == [(2, 4), (4, 4)]


def test_scores_of_segments_must_be_there(tmp_path):
    table = tertium.score(["a"], ["a"], metrics="wer")
    with pytest.raises(InputError, match="segments were not scored"):
        write_score_shards(table, tmp_path / "scores")
    assert not os.listdir(tmp_path)


def test_an_interrupted_writer_leaves_nothing(tmp_path):
    def stop(done, total):
        raise KeyboardInterrupt

    table = tertium.score(["a"] * 3, ["a"] * 3, metrics="wer", segments=True)
    with pytest.raises(KeyboardInterrupt):
        write_score_shards(table, tmp_path / "scores", rows=1, progress=stop)
    assert not os.listdir(tmp_path)


# ------------------------------------------------------------------- what is wrong

HEAD = {
    "tertium": "scores",
    "version": 1,
    "metrics": {"wer": {"signature": "", "higher_is_better": False}},
    "systems": {"A": {"wer": {"score": 0.5, "interval": None}}},
}
ROW = {"segment": 1, "system": "A", "scores": {"wer": 0.5}}


def written(folder, head=HEAD, row=ROW):
    lines = [row if isinstance(row, str) else json.dumps(row)]
    text = head if isinstance(head, str) else json.dumps(head)
    write_line_shards(lines, folder, content="scores", head=text)
    return folder


def test_the_shape_of_lines_is_read(tmp_path):
    (scores,) = read_scores([written(tmp_path / "scores")])
    assert (scores.system, scores.segment) == ({"A": 0.5}, {"A": {"1": 0.5}})


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"head": "{}"}, "part-00000.jsonl:1: not the first line of segment"),
        ({"head": {**HEAD, "version": 2}}, "version 2 is not 1; read it with a newer"),
        ({"head": {**HEAD, "metrics": []}}, ":1: not what `tertium score` writes"),
        ({"head": {**HEAD, "metrics": {}}}, ":1: not what `tertium score` writes"),
        ({"head": {"tertium": "scores"}}, ":1: not what `tertium score` writes"),
        ({"head": '{"tertium": "scores"'}, ":1: not JSON"),
        ({"row": "{"}, "part-00000.jsonl:2: not JSON"),
        ({"row": "[]"}, ":2: '.*' is not an object"),
        ({"row": {**ROW, "segment": 0}}, ":2: not a segment from 1"),
        ({"row": {**ROW, "segment": True}}, ":2: not a segment from 1"),
        ({"row": {**ROW, "system": None}}, ":2: not a segment from 1"),
        ({"row": {**ROW, "id": 7}}, ":2: not a segment from 1"),
        ({"row": {**ROW, "scores": {"ter": 1}}}, ":2: not a segment from 1"),
        ({"row": {**ROW, "scores": {"wer": "x"}}}, ":2: 'x' is not a score"),
        ({"row": {**ROW, "scores": {"wer": 10**400}}}, ":2: .* is not a score"),
    ],
)
def test_a_bad_line_is_an_error_with_its_place(tmp_path, part, message):
    with pytest.raises(FormatError, match=message):
        read_scores([written(tmp_path / "scores", **part)])


def test_rows_are_as_many_as_the_manifest_says(tmp_path):
    folder = written(tmp_path / "scores")
    path = folder / "manifest.json"
    path.write_text(path.read_text().replace('"rows": 1', '"rows": 2'))
    with pytest.raises(FormatError, match=r"part-00000.jsonl: 1 row, and manifest"):
        read_scores([folder])


def test_other_shards_are_not_scores(tmp_path):
    write_line_shards(["{}"], tmp_path / "lists", content="nbest")
    with pytest.raises(InputError, match="holds n-best lists, not segment scores"):
        read_scores([tmp_path / "lists"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["A", "wer", ""]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from(["A", "wer", "score"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(max_examples=100, deadline=None)
@given(
    st.dictionaries(st.sampled_from(sorted(HEAD)), JSON, max_size=2),
    st.dictionaries(st.sampled_from([*ROW, "id"]), JSON, max_size=2),
)
def test_odd_lines_raise_nothing_but_input_errors(head, row):
    with tempfile.TemporaryDirectory() as folder:
        place = written(Path(folder, "scores"), {**HEAD, **head}, {**ROW, **row})
        with suppress(InputError):
            read_scores([place])


def test_scores_go_by_the_names_of_metrics_not_by_their_order(tmp_path):
    made = tertium.score(
        Testset([("a b",), ("c d",)], {"A": ["a b", "c"], "B": ["a", "d c"]}),
        metrics=["chrf", "wer"],
        segments=True,
    )
    turned = {name: dict(reversed(one.items())) for name, one in made.systems.items()}
    write_score_shards(made, tmp_path / "made")
    write_score_shards(replace(made, systems=turned), tmp_path / "turned")
    lines = [
        (tmp_path / name / "part-00000.jsonl").read_text()
        for name in ("made", "turned")
    ]
    assert lines[0].splitlines()[1:] == lines[1].splitlines()[1:]
    turned["B"].pop("wer")
    with pytest.raises(InputError, match="B has no scores of wer"):
        write_score_shards(replace(made, systems=turned), tmp_path / "less")


def test_two_scores_of_an_output_are_reported_with_their_shard(tmp_path):
    made = tertium.score(tertium.read("demo"), metrics=["chrf"], segments=True)
    write_score_shards(made, tmp_path / "bad", rows=100)
    shard = tmp_path / "bad" / "part-00001.jsonl"
    lines = shard.read_text(encoding="utf-8").splitlines()
    row = json.loads(lines[1])
    lines[1] = json.dumps({**row, "segment": 1, "id": "recipe-1"})
    shard.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (tmp_path / "bad" / "manifest.json").unlink()
    with pytest.raises(FormatError, match=r"part-00001.jsonl:2: chrf has two scores"):
        read_scores([str(tmp_path / "bad")])
