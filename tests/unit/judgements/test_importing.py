# SPDX-License-Identifier: Apache-2.0
"""Importing files: formats detected, bad rows set aside, nothing lost."""

from __future__ import annotations

import gzip
import io
import sys

import pytest

from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements import (
    FORMATS,
    Judgements,
    demo_files,
    import_judgements,
    importing,
    read_store,
    write_store,
)

PAIRS = "seg\tbetter\tworse\n1\tA\tB\n2\tB\tC\n"
BROKEN = "seg\tbetter\tworse\n1\tA\tB\n2\tB\n3\tC\tC\n4\tA\tC\n"


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text(PAIRS)
    return path


@pytest.fixture
def broken(tmp_path):
    path = tmp_path / "broken.tsv"
    path.write_text(BROKEN)
    return path


def test_files_are_read_into_memory(pairs):
    read = import_judgements([pairs])
    assert read.formats == {str(pairs): "pairs"}
    assert read.bad == []
    assert read.judgements.names("system") == ["A", "B", "C"]


@pytest.mark.parametrize("name", ["store", "store.db"])
def test_files_are_read_into_a_store(pairs, tmp_path, name):
    read = import_judgements([pairs], out=tmp_path / name)
    assert list(read.judgements.iterate()) == list(Judgements.read(pairs).iterate())
    judgements = Judgements.read(tmp_path / name)
    assert list(judgements.iterate()) == list(read.judgements.iterate())
    assert {p.name for p in tmp_path.iterdir()} == {"pairs.tsv", name}


@pytest.mark.parametrize("out", [None, "store"])
def test_large_files_go_through_several_parts(tmp_path, monkeypatch, out):
    monkeypatch.setattr(importing, "_CHUNK", 2000)
    path = tmp_path / "many.pairs"
    rows = [f"{i}\tA\tB" for i in range(5500)]
    path.write_text("seg\tbetter\tworse\n" + "\n".join(rows))
    told = []
    read = import_judgements([path], out=out and tmp_path / out, progress=told.append)
    assert [r.segment for r in read.judgements.iterate()] == list(map(str, range(5500)))
    assert told == [1000, 2000, 3000, 4000, 5000]
    assert len(read.judgements.comparisons()) == 5500


def test_bad_rows_are_returned_with_line_and_reason(broken):
    read = import_judgements([broken])
    assert read.judgements.counts()["rankings"] == 2
    assert [(file, *bad) for file, bad in read.bad] == [
        (str(broken), 3, "2 fields where there should be 3", "2\tB", False),
        (str(broken), 4, "'C' is compared with itself", "3\tC\tC", False),
    ]


def test_bad_rows_go_into_a_file(broken, tmp_path):
    aside = tmp_path / "bad.tsv"
    import_judgements([broken], out=tmp_path / "store", quarantine=aside)
    assert aside.read_text() == (
        "file\tline\treason\trow\n"
        f"{broken}\t3\t2 fields where there should be 3\t2\\tB\n"
        f"{broken}\t4\t'C' is compared with itself\t3\\tC\\tC\n"
    )


def test_there_is_no_such_file_without_bad_rows(pairs, tmp_path):
    import_judgements([pairs], quarantine=tmp_path / "bad.tsv")
    assert not (tmp_path / "bad.tsv").exists()


def test_a_store_never_appears_without_its_bad_rows(broken, tmp_path):
    with pytest.raises(InputError, match="create it first"):
        import_judgements(
            [broken], out=tmp_path / "store", quarantine=tmp_path / "no" / "bad.tsv"
        )
    assert {p.name for p in tmp_path.iterdir()} == {"broken.tsv"}


def test_strict_fails_at_the_first_bad_row(broken, tmp_path):
    with pytest.raises(FormatError, match=r"broken.tsv:3: 2 fields .*; correct it"):
        import_judgements([broken], out=tmp_path / "store", strict=True)
    assert {p.name for p in tmp_path.iterdir()} == {"broken.tsv"}
    with pytest.raises(FormatError, match=r"broken.tsv:3"):
        Judgements.read(broken, strict=True)


