"""Positions in code points, UTF-16 units and UTF-8 bytes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.judgements.spans.positions import UNITS, convert_span, offsets

CODECS = {"utf-16": ("utf-16-le", 2), "utf-8": ("utf-8", 1)}
TEXTS = st.text(
    st.one_of(
        st.sampled_from("aé\u0301\u200d👩🏽🚀한\n𝒳"),
        st.characters(exclude_categories=("Cs",)),
    ),
    max_size=12,
)


def encoded(text: str, unit: str) -> int:
    """Return the length of a text as Python's codecs count it."""
    if unit == "code-point":
        return len(text)
    codec, size = CODECS[unit]
    return len(text.encode(codec)) // size


@given(TEXTS, st.sampled_from(UNITS))
def test_offsets_are_lengths_of_encoded_prefixes(text: str, unit: str) -> None:
    expected = [encoded(text[:i], unit) for i in range(len(text) + 1)]
    assert offsets(text, unit) == expected


@given(TEXTS, st.sampled_from(UNITS), st.sampled_from(UNITS), st.data())
def test_spans_of_characters_survive_a_round_trip(
    text: str, source: str, target: str, data: st.DataObject
) -> None:
    known = offsets(text, source)
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    span = known[first], known[last]
    there = convert_span(text, *span, source=source, target=target)
    assert there == (encoded(text[:first], target), encoded(text[:last], target))
    assert convert_span(text, *there, source=target, target=source) == span


@given(TEXTS, st.sampled_from(UNITS), st.data())
def test_spans_that_cut_a_character_grow(
    text: str, source: str, data: st.DataObject
) -> None:
    size = offsets(text, source)[-1]
    start = data.draw(st.integers(0, size))
    end = data.draw(st.integers(start, size))
    first, last = convert_span(text, start, end, source=source, target="code-point")
    assert encoded(text[:first], source) <= start
    assert encoded(text[:last], source) >= end
    assert encoded(text[: first + 1], source) > start or first == len(text)


@given(TEXTS, st.sampled_from(UNITS), st.integers(-9, 99), st.integers(-9, 99))
def test_spans_out_of_range_or_reversed_are_errors(
    text: str, unit: str, start: int, end: int
) -> None:
    size = offsets(text, unit)[-1]
    if 0 <= start <= end <= size:
        convert_span(text, start, end, source=unit, target="code-point")
        return
    with pytest.raises(InputError, match=r"reversed|outside"):
        convert_span(text, start, end, source=unit, target="code-point")


def test_an_unknown_unit_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="utf-8"):
        offsets("a", "utf8")
