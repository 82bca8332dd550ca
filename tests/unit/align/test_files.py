# SPDX-License-Identifier: Apache-2.0
"""Files of links: Pharaoh's and NAACL's formats, and what may be wrong with them."""

from __future__ import annotations

import gzip

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tertium
from tertium.align import (
    Link,
    as_links,
    format_pharaoh,
    parse_pharaoh,
    read_naacl,
    read_pharaoh,
    write_naacl,
    write_pharaoh,
)

word = st.integers(0, 50)
weight = st.just(1.0) | st.floats(0, 1)
links = st.lists(st.tuples(word, word, weight, st.booleans())).map(as_links)


@pytest.mark.parametrize(
    ("token", "link"),
    [
        ("1-2", Link(1, 2)),
        ("1p2", Link(1, 2, sure=False)),
        ("1?2", Link(1, 2, sure=False)),
        ("1-2:p", Link(1, 2, sure=False)),
        ("1-2:P", Link(1, 2, sure=False)),
        ("1-2-P", Link(1, 2, sure=False)),
        ("1-2-S", Link(1, 2)),
        ("1-2:s", Link(1, 2)),
        ("1-2:0.83", Link(1, 2, 0.83)),
        ("1-2:.5", Link(1, 2, 0.5)),
        ("1-2:1e-3", Link(1, 2, 0.001)),
        ("1p2:0.83", Link(1, 2, 0.83, sure=False)),
        ("1-2:0.83:p", Link(1, 2, 0.83, sure=False)),
    ],
)
def test_all_forms_of_a_link_are_read(token, link):
    assert parse_pharaoh(f" {token}\t") == (link,)


@pytest.mark.parametrize(
    "token",
    [
        "1",
        "a-b",
        "1--2",
        "-1-2",
        "1-2-3",
        "1-2:x",
        "1-2:nan",
        "1-2:-1",
        "1-",
        "1–2",
        "٣-1",
        "1-2:1e999",
        "9999999999-1",
        "1-2:0.5:0.5",
        "1-2:inf",
        "1-2,3-4",
    ],
)
def test_what_is_no_link_is_rejected_with_file_and_line(token, write_lines):
    path = write_lines("a.links", ["0-0", f"0-0 {token}"])
    with pytest.raises(tertium.FormatError) as caught:
        read_pharaoh(path)
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_a_file_of_plain_numbers_gets_a_hint(write_lines):
    with pytest.raises(tertium.FormatError, match="NAACL"):
        read_pharaoh(write_lines("a.links", ["1 1 1 S"]))


def test_a_zero_where_words_count_from_one_is_rejected(write_lines):
    path = write_lines("a.links", ["1-1", "3-0"])
    with pytest.raises(tertium.FormatError, match=r"a.links:2: link 3-0 counts words"):
        read_pharaoh(path, base=1)
    with pytest.raises(tertium.InputError, match="from 0 or 1, not from 2"):
        read_pharaoh(path, base=2)


@settings(max_examples=40)
@given(st.lists(links, max_size=20), st.sampled_from([0, 1]))
def test_pharaoh_reads_back_what_was_written(tmp_path_factory, segments, base):
    path = tmp_path_factory.mktemp("links") / "a.links.gz"
    write_pharaoh(path, segments, base=base)
    assert read_pharaoh(path, base=base) == segments


@settings(max_examples=40)
@given(st.lists(links, max_size=20))
def test_naacl_reads_back_what_was_written(tmp_path_factory, segments):
    path = tmp_path_factory.mktemp("links") / "a.naacl.gz"
    write_naacl(path, segments)
    assert read_naacl(path, segments=len(segments)) == segments


def test_blank_lines_have_no_links_and_files_may_be_compressed(tmp_path):
    path = tmp_path / "a.links.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf0-0\r\n\r\n 1-0 \n"))
    assert read_pharaoh(path) == [(Link(0, 0),), (), (Link(1, 0),)]


def test_weights_may_be_left_out():
    links = parse_pharaoh("0-0:0.5 1p1")
    assert format_pharaoh(links) == "0-0:0.5 1p1"
    assert format_pharaoh(links, weights=False) == "0-0 1p1"
    assert format_pharaoh(()) == ""


def test_links_are_checked_against_texts(write_lines):
    path = write_lines("a.links", ["0-0", "0-0 1-3"])
    hyps, refs = ["a b", "c d"], ["A", "B C D"]
    with pytest.raises(tertium.FormatError, match=r"a.links:2: .* 1-3 .* 3 words"):
        read_pharaoh(path, hyps=hyps, refs=refs)
    assert len(read_pharaoh(path, hyps=hyps)) == 2
    with pytest.raises(tertium.FormatError, match="links of 2 segments for 1 text;"):
        read_pharaoh(path, refs=["A"])
    with pytest.raises(tertium.FormatError, match="links of 2 segments for 3 texts;"):
        read_pharaoh(path, hyps=["a", "b", "c"])


def test_naacl_takes_any_order_marks_and_the_empty_word(write_lines):
    path = write_lines(
        "a.naacl", ["0003 1 1 P 0.5", "1 2 1", "", "1 1 2 S", "1 3 0 S", "2 1 1 0.25"]
    )
    assert read_naacl(path) == [
        (Link(0, 1), Link(1, 0)),
        (Link(0, 0, 0.25),),
        (Link(0, 0, 0.5, sure=False),),
    ]
    assert read_naacl(path, segments=4)[3] == ()
    assert len(read_naacl(path, hyps=["a b c"] * 5)) == 5


@pytest.mark.parametrize(
    "line",
    [
        "1 1",
        "1 1 1 S 0.5 x",
        "1 1 x",
        "0 1 1",
        "1 -1 1",
        "1 1 1 X",
        "1 1 1 S nan",
        "1 1 1 0.5 S",
        "1 1 1 -0.5",
        "1 1 12345678901",
        "99999999999 1 1",
    ],
)
def test_what_is_no_naacl_line_is_rejected_with_file_and_line(line, write_lines):
    path = write_lines("a.naacl", ["1 1 1", line])
    with pytest.raises(tertium.FormatError) as caught:
        read_naacl(path)
    assert (caught.value.path, caught.value.line) == (str(path), 2)


def test_naacl_is_checked_against_texts(write_lines):
    path = write_lines("a.naacl", ["1 1 1", "2 1 4"])
    with pytest.raises(tertium.FormatError, match=r"a.naacl:2: there is no sentence 2"):
        read_naacl(path, segments=1)
    with pytest.raises(tertium.FormatError, match=r"sentence 2: link 0-3 .* 1 word;"):
        read_naacl(path, refs=["A", "B"])
    with pytest.raises(tertium.FormatError, match="for 3 texts"):
        read_naacl(path, hyps=["a", "b"], refs=["A", "B", "C"])


def test_one_mistyped_sentence_does_not_fill_the_memory(write_lines):
    path = write_lines("a.naacl", ["1 1 1", "999999999 1 1"])
    with pytest.raises(tertium.FormatError, match="far beyond"):
        read_naacl(path)
