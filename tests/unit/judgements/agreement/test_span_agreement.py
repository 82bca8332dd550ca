# SPDX-License-Identifier: Apache-2.0
"""Agreement on error spans, against published values and slow versions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium import Judgements
from tertium.errors import InputError
from tertium.judgements import Rating, Span
from tertium.judgements.agreement.reliability import krippendorff_alpha
from tertium.judgements.agreement.spans.report import agree_on_spans
from tertium.judgements.agreement.spans.unitising import (
    Continuum,
    united,
    unitised_alpha,
)
from tertium.judgements.estimates import Estimate
from tertium.judgements.importing import import_judgements
from tertium.judgements.spans.matching import Mark
from tertium.report.tables.span_agreement import span_tables

ONE = np.zeros(1, np.int64)


def example() -> dict[str, Continuum]:
    """Return the continuum of Krippendorff (2004, page 254), from 150 on."""
    c, k = Continuum(), Continuum()
    c.add(
        [Mark(75, 145), Mark(220, 250)],
        [Mark(70, 150), Mark(205, 225), Mark(250, 270)],
        300,
    )
    k.add([Mark(30, 90), Mark(150, 200)], [Mark(30, 90), Mark(150, 200)], 300)
    return {"c": c, "k": k}


def test_published_disagreements() -> None:
    by_category = example()
    observed, expected = by_category["c"].disagreements(ONE, None)
    assert observed[0] == pytest.approx(0.0144, abs=5e-5)
    assert expected[0] == pytest.approx(0.0532, abs=5e-5)
    observed, expected = by_category["k"].disagreements(ONE, None)
    assert observed[0] == 0
    assert expected[0] == pytest.approx(0.0490, abs=5e-5)


def test_published_alpha() -> None:
    by_category = example()
    one = unitised_alpha([by_category["c"]], ONE).value
    both = unitised_alpha(list(by_category.values()), ONE).value
    assert one == pytest.approx(0.7286, abs=1e-4)
    # The book computes with the rounded disagreements above.
    assert both == pytest.approx(0.8591, abs=5e-4)


def slow_alpha(
    pieces: Sequence[tuple[Sequence[Mark], Sequence[Mark], int]],
) -> float | None:
    """Return alpha by Krippendorff's sums, term by term."""
    length = sum(size for *_, size in pieces)
    observed, units, gaps = 0, [], []
    for one, two, size in pieces:
        for mine, others in ((one, two), (two, one)):
            for a in mine:
                units.append(a.end - a.start)
                meets = [b for b in others if a.start < b.end and b.start < a.end]
                for b in meets:  # once for each of the two judges
                    observed += (a.start - b.start) ** 2 + (a.end - b.end) ** 2
                if not meets:  # unit in gap, and gap around unit
                    observed += 2 * (a.end - a.start) ** 2
            edges = [0, *(x for m in mine for x in (m.start, m.end)), size]
            gaps += [b - a for a, b in zip(edges[::2], edges[1::2], strict=True)]
    if not units:
        return None
    total = 0.0
    for x in units:
        total += (len(units) - 1) / 3 * (2 * x**3 - 3 * x**2 + x)
        total += x**2 * sum(gap - x + 1 for gap in gaps if gap >= x)
    below = 2 * length * (2 * length - 1) - sum(x * (x - 1) for x in units)
    expected = 2 / length * total / below
    return None if expected <= 0 else 1 - observed / (2 * length**2) / expected


def marks(size: int) -> st.SearchStrategy[list[Mark]]:
    ends = st.lists(st.integers(0, size), max_size=8, unique=True).map(sorted)
    return ends.map(
        lambda x: [Mark(a, b) for a, b in zip(x[::2], x[1::2], strict=False)]
    )


pieces = st.lists(
    st.integers(1, 30).flatmap(lambda n: st.tuples(marks(n), marks(n), st.just(n))),
    min_size=1,
    max_size=4,
)


@given(pieces)
def test_alpha_equals_slow_version(
    drawn: list[tuple[list[Mark], list[Mark], int]],
) -> None:
    continuum = Continuum()
    for piece in drawn:
        continuum.add(*piece)
    value = unitised_alpha([continuum], np.zeros(len(drawn), np.int64)).value
    slow = slow_alpha(drawn)
    assert value == (None if slow is None else pytest.approx(slow, abs=1e-9))


