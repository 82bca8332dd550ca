# SPDX-License-Identifier: Apache-2.0
"""``tertium resegment``, and ``score`` with --resegment and --joined."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from tertium import score
from tertium.cli import main
from tertium.data import Testset
from tertium.engine.joined import score_joined

REFS = [
    "The ferry leaves at nine.",
    "Bring a warm coat!",
    "On the island there is no shop.",
    "We come back before dark.",
]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ref.txt").write_text("".join(f"{ref}\n" for ref in REFS))
    Path("out.txt").write_text(
        "The ferry leaves at\nnine. Bring the coat! On the\n"
        "island there is a shop. We come back before dark.\n"
    )
    Path("docs.txt").write_text("x\nx\ny\ny\n")


def test_an_output_without_text_is_an_error_and_a_poor_match_a_warning(capsys):
    Path("empty.txt").write_text("")
    Path("blank.txt").write_text(" \n\n")
    Path("other.txt").write_text("quite another text\n")
    for name in ("empty.txt", "blank.txt"):
        for verb in (["resegment", "-o", "x.txt"], ["score", "--resegment"]):
            assert main([*verb, "-r", "ref.txt", "-i", name]) == 2
            error = capsys.readouterr().err
            assert f"{name}: no text to cut; give the output of a system" in error
    assert not Path("x.txt").exists()
    assert main(["resegment", "-r", "ref.txt", "-i", "other.txt"]) == 0
    assert "other.txt: hardly any words match the reference" in capsys.readouterr().err
    assert main(LINE) == 0
    assert "hardly" not in capsys.readouterr().err


@pytest.mark.parametrize("verb", ["score", "compare", "report"])
def test_outputs_in_other_lines_are_told_how_to_be_cut(capsys, verb):
    line = [verb, "-r", "ref.txt", "-i", "A=ref.txt", "B=out.txt", "-f", "json"]
    assert main(line) == 2
    cure = "or cut the output into the lines of the reference: `tertium resegment`"
    has_flag = verb != "compare"
    end = f"{cure} (--resegment)\n" if has_flag else f"{cure}\n"
    assert capsys.readouterr().err.endswith(end)


def test_a_report_has_no_cautions_on_outputs_that_were_left_alone(capsys):
    line = ["report", "-r", "ref.txt", "-i", "A=ref.txt", "B=out.txt", "-m", "chrf"]
    assert main([*line, "--resegment", "-f", "json", "-q"]) == 0
    result = json.loads(capsys.readouterr().out)
    cautions = " ".join(result["cautions"])
    assert "B was segmented again" in cautions
    assert "left as" not in cautions
    assert [result["resegmented"][name]["documents"] for name in "AB"] == [1, 1]


LINE = ["resegment", "-r", "ref.txt", "-i", "out.txt"]
CUT = [
    "The ferry leaves at nine.",
    "Bring the coat!",
    "On the island there is a shop.",
    "We come back before dark.",
]


def test_the_output_gets_the_lines_of_the_reference(capsys) -> None:
    line = "resegment -r ref.txt -i out.txt -o out.matched.txt"
    assert main(line.split()) == 0
    assert Path("out.matched.txt").read_text().splitlines() == CUT
    assert capsys.readouterr().err == (
        "tertium: out.txt was segmented again by words: 3 lines, now 4 segments in "
        "1 document; 88 % of words match\n"
    )
    assert main([*LINE, "-q"]) == 0
    assert capsys.readouterr().out.splitlines() == CUT


def test_json_and_tables_say_how_sure_it_is(capsys) -> None:
    assert main([*LINE, "-f", "json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [one["text"] for one in result["segments"]] == CUT
    assert result["edits"] == 3
    assert result["uncertain"] == []
    assert result["segments"][1] == {
        "text": CUT[1],
        "document": None,
        "words": 3,
        "reference_words": 4,
        "matched": 2,
        "edits": 2,
        "places": [1, 1],
        "margins": [2, 2],
        "inside_sentence": [False, False],
        "certainty": 1.0,
    }
    assert main([*LINE, "-f", "tsv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split("\t")[-2:] == ["certainty", "text"]
    assert rows[0].split("\t") == ["1", "", "5", "5", "5", "0", "1", "1", "1.0", CUT[0]]
    assert main([*LINE, "--by", "similarity", "-f", "table"]) == 0
    assert "lines of the output" in capsys.readouterr().out
    assert main([*LINE, "-f", "table"]) == 0
    out = capsys.readouterr().out
    head, _rule, *rows = out.splitlines()[1:]
    start = head.index("text")
    assert [row[start : start + 9] for row in rows[:4]] == [text[:9] for text in CUT]


def test_linked_lines_are_merged_with_the_reference(capsys) -> None:
    Path("out.txt").write_text(f"{REFS[0]} {REFS[1]}\n{REFS[2]}\n{REFS[3]}\n")
    line = "resegment -r ref.txt -i out.txt --by similarity --merge ref.merged -o o.txt"
    assert main(line.split()) == 0
    assert Path("ref.merged").read_text() == Path("o.txt").read_text()
    assert Path("o.txt").read_text() == Path("out.txt").read_text()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("-i missing.txt", "missing.txt: no such file"),
        ("-i out.txt --merge m.txt", "add --by similarity"),
        ("-i out.txt --by similarity --merge m.txt -f json", "omit -f"),
        ("-i out.txt -o ref.txt", "ref.txt"),
        ("-i - --docs -", "standard input (-) is given more than once"),
        ("-i out.txt --docs out.txt", "give the document of every line"),
        ("-i out.txt --output-docs ref.txt", "output_docs has 4 items for 3 lines"),
    ],
)
def test_errors_name_the_cure(line, message, capsys) -> None:
    assert main(["resegment", "-r", "ref.txt", *line.split()]) == 2
    assert message in capsys.readouterr().err
    assert sorted(os.listdir()) == ["docs.txt", "out.txt", "ref.txt"]


def test_scores_of_outputs_in_other_lines(capsys) -> None:
    line = (
        "score -r ref.txt -i A=out.txt B=ref.txt -m wer --resegment -f json --segments"
    )
    assert main(line.split()) == 0
    output = capsys.readouterr()
    result = json.loads(output.out)
    table = score({"A": CUT, "B": REFS}, REFS, metrics=["wer"], segments=True)
    assert result["systems"] == json.loads(table.to_json())["systems"]
    assert result["resegmented"]["A"]["matched"] == pytest.approx(36 / 41)
    assert result["resegmented"]["B"]["unchanged"] is True
    assert "A was segmented again by words" in output.err
    assert "B has as many lines as the reference" in output.err


def signatures(content: dict) -> set[str]:
    return {info["signature"] for info in content["metrics"].values()}


def test_signatures_tell_how_texts_were_made(capsys) -> None:
    line = [
        "score",
        "-r",
        "ref.txt",
        "--docs",
        "docs.txt",
        "-m",
        "wer",
        "-f",
        "json",
        "-i",
    ]
    fields = []
    for words in (
        "A=ref.txt",
        "A=ref.txt --resegment",
        "A=out.txt --resegment",
        "A=out.txt --resegment similarity",
    ):
        assert main([*line, *words.split()]) == 0
        (signature,) = signatures(json.loads(capsys.readouterr().out))
        fields.append(signature.split("|")[1])
    plain = fields[0]
    assert fields == [plain, plain, "reseg:words", "reseg:similarity"]
    line = "score -r ref.txt --docs docs.txt -m wer --joined --resegment -i A=out.txt"
    assert main(line.split()) == 0
    out = capsys.readouterr().out
    assert "WER: nrefs:1|reseg:words|unit:document|" in out
    assert out.count("reseg:words") == 2
    testset = Testset.build(REFS, {"A": CUT}, docs=[*"xxyy"])
    table = score_joined(testset, metrics=["wer"])
    assert table.metrics["wer"].signature.startswith("nrefs:1|unit:document|")


def test_tables_for_programs_say_what_they_leave_out(capsys) -> None:
    line = "score -r ref.txt -i A=ref.txt --docs docs.txt -m wer --joined -f"
    assert main([*line.split(), "tsv"]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines()[0].split("\t")[:2] == ["document", "system"]
    assert output.err == (
        "tertium: tsv has one table, that of documents as one text each; -f json has "
        "all\n"
    )
    assert main([*line.split(), "csv", "--segments"]) == 0
    assert "csv has one table, that of segments" in capsys.readouterr().err


def test_a_key_that_score_cannot_name_has_a_cure(capsys) -> None:
    Path("A.jsonl").write_text('{"doc_id": "x", "mt": "a"}')
    assert main(["score", "-r", "ref.txt", "-i", "A.jsonl", "--resegment"]) == 2
    assert "`tertium resegment --text-key KEY`" in capsys.readouterr().err


def test_equal_lines_are_merged_only_if_asked_to_link(capsys) -> None:
    line = "resegment -r ref.txt -i ref.txt --by similarity --merge m.txt -o o.txt"
    assert main(line.split()) == 2
    assert "to link them, set --always" in capsys.readouterr().err
    assert main([*line.split(), "--always"]) == 0
    assert Path("m.txt").read_text() == Path("ref.txt").read_text()


def test_documents_in_json_lines_are_scored(capsys) -> None:
    rows = [{"doc_id": "x", "hypothesis": " ".join(CUT[:2])}]
    rows += [{"doc_id": "y", "hypothesis": "\n\n".join(CUT[2:])}]
    Path("A.jsonl").write_text("\n".join(map(json.dumps, rows)))
    line = "score -r ref.txt -i A.jsonl --docs docs.txt --resegment similarity -m wer"
    assert main([*line.split(), "--documents", "-f", "tsv"]) == 0
    output = capsys.readouterr()
    assert [row.split("\t")[0] for row in output.out.splitlines()[1:]] == ["x", "y"]
    assert "2 documents (by ids)" in output.err


def test_joined_documents_do_not_depend_on_segments(capsys) -> None:
    shifted = ["The ferry leaves", "at nine. Bring the coat!", *CUT[2:]]
    docs = ["x", "x", "y", "y"]
    tables = [
        score_joined(Testset.build(REFS, {"A": texts}, docs=docs), metrics=["bleu"])
        for texts in (CUT, shifted)
    ]
    assert tables[0] == tables[1]
    whole = (
        [" ".join(CUT[:2]), " ".join(CUT[2:])],
        [" ".join(REFS[:2]), " ".join(REFS[2:])],
    )
    direct = score(*whole, metrics=["bleu"], segments=True)["system"]["bleu"]
    joined = tables[0]["A"]["bleu"]
    assert joined.score == direct.score
    assert list(joined.documents.values()) == direct.segments
    Path("cut.txt").write_text("\n".join(CUT))
    line = "score -r ref.txt -i A=cut.txt --docs docs.txt --joined -m bleu"
    assert main([*line.split(), "-f", "json"]) == 0
    content = json.loads(capsys.readouterr().out)["joined"]["A"]["bleu"]
    assert content == {"score": joined.score, "documents": joined.documents}
    assert main(line.split()) == 0
    assert "2 documents as one text each" in capsys.readouterr().out
    assert main([*line.split(), "-f", "html", "-o", "page.html"]) == 0
    assert "Documents as one text each" in Path("page.html").read_text()


def test_several_runs_of_a_system_are_cut_and_joined(capsys) -> None:
    line = "score -r ref.txt -i A=out.txt,ref.txt --docs docs.txt -m wer -f json"
    assert main([*line.split(), "--resegment", "--joined"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert list(result["systems"]) == list(result["joined"]) == ["A"]
    assert len(result["resegmented"]) == 2
    first = score(CUT, REFS, metrics=["wer"])["system"]["wer"].score
    assert result["systems"]["A"]["wer"]["score"] == pytest.approx(first / 2)
    assert set(result["joined"]["A"]["wer"]["documents"]) == {"x", "y"}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("demo --resegment", "omit the test set"),
        ("-i out.txt --resegment", "--resegment needs references"),
        ("-r ref.txt -i out.txt --resegment --trees a.conllu", "omit --trees"),
        ("-r ref.txt -i ref.txt --joined", "there are no document ids"),
        ("demo --joined --alignments good=a.links -m pef", "have no layers"),
    ],
)
def test_options_that_do_not_go_together(line, message, capsys) -> None:
    assert main(["score", *line.split()]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.wmt
@pytest.mark.parametrize(
    "pair", [("25", "AMI", "Erlendur"), ("26", "Krosny", "ReMova")]
)
def test_outputs_of_wmt_keep_all_but_their_tags(pair, capsys, wmt_data) -> None:
    year, first, second = pair
    ref, hyp = (
        wmt_data / "formats" / f"wmt{year}.system.{name}.jsonl.gz"
        for name in (first, second)
    )
    line = ["resegment", "-r", str(ref), "-i", str(hyp), "--always", "-f", "json"]
    assert main(line) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["documents_by"] == "ids"
    with gzip.open(hyp, "rt", encoding="utf-8") as file:
        rows = [json.loads(row) for row in file]
    assert result["documents"] == len(rows)
    by_doc: dict[str, str] = {}
    for segment in result["segments"]:
        by_doc[segment["document"]] = by_doc.get(segment["document"], "") + "".join(
            segment["text"].split()
        )
    texts = {row["doc_id"]: row["hypothesis"] for row in rows}
    for tag in ("<p>", "</p>", "<P>", "</P>", "<br>"):
        texts = {doc: text.replace(tag, " ") for doc, text in texts.items()}
    assert by_doc == {doc: "".join(text.split()) for doc, text in texts.items()}
