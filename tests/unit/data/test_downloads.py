# SPDX-License-Identifier: Apache-2.0
"""Test sets in the folders of sacreBLEU and mt-metrics-eval."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

import pytest

from tertium.cli import main
from tertium.data import downloads
from tertium.data.downloads import find_downloaded
from tertium.errors import FormatError, InputError


def write(path: Path, *lines: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    """A home folder with both caches, and no definitions of sacreBLEU."""
    monkeypatch.delenv("SACREBLEU", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setattr(downloads, "_definition", lambda name: None)
    news = tmp_path / ".sacrebleu" / "news1"
    write(news / "news1.en-de.src", "Good morning.", "Good night.")
    write(news / "news1.en-de.ref", "Guten Morgen.", "Gute Nacht.")
    write(news / "news1.en-de.docid", "x", "y")
    root = tmp_path / ".mt-metrics-eval" / "mt-metrics-eval-v2" / "news1"
    write(root / "sources" / "en-de.txt", "Good morning.", "Good night.")
    for name in ("refA", "refB"):
        write(root / "references" / f"en-de.{name}.txt", f"{name} eins", f"{name} zwei")
    for name in ("refA", "S1", "S2"):
        write(root / "system-outputs" / "en-de" / f"{name}.txt", "refA eins", name)
    return tmp_path


def md5(*paths: Path) -> str:
    return hashlib.md5(b"".join(path.read_bytes() for path in paths)).hexdigest()


def test_sacrebleu_comes_first_where_systems_are_given(home) -> None:
    files = find_downloaded("news1", "en-de")
    folder = home / ".sacrebleu" / "news1"
    assert files.origin == "sacreBLEU"
    assert files.source == str(folder / "news1.en-de.src")
    assert files.references == (str(folder / "news1.en-de.ref"),)
    assert files.docs == str(folder / "news1.en-de.docid")
    checksum = md5(folder / "news1.en-de.src", folder / "news1.en-de.ref")
    (note,) = files.notes
    assert str(note).endswith(f"MD5 of source and references: {checksum}")


def test_mt_metrics_eval_comes_first_where_they_are_not(home) -> None:
    files = find_downloaded("news1", "en-de", with_systems=True)
    assert files.origin == "mt-metrics-eval"
    assert files.references[0].endswith("en-de.refA.txt")
    chosen = find_downloaded("mtme:news1", "en-de", reference="refB")
    assert chosen.references[0].endswith("en-de.refB.txt")
    with pytest.raises(InputError, match="there are refA, refB"):
        find_downloaded("mtme:news1", "en-de", reference="refC")


def test_the_environment_moves_the_folder(home, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "elsewhere"))
    subset = tmp_path / "elsewhere" / "news2" / "full"
    write(subset / "news2_full.en-de.src", "One.")
    write(subset / "news2_full.en-de.ref-B", "Zwei.")
    write(subset / "news2_full.en-de.ref-A", "Eins.")
    files = find_downloaded("news2/full", "en-de")
    assert files.references == (str(subset / "news2_full.en-de.ref-A"),)
    assert [note.code for note in files.notes] == [
        "downloaded-testset",
        "several-references",
    ]
    other = find_downloaded("news2/full", "en-de", reference="B")
    assert other.references == (str(subset / "news2_full.en-de.ref-B"),)


def test_folders_of_old_versions_are_read(home) -> None:
    folder = home / ".sacrebleu" / "news0"
    source = write(folder / "en-de.en", "One.")
    target = write(folder / "en-de.de", "Eins.")
    files = find_downloaded("news0", "en-de")
    assert (files.source, files.references) == (str(source), (str(target),))
    target.unlink()
    several = [write(folder / f"en-de.de.{k}", f"Nummer {k}.") for k in range(2)]
    files = find_downloaded("news0", "en-de")
    assert files.references == tuple(map(str, several))


def test_numbered_references_are_used_together(home) -> None:
    folder = home / ".sacrebleu" / "two"
    write(folder / "two.en-de.src", "One.")
    refs = [write(folder / f"two.en-de.ref-{k}", f"Nummer {k}.") for k in range(11)]
    files = find_downloaded("two", "en-de")
    assert files.references == tuple(map(str, refs))
    assert [note.code for note in files.notes] == ["downloaded-testset"]
    (one,) = find_downloaded("two", "en-de", reference="1").references
    assert one == str(refs[1])


def test_the_standard_reference_of_mt_metrics_eval_comes_first(home) -> None:
    from tertium.data.formats.mtme import read_mtme_texts

    root = home / ".mt-metrics-eval" / "mt-metrics-eval-v2" / "wmt21.news"
    for pair in ("en-de", "en-cs"):
        write(root / "sources" / f"{pair}.txt", "One.")
        for name in ("refA", "refB", "refC"):
            write(root / "references" / f"{pair}.{name}.txt", name)
        write(root / "system-outputs" / pair / "S1.txt", "refC")
    files = find_downloaded("mtme:wmt21.news", "en-de")
    assert files.references[0].endswith("en-de.refC.txt")
    texts = read_mtme_texts(root, "en-de")
    assert texts.references == ("refC", "refA", "refB")
    assert texts.against().references == [("refC",)]
    assert texts.against("refA").references == [("refA",)]
    assert read_mtme_texts(root, "en-cs").references == ("refA", "refB", "refC")


def test_json_lines_of_mt_metrics_eval_are_rejected(home) -> None:
    root = home / ".mt-metrics-eval" / "mt-metrics-eval-v2" / "news1"
    write(root / "sources" / "en-is.jsonl", '{"source": "One."}')
    with pytest.raises(FormatError, match=r"en-is\.jsonl: JSON lines are not read"):
        find_downloaded("mtme:news1", "en-is")


def test_archives_are_compared_with_the_list_of_sacrebleu(home, monkeypatch) -> None:
    folder = home / ".sacrebleu" / "news1"
    archive = write(folder / "raw" / "news1.test.tgz", "not really an archive")
    write(folder / "news1.en-de.ref-B", "Guten Tag.", "Schlaf gut.")
    dataset = SimpleNamespace(
        data=["https://example.org/test.tgz"],
        md5=[md5(archive)],
        langpairs={"en-de": {"path": "x.xml", "refs": ["B"]}},
        kwargs={"refs": ["A"]},
    )
    monkeypatch.setattr(downloads, "_definition", lambda name: dataset)
    files = find_downloaded("news1", "en-de")
    note = str(files.notes[0])
    assert "archives have the MD5 that sacreBLEU lists, texts were not compared" in note
    # A text that someone changed shows, though the archive is the right one.
    assert note.endswith(md5(folder / "news1.en-de.src", folder / "news1.en-de.ref-B"))
    assert files.references == (str(folder / "news1.en-de.ref-B"),)
    archive.write_text("damaged")
    with pytest.raises(InputError, match=r"news1\.test\.tgz has the MD5 checksum"):
        find_downloaded("news1", "en-de")


def test_definitions_are_those_of_the_installed_sacrebleu() -> None:
    pytest.importorskip("sacrebleu")
    assert downloads._definition("wmt20").md5 == ["3b1f777cfd2fb15ccf66e9bfdb2b1699"]
    assert downloads._definition("no-such-set") is None


@pytest.mark.parametrize(
    ("name", "langpair", "reason"),
    [
        ("news9", "en-de", "sacrebleu -t news9 -l en-de --echo src"),
        ("mtme:news9", "en-de", "fetch it: python -m mt_metrics_eval.mtme --download"),
        ("sacrebleu:news1", "en-fr", "is not in"),
        ("mtme:news1", "en-fr", "no language pair en-fr; there are en-de"),
        ("elsewhere:news1", "en-de", "use sacrebleu: or mtme:"),
        ("news1", None, "needs a language pair"),
        ("../news1", "en-de", "is not the name of a test set"),
    ],
)
def test_what_is_missing_names_the_cure(home, name, langpair, reason) -> None:
    with pytest.raises(InputError, match=reason):
        find_downloaded(name, langpair)


def test_a_source_without_reference_is_rejected(home) -> None:
    write(home / ".sacrebleu" / "half" / "half.en-de.src", "One.")
    with pytest.raises(InputError, match="but no reference; fetch it again"):
        find_downloaded("half", "en-de")


@pytest.mark.parametrize("separator", ["\t", " ", "  "])
def test_outputs_have_the_documents_of_mt_metrics_eval(home, capsys, separator) -> None:
    root = home / ".mt-metrics-eval" / "mt-metrics-eval-v2" / "news1"
    rows = [f"news{separator}bbc.1", f"talks{separator}ted.1"]
    write(root / "documents" / "en-de.docs", *rows)
    out = write(home / "out.txt", "refA eins", "nichts")
    line = ["score", "-t", "mtme:news1", "-l", "en-de", "-m", "wer", "-f", "tsv"]
    for options in ([], ["--resegment"]):
        assert main([*line, "-i", f"A={out}", "--documents", *options]) == 0
        shown = capsys.readouterr()
        assert shown.out.splitlines() == [
            "document\tsystem\twer",
            "bbc.1\tA\t0.0",
            "ted.1\tA\t1.0",
        ]
        assert "metrics use the reference refA; others are refB" in shown.err
    assert main([*line, "--documents"]) == 0
    shown = capsys.readouterr()
    assert "bbc.1\tS1" in shown.out
    assert shown.err.count("metrics use the reference") == 1


def test_scores_against_downloaded_references(home, capsys) -> None:
    out = write(home / "out.txt", "Guten Morgen.", "Gute Nacht.")
    line = ["score", "-t", "news1", "-l", "en-de", "-m", "wer", "-f", "tsv"]
    assert main([*line, "-i", f"A={out}", "--documents"]) == 0
    output = capsys.readouterr()
    assert output.out.splitlines() == [
        "document\tsystem\twer",
        "x\tA\t0.0",
        "y\tA\t0.0",
    ]
    assert "news1 en-de is from sacreBLEU" in output.err
    # Without -i: the systems of mt-metrics-eval.
    assert main([*line, "--reference", "refB"]) == 0
    assert [row.split("\t")[0] for row in capsys.readouterr().out.splitlines()] == [
        "system",
        "S1",
        "S2",
    ]
    assert (
        main(["compare", "-t", "news1", "-l", "en-de", "-m", "wer", "-f", "csv"]) == 0
    )
    capsys.readouterr()
    assert main([*line[:1], "-t", "sacrebleu:news1", *line[3:]]) == 2
    assert "give systems with -i" in capsys.readouterr().err
    assert main([*line, "-i", str(out), "-r", str(out)]) == 2
    assert "omit -r" in capsys.readouterr().err