@given(st.integers(1, 40).flatmap(marks))
def test_united_marks_cover_the_same_characters(some: list[Mark]) -> None:
    twice = [*some, *(m._replace(start=max(0, m.start - 2)) for m in some)]
    units = united(twice)
    covered = {x for m in twice for x in range(m.start, m.end)}
    assert {x for m in units for x in range(m.start, m.end)} == covered
    assert all(a.end <= b.start for a, b in itertools.pairwise(units))


def span(
    start: int | None, end: int | None, judge: str, *, segment: str = "1",
    severity: str = "minor", category: str = "", mark: str = "", length: int = 50,
) -> Span:  # fmt: skip
    meta = json.dumps({"length": length} | ({"mark": mark} if mark else {}))
    return Span(
        "A", category, severity, segment, start, end,
        judge=judge, document=f"doc{segment}", meta=meta,
    )  # fmt: skip


def test_equal_spans_agree_fully() -> None:
    spans = [
        span(4 * i, 4 * i + 3, judge, segment=str(i), category="Style")
        for i in range(5)
        for judge in ("anna", "ben")
    ]
    spans.append(span(0, 4, "anna", segment="5", category="Grammar"))
    spans.append(span(0, 4, "ben", segment="5", category="Grammar"))
    spans += [
        span(None, None, judge, segment="6", severity="no-error", category="no-error")
        for judge in ("anna", "ben")
    ]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=100)
    for name, figure in report.inter.figures.items():
        assert figure.value == pytest.approx(1.0), name
    assert report.inter.outputs == 7
    assert list(report.pairs) == [("anna", "ben")]
    assert report.intra.outputs == 0
    assert report.intra.figures["alpha"].reason == "no output was annotated twice"


def test_figures_of_a_small_example() -> None:
    spans = [
        span(0, 10, "anna", severity="major", category="Style"),
        span(5, 15, "ben", severity="minor", category="Grammar"),
        span(None, None, "anna", segment="2", severity="no-error"),
        span(0, 4, "ben", segment="2"),
    ]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    figures = {k: v.value for k, v in report.inter.figures.items()}
    assert figures["character_f1"] == pytest.approx(2 * 5 / 24)
    assert figures["character_f1_partial"] == pytest.approx(5 / 24)
    assert figures["character_f1_severity"] == 0
    # 24 of 200 judged characters are marked, 14 by one judge only.
    assert figures["character_alpha"] == pytest.approx(1 - 14 / (24 * 176 / 199))
    assert figures["span_f1"] == pytest.approx(2 * (5 / 15) / 3)
    assert figures["severity"] == figures["category"] == 0
    # Three of four annotations have errors: chance is 10/16, agreed is 1/2.
    assert figures["error_free_kappa"] == pytest.approx((0.5 - 0.625) / 0.375)


@given(pieces)
def test_character_alpha_is_the_nominal_alpha_of_characters(
    drawn: list[tuple[list[Mark], list[Mark], int]],
) -> None:
    spans, units, values = [], [], []
    for number, (one, two, size) in enumerate(drawn):
        for judge, marks in (("anna", one), ("ben", two)):
            place = str(number)
            clean = span(None, None, judge, segment=place, severity="no-error")
            placed = [span(m.start, m.end, judge, segment=place) for m in marks]
            meta = json.dumps({"length": size})
            spans += [each._replace(meta=meta) for each in placed or [clean]]
            marked = {x for m in marks for x in range(m.start, m.end)}
            units += [(number, x) for x in range(size)]
            values += [x in marked for x in range(size)]
    known = {unit: place for place, unit in enumerate(dict.fromkeys(units))}
    places = np.array([known[unit] for unit in units])
    want = krippendorff_alpha(places, np.array(values, int), level="nominal").value
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    got = report.inter.figures["character_alpha"].value
    assert got == (pytest.approx(want) if len(set(values)) > 1 else None)


def test_duplicates_are_intra_and_not_inter() -> None:
    spans = [
        span(0, 10, "anna"),
        span(0, 5, "anna", mark="duplicate1"),
        span(0, 10, "ben"),
    ]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    assert (report.inter.outputs, report.intra.outputs) == (1, 1)
    assert report.inter.figures["character_f1"].value == 1
    assert report.intra.figures["character_f1"].value == pytest.approx(2 / 3)
    assert set(report.judges["anna"]) == {"inter", "intra"}


