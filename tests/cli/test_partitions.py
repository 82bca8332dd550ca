# SPDX-License-Identifier: Apache-2.0
"""Verbs that read and write folders of shards."""

from __future__ import annotations

import json

import pytest

from tertium.cli import main
from tertium.data import open_lines, read


@pytest.fixture
def shards(tmp_path):
    """Return the demo set in five shards of compressed JSONL."""
    folder = tmp_path / "shards"
    words = ["convert", "demo", "-o", str(folder), "--rows-per-shard", "13"]
    assert main([*words, "--compress", "zst", "-q"]) == 0
    return folder


def lines(path):
    return path.read_text(encoding="utf-8").splitlines()


def test_convert_says_how_many_shards_it_wrote(tmp_path, capsys):
    words = ["convert", "demo", "-o", str(tmp_path / "set"), "--rows-per-shard", "25"]
    assert main(words) == 0
    err = capsys.readouterr().err
    assert f"60 segments and 4 systems to {tmp_path / 'set'} in 3 shards" in err


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "csv", "parquet"])
def test_one_file_and_its_shards_give_the_same_bytes(tmp_path, shards, ending):
    one, other = tmp_path / f"one.{ending}", tmp_path / f"other.{ending}"
    assert main(["convert", "demo", "-o", str(one), "-q"]) == 0
    assert main(["convert", str(shards), "-o", str(other), "-q"]) == 0
    assert one.read_bytes() == other.read_bytes()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compress", "zst"], "--compress is for shards; add --rows-per-shard"),
        (["--rows-per-shard", "5", "--to", "xml"], "shards cannot be xml"),
        (["--rows-per-shard", "0"], "--rows-per-shard"),
    ],
)
def test_options_of_shards_must_go_together(tmp_path, words, message, capsys):
    assert main(["convert", "demo", "-o", str(tmp_path / "set"), *words]) == 2
    assert message in capsys.readouterr().err


def test_the_output_of_shards_is_a_folder(tmp_path, capsys):
    words = ["convert", "demo", "-o", str(tmp_path / "a.jsonl"), "--rows-per-shard=5"]
    assert main(words) == 2
    assert "shards go to a folder" in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["score", "check"])
