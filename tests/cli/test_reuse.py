# SPDX-License-Identifier: Apache-2.0
"""``tertium reuse`` as a user meets it."""

from __future__ import annotations

import csv
import io
import json

import pytest

from tertium.cli import main

REFERENCES = ["the cat sat", "a dog barked", "it rains"]
OUTPUTS = {
    "A": ["the cat sat", "a dog barked", "it is raining"],
    "B": ["the cat sits", "the dog barked", "rain falls"],
}
RATINGS = {"A": [90, 80, 70], "B": [60, 50, 40]}
#: A hit, two edits from B, and far from both.
NEW = ["the cat sat", "the dog barks", "nothing alike here"]


#: The first line of a file of judgements.
FIRST = '{"tertium": "judgements", "version": 1}'


def rating(system: str, score: float, segment: str, langpair: str = "en-en") -> str:
    """Return a line of a file of judgements."""
    values = {"kind": "rating", "system": system, "score": score, "scale": "DA"}
    return json.dumps({**values, "segment": segment, "langpair": langpair})


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Run in an empty folder, so that `demo` is the bundled set."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def judged(write_lines):
    """Write a small judged test set, and return the arguments that name it."""
    rows = [
        FIRST,
        *(
            rating(system, score, str(number))
            for system, scores in RATINGS.items()
            for number, score in enumerate(scores, start=1)
        ),
    ]
    store = write_lines("ratings.jsonl", rows)
    texts = [
        {"ref": ref, "id": str(i + 1), **{name: OUTPUTS[name][i] for name in OUTPUTS}}
        for i, ref in enumerate(REFERENCES)
    ]
    lines = ["\t".join(texts[0]), *("\t".join(row.values()) for row in texts)]
    testset = write_lines("set.tsv", lines)
    write_lines("new.txt", NEW)
    return [str(store), str(testset)]


def run(capsys, *arguments: str) -> tuple[str, str]:
    code = main(["reuse", *arguments])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return captured.out, captured.err


