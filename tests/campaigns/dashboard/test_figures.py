# SPDX-License-Identifier: Apache-2.0
"""Figures of ratings, time left, and histograms, without pages."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

from tertium.campaigns.dashboard import charts, statistics, wording
from tertium.campaigns.dashboard.activity import Activity, Day, remaining, time_bins
from tertium.judgements import Judgements, Rating, Span, agreement, annotators

NOW = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)


def rated(rows, scale="DA"):
    """Return ratings of (judge, system, segment, score)."""
    return Judgements.from_iterable(
        Rating(
            system,
            float(score),
            scale,
            segment,
            judge=judge,
            time=datetime(2026, 3, 2) + timedelta(minutes=n),
            duration=9.0,
            meta=json.dumps({"position": n % 5 + 1, "questionnaire": n % 2}),
        )
        for n, (judge, system, segment, score) in enumerate(rows)
    )


@pytest.fixture
def compute(monkeypatch):
    def run(judgements):
        monkeypatch.setattr(statistics, "tables", lambda campaign: judgements)
        monkeypatch.setattr(statistics, "state_of", lambda campaign: (1, 0, 0))
        return statistics.compute(SimpleNamespace(task="direct"))

    return run


def test_reasons_of_missing_figures_are_translated():
    rooms = [Path(room.__file__).parent for room in (agreement, annotators)]
    names = ("kappa", "pooled", "reliability", "tally", "ratings", "profiles")
    paths = [room / f"{name}.py" for room in rooms for name in names]
    source = "".join(p.read_text(encoding="utf-8") for p in paths if p.exists())
    reasons = re.findall(
        r'(?:reason=|^_[A-Z_]+ = |kappa\(.*, )"([a-z][^"]* [^"]*)"', source, re.M
    )
    assert len(reasons) > 10
    assert set(reasons) <= set(wording.REASONS)


def test_one_rating(compute):
    result = compute(rated([("ann", "alphasys", "s1", 70)]))
    message = [wording.figure(one) for one in result.agreement]
    assert {one.value for one in message} == {"n/a"}
    assert all(one.reason for one in message)
    assert result.systems[0].method == "mean"  # no z of a single rating
    assert [one.score for one in result.systems[0].ranking.systems] == [70.0]
    assert wording.systems(result.systems[0]).rows[0][2:4] == ("alphasys", "70.000")


def test_many_ratings(compute):
    rows = []
    for n in range(30):
        for i, system in enumerate(("alphasys", "betasys")):
            score = 60 + n - 25 * i
            rows.append(("ann", system, f"s{n}", score))
            rows.append(("bob", system, f"s{n}", score + (-1) ** n * 5))
            if n < 6:
                rows.append(("ann", system, f"s{n}", score + n % 3))
    result = compute(rated(rows))
    figures = {(one.kind, one.name): one for one in result.agreement}
    assert figures["intra", "alpha"].compared == 12
    assert figures["inter", "alpha"].compared == 60
    for one in figures.values():
        assert 0.8 < one.estimate.value <= 1
    assert figures["inter", "alpha"].estimate.interval is not None
    assert result.systems[0].method == "z"
    assert result.systems[0].ranking.clusters() == [["alphasys"], ["betasys"]]
    table = wording.composition(result.composition[0])
    assert {row[0] for row in table.rows} == {"position", "questionnaire"}
    assert any("Spearman" in note for note in table.notes)


def test_ratings_that_do_not_vary(compute):
    rows = [(j, s, f"s{n}", 50) for n in range(4) for j in ("ann", "bob", "ann")
            for s in ("alphasys", "betasys")]  # fmt: skip
    result = compute(rated(rows))
    for one in result.agreement:
        assert one.estimate.value is None
        assert one.estimate.reason
    assert result.systems[0].method == "mean"


def test_several_scales(compute):
    both = [
        *rated([("ann", "alphasys", "s1", 2)], "fluency").iterate(),
        *rated([("ann", "alphasys", "s1", 4)], "adequacy").iterate(),
    ]
    result = compute(Judgements.from_iterable(both))
    assert [one.scale for one in result.systems] == ["adequacy", "fluency"]
    assert {one.scale for one in result.agreement} == {"adequacy", "fluency"}


def test_spans_of_unknown_severity_say_so(compute):
    span = Span("alphasys", "order", "odd", "s1", judge="ann")
    result = compute(Judgements.from_iterable([span]))
    ranking = result.systems[0].ranking
    assert [*map(str, ranking.notes)] == [
        "1 error span of severity 'odd' counts as minor"
    ]
    assert result.reason == "there are no rankings or ratings to compare"


def test_edits_cost_one_each(compute):
    spans = [Span("alphasys", "edit", "edit", f"s{n}", judge="ann") for n in range(3)]
    spans += [
        Span("betasys", "none", "no-error", f"s{n}", judge="ann") for n in range(3)
    ]
    result = compute(Judgements.from_iterable(spans))
    ranked = result.systems[0].ranking.systems
    assert [(one.system, one.score) for one in ranked] == [
        ("betasys", 0.0),
        ("alphasys", -1.0),
    ]


def progress(first=10, wanted=110, seconds=36.0):
    return SimpleNamespace(wanted=wanted, first=first, seconds=seconds)


def campaign():
    return SimpleNamespace(plan={"intra": 0.0, "inter": 0.0}, task="pairs")


def active(recent, hours):
    return Activity([], [], 0, recent, NOW - timedelta(hours=hours))


def test_time_left():
    result = remaining(campaign(), progress(), active(10, 24), now=NOW)
    assert result.judgements == 100
    assert result.hours == pytest.approx(1.0)
    assert result.days == pytest.approx(10.0)
    assert wording.remaining(result) == {
        "work": "about 1.0 hours for one person",
        "time": "about 10 days",
    }
    # Older than a week: the last seven days count.
    assert remaining(campaign(), progress(), active(70, 999), now=NOW).days == 10.0


@pytest.mark.parametrize(
    ("happened", "reason"),
    [
        (Activity([], [], 0, 0, None), "nobody has judged anything"),
        (active(0, 999), "seven days"),
        (active(2, 24), "too few"),
        (active(50, 0.1), "too few"),
    ],
)
def test_time_left_is_not_guessed(happened, reason):
    result = remaining(campaign(), progress(seconds=None), happened, now=NOW)
    assert result.days is None
    assert reason in wording.remaining(result)["reason"]


def test_bins_hold_every_time():
    for seconds in ([0.0], [0.2, 3.0], [1, 2, 3, 500], list(range(1, 400))):
        bins = time_bins(seconds)
        assert sum(n for _, _, n in bins) == len(seconds)
        assert len(bins) <= 17
    assert time_bins([]) == []


def test_words_of_undefined_numbers():
    assert wording.number(None) == wording.number(float("nan")) == "n/a"
    assert wording.seconds(float("inf")) == "n/a"
    assert wording.seconds(75.0) == "75.0 s"


def test_charts_are_svg_without_styles_or_scripts():
    day = Day(NOW.date(), 3, 1, 0)
    for chart in (
        charts.days([day]),
        charts.times([1.0, 2.0, 90.0]),
        charts.track([(0.0, "first"), (12.0, "intra")]),
        charts.people([("abc", 3.0, True), ("def", 4.0, False)]),
    ):
        assert chart.svg.startswith("<svg")
        for word in ("style=", "<style", "<script", "NaN", "Infinity", "href"):
            assert word not in chart.svg, word
        assert "var(--chart-blue)" in chart.svg
        assert chart.label
        assert chart.rows
    assert charts.days([]) is charts.times([]) is charts.track([]) is None


def test_without_altair_there_is_a_table(monkeypatch):
    from tertium.errors import MissingExtraError

    def none():
        raise MissingExtraError("charts", extra="plots")

    monkeypatch.setattr(charts, "altair", none)
    result = charts.times([1.0, 2.0])
    assert result.svg == ""
    assert result.rows