def test_rows_without_ranks_are_not_an_error(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("seg\tsystem(s)=rank ...\n1\tA=1\tB=2\n2\tA=-1\tB=-1\n")
    read = import_judgements([path], strict=True)
    assert read.judgements.counts()["rankings"] == 1
    assert [(bad.line, bad.skipped) for _, bad in read.bad] == [(3, True)]


@pytest.mark.parametrize("name", ["empty", "empty.gz"])
def test_empty_files_are_named(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(gzip.compress(b"") if name.endswith("gz") else b"")
    with pytest.raises(FormatError, match=r"empty.*: the file is empty"):
        import_judgements([path])


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(
    "text",
    ["", "\n", "{}\n", "a,b\n", "a\tb\tc\td\n\t\t\t\n", "<a>", "[1]\n", "\0", '"'],
)
def test_nonsense_is_a_bad_row_or_a_format_error(tmp_path, name, text):
    path = tmp_path / "nonsense"
    path.write_text(text)
    try:
        read = import_judgements([path], format=name)
    except FormatError as error:
        assert error.path == str(path)  # noqa: PT017, either is right
    else:
        assert read.judgements.counts()["rankings"] == 0


def test_compressed_files_are_read(tmp_path):
    path = tmp_path / "de-en.pairs.tsv.gz"
    path.write_bytes(gzip.compress(PAIRS.encode()))
    assert Judgements.read(path).names("langpair") == ["de-en"]


def test_unknown_files_name_the_formats(tmp_path):
    path = tmp_path / "x.txt"
    path.write_text("hello world\n")
    with pytest.raises(FormatError, match=r"x.txt: no known format.*wmt-csv"):
        import_judgements([path])


def test_candidates_without_ranks_are_no_judgements(tmp_path):
    path = tmp_path / "project.tsv"
    path.write_text("1\tthe end\tref\tthe end\tkonec\t0 1\n")
    with pytest.raises(FormatError, match="nobody has ranked yet"):
        import_judgements([path])


def test_unknown_formats_name_near_ones(pairs):
    with pytest.raises(UnknownNameError, match="did you mean wmt-xml"):
        import_judgements([pairs], format="wmtxml")


def test_missing_files_are_named(tmp_path):
    with pytest.raises(FormatError, match="nowhere: no such file"):
        Judgements.read(tmp_path / "nowhere")


def test_a_file_is_read_once(pairs):
    with pytest.raises(InputError, match="named twice"):
        import_judgements([pairs, pairs])


def test_no_files_are_an_error():
    with pytest.raises(InputError, match="name at least one"):
        import_judgements([])
    with pytest.raises(InputError, match="name at least one"):
        Judgements.read([])


def test_a_place_that_is_taken_is_rejected_before_reading(pairs, tmp_path):
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "x").write_text("")
    with pytest.raises(InputError, match="not empty"):
        import_judgements([pairs], out=tmp_path / "store")
    with pytest.raises(InputError, match="it is a file"):
        import_judgements([pairs], out=pairs)


def test_a_store_is_not_imported_again(pairs, tmp_path):
    write_store(Judgements.read(pairs), tmp_path / "store")
    with pytest.raises(FormatError, match="imported already"):
        import_judgements([tmp_path / "store"])
    assert read_store(tmp_path / "store").counts()["rankings"] == 2


def test_standard_input_needs_a_format(monkeypatch):
    with pytest.raises(FormatError, match="<stdin>: cannot detect the format"):
        import_judgements(["-"])
    text = io.TextIOWrapper(io.BytesIO(PAIRS.encode()))
    monkeypatch.setattr(sys, "stdin", text)
    read = import_judgements(["-"], format="pairs")
    assert read.judgements.counts()["rankings"] == 2


def test_files_and_stores_are_read_together(pairs, tmp_path):
    write_store(Judgements.read(pairs), tmp_path / "store")
    judgements = Judgements.read([tmp_path / "store", pairs])
    assert judgements.counts()["rankings"] == 4


def test_options_overrule_the_file_name(tmp_path):
    path = tmp_path / "de-en.pairs.tsv"
    path.write_text(PAIRS)
    result = import_judgements([path], langpair="cs-en", campaign="mine").judgements
    assert result.names("langpair") == ["cs-en"]
    assert result.names("campaign") == ["mine"]


def test_the_demo_has_rankings_and_ratings():
    judgements = Judgements.read("demo")
    assert judgements.counts() == {"rankings": 202, "ratings": 400, "spans": 0}
    assert judgements.names("system") == ["copy", "good", "order", "words"]
    assert len(judgements.names("judge")) == 6
    assert judgements.names("langpair") == ["en-de"]
    assert judgements.names("campaign") == ["demo"]
    wins = judgements.comparisons().wins()
    # Equal outputs: always a tie.
    assert wins.ties[0, 3] == 202
    assert len(demo_files()) == 2


RANKED_TEXTS = '{"1,a b": [{"x": 1, "y": 2, "z": 3}]}'
SYSTEMS = "1\ta b\tA\tx\n1\ta b\tB\ty\n"


@pytest.fixture
def texts(tmp_path):
    """Write a ranking of texts, and a table that knows two of their systems."""
    (tmp_path / "texts.json").write_text(RANKED_TEXTS)
    (tmp_path / "systems.tsv").write_text(SYSTEMS)
    return tmp_path


def test_systems_are_attached_and_unmatched_candidates_are_listed(texts):
    options = {"systems": texts / "systems.tsv", "out": texts / "store"}
    with pytest.raises(InputError, match="1 candidate without a system") as error:
        import_judgements([texts / "texts.json"], **options)
    assert error.value.options == ("keep_unmatched",)
    where = f"{texts / 'texts.json'}:1"
    line = f"{where}: no system wrote 'z' (segment 1, part 'a b')"
    assert str(error.value).splitlines()[1:] == [line]
    assert not (texts / "store").exists()
    result = import_judgements([texts / "texts.json"], keep_unmatched=True, **options)
    assert [note.code for note in result.notes] == [
        "unmatched-candidate",
        "unmatched-kept",
    ]
    assert read_store(texts / "store").names("system") == ["A", "B"]


def test_scores_are_put_on_one_scale(pairs, tmp_path):
    result = import_judgements([pairs], normalise="rank", out=tmp_path / "store")
    assert result.judgements.counts() == {"rankings": 0, "ratings": 4, "spans": 0}
    assert read_store(tmp_path / "store").names("scale") == ["rank"]


def test_ratings_beside_rankings_are_left_out_by_rank_with_a_note():
    result = import_judgements(demo_files(), normalise="rank")
    assert [str(note) for note in result.notes] == [
        "400 ratings left out: rank applies to rankings only"
    ]


def test_rows_set_aside_are_noted(broken, tmp_path):
    aside = tmp_path / "aside.tsv"
    (note,) = import_judgements([broken], quarantine=aside).notes
    assert note.code == "bad-rows"
    assert note.values["rows"] == "2 bad rows"
    assert note.values["where"] == f"{broken}:3"
    assert import_judgements([broken]).notes == ()
