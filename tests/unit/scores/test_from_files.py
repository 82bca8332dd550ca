# SPDX-License-Identifier: Apache-2.0
"""Scores from files as metrics: ``scores:file=F`` and ``--scores``."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import pytest

import tertium
from tertium.cache import Cache
from tertium.cli import main
from tertium.data.testset import Testset
from tertium.engine import Processes, compare_stream, score_stream
from tertium.engine.joined import score_joined
from tertium.errors import InputError
from tertium.scores import FileScores, score_metrics

SIZE = 24


@pytest.fixture
def testset():
    refs = [f"segment number {i}" for i in range(SIZE)]
    # Many outputs are equal: only their places distinguish them.
    return Testset.build(refs, {"A": refs, "B": ["same"] * SIZE})


def value(system, number):
    return number / 8 + (5 if system == "A" else 0)


def rows(systems=("A", "B"), size=SIZE, name=str):
    return [(s, name(i + 1), value(s, i)) for s in systems for i in range(size)]


def table(tmp_path, lines, name="mine.tsv"):
    file = tmp_path / name
    text = "".join(f"{s}\t{i}\t{x}\n" for s, i, x in lines)
    file.write_text(f"system\tsegment\tscore\n{text}")
    return str(file)


def segments(result, system, spec):
    return result[system][spec].segments


def test_scores_and_segments_are_those_of_the_file(tmp_path, testset):
    spec = f"scores:file={table(tmp_path, rows())}"
    result = tertium.score(testset, metrics=["chrf", spec], segments=True)
    for system in "AB":
        wanted = [value(system, i) for i in range(SIZE)]
        assert segments(result, system, spec) == wanted
        assert result[system][spec].score == pytest.approx(sum(wanted) / SIZE)
    assert result.metrics[spec].label == "mine"


@pytest.mark.parametrize("size", [1, 7, 100])
def test_chunks_find_their_places(tmp_path, testset, size):
    """Rows in another order than the test set, and equal texts."""
    file = table(tmp_path, rows()[::-1])
    spec = f"scores:file={file}"
    whole = tertium.score(testset, metrics=spec, segments=True).to_dict()
    parts = score_stream(lambda: testset.chunks(size), metrics=spec, segments=True)
    assert parts.to_dict() == whole


def test_positions_are_counted_over_chunks(tmp_path, testset):
    for system in "AB":
        lines = (f"{value(system, i)}\n" for i in range(SIZE))
        (tmp_path / f"{system}.comet").write_text("".join(lines))
    (metric,) = score_metrics([f"{s}={tmp_path / s}.comet" for s in "AB"])
    assert metric.label == "comet"
    parts = score_stream(lambda: testset.chunks(5), metrics=metric, segments=True)
    assert segments(parts, "B", metric.spec) == [value("B", i) for i in range(SIZE)]
    again = tertium.metric(metric.spec)
    assert again == metric
    assert tertium.score(testset, metrics=again)["A"][metric.spec].score == (
        parts["A"][metric.spec].score
    )


def test_comparisons_clusters_and_intervals(tmp_path, testset):
    spec = f"scores:file={table(tmp_path, rows())}"
    whole = tertium.compare(testset, metrics=[spec], resamples=100)
    assert whole.pair("A", "B").better == "A"
    assert whole.ranking[spec]
    assert whole.scores["A"][spec].interval is not None
    parts = compare_stream(
        lambda: testset.chunks(5),
        metrics=[spec],
        resamples=100,
        executor=Processes(2),
    )
    assert parts.to_json() == whole.to_json()


def test_rows_are_not_cached_by_text(tmp_path, testset):
    """Texts are equal, and files change."""
    cache = Cache(tmp_path / "cache")
    spec = f"scores:file={table(tmp_path, rows())}"
    first = tertium.score(testset, metrics=spec, cache=cache).to_dict()
    table(tmp_path, [(s, i, -x) for s, i, x in rows()])
    second = tertium.score(testset, metrics=spec, cache=cache)
    assert second["A"][spec].score == -first["systems"]["A"][spec]["score"]
    assert "rows" not in cache.usage()


def test_a_pickled_metric_has_the_scores(tmp_path, testset):
    file = table(tmp_path, rows())
    (metric,) = score_metrics([file], outputs={"A": "x/A.txt"})
    content = pickle.dumps(metric)
    (tmp_path / "mine.tsv").unlink()
    copy = pickle.loads(content)
    assert copy == metric
    assert tertium.score(testset, metrics=copy)["B"][metric.spec].score == (
        pytest.approx(sum(value("B", i) for i in range(SIZE)) / SIZE)
    )


def test_systems_go_by_their_files(tmp_path, testset):
    lines = [(f"x/{'ab'['AB'.index(s)]}.txt", i, x) for s, i, x in rows()]
    file = table(tmp_path, lines)
    outputs = {"A": "x/a.txt", "B": "x/b.txt"}
    (metric,) = score_metrics([file], outputs=outputs)
    assert tertium.score(testset, metrics=metric)["B"][metric.spec].score < 5
    with pytest.raises(InputError, match="no mine scores of system 'A', only of x/a"):
        tertium.score(testset, metrics=f"scores:file={file}")


def test_the_only_system_may_have_no_name_but_no_other(tmp_path, testset):
    alone = replace(testset, systems={"A": testset.systems["A"]})
    file = tmp_path / "elsewhere.comet"
    file.write_text("1\n" * SIZE)
    assert tertium.score(alone, metrics=f"scores:file={file}")
    for spec in (f"B={file}", table(tmp_path, rows(systems=["B"]))):
        with pytest.raises(InputError, match="scores of system 'A', only of B"):
            tertium.score(alone, metrics=f"scores:file={spec}")


def comet(tmp_path, *files):
    path = tmp_path / "comet.json"
    content = {f: [{"COMET": i}] * SIZE for i, f in enumerate(files)}
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    ("files", "outputs", "message"),
    [
        (["sysA/out.txt"], "sysA/out.txt sysB/out.txt", "scores of system 'B', only"),
        (["out.txt"], "sysA/out.txt sysB/out.txt", "out.txt may be the .* of A, B"),
        (["y/out.txt", "x/out.txt"], "out.txt b.txt", "y/out.txt, x/out.txt may be"),
        (["x/a.txt", "x/b.txt"], "x/a.txt y/b.txt", "scores of system 'B', only"),
    ],
)
def test_no_system_has_the_scores_of_another(
    tmp_path, testset, files, outputs, message
):
    named = dict(zip("AB", outputs.split(), strict=True))
    (metric,) = score_metrics([comet(tmp_path, *files)], outputs=named)
    with pytest.raises(InputError, match=message):
        tertium.score(testset, metrics=metric)


@pytest.mark.parametrize(
    ("files", "outputs"),
    [
        (["sysA/out.txt", "sysB/out.txt"], "sysA/out.txt sysB/out.txt"),
        (["/far/sysA/out.txt", "sysB/out.txt"], "sysA/out.txt ../sysB/out.txt"),
        (["out.txt", "sysB/out.txt"], "out.txt sysB/out.txt"),
        (["a", "b.txt"], "x/a.txt x/b.txt"),
        (["far/A.txt", "far/B.txt"], "near/1.txt near/2.txt"),
        (["b.txt", "a.txt"], "b.txt a.txt"),
    ],
)
def test_files_of_systems_may_be_elsewhere(tmp_path, testset, files, outputs):
    named = dict(zip("AB", outputs.split(), strict=True))
    (metric,) = score_metrics([comet(tmp_path, *files)], outputs=named)
    result = tertium.score(testset, metrics=metric)
    assert [result[s][metric.spec].score for s in "AB"] == [0, 1]


def test_files_with_a_system_have_that_system(tmp_path, testset):
    for system, score in (("A", 1), ("B", 2)):
        (tmp_path / system).mkdir()
        text = json.dumps({"out.txt": [{"COMET": score}] * SIZE})
        (tmp_path / system / "comet.json").write_text(text)
    files = [f"{s}={tmp_path / other / 'comet.json'}" for s, other in ("AB", "BA")]
    (metric,) = score_metrics(files, outputs={"A": "A/out.txt", "B": "B/out.txt"})
    result = tertium.score(testset, metrics=metric)
    assert [result[s][metric.spec].score for s in "AB"] == [2, 1]


def test_metrics_of_files_go_by_extensions(tmp_path, testset):
    for name in ("a.comet", "b.bleurt"):
        (tmp_path / name).write_text("1\n" * SIZE)
    files = [f"A={tmp_path / 'a.comet'}", f"B={tmp_path / 'b.bleurt'}"]
    with pytest.raises(InputError, match="metrics go by the extensions of files"):
        tertium.score(testset, metrics=score_metrics(files))


def test_joined_documents_have_no_scores_of_segments(tmp_path, testset):
    docs = replace(testset, docs=["x"] * 12 + ["y"] * 12)
    spec = f"scores:file={table(tmp_path, rows())}"
    with pytest.raises(InputError, match="joined documents are other texts; omit it"):
        score_joined(docs, metrics=["chrf", spec])


def test_a_name_among_numbers_is_the_segment_that_is_wrong(tmp_path, testset):
    wrong = [(s, "-1" if (s, i) == ("B", "3") else i, x) for s, i, x in rows()]
    file = table(tmp_path, wrong)
    message = rf"mine.tsv:{SIZE + 4}: segment '-1' is not a number, and most others are"
    with pytest.raises(InputError, match=message):
        tertium.score(testset, metrics=f"scores:file={file}")


def test_systems_that_only_the_file_has_are_counted_in_a_note(tmp_path, testset):
    spec = f"scores:file={table(tmp_path, rows(systems='ABCDEF'))}"
    for result in (
        tertium.score(testset, metrics=spec),
        tertium.compare(testset, metrics=spec, resamples=20),
    ):
        notes = [str(note) for note in result.notes if note.code == "unused-systems"]
        text = "4 systems of the file are not in the test set: C, D, E, ..."
        assert notes == [f"{spec}: {text}"]
    exact = f"scores:file={table(tmp_path, rows())}"
    assert not tertium.score(testset, metrics=exact).notes


def test_missing_segments_are_counted(tmp_path, testset):
    kept = [row for row in rows() if not (row[0] == "B" and int(row[1]) in (3, 4, 9))]
    spec = f"scores:file={table(tmp_path, kept)}"
    message = r"no mine score for 3 of 24 segments of system 'B' \(first: segment 3\)"
    with pytest.raises(InputError, match=message):
        tertium.score(testset, metrics=spec)
    with pytest.raises(InputError, match=message):
        tertium.compare(testset, metrics=["chrf", spec])


def test_a_longer_file_is_of_another_test_set(tmp_path, testset):
    spec = f"scores:file={table(tmp_path, rows(size=30))}"
    with pytest.raises(
        InputError, match="has 30 mine scores of A, and the test set 24"
    ):
        tertium.score(testset, metrics=spec)


def test_ids_come_before_numbers(tmp_path, testset):
    """With documents or without, whether ids rise or not."""
    ids = [str((i + 8) % SIZE + 1) for i in range(SIZE)]
    docs = [f"d{i // 8}" for i in range(SIZE)]
    lines = [(s, str(n), float(n)) for s in "AB" for n in range(1, SIZE + 1)]
    spec = f"scores:file={table(tmp_path, lines)}"
    for other in (replace(testset, ids=ids), replace(testset, ids=ids, docs=docs)):
        result = tertium.score(other, metrics=spec, segments=True)
        assert segments(result, "A", spec) == [float(name) for name in ids]
    # Seven segments do not tell whether ids start again.
    with pytest.raises(InputError, match="may be their ids or their places"):
        score_stream(lambda: other.chunks(7), metrics=spec)


def test_scores_of_a_larger_test_set_go_by_names(tmp_path, testset):
    part = replace(testset, ids=[f"s{2 * i}" for i in range(SIZE)])
    lines = [(s, f"s{n}", float(n)) for s in "AB" for n in range(60)]
    spec = f"scores:file={table(tmp_path, lines)}"
    result = tertium.score(part, metrics=spec, segments=True)
    assert segments(result, "A", spec) == [2.0 * i for i in range(SIZE)]


@pytest.mark.parametrize("ids", [None, "s%d", "%d"])
@pytest.mark.parametrize("executor", [None, Processes(2)])
def test_more_scores_than_segments(tmp_path, testset, ids, executor):
    names = ids and [ids % (i + 1) for i in range(SIZE)]
    spec = f"scores:file={table(tmp_path, rows(size=SIZE + 6))}"
    with pytest.raises(
        InputError, match="has 30 mine scores of A, and the test set 24"
    ):
        tertium.score(replace(testset, ids=names), metrics=spec, executor=executor)


@pytest.mark.parametrize("ids", [None, "s%d"])
@pytest.mark.parametrize("executor", [None, Processes(2)])
def test_numbers_from_zero(tmp_path, testset, ids, executor):
    names = ids and [ids % (i + 1) for i in range(SIZE)]
    lines = rows(name=lambda number: str(number - 1))
    spec = f"scores:file={table(tmp_path, lines)}"
    result = tertium.score(
        replace(testset, ids=names), metrics=spec, segments=True, executor=executor
    )
    for system in "AB":
        wanted = [value(system, i) for i in range(SIZE)]
        assert segments(result, system, spec) == wanted


@pytest.mark.parametrize("ids", [None, "s%d"])
def test_more_numbers_from_zero_than_segments(tmp_path, testset, ids):
    names = ids and [ids % (i + 1) for i in range(SIZE)]
    lines = rows(size=SIZE + 1, name=lambda number: str(number - 1))
    spec = f"scores:file={table(tmp_path, lines)}"
    with pytest.raises(
        InputError, match="has 25 mine scores of A, and the test set 24"
    ):
        tertium.score(replace(testset, ids=names), metrics=spec)


@pytest.mark.parametrize(
    ("ids", "numbers"),
    [(None, [0, *range(2, SIZE + 1)]), ("%d", range(SIZE))],
    ids=["with a hole", "beside ids that are numbers"],
)
def test_a_segment_0_that_may_be_a_place_or_an_id(tmp_path, testset, ids, numbers):
    names = ids and [ids % (i + 1) for i in range(SIZE)]
    lines = [(s, str(i), 1.0) for s in "AB" for i in numbers]
    spec = f"scores:file={table(tmp_path, lines)}"
    with pytest.raises(InputError, match="has a segment 0, but"):
        tertium.score(replace(testset, ids=names), metrics=spec)


@pytest.mark.parametrize("executor", [None, Processes(2)])
def test_ids_that_repeat_are_not_those_of_one_document(tmp_path, testset, executor):
    docs = [f"d{i // 8}" for i in range(SIZE)]
    again = replace(testset, ids=[f"s{i % 8}" for i in range(SIZE)], docs=docs)
    lines = [(s, f"s{i}", 1.0) for s in "AB" for i in range(8)]
    spec = f"scores:file={table(tmp_path, lines)}"
    with pytest.raises(InputError, match="no mine score for 24 of 24"):
        tertium.score(again, metrics=spec)
    with pytest.raises(InputError, match=r"has 8 mine scores .* have the same id"):
        score_stream(lambda: again.chunks(8), metrics=spec, executor=executor)
    with pytest.raises(InputError, match="give every segment its own id"):
        tertium.score(replace(again, docs=None), metrics=spec)


def test_ids_that_start_again_in_every_document(tmp_path, testset):
    docs = [f"d{i // 8}" for i in range(SIZE)]
    again = replace(testset, ids=[str(i % 8 + 1) for i in range(SIZE)], docs=docs)
    wanted = [value("A", i) for i in range(SIZE)]
    numbered = f"scores:file={table(tmp_path, rows())}"
    assert (
        segments(tertium.score(again, metrics=numbered, segments=True), "A", numbered)
        == wanted
    )
    named = [
        (s, f"d{i // 8}/{i % 8 + 1}", value(s, i)) for s in "AB" for i in range(24)
    ]
    spec = f"scores:file={table(tmp_path, named, 'named.tsv')}"
    parts = score_stream(lambda: again.chunks(5), metrics=spec, segments=True)
    assert segments(parts, "A", spec) == wanted


def test_ids_in_words_and_numbers_in_the_file(tmp_path, testset):
    named = replace(testset, ids=[f"name-{i}" for i in range(SIZE)])
    spec = f"scores:file={table(tmp_path, rows())}"
    result = tertium.score(named, metrics=spec, segments=True)
    assert segments(result, "B", spec) == [value("B", i) for i in range(SIZE)]


def test_resamples_without_scores_are_no_scores_of_zero(tmp_path, testset):
    """Many resamples have neither of two scores."""
    lines = [
        (s, i, 50.0 + int(i) if s == "B" or i in ("1", "2") else "n/a")
        for s, i, _ in rows()
    ]
    spec = f"scores:file={table(tmp_path, lines)}"
    one = tertium.score(testset, metrics=spec, confidence=0.95)
    two = tertium.compare(testset, metrics=[spec], resamples=1000)
    for score in (one["A"][spec], two.scores["A"][spec]):
        assert score.score == 51.5
        assert all(51 <= end <= 52 for end in score.interval)
    pair = two.pair("A", "B")
    assert all(abs(end) < 50 for end in pair.interval)


def test_undefined_scores_have_no_weight(tmp_path, testset):
    lines = [(s, i, "n/a" if i == "1" else 2.0) for s, i, _ in rows()]
    spec = f"scores:file={table(tmp_path, lines)}"
    result = tertium.score(testset, metrics=spec, segments=True)
    assert result["A"][spec].score == 2
    assert segments(result, "A", spec)[:2] == [None, 2.0]


@pytest.mark.parametrize(
    ("settings", "sign", "higher"),
    [
        ("", 1, True),
        (",higher=no", 1, False),
        (",name=metricx-24", 1, False),
        (",name=MetricX-23-refA", -1, True),
        (",name=metricx,higher=yes", 1, True),
        (",name=termite", 1, True),
    ],
)
def test_the_direction(tmp_path, testset, settings, sign, higher):
    lines = [(s, i, sign * x) for s, i, x in rows()]
    spec = f"scores:file={table(tmp_path, lines)}{settings}"
    metric = tertium.metric(spec)
    assert metric.spec == spec
    assert metric.higher_is_better is higher
    better = tertium.compare(testset, metrics=[spec], resamples=100).pair("A", "B")
    assert better.better == ("A" if higher == (sign > 0) else "B")


def test_several_metrics_in_one_file(tmp_path, testset):
    file = tmp_path / "many.tsv"
    lines = [f"{s}\t{i}\t{x}\t{-x}\n" for s, i, x in rows()]
    file.write_text("system\tsegment\tcomet\tother\n" + "".join(lines))
    metrics = score_metrics([file], lower_is_better=["other"])
    assert [metric.label for metric in metrics] == ["comet", "other"]
    assert [metric.higher_is_better for metric in metrics] == [True, False]
    assert tertium.score(testset, metrics=metrics)
    with pytest.raises(
        InputError, match=r"several metrics.*choose one as .*,name=comet"
    ):
        tertium.metric(f"scores:file={file}").label  # noqa: B018
    chosen = tertium.metric(f"scores:file={file},name=other")
    assert tertium.score(testset, metrics=chosen)["B"][chosen.spec].score < 0
    with pytest.raises(InputError, match="unknown metric of scores 'chrf'"):
        score_metrics([file], lower_is_better=["chrf"])


def test_users_overrule_the_assumed_direction(tmp_path):
    file = tmp_path / "m.tsv"
    lines = [f"{s}\t{i}\t{x}\n" for s, i, x in rows()]
    file.write_text("system\tsegment\tTER\n" + "".join(lines))
    assert not score_metrics([file])[0].higher_is_better
    assert score_metrics([file], higher_is_better=["TER"])[0].higher_is_better
    with pytest.raises(InputError, match="TER cannot both fall and rise"):
        score_metrics([file], lower_is_better=["TER"], higher_is_better=["TER"])
    with pytest.raises(InputError, match="unknown metric of scores 'WER'"):
        score_metrics([file], higher_is_better=["WER"])


def test_what_cannot_be_used_is_named(tmp_path, testset):
    with pytest.raises(InputError, match="scores needs a file"):
        tertium.score(testset, metrics="scores")
    with pytest.raises(InputError, match="unknown setting of scores 'fil'"):
        tertium.metric("scores:fil=x")
    whole = tmp_path / "m.sys.score"
    whole.write_text("A\t0.5\nB\t0.25\n")
    with pytest.raises(InputError, match="scores of whole systems only"):
        score_metrics([whole])
    with pytest.raises(InputError, match="score of the whole system 'A'"):
        tertium.score(testset, metrics=f"scores:file={whole}")
    with pytest.raises(InputError, match="these texts have no names"):
        tertium.metric("scores:file=demo").corpus_score(["a"], ["b"])


def test_a_model_from_elsewhere_must_not_name_files():
    from tertium.metrics.settings import from_a_file

    with from_a_file(), pytest.raises(InputError, match="names a file or a program"):
        FileScores(file="/etc/passwd")


def run(argv, capsys):
    code = main(argv)
    return code, capsys.readouterr()


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("one\ntwo\n")
    (tmp_path / "a.txt").write_text("one\ntwos\n")
    (tmp_path / "b.txt").write_text("ones\ntoo\n")
    comet = {
        "a.txt": [{"src": "x", "mt": "one", "COMET": x} for x in (0.9, 0.7)],
        "b.txt": [{"src": "x", "mt": "one", "COMET": x} for x in (0.5, 0.3)],
    }
    (tmp_path / "comet.json").write_text(json.dumps(comet))
    return ["-r", "ref.txt", "-i", "A=a.txt", "B=b.txt"]


def test_score_with_the_json_of_comet(files, capsys):
    code, out = run(["score", *files, "--scores", "comet.json", "-f", "json"], capsys)
    result = json.loads(out.out)["systems"]
    assert code == 0
    assert list(result["A"]) == ["bleu", "chrf", "ter", "scores:file=comet.json"]
    scores = [result[s]["scores:file=comet.json"]["score"] for s in "AB"]
    assert scores == pytest.approx([0.8, 0.4])
    code, out = run(["score", *files, "-m", "scores:file=comet.json"], capsys)
    assert "0.8000" in out.out


def test_compare_with_a_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    argv = [
        "score",
        "demo",
        "-m",
        "chrf",
        "--segments",
        "-f",
        "tsv",
        "-o",
        "scores.tsv",
    ]
    assert run(argv, capsys)[0] == 0
    argv = ["compare", "demo", "-m", "bleu", "--scores", "scores.tsv", "-f", "json"]
    code, out = run(argv, capsys)
    assert code == 0
    assert {p["metric"] for p in json.loads(out.out)["pairs"]} == {
        "bleu",
        "scores:file=scores.tsv",
    }


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ("--lower-is-better x", "--lower-is-better is about --scores"),
        ("--higher-is-better x", "--higher-is-better is about --scores"),
        (
            "--scores comet.json --lower-is-better comet --higher-is-better comet",
            "comet cannot both fall and rise with quality",
        ),
        ("--scores comet.json -o comet.json", "comet.json"),
        ("--scores none.json", "none.json"),
        ("--scores comet.json ref.txt", "ref.txt"),
        ("--scores A=comet.json", "comet.json:1: scores of a.txt and of b.txt"),
    ],
)
def test_wrong_options_say_so(files, capsys, argv, message):
    code, out = run(["score", *files, *argv.split()], capsys)
    assert code == 2
    assert message in out.err


def test_a_report_shows_scores_of_files(files, capsys, tmp_path):
    argv = ["report", *files, "-m", "chrf", "--scores", "comet.json", "-f", "json"]
    code, out = run([*argv, "--resamples", "20"], capsys)
    assert code == 0, out.err
    assert "scores:file=comet.json" in json.loads(out.out)["metrics"]
