# SPDX-License-Identifier: Apache-2.0
"""Two rounds of one campaign, as files or as stores, whatever judges are called."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tertium.errors import InputError
from tertium.judgements import Judgements, Span, import_judgements, merge
from tertium.judgements.agreement.overview import agree
from tertium.judgements.agreement.spans.report import agree_on_spans
from tertium.judgements.ranking import rank_systems
from tertium.judgements.ranking.ratings import mqm_scores
from tertium.judgements.selection import judges_per_campaign
from tertium.judgements.spans.repeats import annotation_column, annotation_name
from tertium.judgements.writing import write_judgements
from tertium.meta.spans import correlate_spans


def row(judge, item, score, spans, time, document="d"):
    text = json.dumps(spans).replace('"', '""')
    cells = [judge, "wmt23.A", item, "TGT", "eng", "deu", score, f"{document}#A"]
    return ",".join(map(str, [*cells, False, f'"{text}"', time, time + 20.0]))


def mark(start, end, severity="major"):
    place = {"start_i": start, "end_i": end - 1}
    return place | {"severity": severity, "error_type": None}


@pytest.fixture(params=["same judge", "other judge"])
def rounds(request, tmp_path):
    """Return the files of two rounds; the second has an item less."""
    name = "ann" if request.param == "same judge" else "x-7"
    first = [
        row("ann", 1, 40, [mark(0, 4), mark(6, 9, "minor")], 1000.0),
        row("ann", 2, 90, [], 1030.0),
        row("bob", 1, 80, [], 1000.0, "e"),
    ]
    second = [
        row(name, 1, 50, [mark(0, 4)], 9000.0),
        row("zoe", 1, 70, [], 9000.0, "e"),
    ]
    paths = []
    for number, lines in enumerate((first, second), start=1):
        paths.append(tmp_path / f"esa.{number}.csv")
        paths[-1].write_text("".join(f"{line}\n" for line in lines))
    return paths


@pytest.fixture(params=["files", "stores"])
def both(request, rounds, tmp_path):
    if request.param == "files":
        return import_judgements(rounds).judgements
    stores = [tmp_path / "a", tmp_path / "b.sqlite"]
    for path, store in zip(rounds, stores, strict=True):
        import_judgements([path], out=store)
    return merge([Judgements.read(store) for store in stores])


def test_an_output_judged_in_both_rounds_costs_their_mean(both):
    table = mqm_scores(both)
    scores = dict(zip(table.segments, table.scores[0], strict=True))
    assert scores == {"d:1": -5.5, "d:2": 0, "e:1": 0}


def test_rounds_are_compared_as_two_annotations(both):
    report = agree_on_spans(both, resamples=0)
    figures = report.intra if report.intra.outputs else report.inter
    assert report.intra.outputs + report.inter.outputs == 2
    assert figures.figures["character_f1"].value == pytest.approx(2 * 4 / (7 + 4))
    assert sum(one.outputs for one in report.habits) == 5
    assert sum(one.spans for one in report.habits) == 3
    seconds = {one.judge: one.seconds for one in report.habits}
    assert seconds["bob"] == 20


def test_predictions_are_compared_with_both_rounds(both):
    spans = [
        Span("A", "", "major", "d:1", 0, 4, langpair="en-de", document="d"),
        *(
            Span("A", "no-error", "no-error", s, langpair="en-de", document=s[0])
            for s in ("d:2", "e:1")
        ),
    ]
    metric = Judgements.from_iterable(spans)
    result = correlate_spans({"m": metric}, both, resamples=0)
    # One half of the two spans of the first round, and the span of the second.
    assert result.get("m", "exact:micro-recall").value == pytest.approx(1 / 1.5)
    assert result.get("m", "exact:micro-precision").value == 1


def test_both_rounds_are_written_again(rounds, both, tmp_path):
    write_judgements(both, tmp_path / "out.csv", format="esa")
    wanted = b"".join(path.read_bytes() for path in rounds)
    assert (tmp_path / "out.csv").read_bytes() == wanted


def test_ratings_of_both_rounds_count(both):
    assert rank_systems(both, method="mean", resamples=0).scores()["A"] == (
        pytest.approx((45 + 90 + 75) / 3)
    )
    (ratings,) = agree(both).whole.ratings.values()
    assert ratings.ratings == 5


def test_the_column_is_the_name():
    time = datetime(2024, 5, 1, 12)
    metas = [
        None,
        {"length": 3},
        {"mark": "duplicate1", "length": 3},
        {"length": 3, "line": 7, "appraise": {"line": 8, "row": '"mark": "x"'}},
        {"human": "2", "start_i": 3},
    ]
    spans = [
        Span("A", "", "minor", str(i), 0, 1, time=time, meta=meta and json.dumps(meta))
        for i, meta in enumerate(metas)
    ]
    table = Judgements.from_iterable(spans).spans.with_columns(
        annotation_column().alias("name")
    )
    names = table.collect()["name"].to_list()
    wanted = [annotation_name(meta or {}, time) for meta in metas]
    assert len(set(names)) == len(set(wanted)) == 4
    assert [bool(name) for name in names] == [bool(name) for name in wanted]


@pytest.fixture
def named(rounds, tmp_path):
    """Return two rounds with campaign names of their own."""
    parts = []
    for number, path in enumerate(rounds):
        parts.append(import_judgements([path], campaign=f"round {number}").judgements)
    return merge(parts)


def test_campaign_names_do_not_keep_rounds_apart(named):
    report = agree_on_spans(named, resamples=0)
    assert report.intra.outputs + report.inter.outputs == 2


def test_judges_are_told_apart_by_campaign_on_request(named):
    report = agree_on_spans(judges_per_campaign(named), resamples=0)
    assert (report.inter.outputs, report.intra.outputs) == (2, 0)
    assert "round 0/ann" in {habits.judge for habits in report.habits}
    assert "several-campaigns-apart" in [note.code for note in report.notes]


def test_judges_without_a_campaign_cannot_be_told_apart(both):
    with pytest.raises(InputError, match="no judgement has one"):
        judges_per_campaign(both)


def test_texts_of_different_length_are_not_the_same_output():
    spans = [
        Span(
            "A", "", "minor", "1", 0, 2,
            judge=judge, campaign=campaign, meta=json.dumps({"length": length}),
        )
        for judge, campaign, length in (
            ("ann", "x", 10), ("ben", "x", 10), ("ann", "y", 12), ("eve", "y", 12)
        )
    ]  # fmt: skip
    report = agree_on_spans(Judgements.from_iterable(spans), resamples=0)
    assert report.inter.outputs == 2
    assert set(report.pairs) == {("ann", "ben"), ("ann", "eve")}
    assert "unlike-campaigns" in [note.code for note in report.notes]
