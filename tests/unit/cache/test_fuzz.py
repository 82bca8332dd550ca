# SPDX-License-Identifier: Apache-2.0
"""Cache files with anything in them: the right results, and no error."""

from __future__ import annotations

import json
import os
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.align.kept import kept_links
from tertium.align.links import Link
from tertium.cache import Cache, cached_rows, digest, using
from tertium.cache.entries import pack

KEY = bytes(range(32))
CONTENTS = (
    st.binary(max_size=200)
    | st.binary(max_size=60).map(lambda value: pack("rows", KEY, value)[:-1])
    | st.binary(max_size=60).map(lambda value: pack("links", KEY, value))
    # A length that no file has.
    | st.integers(0, 2**64 - 1).map(
        lambda size: b"tertium\x01" + size.to_bytes(8, "little") + bytes(40)
    )
)


def entries(folder):
    return [path for path in Path(folder).rglob("*") if path.is_file()]


@settings(max_examples=60, deadline=None)
@given(CONTENTS)
def test_any_file_in_the_place_of_an_entry_is_a_miss(content):
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        cache.put("rows", KEY, b"value")
        (path,) = entries(folder)
        path.write_bytes(content)
        assert cache.usage()["rows"].entries == 1
        assert cache.get("rows", KEY) is None
        cache.put("rows", KEY, b"value")
        assert cache.get("rows", KEY) == b"value"
        assert [note.code for note in cache.notes] == ["cache-damaged"]
        assert cache.clear().entries == 1


def repack(folder, value):
    """Give every entry another value, and the checksum that goes with it."""
    for path in entries(folder):
        kind, *key = path.relative_to(folder).parts
        path.write_bytes(pack(kind, bytes.fromhex("".join(key)), value))


SHAPES = st.tuples(*[st.sampled_from([0, 1, 2, 40, 80, 2**63, 2**64 - 1])] * 2)


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=99), SHAPES, st.integers(0, 700))
def test_rows_of_another_shape_are_computed_again(tail, shape, size):
    head = b"".join(number.to_bytes(8, "little") for number in shape)
    value = head + tail + bytes(size)
    with tempfile.TemporaryDirectory() as folder:

        def rows(cache):
            return cached_rows(
                cache,
                "rows",
                digest("test"),
                [digest(number) for number in range(40)],
                2,
                lambda places: np.array([[place, -0.5] for place in places]),
            )

        whole = rows(Cache(folder))
        repack(folder, value)
        assert np.array_equal(rows(Cache(folder)), whole)
        assert np.array_equal(rows(Cache(folder)), whole)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 3) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner),
    max_leaves=6,
)


@settings(max_examples=60, deadline=None)
@given(
    st.binary(max_size=40)
    | JSON.map(lambda value: zlib.compress(json.dumps(value).encode()))
)
def test_links_that_cannot_be_read_are_learned_again(value):
    links = [(Link(0, 1),), (Link(1, 0), Link(2, 2)), (), (Link(3, 0),)]
    with tempfile.TemporaryDirectory() as folder, using(folder):

        def kept():
            return kept_links(list("abcd"), list("efgh"), [], lambda: links)

        assert kept() == links
        repack(folder, value)
        assert kept() == links
        assert kept() == links


@pytest.mark.skipif(os.name != "posix", reason="names are bytes on POSIX")
def test_names_that_are_not_utf_8_are_left_alone(tmp_path):
    cache = Cache(tmp_path)
    cache.put("rows", KEY, b"value")
    odd = [os.fsencode(tmp_path / "rows" / KEY.hex()[:2]), os.fsencode(tmp_path)]
    for number, folder in enumerate(odd):
        os.mkdir(os.path.join(folder, b"\xff%d" % number))
        Path(os.fsdecode(os.path.join(folder, b"\xfe\n%d" % number))).touch()
    assert cache.usage()["rows"].entries == 1
    cache.shrink()
    assert cache.clear().entries == 1
    assert sum(len(os.listdir(folder)) for folder in odd) == 5  # and the kind
