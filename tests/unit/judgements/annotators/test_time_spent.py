# SPDX-License-Identifier: Apache-2.0
"""The time that judges spent."""

from __future__ import annotations

import pytest

import tertium
from tertium.judgements import Judgements, Place, Ranking
from tertium.judgements.annotators.time_spent import time_spent
from tertium.report.tables.agreement import agreement_tables

PLACES = (Place(("A",), 1), Place(("B",), 2))
#: Annotators of Macháček (2014), table 2.3: segments, hours, minutes, seconds, mean.
PUBLISHED = {
    "1": (232, 4, 53, 43, 75),
    "4": (248, 5, 0, 46, 74),
    "6": (1160, 16, 53, 13, 52),
    "7": (663, 11, 16, 26, 62),
    "8": (20, 0, 21, 6, 63),
    "9": (50, 0, 45, 58, 55),
    "10": (274, 5, 4, 45, 66),
    "12": (7, 0, 15, 3, 129),
    "13": (1260, 26, 26, 14, 75),
    "15": (282, 5, 17, 58, 67),
    "16": (627, 5, 0, 11, 28),
    "17": (74, 2, 40, 44, 130),
    "18": (234, 7, 2, 10, 111),
    "19": (50, 1, 31, 52, 110),
    "21": (1443, 37, 44, 37, 94),
    "22": (338, 6, 0, 36, 64),
    "23": (1371, 22, 7, 35, 58),
}


def ranking(judge, segment, part, seconds):
    return Ranking(PLACES, segment, part, judge=judge, duration=seconds)


def test_totals_and_means_are_those_of_the_published_table():
    """The total of 6 days, 14:22:57 and 68 s per segment, from its own rows.

    Some means are above time / segments: long judgements are in neither of them.
    """
    made = []
    for judge, (number, hours, minutes, seconds, mean) in PUBLISHED.items():
        time = 3600 * hours + 60 * minutes + seconds
        timed = min(number, time // mean)
        made += [ranking(judge, str(i), "p", time / timed) for i in range(timed)]
        made += [ranking(judge, str(i), "p", 700.0) for i in range(timed, number)]
    *judges, total = time_spent(Judgements.from_iterable(made))
    # The thesis cuts means off after the point.
    means = {one.judge: int(one.mean) for one in judges}
    assert means == {judge: row[-1] for judge, row in PUBLISHED.items()}
    assert (total.judge, total.judgements) == (None, 8333)
    days, rest = divmod(round(total.seconds), 86400)
    assert (days, rest, int(total.mean)) == (6, 14 * 3600 + 22 * 60 + 57, 68)


def test_segments_of_several_judges_count_once_in_the_total():
    made = [
        ranking("a", "1", "p", 10.0),
        ranking("a", "1", "q", 20.0),
        ranking("b", "1", "p", 600.0),
        ranking("b", "2", "p", None),
    ]
    a, b, total = time_spent(Judgements.from_iterable(made))
    assert (a.segments, a.judgements, a.seconds, a.mean) == (1, 2, 30.0, 15.0)
    assert (b.segments, b.judgements, b.timed, b.long, b.mean) == (2, 2, 0, 1, None)
    assert (total.segments, total.judgements, total.timed) == (2, 4, 2)


@pytest.fixture
def report():
    return tertium.agree(Judgements.read("demo"), by="judge")


def test_the_report_shows_time_where_judges_are_asked_for(report):
    table = next(t for t in agreement_tables(report) if t.title == "Time per judge")
    assert table.rows[-1][0] == "total"
    assert table.rows[-1][-1] == "0.331"
    shown = report.to_dict()["time"]
    assert shown[-1]["judge"] is None
    assert shown[-1]["judgements"] == 602
    assert shown[-1]["segments"] == 60
    assert "time" not in tertium.agree(Judgements.read("demo")).to_dict()
