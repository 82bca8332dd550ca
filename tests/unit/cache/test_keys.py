# SPDX-License-Identifier: Apache-2.0
"""Keys: different values have different ones."""

from __future__ import annotations

import os
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cache import NoKeyError, digest, segment_digests
from tertium.cache.fingerprints import code_fingerprint, fingerprint
from tertium.cache.keys import encode, text_digest
from tertium.data.annotated import Annotated
from tertium.trees import DependencyTree

atoms = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.floats(allow_nan=False),
    st.text(max_size=3),
    st.binary(max_size=3),
)
values = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(st.text(max_size=2), inner, max_size=3),
        st.frozensets(atoms, max_size=3),
    ),
    max_leaves=6,
)


def typed(value):
    """Return a value in which 1, 1.0 and True differ, as they do in keys."""
    if isinstance(value, dict):
        return "dict", frozenset((key, typed(item)) for key, item in value.items())
    if isinstance(value, frozenset):
        return "set", frozenset(map(typed, value))
    if isinstance(value, list):
        return "list", tuple(map(typed, value))
    return type(value).__name__, repr(value)


@given(values, values)
def test_keys_are_equal_where_values_are(one, other):
    assert (encode(one) == encode(other)) == (typed(one) == typed(other))


@given(st.lists(st.text(max_size=3), max_size=3), st.lists(st.text(max_size=3)))
def test_texts_do_not_run_into_each_other(one, other):
    assert (digest(*one) == digest(*other)) == (one == other)


def test_layers_belong_to_a_text():
    tree = DependencyTree.flat(["a", "b"])
    texts = [
        "a b",
        Annotated("a b", {}),
        Annotated("a b", {"tree": tree}),
        Annotated("a b", {"tree": DependencyTree(("a", "b"), (2, 0), ("x", "root"))}),
        Annotated("a b", {"tree": tree, "parser": "p"}),
        Annotated("a b", {"links": [[(0, 1)]]}),
        Annotated("a b", {"links": [[(0, 0)]]}),
        Annotated("a b", {"links": [[], [(0, 1)]]}),
    ]
    assert len({digest(text) for text in texts}) == len(texts)
    outputs = [segment_digests([[text]], [["r"]])[1][0][0] for text in texts]
    refs = [segment_digests([["h"]], [[text]])[1][0][0] for text in texts]
    assert len({*outputs, *refs}) == 2 * len(texts)
    assert len({text_digest([text]) for text in texts}) == len(texts)


def test_a_segment_is_its_output_and_its_references_in_order():
    def of(hyp, *refs):
        return segment_digests([[hyp]], [refs])[1][0][0]

    assert of("a", "b", "c") == of("a", "b", "c")
    different = [of("a", "b", "c"), of("a", "c", "b"), of("a", "bc"), of("a", "b")]
    different += [of("b", "a"), of("a"), of("", "a"), of("a", ""), of("a", "", "")]
    assert len(set(different)) == len(different)


def test_links_of_another_system_change_the_segment_of_all():
    """All outputs of a segment are cut into words alike."""
    linked = Annotated("a", {"links": [[(0, 0)]]})
    refs = [["a"], ["b"]]
    _, (alone,) = segment_digests([["x", "y"]], refs)
    _, (beside, _) = segment_digests([["x", "y"], ["a", "b"]], refs)
    _, (beside_linked, _) = segment_digests([["x", "y"], [linked, "b"]], refs)
    assert alone == beside
    assert beside_linked[0] != beside[0]


@dataclass
class Point:
    x: object


def test_arrays_and_dataclasses_have_keys_and_other_objects_none():
    keys = {
        encode(Point(1)),
        encode(Point(2)),
        encode((1,)),
        encode(np.array([1, 2])),
        encode(np.array([1.0, 2.0])),
        encode(np.array([[1, 2]])),
    }
    assert len(keys) == 6
    for value in (object(), Point(object()), np.array([object()]), int):
        with pytest.raises(NoKeyError):
            encode(value)
    with pytest.raises(NoKeyError):
        segment_digests([[Annotated("a", {"odd": object()})]], [["a"]])


def test_fingerprints_follow_content_and_names_inside(tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "a").write_text("1")
    before = fingerprint(str(folder))
    assert fingerprint(str(folder.rename(tmp_path / "moved"))) == before
    file = tmp_path / "moved" / "a"
    status = os.stat(file)
    file.write_text("2")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert fingerprint(str(tmp_path / "moved")) != before
    file.write_text("1")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns + 2))
    assert fingerprint(str(tmp_path / "moved")) == before
    file.rename(tmp_path / "moved" / "b")
    assert fingerprint(str(tmp_path / "moved")) != before
    assert fingerprint(str(tmp_path / "nothing")) is None
    assert code_fingerprint() == code_fingerprint()
