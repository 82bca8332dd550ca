# SPDX-License-Identifier: Apache-2.0
"""The hash of a test set: the same for the same references, whatever the file."""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tertium
from support.strategies import lines
from tertium.cli import main
from tertium.data.data_hash import DataHash, data_hash
from tertium.errors import InputError

REFS = ["Die Katze saß da .", "hello world", "caf\u00e9"]
HASH = hashlib.sha256(("\n".join(REFS) + "\n").encode()).hexdigest()[:8]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.txt").write_text("\n".join(REFS) + "\n", encoding="utf-8")
    (tmp_path / "out.txt").write_text("x\ny\nz\n")


def test_the_hash_is_that_of_the_reference_file():
    assert data_hash(REFS) == HASH
    done = subprocess.run(["sha256sum", "ref.txt"], capture_output=True, text=True)
    assert done.stdout.startswith(HASH)


def test_several_references_are_pasted_side_by_side(tmp_path):
    (tmp_path / "two.txt").write_text("a\nb\nc\n")
    pasted = subprocess.run(["paste", "ref.txt", "two.txt"], capture_output=True)
    expected = hashlib.sha256(pasted.stdout).hexdigest()[:8]
    assert data_hash(list(zip(REFS, "abc", strict=True))) == expected


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + "\r\n".join(REFS) + "\r\n",
        "\n".join(REFS).replace("\u00e9", "e\u0301"),
        "\n".join(f" {ref}\t" for ref in REFS) + "\n",
    ],
    ids=["dos", "decomposed", "padded"],
)
def test_plain_files_that_mean_the_same_have_the_same_hash(text):
    with open("ref.txt", "w", encoding="utf-8", newline="") as file:
        file.write(text)
    assert signature_hash("-r", "ref.txt", "-i", "out.txt") == HASH


def signature_hash(*words):
    assert (
        main(
            [
                "score",
                *words,
                "-m",
                "bleu",
                "-f",
                "json",
                "-o",
                "s.json",
                "-q",
                "--data-hash",
            ]
        )
        == 0
    )
    with open("s.json", encoding="utf-8") as file:
        signature = json.load(file)["metrics"]["bleu"]["signature"]
    return dict(part.split(":", 1) for part in signature.split("|"))["data"]


def test_formats_and_compression_do_not_matter():
    with gzip.open("ref.txt.gz", "wb") as file, open("ref.txt", "rb") as plain:
        file.write(plain.read())
    assert signature_hash("-r", "ref.txt.gz", "-i", "out.txt") == HASH
    for kind in ("tsv", "csv", "jsonl", "xml", "parquet"):
        main(["convert", "-r", "ref.txt", "-i", "A=out.txt", "-o", f"a.{kind}", "-q"])
        assert signature_hash(f"a.{kind}") == HASH, kind


@given(
    refs=st.lists(st.lists(lines, min_size=1, max_size=3), max_size=6),
    cut=st.integers(0, 6),
)
def test_chunks_give_the_same_hash_as_the_whole(refs, cut):
    assume(any(text.strip() for several in refs for text in several))
    parts = DataHash()
    parts.add(refs[:cut])
    parts.add(refs[cut:])
    assert parts.value() == data_hash(refs)


def test_order_number_and_text_matter():
    other = [REFS[::-1], REFS[:-1], [*REFS, ""], [[ref, ref] for ref in REFS]]
    hashes = {data_hash(refs) for refs in (REFS, *other)}
    assert len(hashes) == 5


def test_outputs_do_not_matter_and_python_has_it_too():
    for outputs in (["a", "b", "c"], REFS):
        table = tertium.score(outputs, REFS, data_hash=True)
        assert f"|data:{HASH}|" in table.metrics["bleu"].signature
        plain = tertium.score(outputs, REFS)
        assert "data:" not in plain.metrics["bleu"].signature
    result = tertium.compare(
        {"A": REFS, "B": ["x", "y", "z"]}, REFS, data_hash=True, resamples=10
    )
    assert f"|data:{HASH}|" in result.scores.metrics["bleu"].signature


def correlated(*words):
    command = ["correlate", *words, "--coef", "pearson", "--resamples", "0", "-q"]
    assert main([*command, "-f", "json", "-o", "c.json"]) == 0
    with open("c.json", encoding="utf-8") as file:
        return json.load(file)


def test_correlate_names_the_test_set_as_score_does(capsys):
    expected = {"en-de": signature_hash("demo")}
    assert correlated("demo", "-m", "bleu", "--data-hash")["data"] == expected
    assert "data" not in correlated("demo", "-m", "bleu")
    main(["correlate", "demo", "-m", "bleu", "--resamples", "0", "--data-hash"])
    assert f"test set: data:{expected['en-de']}\n" in capsys.readouterr().out


def test_correlate_names_every_test_set():
    judged = [
        f'{{"kind": "rating", "langpair": "{pair}", "segment": "{segment}", '
        f'"judge": "j", "system": "{system}", "scale": "DA", "score": {score}}}'
        for pair in ("de-en", "cs-en")
        for segment in "123"
        for score, system in enumerate("ABC", int(segment))
    ]
    header = '{"tertium": "judgements", "version": 1}'
    with open("judged.jsonl", "w", encoding="utf-8") as file:
        file.write("\n".join([header, *judged]) + "\n")
    texts = {name: ["x", "y", "z"] for name in "ABC"}
    testsets = [
        tertium.Testset.build(refs, texts, ids=list("123"), langpair=pair)
        for pair, refs in (("de-en", REFS), ("cs-en", REFS[::-1]))
    ]
    result = tertium.correlate(
        testsets,
        "judged.jsonl",
        metrics=["chrf"],
        gold=["ratings", "DA"],
        coef=["pearson"],
        resamples=0,
        data_hash=True,
    )
    assert result.data == {"de-en": HASH, "cs-en": data_hash(REFS[::-1])}
    assert result.data_names.startswith(f"de-en data:{HASH}, cs-en data:")


def test_scores_from_files_have_no_references_to_hash(capsys):
    main(["score", "demo", "-m", "chrf", "-f", "json", "-o", "chrf.json", "-q"])
    words = ["--scores", "chrf.json", "-J", "demo", "--data-hash"]
    assert main(["correlate", *words, "--gold", "rankings", "-q"]) == 2
    assert "or omit the data hash (--data-hash)" in capsys.readouterr().err


def test_permutations_have_no_references_to_hash(capsys):
    with open("a.perm", "w") as file:
        file.write("1 2\n")
    assert main(["score", "--permutations", "a.perm", "--data-hash"]) == 2
    assert "omit --data-hash" in capsys.readouterr().err


def test_reports_name_the_test_set(capsys):
    words = ["report", "demo", "-m", "bleu", "--resamples", "50", "-f", "json", "-q"]
    assert main([*words, "--data-hash"]) == 0
    report = json.loads(capsys.readouterr().out)
    expected = data_hash(tertium.read("demo").references)
    assert f"|data:{expected}|" in report["metrics"]["bleu"]["signature"]


def test_no_references_have_no_hash():
    for none in ([], ["", ""], [[], []]):
        with pytest.raises(InputError, match="no references to hash; omit"):
            data_hash(none)
