# SPDX-License-Identifier: Apache-2.0
"""Pages of predicted and human error spans."""

from __future__ import annotations

import base64
import gzip
import json
import re
from dataclasses import replace
from html import unescape

import pytest

from support.span_results import OUTPUTS, compared, metric, people, texts
from tertium.errors import InputError
from tertium.judgements import Judgements, Span
from tertium.meta.spans import correlate_spans
from tertium.report.spans.page import span_page

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


def data_of(page: str) -> dict:
    """Return what the page's script reads."""
    pattern = r'<script type="application/(\w+)" id="segment-data">(.*?)</script>'
    kind, content = re.search(pattern, page, re.DOTALL).groups()
    if kind == "gzip":
        content = gzip.decompress(base64.b64decode(content)).decode()
    return json.loads(content)


def test_first_segments_need_no_script():
    page = span_page(compared(testset=texts()), texts())
    assert '<mark class="p2">cat </mark><mark class="h3 p2">😀</mark>' in page
    assert '<mark class="h3 p2 lack">∅ missing</mark>' in page
    assert "Die Katze saß auf der Matte." in page
    assert "2 outputs" in page
    assert "unknown" not in page.partition("</style>")[2]


def test_data_name_matches_misses_and_false_alarms():
    data = data_of(span_page(compared(), texts()))
    outputs = {
        (segment["n"], data["systems"][each["s"]]): each["f"][0]
        for segment in data["segments"]
        for each in segment["o"]
    }
    labels = [" ".join(each).strip() for each in data["labels"]]
    major, minor = labels.index("major accuracy"), labels.index("minor")
    assert outputs["1", "A"][0] == [major, 8, 9, minor, 4, 9, -1]
    assert outputs["1", "A"][1][3:6] == [-1, -1, -1]
    assert outputs["2", "A"] == [[-1, -1, -1, labels.index("major"), 0, 3, -1]]
    assert outputs["1", "B"] == [[major, -1, -1, minor, -1, -1, -1]]


def test_unknown_texts_are_dots_with_the_words_that_are_known():
    one = Judgements.from_iterable(
        [Span("A", "", "minor", "1", start=2, end=5, text="cat", meta='{"length": 7}')]
    )
    result = correlate_spans({"m": one}, one, resamples=0)
    data = data_of(span_page(result))
    assert data["segments"][0]["o"][0]["t"] == "··cat··"


def test_texts_come_from_metadata_if_there_is_no_test_set():
    meta = json.dumps({"source": "Hallo", "target": "Hello there"})
    one = Judgements.from_iterable(
        [Span("A", "", "minor", "1", start=0, end=5, meta=meta)]
    )
    data = data_of(span_page(correlate_spans({"m": one}, one, resamples=0)))
    assert data["segments"][0]["s"] == "Hallo"
    assert data["segments"][0]["o"][0]["t"] == "Hello there"


def test_hostile_texts_are_escaped():
    span = Span(HOSTILE, HOSTILE, "minor", "1", start=0, end=9, judge=HOSTILE)
    one = Judgements.from_iterable([span])
    testset = texts({HOSTILE: [HOSTILE, "b"]})
    page = span_page(correlate_spans({HOSTILE: one}, one, resamples=0), testset)
    assert "<img" not in page
    assert "alert(1)</script>" not in page
    assert HOSTILE in unescape(page)


def test_segments_are_in_natural_order_without_a_test_set():
    spans = [Span("A", "", "minor", n, start=0, end=1) for n in ("10", "2", "1")]
    one = Judgements.from_iterable(spans)
    data = data_of(span_page(correlate_spans({"m": one}, one, resamples=0)))
    assert [each["n"] for each in data["segments"]] == ["1", "2", "10"]


def test_probes_are_shown_only_if_there_are_no_metrics():
    shown = data_of(span_page(compared(testset=texts()), texts()))
    assert shown["metrics"] == ["metric", "silent"]
    probes = correlate_spans({}, people(), testset=texts(), probes=True, resamples=0)
    assert data_of(span_page(probes, texts()))["metrics"][0] == "PROBE-nothing"


def test_judges_are_named_where_there_are_several():
    both = [each._replace(judge="ben") for each in people().iterate("spans")]
    human = Judgements.from_iterable([*people().iterate("spans"), *both])
    data = data_of(span_page(correlate_spans({"m": metric()}, human, resamples=0)))
    assert sorted(data["judges"]) == ["anna", "ben"]


def test_a_result_without_annotations_is_rejected():
    with pytest.raises(InputError, match="no annotations"):
        span_page(replace(compared(), compared=None))


def test_fixture_positions_are_code_points():
    assert OUTPUTS["A"][0][8:9] == "😀"
