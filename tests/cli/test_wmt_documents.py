# SPDX-License-Identifier: Apache-2.0
"""Documents of WMT25 and WMT26 in ``score``, ``compare``, ``report``, ``resegment``."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main

TESTSET = [
    {
        "doc_id": "ferry",
        "domain": "news",
        "src_lang": "eng_Latn",
        "tgt_lang": "isl_Latn",
        "src_text": "The ferry leaves at nine.\n\nDo not be late!",
        "refs": {"refA": {"ref": "Ferjan fer klukkan níu.\n\nKomdu ekki of seint!"}},
        "video": None,
    },
    {
        "doc_id": "shop",
        "domain": "social",
        "src_lang": "eng_Latn",
        "tgt_lang": "isl_Latn",
        "src_text": "The shop is closed.",
        "refs": {},
        "video": None,
    },
]
OUTPUTS = {
    "A": {
        "shop": "<p>Lokað.</p>",
        "ferry": "<p>Ferjan fer<br>klukkan tíu.</p>\n<p>Ekki koma seint!</p>",
    },
    "B": {"ferry": "Ferjan fer klukkan níu.\n\nKomdu seint!", "shop": "Búðin."},
    "C": {"ferry": "Ferjan fer klukkan níu. Komdu seint!", "shop": "Búðin."},
}
PLAIN = {
    "A": ["Ferjan fer klukkan tíu.", "Ekki koma seint!"],
    "B": ["Ferjan fer klukkan níu.", "Komdu seint!"],
}
REFS = ["Ferjan fer klukkan níu.", "Komdu ekki of seint!"]
LEFT_OUT = "tertium: wmt26.jsonl has no reference of 1 document; it is left out\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("wmt26.jsonl", TESTSET)
    for name, texts in OUTPUTS.items():
        rows = [{"doc_id": doc, "hypothesis": text} for doc, text in texts.items()]
        write(f"{name}.jsonl", rows)


def write(name: str, rows: list[dict]) -> None:
    text = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
    Path(name).write_text(text, encoding="utf-8")


def test_paragraphs_are_scored_as_plain_lines_are(capsys) -> None:
    line = "score -r wmt26.jsonl -i A.jsonl B.jsonl -s wmt26.jsonl -m chrf bleu -f json"
    assert main(line.split()) == 0
    shown = capsys.readouterr()
    assert shown.err == LEFT_OUT
    systems = json.loads(shown.out)["systems"]
    wanted = tertium.score(
        tertium.Testset.build(references=REFS, systems=PLAIN), metrics=["chrf", "bleu"]
    )
    for name, scores in systems.items():
        for spec, result in scores.items():
            assert result["score"] == wanted.systems[name][spec].score


def test_other_paragraphs_are_cut_by_resegment(capsys) -> None:
    line = "score -r wmt26.jsonl -i C.jsonl -m chrf"
    assert main(line.split()) == 2
    message = capsys.readouterr().err
    assert (
        "document 'ferry' has 2 paragraphs in wmt26.jsonl and 1 in C.jsonl" in message
    )
    assert "`tertium score --resegment`" in message
    assert main([*line.split(), "--resegment", "-f", "json"]) == 0
    scores = json.loads(capsys.readouterr().out)["systems"]["C"]
    line = "score -r wmt26.jsonl -i B.jsonl -m chrf -f json"
    assert main(line.split()) == 0
    assert scores == json.loads(capsys.readouterr().out)["systems"]["B"]
    assert main(["resegment", "-r", "wmt26.jsonl", "-i", "C.jsonl", "-q"]) == 0
    assert capsys.readouterr().out.splitlines() == PLAIN["B"]


def test_compare_and_report_read_documents(capsys) -> None:
    texts = ["-r", "wmt26.jsonl", "-i", "A.jsonl", "B.jsonl", "-m", "chrf", "-q"]
    assert main(["compare", *texts, "-f", "json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["systems"]) == {"A", "B"}
    page = ["report", *texts, "-s", "wmt26.jsonl", "--resamples", "100"]
    assert main([*page, "-o", "page.html"]) == 0
    text = Path("page.html").read_text(encoding="utf-8")
    assert "Komdu ekki of seint!" in text
    assert "&lt;br&gt;" not in text


def test_a_language_pair_is_chosen(capsys) -> None:
    other = {**TESTSET[0], "doc_id": "x", "tgt_lang": "bel_Cyrl"}
    write("wmt26.jsonl", [*TESTSET, other])
    line = "score -r wmt26.jsonl -i A.jsonl -m chrf"
    assert main(line.split()) == 2
    shown = capsys.readouterr().err
    assert "eng_Latn-bel_Cyrl, eng_Latn-isl_Latn" in shown
    assert main([*line.split(), "-l", "eng-isl"]) == 0


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("year", "ref", "hyp"),
    [("25", "AMI", "Erlendur"), ("26", "Krosny", "ReMova"), ("26", "AMI", "AMI")],
)
def test_published_outputs_are_scored(year, ref, hyp, capsys, wmt_data) -> None:
    paths = [
        str(wmt_data / "formats" / f"wmt{year}.system.{name}.jsonl.gz")
        for name in (ref, hyp)
    ]
    line = ["score", "-r", paths[0], "-i", f"X={paths[1]}", "-m", "chrf", "-q"]
    code = main([*line, "-f", "json"])
    shown = capsys.readouterr()
    sizes = [paragraph_counts(path) for path in paths]
    if sizes[0] == sizes[1]:
        assert code == 0
        result = json.loads(shown.out)["systems"]["X"]["chrf"]["score"]
        assert (result == 100) == (ref == hyp)
    else:
        assert code == 2
        differing = next(doc for doc in sizes[0] if sizes[0][doc] != sizes[1][doc])
        assert repr(differing) in shown.err
    assert main([*line, "--resegment", "-f", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["systems"]["X"]["chrf"]["score"] > 30


def paragraph_counts(path: str) -> dict[str, int]:
    """Return the paragraphs of every document, read in another way than the reader."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    counts = {}
    for row in rows:
        text = re.sub("</?p>", "\n\n", row["hypothesis"], flags=re.IGNORECASE)
        blocks = [block for block in re.split(r"\n\s*\n", text) if block.strip()]
        counts[row["doc_id"]] = len(blocks)
    return counts
