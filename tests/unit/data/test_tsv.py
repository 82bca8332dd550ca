# SPDX-License-Identifier: Apache-2.0
"""Tab-separated test sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from tertium.data import Testset, read, stream, write
from tertium.errors import FormatError, InputError


def read_text(folder: Path, text: str) -> Testset:
    file = folder / "a.tsv"
    file.write_bytes(text.encode())
    return read(file)


def test_the_header_says_what_is_what(tmp_path: Path) -> None:
    text = "seg\tsource\treference\tA.1\tdoc\tlangpair\tlayer:mood\tB\n"
    text += "7\teins\tone\t1\tx\tde-en\tcalm\tI\n"
    assert read_text(tmp_path, text) == Testset(
        [("one",)],
        {"A.1": ["1"], "B": ["I"]},
        sources=["eins"],
        docs=["x"],
        ids=["7"],
        langpair="de-en",
        layers={"mood": ["calm"]},
    )


@pytest.mark.parametrize(
    "header", ["ref1\tref2", "ref\tref2", "ref:x\tref:y", "reference1\treference2"]
)
def test_references_come_in_the_order_of_their_columns(
    tmp_path: Path, header: str
) -> None:
    assert read_text(tmp_path, f"{header}\none\tuno\n").references == [("one", "uno")]


def test_quotes_and_odd_separators_are_text(tmp_path: Path) -> None:
    testset = read_text(tmp_path, '\ufeffref\tA\r\n"a\t"\u2028\x85"\r\n\t\n')
    assert testset.references == [('"a',), ("",)]
    assert testset.systems == {"A": ['"\u2028\x85"', ""]}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ref\tA\nx\n", r"a\.tsv:2: 1 field where the header has 2"),
        ("ref\tA\nx\ty\nx\ty\tz\n", r"a\.tsv:3: 3 fields where the header has 2"),
        ("ref\t\nx\ty\n", r"a\.tsv:1: column 2 has no name"),
        ("ref\tlayer:\nx\ty\n", r"a\.tsv:1: column 2 has no name"),
        ("ref\tA\tA\nx\ty\tz\n", r"a\.tsv:1: columns 'A' and 'A' are the same"),
        ("src\tsource\nx\ty\n", r"a\.tsv:1: columns 'src' and 'source' are the same"),
        ("langpair\nde-en\nfr-en\n", r"a\.tsv:3: language pair 'fr-en' after 'de-en'"),
    ],
)
def test_mistakes_are_named_with_their_line(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(FormatError, match=message):
        read_text(tmp_path, text)


def test_lines_are_counted_across_chunks(tmp_path: Path) -> None:
    file = tmp_path / "a.tsv"
    file.write_text("ref\tA\n" + "x\ty\n" * 5 + "x\n")
    with pytest.raises(FormatError, match=r"a\.tsv:7: 1 field"):
        list(stream(file, size=2))
    file.write_text("langpair\nde-en\nde-en\nfr-en\n")
    with pytest.raises(FormatError, match=r"a\.tsv:4: language pair"):
        list(stream(file, size=2))


def test_a_header_alone_has_no_segments(tmp_path: Path) -> None:
    assert read_text(tmp_path, "ref\tA\n") == Testset([], {"A": []})


@pytest.mark.parametrize("bad", ["a\tb", "a\nb", "a\r"])
def test_texts_that_would_change_are_rejected(tmp_path: Path, bad: str) -> None:
    testset = Testset.build(["x", "y"], {"A": ["x", bad]})
    with pytest.raises(InputError, match=r"segment 2 has a tab .*such as csv"):
        write(testset, tmp_path / "a.tsv")


@pytest.mark.parametrize(
    "name", ["ref", "Ref2", "doc", "Source", "layer:x", "langpair", "system:x", "LP"]
)
def test_systems_with_the_name_of_a_column_are_marked(
    tmp_path: Path, name: str
) -> None:
    testset = Testset.build(["x"], {name: ["x"]})
    write(testset, tmp_path / "a.tsv")
    assert (tmp_path / "a.tsv").read_text().startswith(f"ref\tsystem:{name}\n")
    assert read(tmp_path / "a.tsv") == testset
