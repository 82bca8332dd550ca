# SPDX-License-Identifier: Apache-2.0
"""The page of a simulated survey shows known effects and estimates."""

from __future__ import annotations

import re

from support.survey_results import survey_results
from tertium.report.draw.dots import Dot, Row, draw_dots
from tertium.report.survey.page import survey_page


def test_effects_outside_their_interval_are_named():
    page = survey_page(survey_results())
    # The slope of order is outside; a standard deviation without interval, too.
    assert "2 of 4 known effects recovered within their 95 % intervals" in page
    text = re.sub(r"<[^>]+>|\s+", " ", page)
    row = re.search(r"slope: order +(.*?) +SD of judges", text)[1]
    assert row.split() == ["−0.0200", "−0.0350", "−0.0400", "to", "−0.0300", "no"]
    assert "2 of 2 known judge effects" in text


def test_notes_stay_text():
    page = survey_page(survey_results(note="<script>alert(1)</script>"))
    assert "<script>alert(1)" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_dots_stand_where_their_values_are():
    rows = [Row("a", [Dot(0.0, -1.0, 1.0)], known=0.5), Row("b", [Dot(1.0), Dot(-1.0)])]
    svg = draw_dots("T", rows, series=["one"], known="known", scale="S")
    circles = [
        float(x) for x in re.findall(r'<circle cx="([-\d.]+)"[^>]*><title>', svg)
    ]
    assert circles == [230.0, 460.0, 0.0]
    assert "<title>0.000 [−1.000, 1.000]</title>" in svg
    # The interval from end to end, and the diamond three quarters to the right.
    assert re.search(r'd="M0 [\d.]+L460 [\d.]+" class="blue line"', svg)
    assert 'd="M345.00 ' in svg
    assert svg.count("known") == 1


def test_names_above_dots_make_a_plot_narrow():
    rows = [Row("the name of a group", [Dot(0.0, -1.0, 1.0), Dot(1.0), Dot(-1.0)])]
    svg = draw_dots("T", rows, series=["one"], names="above")
    circles = [
        float(x) for x in re.findall(r'<circle cx="([-\d.]+)"[^>]*><title>', svg)
    ]
    assert circles == [132.0, 264.0, 0.0]
    assert float(re.search(r' width="([\d.]+)"', svg).group(1)) < 320
    # The zero line starts below the name; the scale goes behind it.
    starts = re.findall(r'd="M132 ([\d.]+)L132 ', svg)
    assert starts == ["0", "15"]