def fail(capsys, *arguments: str) -> str:
    assert main(["reuse", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def rows_of(out: str) -> dict[str, list[str]]:
    return {
        line.split()[0]: line.split()[1:] for line in out.splitlines() if line.strip()
    }


def test_a_new_system_stands_among_the_judged_ones(judged, capsys):
    out, _ = run(capsys, *judged, "-i", "NEW=new.txt")
    rows = rows_of(out)
    assert rows["A"] == ["80.00"]
    assert rows["B"] == ["50.00"]
    assert list(rows).index("A") < list(rows).index("NEW") < list(rows).index("B")
    assert rows["all"][:2] == ["33.3", "%"]


def test_tables_always_show_the_hit_rate_and_a_caution(judged, capsys):
    for method in ("exact", "closest"):
        out, _ = run(capsys, *judged, "-i", "NEW=new.txt", "--by", method, "-q")
        assert "hit rate" in out
        assert "\nCaution: " in out


def test_values_for_programs_come_with_a_caution_on_stderr(judged, capsys):
    out, err = run(capsys, *judged, "-i", "NEW=new.txt", "-f", "tsv")
    rows = {
        row["system"]: row
        for row in csv.DictReader(io.StringIO(out), dialect="excel-tab")
    }
    assert float(rows["NEW"]["hit_rate"]) == pytest.approx(1 / 3)
    assert rows["NEW"]["judged"] == rows["A"]["predicted"] == ""
    assert "equal a judged one" in err


def test_leaving_one_out_gives_one_entry_per_system(capsys, run_json):
    result = run_json("reuse", "demo", "demo", "--leave-one-out", "--by", "closest")
    systems = {each["system"]: each for each in result["systems"]}
    assert sorted(systems) == ["copy", "good", "order", "words"]
    for each in systems.values():
        assert each["true"] == result["judged"][each["system"]]
        assert 0 <= each["predicted"] <= 1
        assert 0 <= each["hit_rate"] <= 1
        assert "segments" not in each
    # Both translate everything in the same way.
    assert systems["copy"]["hit_rate"] == 1
    assert systems["copy"]["predicted"] == systems["copy"]["true"]
    assert result["accuracy"]["systems"] == 4
    assert result["notes"]


def test_a_model_gives_intervals_and_what_to_annotate_next(write_lines, run_json):
    words = ["a", "few", "plain", "words", "for", "every", "segment", "of", "this"]
    names = "ABCDE"
    texts, ratings = ["\t".join(["ref", "id", *names])], [FIRST]
    for i in range(12):
        ref = [*words[i % 5 :], str(i)]
        outputs = [" ".join([*ref[:-2], *["x"] * (j + i % 2)]) for j in range(5)]
        texts.append("\t".join([" ".join(ref), str(i), *outputs]))
        ratings += [
            rating(name, 90 - 10 * j - 3 * (i % 3), str(i))
            for j, name in enumerate(names)
        ]
    files = [str(write_lines("r.jsonl", ratings)), str(write_lines("s.tsv", texts))]
    write_lines("new.txt", [" ".join([*words[i % 5 :], "y"]) for i in range(12)])
    arguments = ["--by", "model", "--intervals", "--next", "3"]
    result = run_json("reuse", *files, "-i", "NEW=new.txt", *arguments)
    (system,) = result["systems"]
    low, high = system["interval"]
    assert low < system["predicted"] < high
    assert len(result["next"]) == 3
    last = result["next"][-1]["interval"]
    assert low <= last[0] < last[1] <= high


def test_too_few_systems_for_intervals_are_remarked(judged, capsys):
    _, err = run(capsys, *judged, "-i", "NEW=new.txt", "--by", "model", "--intervals")
    assert "no interval for NEW: too few systems were judged" in err


def test_segments_add_every_output_with_its_nearest_judged_ones(judged, run_json):
    result = run_json("reuse", *judged, "-i", "NEW=new.txt", "--segments")
    hit, near, _ = result["systems"][0]["segments"]
    assert hit["hit"]
    assert hit["predicted"] == 90
    assert near["distance"] == 2
    assert near["nearest"][0]["systems"] == ["B"]
    assert near["nearest"][0]["value"] == 50


def test_tables_of_outputs_have_one_row_per_output(judged, capsys):
    out, _ = run(capsys, *judged, "-i", "NEW=new.txt", "--segments", "-f", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["hit"] for row in rows] == ["yes", "no", "no"]
    assert [row["output"] for row in rows] == NEW


def test_the_matrix_shows_all_systems_on_the_outputs_used(judged, capsys):
    out, _ = run(capsys, *judged, "-i", "NEW=new.txt", "--by", "exact", "--matrix")
    table = out.partition("scores on the outputs used")[2]
    # Of the only hit.
    assert rows_of(table)["NEW"] == ["90.00", "60.00"]
    assert rows_of(table)["all"] == ["80.00", "50.00"]


def test_outputs_are_counted_by_distance(capsys):
    out, _ = run(capsys, "demo", "demo", "--leave-one-out")
    table = out.partition("outputs by distance")[2]
    labels = [line.split()[0] for line in table.splitlines()[3:] if line]
    assert labels[:4] == ["0", "1", "2-3", "4-7"]


def test_the_page_is_written_to_a_file(judged, capsys, tmp_path):
    out, err = run(capsys, *judged, "-i", "NEW=new.txt", "-f", "html", "-o", "new.html")
    assert out == err == ""
    page = (tmp_path / "new.html").read_text(encoding="utf-8")
    assert "<h1>NEW would be 2nd of 3 (" in page


def test_nothing_to_score_names_both_ways(judged, capsys):
    err = fail(capsys, *judged)
    assert "-i NEW=new.txt" in err
    assert "--leave-one-out" in err


def test_new_outputs_and_leaving_out_do_not_go_together(judged, capsys):
    assert "omit it, or -i" in fail(capsys, *judged, "-i", "new.txt", "--leave-one-out")


def test_inputs_are_not_overwritten(judged, capsys):
    err = fail(capsys, *judged, "-i", "NEW=new.txt", "-o", "new.txt")
    assert "new.txt is one of the inputs" in err


def test_too_few_lines_are_reported_with_file_and_line(judged, capsys, write_lines):
    write_lines("short.txt", NEW[:2])
    err = fail(capsys, *judged, "-i", "NEW=short.txt")
    assert "set.tsv has 3 segments, short.txt has 2" in err
    assert "first extra line 3: " in err


def test_too_many_lines_are_reported_with_file_and_line(judged, capsys, write_lines):
    write_lines("long.txt", [*NEW, "one more"])
    err = fail(capsys, *judged, "-i", "NEW=long.txt")
    assert "long.txt has 4 (first extra line 4: 'one more')" in err


def test_what_to_annotate_next_needs_the_model(judged, capsys):
    err = fail(capsys, *judged, "-i", "NEW=new.txt", "--next", "3")
    assert "--by 'model'" in err


def test_judgements_of_another_test_set_are_rejected(judged, capsys):
    err = fail(capsys, judged[0], "demo", "--leave-one-out")
    assert "no judged segment is in the test set" in err


def test_a_file_with_one_column_is_not_a_test_set(judged, capsys):
    err = fail(capsys, judged[0], "new.txt", "-i", "new.txt")
    assert "new.txt holds one column" in err
    assert "tertium convert" in err


def test_several_language_pairs_need_a_choice(judged, capsys, write_lines):
    lines = [FIRST, rating("A", 1, "1", "xx-yy")]
    other = str(write_lines("other.jsonl", lines))
    err = fail(capsys, judged[0], other, judged[1], "-i", "NEW=new.txt")
    assert "en-en, xx-yy" in err
    assert "--langpair" in err
    run(capsys, judged[0], other, judged[1], "-i", "NEW=new.txt", "-l", "en-en")


@pytest.mark.wmt
def test_references_that_were_judged_are_systems(wmt_data, run_json):
    folder = wmt_data / "wmt23-mtme"
    scores = folder / "human-scores" / "en-de.mqm.seg.score.gz"
    result = run_json(
        "reuse", str(scores), str(folder), "-l", "en-de", "--leave-one-out"
    )
    assert len(result["systems"]) == 13
    # The prototype of the closest judged output.
    assert result["accuracy"]["pearson"] == pytest.approx(0.836, abs=5e-4)
    assert result["accuracy"]["mean_absolute_error"] == pytest.approx(1.49, abs=5e-3)
    assert result["accuracy"]["bias"] == pytest.approx(0.49, abs=5e-3)
