# SPDX-License-Identifier: Apache-2.0
"""Results compared: equal, or where they differ."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tertium.records import File, Results, Text, differences
from tertium.records.comparing import file_differences
from tertium.records.streams import Digest, without_version

SCORE = {"tertium": "0.1.0", "systems": {"A": {"bleu": {"score": 20.5}}}}


def results(data=None, text="", files=(), code=0):
    digest = Digest(without_version)
    digest.add(text.encode())
    return Results(exit=code, output=digest.finish(), data=data, files=files)


def found(then, now, **options):
    return [(d.where, d.then, d.now) for d in differences(then, now, **options)]


def test_the_version_is_not_a_result():
    other = {**SCORE, "tertium": "0.9"}
    assert found(results(SCORE), results(other)) == []
    signatures = [f"tok:13a|version:tertium-{v}" for v in ("0.1.0", "0.2.0.dev1")]
    assert found(*(results({"signature": s}) for s in signatures)) == []
    assert found(*(results(text=f"BLEU {s}\n") for s in signatures)) == []


def test_another_figure_is_named_with_its_place():
    other = {"systems": {"A": {"bleu": {"score": 21.0}}}}
    assert found(results(SCORE), results(other)) == [
        ("systems / A / bleu / score", "20.5", "21.0")
    ]


def test_items_of_lists_have_names_where_they_have_any():
    then, now = ([{"metric": "bleu", "a": "A", "b": "B", "p": p}] for p in (0.1, 0.2))
    assert found(results({"pairs": then}), results({"pairs": now})) == [
        ("pairs / bleu, A, B / p", "0.1", "0.2")
    ]
    then, now = {"segments": [1.0, 2.0]}, {"segments": [1.0, 2.5, 3.0]}
    assert found(results(then), results(now)) == [
        ("segments / #2", "2.0", "2.5"),
        ("segments / #3", "(nothing)", "3.0"),
    ]


def test_a_tolerance_is_for_numbers_alone():
    then, now = (
        results({"x": 1.0, "n": "A"}, "1.0\n"),
        results({"x": 1.0 + 1e-12, "n": "A"}, "1.1\n"),
    )
    assert len(found(then, now)) == 2
    assert found(then, now, tolerance=1e-9) == []
    assert found(then, results({"x": 1.0, "n": "B"}), tolerance=0.5) == [
        ("n", "A", "B")
    ]


def test_true_is_not_one():
    assert found(results({"x": True}), results({"x": 1})) == [("x", "True", "1")]


def test_lines_of_output_exit_codes_and_files_are_compared():
    then = results(text="a\nb\n", files=[File("x", "0" * 64, 1), File("y", None, None)])
    now = results(text="a\nc\n", files=[File("x", "1" * 64, 1)], code=1)
    assert found(then, now) == [
        ("exit code", "0", "1"),
        ("standard output, line 2", "b", "c"),
        ("x", "sha256 000000000000...", "sha256 111111111111..."),
        ("y", "0 bytes", "(nothing)"),
    ]


def test_long_output_is_compared_by_its_hash():
    then, now = (Results(0, Text(digit * 64, 10**7)) for digit in "01")
    assert found(then, then) == []
    assert found(then, now) == [
        ("standard output", "10,000,000 bytes", "10,000,000 bytes")
    ]


def test_files_that_are_still_there_are_compared_line_by_line(tmp_path):
    then, now = tmp_path / "then", tmp_path / "now"
    then.write_text("a\nversion:tertium-0.0.1\nb\n")
    now.write_text("a\nversion:tertium-0.1.0\nc\n")
    lines = file_differences("t.txt", str(then), str(now), version="0.0.1")
    assert [(d.where, d.then, d.now) for d in lines] == [("t.txt, line 3", "b", "c")]
    now.write_bytes(b"\0")
    assert file_differences("t.txt", str(then), str(now), version="0.0.1") is None


@given(st.lists(st.binary(max_size=20), max_size=6))
def test_a_digest_does_not_depend_on_the_pieces(pieces):
    whole, parts = Digest(without_version), Digest(without_version)
    whole.add(b"".join(pieces))
    for piece in pieces:
        parts.add(piece)
    assert whole.finish() == parts.finish()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(json_values)
def test_any_result_equals_itself(data):
    assert found(results(data), results(data)) == []
