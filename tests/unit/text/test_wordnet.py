# SPDX-License-Identifier: Apache-2.0
"""Readers of wordnets and paraphrase tables: formats, lookup, errors."""

from __future__ import annotations

import gzip

import pytest

from conftest import missing
from tertium.errors import FormatError, InputError
from tertium.text import wordnet
from tertium.text.paraphrases import (
    load_paraphrases,
    read_paraphrases,
    read_weighted_paraphrases,
)
from tertium.text.wordnet import WordNet, find_wordnet

LMF = """<?xml version="1.0" encoding="UTF-8"?>
<LexicalResource><Lexicon id="x" language="{language}">
<LexicalEntry id="a"><Lemma writtenForm="Car" partOfSpeech="n"/>
<Form writtenForm="caren"/><Sense id="1" synset="s1"/></LexicalEntry>
<LexicalEntry id="b"><Lemma writtenForm="auto" partOfSpeech="n"/>
<Sense id="2" synset="s1"/></LexicalEntry>
</Lexicon></LexicalResource>
"""


def share(lexicon, a, b):
    return bool(set(lexicon.keys(a)) & set(lexicon.keys(b)))


@pytest.fixture
def folder(tmp_path):
    for part in ("noun", "verb", "adj", "adv"):
        (tmp_path / f"index.{part}").write_text("  1 a licence  \n")
    with (tmp_path / "index.noun").open("a") as file:
        file.write("attraction n 1 1 @ 1 0 00000007  \ndraw n 1 1 @ 1 0 00000007  \n")
        file.write("aide n 1 1 @ 1 0 00000009  \nhelper n 1 1 @ 1 0 00000009  \n")
        file.write("a n 1 1 @ 1 0 00000011  \n")
    with (tmp_path / "index.verb").open("a") as file:
        file.write("draw v 1 1 @ 1 0 00000007  \naid v 1 1 @ 1 0 00000008  \n")
    (tmp_path / "verb.exc").write_text("drawn draw\n")
    return tmp_path


def test_base_forms_come_from_exceptions_or_the_first_rule_that_fits(folder):
    lexicon = WordNet(str(folder))
    assert share(lexicon, "drawn", "attraction")
    assert share(lexicon, "draws", "attraction")
    # As Meteor: the rule that adds an e comes first, and the first word counts.
    assert share(lexicon, "aided", "helper")
    assert not share(lexicon, "aided", "aid")
    assert not share(lexicon, "as", "a")
    assert lexicon.keys("nothing") == ()


def test_offsets_of_two_parts_of_speech_are_two_meanings(folder):
    assert len(WordNet(str(folder)).keys("draw")) == 2


def test_debian_files_are_read():
    try:
        lexicon = WordNet(find_wordnet())
    except InputError as error:
        missing(str(error))
    assert share(lexicon, "car", "automobile")
    assert share(lexicon, "meet", "met")
    assert share(lexicon, "apartment", "flatter")  # by way of flat, as Meteor
    assert not share(lexicon, "cat", "dog")


@pytest.mark.parametrize("language", ["en", "nl"])
@pytest.mark.parametrize("packed", [False, True])
def test_lmf_is_read_with_its_forms(tmp_path, language, packed):
    text = LMF.format(language=language).encode()
    path = tmp_path / ("x.xml.gz" if packed else "x.xml")
    path.write_bytes(gzip.compress(text) if packed else text)
    lexicon = WordNet(str(path))
    assert share(lexicon, "caren", "auto")
    # Endings are cut in English only.
    assert share(lexicon, "cars", "auto") == (language == "en")


def test_omw_is_read(write_lines):
    lines = [
        "# Name\tslv\turl",
        "00001740-n\tslv:lemma\tavto",
        "00001740-n\tlemma\tVozilo",
        "00001740-n\tslv:def\tnekaj",
        "00001741-a\tslv:lemma\tdober",
    ]
    lexicon = WordNet(str(write_lines("wn-data-slv.tab", lines)))
    assert share(lexicon, "avto", "vozilo")
    assert not share(lexicon, "avto", "dober")
    assert lexicon.keys("nekaj") == ()


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "x.tab",
            "00001740-n\tlemma\ta\nnonsense\n",
            "x.tab:2: is not a line of an OMW",
        ),
        ("x.tab", "", "x.tab: has no words"),
        ("x.xml", "<LexicalResource>\n<Lemma/>", "x.xml:2: <Lemma> has no writtenForm"),
        ("x.xml", "<a>\n<b></a>", "x.xml:2: is not XML"),
        ("x.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a/>', "declares an entity"),
    ],
)
def test_wrong_files_are_named_with_their_line(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(FormatError, match=message):
        WordNet(str(path))


def test_wrong_database_files_are_named_with_their_line(folder):
    (folder / "index.adj").write_text("  1 a licence\nnew a 9 0 1\n")
    with pytest.raises(FormatError, match=r"index\.adj:2: is not a line"):
        WordNet(str(folder))
    (folder / "index.adj").write_text("")
    (folder / "adj.exc").write_text("better\n")
    with pytest.raises(FormatError, match=r"adj\.exc:1: has no base form"):
        WordNet(str(folder))
    with pytest.raises(FormatError, match=r"index\.noun: cannot be read"):
        WordNet(str(folder.parent))


def test_a_missing_wordnet_is_an_error_with_its_cure(monkeypatch, folder):
    monkeypatch.setattr(wordnet, "_PLACES", ("/nowhere",))
    monkeypatch.delenv("WNSEARCHDIR", raising=False)
    with pytest.raises(InputError, match="apt install wordnet-base"):
        WordNet("auto")
    monkeypatch.setenv("WNSEARCHDIR", str(folder))
    assert find_wordnet() == str(folder)


# ------------------------------------------------------------------- paraphrases

TABLE = "0.5\na lot of\nmany\n0.25\nbig\nlarge\n"


@pytest.mark.parametrize("packed", [False, True])
def test_tables_are_read(tmp_path, packed):
    path = tmp_path / "table"
    path.write_bytes(gzip.compress(TABLE.encode()) if packed else TABLE.encode())
    name = str(path)
    assert list(read_paraphrases(name)) == [("a lot of", "many"), ("big", "large")]
    assert list(read_paraphrases(name, threshold=0.4)) == [("a lot of", "many")]
    assert next(read_weighted_paraphrases(name)) == (0.5, "a lot of", "many")
    assert len(load_paraphrases(name)) == 2


@pytest.mark.parametrize(
    "read", [lambda p: list(read_paraphrases(p)), load_paraphrases]
)
@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"0.5\na\nb\nx\ny\nz\n", "table:4: does not start an entry"),
        (b"", "table"),
        (b"0.5\na\n", "table:"),
        (b"0.5\na\n\xff\n", "table:3: is not UTF-8"),
        (gzip.compress(TABLE.encode(), mtime=0)[:-9], "is not a complete gzip file"),
    ],
)
def test_wrong_tables_are_named_with_their_line(tmp_path, read, data, message):
    path = tmp_path / "table"
    path.write_bytes(data)
    with pytest.raises(FormatError, match=message):
        read(str(path))
