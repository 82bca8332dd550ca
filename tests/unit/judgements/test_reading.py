# SPDX-License-Identifier: Apache-2.0
"""Judgements.read: stores, files and the demo in one table, with notes."""

from __future__ import annotations

import pytest

import tertium
from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, write_store
from tertium.judgements.reading import reject_judgements

PAIRS = "1\tA\tB\t<\n2\tA\tB\t>\n"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return path


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.tsv"
    path.write_text(f"{PAIRS}3\tA\tB\t?\n")
    return path


def test_judgements_are_public():
    assert tertium.Judgements is Judgements


def test_bad_rows_are_left_out_with_a_note(broken):
    judgements = Judgements.read(broken)
    assert judgements.counts()["rankings"] == 2
    (note,) = judgements.notes
    assert note.code == "rows-left-out"
    assert note.values["rows"] == "1 row"
    assert note.values["where"] == f"{broken}:3"


def test_notes_survive_merging_and_filtering(pairs, broken):
    judgements = Judgements.read([pairs, broken], only=["system=A"])
    assert [note.code for note in judgements.notes] == ["rows-left-out"]
    assert judgements.filter(segment="1").notes == judgements.notes


def test_a_bad_row_is_an_error_if_strict(broken):
    with pytest.raises(FormatError, match=r"broken\.tsv:3"):
        Judgements.read(broken, strict=True)


def test_good_files_have_no_notes(pairs):
    assert Judgements.read(pairs).notes == ()


def test_one_language_pair_applies_to_files_that_name_none(pairs):
    assert Judgements.read(pairs, langpair="de-en").names("langpair") == ["de-en"]


def test_two_language_pairs_do_not_apply_to_files_that_name_none(pairs):
    with pytest.raises(InputError, match="none with a language pair"):
        Judgements.read(pairs, langpair=["de-en", "cs-en"])


def test_language_pairs_are_selected(pairs):
    demo = Judgements.read("demo")
    both = Judgements.read(["demo", pairs], langpair=["en-de"])
    assert both.counts()["ratings"] == demo.counts()["ratings"]
    with pytest.raises(InputError, match="no judgements of the language pair de-en"):
        Judgements.read("demo", langpair="de-en")


def test_a_campaign_applies_to_files_and_not_to_stores(pairs, tmp_path):
    store = tmp_path / "store"
    write_store(Judgements.read(pairs, campaign="old"), store)
    judgements = Judgements.read([store, pairs], campaign="new")
    assert judgements.names("campaign") == ["new", "old"]


def test_the_format_can_be_named(pairs):
    read = Judgements.read(pairs, input_format="pairs")
    assert read.counts()["rankings"] == 2
    with pytest.raises(FormatError):
        Judgements.read(pairs, input_format="tertium-jsonl", strict=True)


def test_a_file_named_twice_is_rejected(pairs):
    link = pairs.with_name("link.tsv")
    link.symlink_to(pairs)
    with pytest.raises(InputError, match=r"link\.tsv is named twice"):
        Judgements.read([pairs, link])


def test_progress_counts_over_all_files(tmp_path):
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for file in files:
        file.write_text(PAIRS * 600)
    reports = []
    Judgements.read(files, progress=reports.append)
    assert reports == [1000, 2200]


def test_judgements_where_texts_are_expected_are_rejected(pairs, tmp_path):
    with pytest.raises(InputError, match=r"judgements \(pairs\), not texts") as error:
        reject_judgements(str(pairs))
    assert error.value.options == ("judgements",)
    write_store(Judgements.read(pairs), tmp_path / "store")
    with pytest.raises(InputError, match="a store of judgements, not texts"):
        reject_judgements(str(tmp_path / "store"))


def test_texts_and_missing_files_are_not_judgements(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("a sentence\n")
    reject_judgements(str(text))
    reject_judgements(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("function", [tertium.rank, tertium.agree])
def test_a_path_in_place_of_judgements_is_an_error_with_a_cure(function):
    with pytest.raises(InputError, match=r"not 'demo'; read files with"):
        function("demo")
