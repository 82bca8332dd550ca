# SPDX-License-Identifier: Apache-2.0
"""``-t`` finds what sacreBLEU 2.6.0 itself keeps in its folder.

sacreBLEU fetches archives from ``file:`` addresses, checks and unpacks them, and writes
texts, by its own code; the texts here are made up.
"""

from __future__ import annotations

import hashlib
import tarfile
from pathlib import Path

import pytest

from tertium.data.downloads import find_downloaded
from tertium.errors import InputError

sacrebleu = pytest.importorskip("sacrebleu")
pytest.importorskip("lxml")

from sacrebleu.dataset import DATASETS, base  # noqa: E402
from sacrebleu.dataset.fake_sgml import FakeSGMLDataset  # noqa: E402
from sacrebleu.dataset.iwslt_xml import IWSLTXMLDataset  # noqa: E402
from sacrebleu.dataset.plain_text import PlainTextDataset  # noqa: E402
from sacrebleu.dataset.tsv import TSVDataset  # noqa: E402
from sacrebleu.dataset.wmt_xml import WMTXMLDataset  # noqa: E402

XML = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="news"><collection id="general">
<doc origlang="en" id="a" domain="news">
<src lang="en"><p><seg id="1">Good  morning.</seg><seg id="2">Good night.</seg></p></src>
<ref lang="de" translator="A"><p><seg id="1">Morgen.</seg><seg id="2">Nacht.</seg></p></ref>
<ref lang="de" translator="B"><p><seg id="1">Guten Morgen.</seg>
<seg id="2">Gute Nacht.</seg></p></ref>
<hyp system="S1" language="de"><p><seg id="1">Hallo.</seg><seg id="2">Schlaf.</seg></p></hyp>
</doc></collection></dataset>
"""  # noqa: E501
SGML = """<{kind}set setid="x" srclang="en" trglang="de">
<doc docid="a" genre="news" origlang="en">
<seg id="1">{kind} one</seg>
<seg id="2">{kind} two</seg>
</doc>
</{kind}set>
"""
IWSLT = (
    '<doc docid="1">\n<seg id="1"> {kind} one </seg>\n<seg id="2"> two </seg>\n</doc>'
)
#: A class of sacreBLEU, the files of its archive, a pair's entry, further settings.
CASES = {
    "plain": (
        PlainTextDataset,
        {"t/src.txt": "Good morning.\n", "t/ref.txt": "Guten Morgen.\n"},
        ["t/src.txt", "t/ref.txt"],
        {},
    ),
    "tsv": (
        TSVDataset,
        {"t/all.tsv": "1\tGood morning.\tGuten Morgen.\n"},
        ["1:t/all.tsv", "2:t/all.tsv"],
        {},
    ),
    "sgml": (
        FakeSGMLDataset,
        {"t/s.sgm": SGML.format(kind="src"), "t/r.sgm": SGML.format(kind="ref")},
        ["t/s.sgm", "t/r.sgm"],
        {},
    ),
    "sgml/tworefs": (
        FakeSGMLDataset,
        {
            "t/s.sgm": SGML.format(kind="src"),
            "t/r.sgm": SGML.format(kind="ref"),
            "t/q.sgm": SGML.format(kind="second"),
        },
        ["t/s.sgm", "t/r.sgm", "t/q.sgm"],
        {},
    ),
    "iwslt": (
        IWSLTXMLDataset,
        {"t/s.xml": IWSLT.format(kind="src"), "t/r.xml": IWSLT.format(kind="ref")},
        ["t/s.xml", "t/r.xml"],
        {},
    ),
    "xml": (WMTXMLDataset, {"t/x.xml": XML}, ["t/x.xml"], {"refs": ["B"]}),
    "xml/pair": (
        WMTXMLDataset,
        {"t/x.xml": XML},
        {"path": "t/x.xml", "refs": ["A"]},
        {"refs": ["B"]},
    ),
}


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "cache"))
    monkeypatch.setattr(base, "SACREBLEU_DIR", str(tmp_path / "cache"))
    return tmp_path


@pytest.fixture(params=list(CASES))
def dataset(request, folder, monkeypatch):
    """A test set whose archive sacreBLEU fetched and unpacked."""
    make, files, entry, settings = CASES[request.param]
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    archive = folder / "set.tar.gz"
    with tarfile.open(archive, "w:gz") as tar:
        tar.add(folder / "t", "t")
    made = make(
        request.param,
        data=[archive.as_uri()],
        md5=[hashlib.md5(archive.read_bytes()).hexdigest()],
        langpairs={"en-de": entry},
        **settings,
    )
    monkeypatch.setitem(DATASETS, request.param, made)
    made.process_to_text("en-de")
    return made


def test_files_are_those_that_sacrebleu_opens(dataset):
    files = find_downloaded(f"sacrebleu:{dataset.name}", "en-de")
    assert files.source == dataset.get_source_file("en-de")
    references = dataset.get_reference_files("en-de")
    assert set(files.references) == set(references)
    assert len(files.references) == len(references) > 0
    fields = dataset.fieldnames("en-de")
    docs = dict(zip(fields, dataset.get_files("en-de"), strict=True)).get("docid")
    assert files.docs == docs
    texts = [Path(path).read_text(encoding="utf-8") for path in files.references]
    assert all(text.strip() for text in texts)
    assert "archives have the MD5 that sacreBLEU lists" in str(files.notes[0])


def test_a_changed_archive_is_an_error(dataset):
    (url,) = dataset.data
    archive = Path(dataset._rawdir, dataset._get_tarball_filename(url))
    archive.write_bytes(archive.read_bytes() + b"more")
    with pytest.raises(InputError, match="has the MD5 checksum"):
        find_downloaded(f"sacrebleu:{dataset.name}", "en-de")


def pairs():
    """Yield the pairs of all test sets that sacreBLEU knows, with their fields."""
    for name, dataset in DATASETS.items():
        for langpair in dataset.langpairs:
            if isinstance(dataset, WMTXMLDataset):
                allowed = dataset._get_langpair_allowed_refs(langpair)
                fields, usual = ["src", "ref:other", *allowed, "docid"], allowed
            else:
                fields = dataset.fieldnames(langpair)
                usual = [field for field in fields if field.startswith("ref")]
            yield name, langpair, fields, usual


def test_names_and_references_of_all_test_sets(folder, monkeypatch):
    count = several = 0
    for name, langpair, fields, usual in pairs():
        dataset = DATASETS[name]
        outdir = folder / "cache" / name
        outdir.mkdir(parents=True, exist_ok=True)
        monkeypatch.setattr(dataset, "_outdir", str(outdir))
        for field in fields:
            Path(dataset._get_txt_file_path(langpair, field)).write_text("x\n")
        files = find_downloaded(f"sacrebleu:{name}", langpair)
        expected = [dataset._get_txt_file_path(langpair, field) for field in usual]
        assert list(files.references) == expected, (name, langpair)
        assert files.source == dataset._get_txt_file_path(langpair, "src")
        count += 1
        several += len(usual) > 1
    assert count >= 452
    assert several >= 5