def test_shards_give_the_results_of_the_file(shards, verb, capsys):
    words = ["-f", "json", *(["-m", "bleu", "nist"] if verb == "score" else [])]
    assert main([verb, "demo", *words]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main([verb, str(shards), *words]) == 0
    assert json.loads(capsys.readouterr().out) == whole


def test_check_compares_shards_with_their_hashes(shards, capsys):
    path = shards / "part-00002.jsonl.zst"
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    assert main(["check", str(shards)]) == 2
    assert (
        "part-00002.jsonl.zst: changed since manifest.json" in capsys.readouterr().err
    )


def test_a_folder_without_manifest_is_remarked_on(shards, capsys):
    (shards / "manifest.json").unlink()
    assert main(["score", str(shards), "-m", "bleu"]) == 0
    assert "has no manifest.json: it is read as 5 shards" in capsys.readouterr().err


# ------------------------------------------------------------------ segment scores


@pytest.fixture
def scored(shards, tmp_path):
    """Return segment scores of the demo set in shards."""
    folder = tmp_path / "scored"
    words = ["score", str(shards), "-m", "bleu", "chrf", "ter", "kendall", "-q"]
    words += ["--segments", "--rows-per-shard", "100", "--compress", "zst"]
    assert main([*words, "-o", str(folder)]) == 0
    return folder


def rows_of(folder):
    """Return the first lines of shards, and the rows after them."""
    parts = sorted(folder.glob("part-*"))
    shards = [list(map(json.loads, open_lines(part))) for part in parts]
    return [lines[0] for lines in shards], [row for s in shards for row in s[1:]]


def test_score_says_how_many_shards_it_wrote(tmp_path, capsys):
    words = ["score", "demo", "-m", "wer", "--segments", "--rows-per-shard", "100"]
    assert main([*words, "-o", str(tmp_path / "scored")]) == 0
    err = capsys.readouterr().err
    assert f"240 rows of segment scores to {tmp_path / 'scored'} in 3 shards" in err


def test_score_writes_the_numbers_of_its_json_in_shards(scored, capsys):
    words = ["score", "demo", "-m", "bleu", "chrf", "ter", "kendall"]
    assert main([*words, "--segments", "-f", "json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    heads, rows = rows_of(scored)
    assert heads[0] == heads[1] == heads[2]
    assert heads[0]["metrics"] == whole["metrics"]
    for name, scores in whole["systems"].items():
        for spec, score in scores.items():
            segments = [row["scores"][spec] for row in rows if row["system"] == name]
            assert segments == score["segments"]
            assert heads[0]["systems"][name][spec]["score"] == score["score"]
    assert rows[0]["id"] == read("demo").ids[0]
    assert [row["segment"] for row in rows] == [n // 4 + 1 for n in range(240)]


def test_undefined_scores_are_null_in_shards(tmp_path):
    (tmp_path / "a.txt").write_text("a cat sat\na cat\ncat a\n")
    (tmp_path / "ref.txt").write_text("a cat sat\na dog\na cat\n")
    (tmp_path / "a.links").write_text("0-0 1-1 2-2\n0-0\n0-1 1-0\n")
    files = [str(tmp_path / name) for name in ("ref.txt", "a.txt", "a.links")]
    words = ["score", "-r", files[0], "-i", files[1], "--alignments", f"a={files[2]}"]
    words += ["-m", "link-tau"]
    folder = tmp_path / "scored"
    assert main([*words, "--segments", "-o", str(folder), "--rows-per-shard=9"]) == 0
    _, rows = rows_of(folder)
    assert [row["scores"]["link-tau"] is None for row in rows] == [False, True, False]
    assert all("id" not in row for row in rows)


@pytest.mark.parametrize(
    "words",
    [
        ["score", "demo", "-m", "wer"],
        ["compare", "demo", "-m", "wer"],
        ["correlate", "demo", "-J", "demo", "--gold", "ratings"],
    ],
)
def test_scores_of_shards_are_read_as_the_table_is(scored, tmp_path, words, capsys):
    table = tmp_path / "scores.json"
    verb = ["score", "demo", "-m", "bleu", "chrf", "ter", "kendall", "--segments"]
    assert main([*verb, "-f", "json", "-o", str(table)]) == 0
    outs = []
    for path in (table, scored):
        assert main([*words, "--scores", str(path), "-f", "tsv"]) == 0
        outs.append(capsys.readouterr().out.replace(str(path), "PATH"))
    assert outs[0] == outs[1]
    assert "kendall" in outs[0]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compress", "gz"], "--compress is for shards; add --rows-per-shard"),
        (["--rows-per-shard", "5", "-o", "x"], "give --segments and -o FOLDER"),
        (["--rows-per-shard", "5", "--segments"], "give --segments and -o FOLDER"),
        (["--rows-per-shard=5", "--segments", "-o", "x", "-f", "tsv"], "omit -f"),
        (["--rows-per-shard=5", "--segments", "-o", "x", "--documents"], "omit --wor"),
        (["--rows-per-shard=5", "--segments", "-o", "x.xlsx"], "go to a folder; give"),
        (["--rows-per-shard=5", "--segments", "-o", "x.jsonl"], "go to a folder; giv"),
    ],
)
def test_score_rejects_what_shards_cannot_give(words, message, capsys):
    assert main(["score", "demo", "-m", "wer", *words]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_for_scores_is_checked_before_they_are_made(scored, capsys):
    words = ["score", "missing.tsv", "-m", "wer", "--segments", "--rows-per-shard=9"]
    assert main([*words, "-o", str(scored)]) == 2
    assert "it is not empty; empty it or" in capsys.readouterr().err


def test_scores_are_not_a_test_set(scored, capsys):
    assert main(["check", str(scored)]) == 2
    assert "holds segment scores, not a test set" in capsys.readouterr().err


def test_a_record_has_the_hashes_of_scores_in_shards(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = ["score", "demo", "-m", "chrf", "--segments", "--rows-per-shard=100"]
    assert main([*words, "-o", "scored", "--record", "run.json"]) == 0
    record = json.loads((tmp_path / "run.json").read_text())
    files = [file["path"] for file in record["results"]["files"]]
    assert files == ["scored/manifest.json", *sorted(files)[1:]]
    assert len(files) == 4
    score = record["results"]["data"]["systems"]["good"]["chrf"]
    assert score["score"] > 80
    assert score["segments"] is None
    assert main(["repeat", "run.json"]) == 0
    assert "compared: 4 figures, 4 files" in capsys.readouterr().out


# ------------------------------------------------------------------- n-best lists


@pytest.fixture
def lists(tmp_path):
    """Return lists in one file and in shards."""
    path, folder = tmp_path / "lists.jsonl", tmp_path / "lists"
    rows = [
        {
            "id": str(n),
            "src": f"source {n}",
            "refs": [f"the red cat {n}"],
            "hyps": [f"a red cat {n}", f"the red cat {n}", f"the rod cat {n}"],
        }
        for n in range(20)
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    words = ["nbest", "convert", "-n", str(path), "-o", str(folder), "-q"]
    assert main([*words, "--rows-per-shard", "6", "--compress", "gz"]) == 0
    return path, folder


@pytest.mark.parametrize("options", [[], ["--prune", "0.1"], ["--aggregate"]])
def test_mbr_chooses_the_same_from_shards(lists, options, capsys):
    outs = []
    for path in lists:
        assert main(["mbr", "-n", str(path), "-m", "chrf", *options]) == 0
        outs.append(capsys.readouterr())
    assert outs[0] == outs[1]
    assert len(outs[0].out.splitlines()) == 20


def test_mbr_writes_a_partitioned_test_set(lists, tmp_path, capsys):
    words = ["mbr", "-n", str(lists[1]), "--references", str(lists[1])]
    folder = tmp_path / "best"
    assert main([*words, "-o", str(folder), "--rows-per-shard", "8"]) == 0
    assert "wrote 20 choices" in capsys.readouterr().err
    best = read(folder)
    assert best.ids == [str(n) for n in range(20)]
    assert best.sources == [f"source {n}" for n in range(20)]
    assert best.systems["mbr"][3] == "the red cat 3"
    assert best.references[3] == ("the red cat 3",)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compress", "gz"], "--compress is for shards"),
        (["--rows-per-shard", "5"], "shards go to a folder"),
        (["--rows-per-shard", "5", "-o", "x", "--top", "2"], "shards go to a folder"),
        (["--rows-per-shard", "5", "-o", "x", "-f", "json"], "omit -f"),
        (["-m", "nist"], "nist must see all lists before the first choice"),
    ],
)
def test_mbr_rejects_what_shards_cannot_give(lists, words, message, capsys):
    assert main(["mbr", "-n", str(lists[1]), *words]) == 2
    assert message in capsys.readouterr().err


def test_mbr_recognises_ids_that_come_twice(lists, tmp_path, capsys):
    path, _ = lists
    folder = tmp_path / "twice"
    folder.mkdir()
    for number in (0, 1):
        (folder / f"part-{number}.jsonl").write_bytes(path.read_bytes())
    assert main(["mbr", "-n", str(folder)]) == 2
    assert "there are two lists 0; merge them" in capsys.readouterr().err


def test_mbr_needs_references_of_every_list(lists, tmp_path, capsys):
    path, folder = lists
    some = tmp_path / "some.jsonl"
    some.write_text("\n".join(lines(path)[:7]) + "\n")
    assert main(["mbr", "-n", str(folder), "--references", str(some)]) == 2
    assert "the list 7 has no pseudo-references" in capsys.readouterr().err


# --------------------------------------------------------------------- judgements


@pytest.fixture
def judged(tmp_path):
    """Return the demo judgements in seven shards."""
    folder = tmp_path / "judged"
    words = ["judgements", "export", "demo", "-o", str(folder), "-q"]
    assert main([*words, "--rows-per-shard", "100", "--compress", "zst"]) == 0
    return folder


def test_judgements_of_shards_are_counted_as_those_of_files(judged, capsys):
    outs = []
    for path in ("demo", str(judged)):
        assert main(["judgements", "stats", path, "-f", "json"]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]


def test_judgements_of_shards_are_imported_and_merged(judged, tmp_path, capsys):
    store, both = tmp_path / "store", tmp_path / "both"
    assert main(["judgements", "import", str(judged), "-o", str(store)]) == 0
    assert "202 rankings and 400 ratings of 7 files" in capsys.readouterr().err
    words = ["judgements", "merge", str(store), str(judged), "-o", str(both)]
    assert main(words) == 0
    assert "404 rankings and 800 ratings" in capsys.readouterr().err


def test_a_store_may_have_several_files_per_table(tmp_path, capsys):
    store = tmp_path / "store"
    words = ["judgements", "merge", "demo", "-o", str(store), "--rows-per-shard"]
    assert main([*words, "150"]) == 0
    names = sorted(path.name for path in store.glob("ratings*"))
    assert names == [f"ratings-0000{n}.parquet" for n in range(3)]
    capsys.readouterr()
    outs = []
    for path in ("demo", str(store)):
        assert main(["judgements", "stats", path, "-f", "json"]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    (store / names[1]).unlink()
    assert main(["judgements", "stats", str(store)]) == 2
    assert f"{names[1]}: the table is missing" in capsys.readouterr().err
    assert main([*words[:-2], f"{store}.db", "--rows-per-shard", "150"]) == 2
    assert "is one SQLite file" in capsys.readouterr().err


@pytest.mark.parametrize("scaled", [[], ["--normalise", "rank"]])
def test_an_import_may_have_several_files_per_table(tmp_path, scaled, capsys):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    words = ["judgements", "import", "demo", *scaled, "-o"]
    assert main([*words, str(whole)]) == 0
    assert main([*words, str(parts), "--rows-per-shard", "150"]) == 0
    names = sorted(path.name for path in parts.glob("ratings*"))
    assert names == [f"ratings-{n:05}.parquet" for n in range(len(names))]
    assert len(names) > 2
    capsys.readouterr()
    outs = []
    for path in (whole, parts):
        assert main(["judgements", "export", str(path), "-q", "-o", "-"]) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    assert outs[0].count("\n") > 400
    assert main([*words, f"{parts}.db", "--rows-per-shard", "150"]) == 2
    assert "is one SQLite file" in capsys.readouterr().err


def test_shards_and_one_file_export_the_same_lines(judged, tmp_path):
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    assert main(["judgements", "export", "demo", "-o", str(one), "-q"]) == 0
    assert main(["judgements", "export", str(judged), "-o", str(other), "-q"]) == 0
    assert lines(one) == lines(other)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--compress", "gz"], "--compress is for shards"),
        (["--rows-per-shard", "5", "--format", "pairs"], "omit --format"),
    ],
)
def test_shards_of_judgements_are_jsonl(tmp_path, words, message, capsys):
    out = str(tmp_path / "out")
    assert main(["judgements", "export", "demo", "-o", out, *words]) == 2
    assert message in capsys.readouterr().err


def test_judgements_are_reused_and_trained_on_in_shards(
    judged, shards, tmp_path, capsys
):
    outs = []
    for judgements, testset in (("demo", "demo"), (str(judged), str(shards))):
        words = ["reuse", judgements, testset, "--leave-one-out", "-f", "json"]
        assert main(words) == 0
        outs.append(capsys.readouterr().out)
    assert outs[0] == outs[1]
    models = []
    for number, (judgements, testset) in enumerate(
        (("demo", "demo"), (str(judged), str(shards)))
    ):
        model = tmp_path / f"{number}.json"
        words = ["train", "-t", testset, "-J", judgements, "-o", str(model), "-q"]
        assert main([*words, "--names", "demo"]) == 0
        models.append(json.loads(model.read_text())["ranker"])
    assert models[0] == models[1]


def test_a_partitioned_test_set_is_not_judgements(shards, capsys):
    assert main(["judgements", "stats", str(shards)]) == 2
    assert "holds a test set, not judgements" in capsys.readouterr().err


def test_reuse_and_train_read_shards(tmp_path, shards, monkeypatch, capsys):
    """A chunk of 7 segments instead of 10,000 keeps the texts on disk."""
    from tertium.data.files import TestsetFiles

    stream = TestsetFiles.stream
    results = []
    for testset, size in (("demo", 60), (str(shards), 7)):
        monkeypatch.setattr(
            TestsetFiles, "stream", lambda self, size=size, **k: stream(self, size=size)
        )
        model = tmp_path / "model.json"
        words = ["reuse", "demo", testset, "--leave-one-out", "--segments"]
        assert main([*words, "-f", "json", "-q"]) == 0
        words = ["train", "-t", testset, "-J", "demo", "-o", str(model), "-q"]
        assert main([*words, "--names", "demo", "-f", "json"]) == 0
        results.append((capsys.readouterr().out, model.read_bytes()))
    assert results[0] == results[1]