def test_unknown_lengths_are_noted() -> None:
    spans = [span(0, 4, "anna")._replace(meta=None), span(0, 4, "ben")]
    codes = [
        note.code
        for some in (spans[:1], spans[1:])
        for note in agree_on_spans(Judgements.from_iterable(some), resamples=0).notes
        if not isinstance(note, str)
    ]
    assert codes == ["span-lengths-unknown", "no-shared-spans", "no-shared-spans"]


def test_habits_count_words_and_time() -> None:
    spans = [
        span(0, 4, "anna", severity="major"),
        span(None, None, "anna", severity="minor", category="missing"),
        span(None, None, "anna", segment="2", severity="no-error"),
    ]
    ratings = [
        Rating("A", 50.0, "ESA", s, "anna", f"doc{s}", duration=10.0) for s in "12"
    ]
    texts = {("A", "1"): "one two three four", ("A", "2"): "five six"}
    report = agree_on_spans(
        Judgements.from_iterable([*spans, *ratings]), texts=texts, resamples=0
    )
    (habits,) = report.habits
    assert (habits.outputs, habits.spans, habits.missing) == (2, 1, 1)
    assert habits.error_free == 0.5
    assert habits.per_100_words == pytest.approx(100 * 2 / 6)
    assert habits.per_1000_characters == pytest.approx(1000 * 2 / 26)
    assert habits.severities == {"major": 0.5, "minor": 0.5}
    assert (habits.length, habits.seconds) == (4, 10)
    assert habits.words_per_second == pytest.approx(6 / 20)


@pytest.mark.parametrize(
    "meta", ['{"length": 13, "words": 3}', '{"target": "one two three"}']
)
def test_metadata_tell_the_words(meta: str) -> None:
    spans = [span(0, 4, "anna")._replace(meta=meta, duration=6.0)]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    (habits,) = report.habits
    assert habits.per_100_words == pytest.approx(100 / 3)
    assert habits.per_1000_characters == pytest.approx(1000 / 13)
    assert habits.words_per_second == pytest.approx(3 / 6)


def test_seeds_decide_intervals() -> None:
    rng = np.random.default_rng(1)
    spans = []
    for i in range(30):
        for judge in ("anna", "ben"):
            start = int(rng.integers(0, 30))
            spans.append(span(start, start + 10, judge, segment=str(i)))
    judgements = Judgements.from_iterable(spans)
    one, two, other = (
        agree_on_spans(judgements, resamples=200, seed=seed).inter.figures
        for seed in (1, 1, 2)
    )
    assert one == two
    assert one != other
    for figure in (one["character_f1"], one["alpha"]):
        assert figure.interval is not None
        assert figure.interval[0] < figure.value < figure.interval[1]  # type: ignore[operator]


def test_judgements_without_spans_are_rejected() -> None:
    ratings = [Rating("A", 50.0, "ESA", "1", "anna")]
    with pytest.raises(InputError, match="no error spans of known judges"):
        agree_on_spans(Judgements.from_iterable(ratings))


def test_one_unit_with_spans_has_no_interval() -> None:
    """Resamples without any span are left out: the interval was a point."""

    def figures(marked: int) -> dict[str, Estimate]:
        spans = [
            span(0, 4 + i, judge, segment=str(i))
            if i < marked
            else span(None, None, judge, segment=str(i), severity="no-error")
            for i in range(20)
            for judge in ("anna", "ben")
        ]
        return agree_on_spans(Judgements.from_iterable(spans)).inter.figures

    for name, what in (("alpha", "spans"), ("error_free_kappa", "errors")):
        one = figures(1)[name]
        assert (one.value, one.interval) == (1, None)
        assert one.reason == f"only one document has {what}"
    assert figures(2)["alpha"].interval == (1, 1)
    assert figures(2)["alpha"].reason is None


def repeated(places: dict[str, list[tuple[int | None, int | None]]]) -> Judgements:
    """Return a judge's annotations, twice each, by document; the second is shorter."""
    spans = []
    for document, some in places.items():
        for n, (start, end) in enumerate(some):
            severity = "no-error" if start is None else "minor"
            for mark, last in (("", end), ("repeat", None if end is None else end - 1)):
                one = span(
                    start, last, "anna", segment=f"{document}{n}", severity=severity,
                    mark=mark,
                )  # fmt: skip
                spans.append(one._replace(document=document))
    return Judgements.from_iterable(spans)


