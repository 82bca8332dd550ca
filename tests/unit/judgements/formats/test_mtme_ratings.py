# SPDX-License-Identifier: Apache-2.0
"""Error spans of mt-metrics-eval, LP.NAME.seg.rating."""

from __future__ import annotations

import json

import pytest

from tertium.judgements import (
    Bad,
    ImportOptions,
    Judgements,
    Rating,
    Span,
    import_judgements,
    write_judgements,
)
from tertium.judgements.formats import FORMATS


def error(**values):
    plain = {
        "start": 4, "end": 9, "category": "accuracy/omission", "severity": "major",
        "score": 5, "is_source_error": True,
    }  # fmt: skip
    return {**plain, **values}


def rating(*errors):
    return json.dumps({"errors": list(errors)})


@pytest.fixture
def read(tmp_path):
    def read(*lines, name="wmt23.en-de.mqm.merged.seg.rating"):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        assert import_judgements([path]).formats == {str(path): "mtme-ratings"}
        return list(FORMATS["mtme-ratings"].read(str(path), ImportOptions()))

    return read


def test_an_output_has_a_rating_and_its_errors(read):
    light = error(severity="minor", score=0.1, is_source_error=False)
    result = read(f"A\t{rating()}", "A\tNone", f"A\t{rating(error(), light)}")
    rated = [r for r in result if isinstance(r, Rating)]
    assert rated == [
        Rating("A", 0.0, "mqm", "1", langpair="en-de"),
        Rating("A", -5.1, "mqm", "3", langpair="en-de", meta='{"lines": {"A": 3}}'),
    ]
    spans = [r for r in result if isinstance(r, Span)]
    assert [(s.segment, s.severity, s.side, s.start, s.end) for s in spans] == [
        ("1", "no-error", "target", None, None),
        ("3", "major", "source", 4, 9),
        ("3", "minor", "target", 4, 9),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("A", "no system and rating"),
        ("A\t{}", "no JSON object with a list of errors"),
        ("A\t[", "the rating is not JSON"),
        (f"A\t{rating(error(score='5'))}", "costs '5'"),
        (f"A\t{rating(error(start='x'))}", "begins or ends at 'x'"),
        (f"A\t{rating(error(end=-1))}", "begins or ends at -1"),
    ],
)
def test_wrong_rows_are_set_aside_with_line_and_reason(read, line, reason):
    result = read(f"B\t{rating()}", line)
    bad = [r for r in result if isinstance(r, Bad)]
    assert bad[0].line == 2
    assert reason in bad[0].reason


def test_systems_with_fewer_lines_are_named(read):
    result = read(f"A\t{rating()}", f"A\t{rating()}", f"B\t{rating()}")
    assert "B has 1 lines for 2 segments" in result[-1].reason


def test_standalone_ratings_have_texts(read, tmp_path):
    # standalone_ratings.py of mt-metrics-eval (25fc1fe); segments count from 0.
    row = {
        "source": "A ferry.", "hypothesis": "Die 😀 Fähre.", "document_id": "d",
        "segment_id": 4, "system_id": "A", "rater_id": "ann", "src_lang": "en",
        "tgt_lang": "de",
    }  # fmt: skip
    marked = error(start=4, end=11, is_source_error=False, score=None, severity=None)
    lines = [
        row | {"errors": [marked, error(start=2, end=7)]},
        row | {"errors": [], "rater_id": None},
        row | {"errors": [], "segment_id": None},
        row | {"errors": 5},
    ]
    result = read(*(json.dumps(line) for line in lines), "[", name="ratings.jsonl")
    first, one, two, second, none = result[:5]
    assert first[:9] == ("A", -6.0, "mqm", "5", "ann", "d", "en-de", None, None)
    assert (one.text, one.severity, two.text) == ("😀 Fähre", "undecided", "ferry")
    assert (second.score, second.judge, none.category) == (0.0, None, "no-error")
    assert json.loads(none.meta)["target"] == "Die 😀 Fähre."
    assert [r.line for r in result[5:]] == [3, 4, 5]
    judgements = Judgements.from_iterable(result[:3])
    write_judgements(judgements, tmp_path / "a.seg.rating", format="mtme-ratings")
    *_, last = (tmp_path / "a.seg.rating").read_text().splitlines()
    assert last == f"A\t{rating(marked, error(start=2, end=7))}\tann"


def test_the_third_column_is_the_rater(read):
    # ratings.py of mt-metrics-eval writes it (25fc1fe), only where somebody judged.
    result = read(f"A\t{rating(error())}\tann", "A\tNone", f"A\t{rating()}\tbob")
    assert not [r for r in result if isinstance(r, Bad)]
    judges = [(type(r).__name__, r.segment, r.judge) for r in result]
    assert judges == [
        ("Rating", "1", "ann"),
        ("Span", "1", "ann"),
        ("Rating", "3", "bob"),
        ("Span", "3", "bob"),
    ]


def test_only_the_places_of_an_error_have_to_be_there(read):
    # Error in ratings.py of mt-metrics-eval (25fc1fe): all other fields may be null.
    empty = {"category": None, "severity": None, "score": None}
    result = read(
        f"A\t{rating(error(score=None, severity='minor'))}",
        f"A\t{rating({'start': 0, 'end': 2})}",
        f"A\t{rating(error(**empty))}",
    )
    assert [r.score for r in result if isinstance(r, Rating)] == [-1.0, -1.0, -1.0]
    spans = [r for r in result if isinstance(r, Span)]
    assert [(s.category, s.severity, s.side) for s in spans] == [
        ("accuracy/omission", "minor", "source"),
        ("", "undecided", "target"),
        ("", "undecided", "source"),
    ]
