# SPDX-License-Identifier: Apache-2.0
"""Verdicts follow from figures and claims; outcomes survive being stored."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError, UnknownNameError
from tertium.reproductions import (
    Cell,
    Claim,
    Curve,
    Data,
    Exhibit,
    Outcome,
    Verdict,
    documents,
    find_exhibits,
    read_outcomes,
    reproduce,
    write_outcomes,
)

TRUE, FALSE = Claim("rises", True), Claim("falls", False)


def exhibit(**changes) -> Exhibit:
    settings = {"same_data": True, "published": {"A": {"x": 0.25}}, **changes}
    return Exhibit(
        "p/table-1", "Table 1", "page 3", "About.", "data", "Why.", **settings
    )


def cell(ours, low=None, high=None) -> Cell:
    return Cell("A", "x", ours, low, high, "x")


@pytest.mark.parametrize(
    ("outcome", "verdict"),
    [
        (Outcome((cell(0.25),)), Verdict.EQUAL),
        (Outcome((cell(0.2504),)), Verdict.EQUAL),
        (Outcome((cell(0.251),)), Verdict.DIFFERS),
        (Outcome((cell(0.28, 0.24, 0.31),)), Verdict.EQUAL),
        (Outcome((cell(0.28, 0.27, 0.31),)), Verdict.DIFFERS),
        (Outcome((cell(0.28, 0.27, 0.31),), (TRUE,)), Verdict.PATTERN),
        (Outcome((cell(0.25),), (TRUE, FALSE)), Verdict.DIFFERS),
        (
            Outcome((cell(0.25),), (TRUE, Claim("f", False, decisive=False))),
            Verdict.EQUAL,
        ),
    ],
)
def test_verdict_on_the_same_data(outcome, verdict):
    assert outcome.verdict(exhibit()) is verdict


def test_other_data_are_never_equal():
    outcome = Outcome((cell(0.25),), (TRUE,))
    assert outcome.verdict(exhibit(same_data=False)) is Verdict.PATTERN
    assert Outcome((cell(0.25),)).verdict(exhibit(same_data=False)) is Verdict.DIFFERS


def test_claims_alone_can_be_equal():
    assert Outcome(claims=(TRUE,)).verdict(exhibit(published={})) is Verdict.EQUAL


def test_one_of_twenty_may_miss():
    published = {str(i): {"x": 0.5} for i in range(20)}
    cells = [Cell(str(i), "x", 0.5, 0.4, 0.6, "x") for i in range(20)]
    cells[0] = Cell("0", "x", 0.8, 0.7, 0.9, "x")
    assert Outcome(tuple(cells)).verdict(exhibit(published=published)) is Verdict.EQUAL
    cells[1] = Cell("1", "x", 0.8, 0.7, 0.9, "x")
    assert (
        Outcome(tuple(cells)).verdict(exhibit(published=published)) is Verdict.DIFFERS
    )


numbers = st.floats(-5, 5).map(lambda x: round(x, 6))
texts = st.text(st.characters(codec="utf-8"), max_size=8)
cells = st.builds(
    Cell, texts, texts, numbers, st.none() | numbers, st.none() | numbers,
    st.none() | texts.filter(bool), texts,
)  # fmt: skip
claims = st.builds(Claim, texts.filter(bool), st.booleans(), texts, st.booleans())
curves = st.builds(
    Curve,
    texts.filter(bool),
    st.lists(st.tuples(numbers, numbers), max_size=3).map(tuple),
)


@given(
    st.lists(cells, max_size=4), st.lists(claims, max_size=3),
    st.lists(curves, max_size=2), texts,
)  # fmt: skip
def test_stored_outcomes_are_read_again(tmp_path_factory, cells, claims, curves, axis):
    outcome = Outcome(tuple(cells), tuple(claims), tuple(curves), axis, 1.5)
    path = tmp_path_factory.mktemp("stored") / "p.json"
    path.write_text(write_outcomes({"p/table-1": outcome}), encoding="utf-8")
    assert read_outcomes(path) == {"p/table-1": outcome}


def test_names_stand_for_documents_and_exhibits():
    (document,) = [d for d in documents() if d.name == "forests"]
    assert find_exhibits(["forests"]) == list(document.exhibits)
    one = find_exhibits(["forests/table-1", "forests/table-1"])
    assert [e.label for e in one] == ["Table 1"]
    with pytest.raises(UnknownNameError, match="did you mean forests"):
        find_exhibits(["forest"])


def test_what_cannot_be_repeated_says_why():
    with pytest.raises(InputError, match=r"cannot be repeated: Why\."):
        reproduce(exhibit())


def test_missing_data_name_the_cure(tmp_path, monkeypatch):
    monkeypatch.delenv("TERTIUM_DATA", raising=False)
    with pytest.raises(InputError, match="name their folder, or set TERTIUM_DATA"):
        Data().path("wmt12")
    with pytest.raises(InputError, match="there is no wmt12"):
        Data(tmp_path).path("wmt12")


@pytest.mark.parametrize("document", documents(), ids=lambda d: d.name)
def test_documents_are_complete(document):
    labels = [exhibit.label for exhibit in document.exhibits]
    assert len(set(labels)) == len(labels)
    assert document.conclusion.endswith(".")
    for exhibit in document.exhibits:
        assert exhibit.about.endswith(".")
        assert exhibit.why.endswith(".")
        assert exhibit.page
        assert not exhibit.data.endswith(".")