NONE = (None, None)


def test_repeated_outputs_of_two_documents_have_intervals() -> None:
    places = {"d": [(0, 9)], "e": [(2, 5)], "f": [NONE, NONE]}
    report = agree_on_spans(repeated(places), resamples=200)
    assert (report.intra.outputs, report.intra.units) == (4, 2)
    for name in ("character_f1", "character_alpha", "span_f1", "alpha"):
        figure = report.intra.figures[name]
        assert figure.interval is not None
        low, high = figure.interval
        assert low < figure.value < high  # type: ignore[operator]
        assert figure.reason is None
    assert report.judges["anna"]["intra"].figures["alpha"].interval is not None
    text = "\n".join(str(table.note) for table in span_tables(report))
    assert "same judge: intervals of 8 figures rest on 2 documents, and are" in text


@pytest.mark.parametrize(
    "places",
    [
        {"d": [(0, 9), (2, 5)]},
        {"d": [(0, 9), (2, 5)], "e": [NONE, NONE], "f": [NONE]},
        {"d": [(0, 9)], "e": [NONE] * 13},
    ],
)
def test_repeated_outputs_with_spans_in_one_document_say_why_not(
    places: dict[str, list[tuple[int | None, int | None]]],
) -> None:
    report = agree_on_spans(repeated(places), resamples=200)
    figure = report.intra.figures["character_f1"]
    assert figure.value is not None
    assert (figure.interval, figure.reason) == (None, "only one document has spans")
    shown = report.to_dict()["intra"]
    assert shown["character_f1"]["reason"] == figure.reason  # type: ignore[index]
    text = "\n".join(str(table.note) for table in span_tables(report))
    assert "figures have no interval because only one document has spans" in text
    plain = agree_on_spans(repeated(places), resamples=0).intra.figures["character_f1"]
    assert (plain.interval, plain.reason) == (None, None)


def test_intervals_are_judged_by_what_each_figure_rests_on() -> None:
    places = {"d": [(0, 9), NONE], "e": [NONE, NONE], "f": [NONE, NONE]}
    spans = [
        one._replace(severity="minor") if one.segment in ("e0", "f0") else one
        for one in repeated(places).iterate("spans")
        if isinstance(one, Span)
    ]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=200)
    assert report.intra.units == 1
    assert report.intra.rests_on == {"error_free_kappa": 3}
    text = "\n".join(str(table.note) for table in span_tables(report))
    assert "same judge: intervals of 1 figure rest on 3 documents, and are" in text
    assert "1 document," not in text


@pytest.mark.wmt
@pytest.mark.parametrize("kind", ["esa", "esa-ai", "mqm-in-appraise"])
def test_real_duplicates_have_figures(kind: str, wmt_data: Path) -> None:
    files = sorted((wmt_data / "esa").glob(f"wmt23.en-de.{kind}.*.csv.gz"))
    batches = str(wmt_data / "esa" / "appraise-batches.en-de.esa.json.gz")
    judged = import_judgements(files, batches=batches).judgements
    report = agree_on_spans(judged, resamples=100)
    assert report.intra.outputs > 0
    value = report.intra.figures["error_free_kappa"].value
    assert value is not None
    assert -1 <= value <= 1
    assert report.habits
    for one in report.habits:
        assert one.per_100_words is not None
        assert one.words_per_second is not None
        assert 0.05 < one.words_per_second < 20
        assert 4 < one.per_100_words / one.per_1000_characters * 10 < 10  # word length
    codes = [note.code for note in report.notes if not isinstance(note, str)]
    assert "span-lengths-unknown" not in codes


def test_the_unit_is_the_segment_where_no_document_is_known() -> None:
    spans = [
        Span("A", "", "minor", str(i), 0, 2, judge=judge)
        for i in range(6)
        for judge in ("ann", "ben")
    ]
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=20)
    assert report.to_dict()["bootstrap"]["unit"] == "segment"
    known = [span._replace(document="d") for span in spans]
    assert agree_on_spans(Judgements.from_iterable(known), resamples=20).unit == (
        "document"
    )
