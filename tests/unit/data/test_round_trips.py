# SPDX-License-Identifier: Apache-2.0
"""Every format gives back exactly what it took, or rejects it."""

from __future__ import annotations

import tempfile
from collections import Counter
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

from tertium.data import Testset, format_names, read, write
from tertium.errors import InputError

ODD = ["\n", "\r", "\r\n", "\t", "\ufeff", "\u2028", "\x85", "\x0c", "\x1c", "\0", "&"]
ODD += ["&amp;", "&#10;", "<seg>", "</seg>", '"', "'", ">", " ", "\ud800", "\\n", "\\"]

easy = st.text("abc äß漢🙂,.\"'&<>\\", min_size=1, max_size=6).map(
    lambda text: text.strip() or "x"
)
hard = st.lists(st.sampled_from(ODD) | st.text(max_size=3), max_size=4).map("".join)
names = st.text("abcXYZ0189_-", min_size=1, max_size=4)
FOLDERS = ("plain", "sgml")
#: Tried on the same examples, which take longer to make up than to write and read.
FORMS = [form for form in format_names() if form != "parquet" or find_spec("polars")]


@st.composite
def any_testset(draw: st.DrawFn, text: st.SearchStrategy[str], name: object) -> Testset:
    length = draw(st.integers(1, 4))

    def column() -> list[str]:
        return draw(st.lists(text, min_size=length, max_size=length))

    width = draw(st.integers(0, 2))
    ragged = draw(st.booleans()) and width
    label = name if isinstance(name, st.SearchStrategy) else names
    return Testset.build(
        [
            draw(st.lists(text, min_size=1 if ragged else width, max_size=width))
            for _ in range(length)
        ],
        {system: column() for system in draw(st.sets(label, max_size=2))},
        sources=draw(st.none() | st.just(column())),
        docs=draw(st.none() | st.just(column())),
        ids=draw(st.none() | st.just(column())),
        langpair=draw(st.none() | st.just("de-en") | text),
        layers={layer: column() for layer in draw(st.sets(label, max_size=1))},
    )


def expected(testset: Testset, form: str) -> Testset:
    """Return the test set with what the WMT formats always or never have."""
    if form not in ("sgml", "xml"):
        return testset
    docs = testset.docs or ["1"] * len(testset)
    ids = testset.ids
    if ids is None:
        sizes: Counter[str] = Counter()
        ids = []
        for doc in docs:
            sizes[doc] += 1
            ids.append(str(sizes[doc]))
    two_sided = testset.sources is not None and (
        testset.systems or testset.references[0]
    )
    langpair = testset.langpair if form == "sgml" or two_sided else None
    return replace(testset, docs=docs, ids=ids, langpair=langpair)


def round_trip(testset: Testset, form: str) -> Testset:
    if form == "parquet":
        pytest.importorskip("polars")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "x" if form in FOLDERS else f"x.{form}")
        try:
            write(testset, place, format=form)
        except InputError:
            assert list(Path(folder).iterdir()) == []
            raise
        return read(place)


@given(testset=any_testset(hard | easy, hard.filter(bool)))
@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_what_is_written_reads_back_exactly(testset: Testset) -> None:
    for form in FORMS:
        note(form)
        try:
            result = round_trip(testset, form)
        except InputError as error:
            assert ";" in str(error)  # noqa: PT017
            continue
        assert result == expected(testset, form)


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
@given(testset=any_testset(easy | hard.filter(lambda t: "\ud800" not in t), names))
@settings(max_examples=30, deadline=None)
def test_these_formats_reject_nothing_but_surrogates(
    form: str, testset: Testset
) -> None:
    if testset.layers.keys() & {"id", "src", "ref", "tgt", "doc"}:
        return
    if testset == Testset([()] * len(testset)):
        return
    assert round_trip(testset, form) == testset


@given(texts=st.lists(easy, min_size=2, max_size=2))
@settings(max_examples=20, deadline=None)
def test_ordinary_texts_are_never_rejected(texts: list[str]) -> None:
    testset = Testset.build(
        [[text, text] for text in texts],
        {"A": texts, "b.2": texts[::-1]},
        sources=texts,
        docs=["x", "y"],
        ids=["1", "2"],
        langpair="de-en",
        layers={"origlang": ["de", "en"]},
    )
    for form in FORMS:
        note(form)
        assert round_trip(testset, form) == testset


@pytest.mark.parametrize("form", ["jsonl", "parquet", "xml"])
def test_ragged_references_survive(form: str) -> None:
    testset = Testset.build(
        [["a", "b"], ["c"], ["d", "e", "f"]], docs=["x"] * 3, ids=["1", "2", "3"]
    )
    assert round_trip(testset, form) == testset


@pytest.mark.parametrize("form", ["plain", "tsv", "sgml"])
def test_ragged_references_are_rejected(form: str) -> None:
    with pytest.raises(
        InputError, match="segment 1 has 2 references and segment 2 has"
    ):
        round_trip(Testset.build([["a", "b"], ["c"]]), form)


@pytest.mark.parametrize("form", format_names())
def test_a_test_set_without_segments_survives(form: str) -> None:
    testset = Testset([], {"A": []}, sources=[])
    result = round_trip(testset, form)
    assert len(result) == 0
    if form in ("plain", "tsv", "parquet"):
        assert result == testset


@pytest.mark.parametrize("form", ["plain", "tsv", "parquet", "sgml", "xml"])
def test_a_test_set_without_columns_is_rejected(form: str) -> None:
    with pytest.raises(InputError, match="the test set has no"):
        round_trip(Testset([(), ()]), form)


@pytest.mark.parametrize("form", ["sgml", "xml"])
def test_a_document_may_come_back(form: str) -> None:
    testset = Testset.build(
        ["a", "b", "c"],
        docs=["x", "y", "x"],
        ids=["1", "1", "2"],
        layers={"genre": ["news", "talk", "web"]},
    )
    assert round_trip(testset, form) == testset


@pytest.mark.parametrize("form", ["sgml", "xml"])
def test_what_documents_cannot_hold_is_rejected(form: str) -> None:
    base = Testset.build(["a", "b"], docs=["x", "x"])
    for changed, message in (
        (replace(base, ids=["1", "1"]), "segments 1 and 2 are both '1'"),
        (replace(base, layers={"n": ["1", "2"]}), "layer 'n' changes inside"),
        (replace(base, layers={"no name": ["1", "1"]}), "cannot be an attribute"),
        (replace(base, langpair="deen"), "does not name two languages"),
    ):
        with pytest.raises(InputError, match=message):
            round_trip(changed, form)
