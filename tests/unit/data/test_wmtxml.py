# SPDX-License-Identifier: Apache-2.0
"""WMT XML of 2021 and later."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.data import Testset, read, write
from tertium.errors import FormatError, InputError

SAMPLE = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="toy2021">
  <collection id="nature">
    <doc id="birds" origlang="de">
      <src lang="de"><p>
        <seg id="1">Die Amsel &amp; der Star</seg>
        <seg id="2"> Sie singen. </seg>
      </p></src>
      <ref lang="en" translator="A"><p>
        <seg id="1">The blackbird</seg><seg id="2">They sing.</seg>
      </p></ref>
      <ref lang="en" translator="B"><p><seg id="1">Birds</seg></p></ref>
      <hyp lang="en" system="X"><p><seg id="2">sing</seg></p>
        <p><seg id="1">bird</seg></p></hyp>
    </doc>
  </collection>
  <doc id="boats" origlang="en" domain="travel">
    <src lang="de"><p><seg id="1">Ein Boot</seg></p></src>
    <hyp lang="en" system="X"><p><seg id="1">boat</seg></p></hyp>
    <ref lang="en" translator="A"><p><seg id="1">A boat</seg></p></ref>
  </doc>
</dataset>
"""


def read_text(folder: Path, text: str) -> Testset:
    file = folder / "a.xml"
    file.write_bytes(text.encode())
    return read(file)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_whole_test_set_is_read(tmp_path: Path, newline: str) -> None:
    assert read_text(tmp_path, SAMPLE.replace("\n", newline)) == Testset(
        [("The blackbird", "Birds"), ("They sing.",), ("A boat",)],
        {"X": ["bird", "sing", "boat"]},
        sources=["Die Amsel & der Star", " Sie singen. ", "Ein Boot"],
        docs=["birds", "birds", "boats"],
        ids=["1", "2", "1"],
        langpair="de-en",
        layers={
            "origlang": ["de", "de", "en"],
            "collection": ["nature", "nature", ""],
            "domain": ["", "", "travel"],
        },
    )


def test_the_sample_survives_a_round_trip(tmp_path: Path) -> None:
    testset = read_text(tmp_path, SAMPLE)
    write(testset, tmp_path / "b.xml.gz")
    assert read(tmp_path / "b.xml.gz") == testset


def test_a_doctype_is_fine_but_entities_are_rejected(tmp_path: Path) -> None:
    head, body = SAMPLE.split("\n", 1)
    doctype = f'{head}\n<!DOCTYPE dataset SYSTEM "wmt.dtd">\n{body}'
    assert len(read_text(tmp_path, doctype)) == 3
    bomb = f'{head}\n<!DOCTYPE dataset [<!ENTITY a "b">]>\n{body}'
    with pytest.raises(FormatError, match=r"a\.xml:2: entity 'a' is declared"):
        read_text(tmp_path, bomb)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("</dataset>", "", r":\d+: not XML at column"),
        ("&amp;", "&", r":6: not XML at column"),
        ("dataset", "other", ":2: <other> where <dataset> should be"),
        ('<doc id="birds"', "<doc", ":4: <doc> without id"),
        ('<seg id="1">Ein', "<seg>Ein", ":18: <seg> without id"),
        ('<seg id="1">Ein', '<seg id="1">Ein <b/>', ":18: <b> inside <seg>"),
        (' system="X"', "", r":\d+: <hyp> without system"),
        ('translator="B"', 'translator="A"', ":12: <ref> 'A' is in this document"),
        ('<seg id="2">They', '<seg id="1">They', ":10: segment '1' is there twice"),
        ('<seg id="2">sing', '<seg id="3">sing', ":4: <hyp> 'X' has segment '3'"),
        ('<p><seg id="2">sing</seg></p>', "", ":4: <hyp> 'X' lacks segment '2'"),
        ('"X"><p><seg id="1">boat', '"Y"><p><seg id="1">boat', "lacks system 'X'"),
        ('id="boats"', 'id="birds"', ":21: segment '1' of document 'birds' is there"),
        (
            '<src lang="de"><p><seg',
            '<src lang="fr"><p><seg',
            "language 'fr' after 'de'",
        ),
        ('<p><seg id="1">A boat</seg></p>', "", "segment 3 has none"),
        ("</p></src>\n      <ref", "</p>\n      <ref", ":9: <ref> inside another"),
    ],
)
def test_mistakes_are_named_with_their_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SAMPLE
    with pytest.raises(FormatError, match=rf"a\.xml.*{message}.*;"):
        read_text(tmp_path, SAMPLE.replace(old, new))


def test_columns_and_documents_out_of_place_are_rejected(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=":1: <src> outside <doc>"):
        read_text(tmp_path, "<dataset><src/></dataset>")
    with pytest.raises(FormatError, match=":1: <doc> inside <doc>"):
        read_text(tmp_path, '<dataset><doc id="a"><doc id="b"/></doc></dataset>')


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    file = tmp_path / "a.xml"
    file.write_bytes(SAMPLE.encode().replace(b"Amsel", b"Ams\xe9l"))
    with pytest.raises(FormatError, match=r"a\.xml:6: byte \d+ of the line .0xe9"):
        read(file)


def test_an_empty_file_is_not_xml(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not XML"):
        read_text(tmp_path, "")


@pytest.mark.parametrize("bad", ["\x00", "\x0c", "\x1c", "\ufffe", "\ud800"])
def test_characters_that_xml_forbids_are_rejected(tmp_path: Path, bad: str) -> None:
    with pytest.raises(InputError, match=f"has the character U\\+{ord(bad):04X}"):
        write(Testset.build(["a", bad]), tmp_path / "a.xml")
    with pytest.raises(InputError, match="an attribute has the character"):
        write(Testset.build(["a"], {bad: ["a"]}), tmp_path / "a.xml")


def test_line_ends_and_tabs_survive(tmp_path: Path) -> None:
    text = "a\r\n\tb\rc\n"
    testset = Testset.build([text], {text: [text]}, docs=[text], ids=[text])
    write(testset, tmp_path / "a.xml")
    assert read(tmp_path / "a.xml") == testset
