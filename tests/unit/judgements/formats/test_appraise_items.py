# SPDX-License-Identifier: Apache-2.0
"""Appraise exports whose items are numbered by batch, as ESA campaigns have them."""

from __future__ import annotations

import csv
import io
import json

import pytest

from support.appraise import without_rows
from tertium.errors import FormatError
from tertium.judgements import (
    Bad,
    ImportOptions,
    Judgements,
    Rating,
    Span,
    import_judgements,
)
from tertium.judgements.agreement.overview import agree
from tertium.judgements.formats import FORMATS
from tertium.judgements.formats.appraise_positions import is_cut
from tertium.judgements.ranking import rank_systems
from tertium.judgements.summary import summarise

MINOR = {"start_i": 0, "end_i": 1, "severity": "minor", "error_type": None}


def row(judge, system, item, document, *, score=50, kind="TGT", spans=(), time=None):
    """Return one row; times are those of one click."""
    start, end = time or (1000.0 + 30 * item, 1000.0 + 30 * item)
    cells = [judge, system, item, kind, "eng", "deu", score, document, False]
    return [*cells, json.dumps(list(spans)), start, end]


def write(path, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    path.write_text(text.getvalue())
    return path


def ratings(records, scale="ESA"):
    return [r for r in records if isinstance(r, Rating) and r.scale == scale]


@pytest.fixture
def read(tmp_path):
    def read(rows, **options):
        path = write(tmp_path / "esa.csv", rows)
        records = FORMATS["esa"].read(str(path), ImportOptions(**options))
        return list(map(without_rows, records))

    return read


BATCH = [
    row("j1", "ende-tutorial1", 1, "ende-tutorial1", score=100),
    row("j1", "wmt23.A", 2, "d1#A", score=90),
    row("j1", "wmt23.A", 3, "d1#A", score=80),
    row("j1", "wmt23.B", 4, "d1#B", score=70),
    row("j1", "wmt23.B", 5, "d1#B", score=60),
    row("j1", "wmt23.B", 6, "d1#B#bad1", score=10, kind="BAD", spans=[MINOR]),
    row("j1", "wmt23.B", 7, "d1#B#bad1", score=65, kind="BAD"),
    row("j1", "wmt23.A", 8, "d1#A#duplicate1", score=85),
    row("j1", "wmt23.A", 9, "d1#A#duplicate1", score=75),
]


def test_a_segment_is_the_document_and_the_position_in_it(read):
    result = ratings(read(BATCH[::-1]))
    assert {(r.system, r.segment, r.document, r.score) for r in result} == {
        ("A", "d1:1", "d1", 90.0),
        ("A", "d1:2", "d1", 80.0),
        ("B", "d1:1", "d1", 70.0),
        ("B", "d1:2", "d1", 60.0),
        ("A", "d1:1", "d1", 85.0),
        ("A", "d1:2", "d1", 75.0),
    }


def test_checks_and_tutorials_are_kept_apart(read):
    checks = ratings(read(BATCH), "ESA-control")
    kinds = [(json.loads(r.meta)["item"], r.segment) for r in checks]
    assert kinds == [("tutorial", "ende-tutorial1:1"), ("BAD", "d1:1"), ("BAD", "d1:2")]
    judgements = Judgements.from_iterable(r for r in read(BATCH))
    (rated, checked, _) = summarise(judgements, ["langpair"])
    assert (rated.kind, rated.judgements, rated.systems) == ("ratings", 6, 2)
    assert (checked.kind, checked.judgements) == ("checks", 3)
    assert rank_systems(judgements, method="mean", resamples=0).scores() == {
        "A": 82.5,
        "B": 65.0,
    }


def test_judges_are_profiled_by_their_checks(read):
    (profile,) = agree(Judgements.from_iterable(read(BATCH))).judges
    assert (profile.checks.passed, profile.checks.total) == (1, 2)
    assert profile.ratings == 6


def test_judges_who_miss_most_checks_are_flagged(read):
    rows = [row("j1", "A", i, f"d{i}#A", score=50 + i) for i in range(5)]
    rows += [
        row("j1", "A", 5 + i, f"d{i}#A#bad1", score=90, kind="BAD") for i in range(5)
    ]
    rows.append(row("j2", "B", 0, "d1#B"))
    profiles = agree(Judgements.from_iterable(read(rows))).judges
    assert [flag.kind for flag in profiles[0].flags] == ["checks"]


def test_numbers_that_are_lines_of_the_test_set_stay(read):
    rows = [
        row("j1", "A", 7, "d1#A"),
        row("j1", "B", 7, "d1#B"),
        row("j2", "A", 8, "d2#A"),
    ]
    assert [r.segment for r in ratings(read(rows))] == ["7", "7", "8"]


def test_documents_that_two_judges_rate_are_paired(read):
    rows = [
        row("j1", "A", 1, "d1#A", score=1), row("j1", "A", 2, "d1#A", score=2),
        row("j2", "A", 5, "d1#A", score=3), row("j2", "A", 6, "d1#A", score=4),
        row("j2", "A", 1, "d2#A"),
    ]  # fmt: skip
    results = {(r.judge, r.segment): r.score for r in ratings(read(rows))}
    assert results["j1", "d1:2"] == 2.0
    assert results["j2", "d1:2"] == 4.0


def test_skipped_items_do_not_move_the_next_ones(read):
    rows = [row("j1", "A", 1, "d1#A"), row("j1", "A", 3, "d1#A")]
    rows += [row("j2", "A", 1, "d2#A")]
    assert [r.segment for r in ratings(read(rows))] == ["d1:1", "d1:3", "d2:1"]


CUT = [
    *(row("j1", "A", i, "d1#A", score=i) for i in (1, 2, 3)),
    row("j1", "B", 4, "d1#B", score=11),
    row("j1", "B", 5, "d1#B#bad1", score=1, kind="BAD"),
    *(row("j2", "B", i, "d1#B", score=i) for i in (7, 8)),
    row("j2", "A", 1, "d2#A"),
]


def test_parts_of_a_document_cut_between_batches_are_never_paired(read):
    results = {r.score: r.segment for r in ratings(read(CUT))}
    assert [results[i] for i in (1.0, 2.0, 3.0)] == ["d1:1", "d1:2", "d1:3"]
    parts = [results[i] for i in (11.0, 7.0, 8.0)]
    assert len(set(parts)) == 3
    assert all(map(is_cut, parts))
    assert not set(parts) & {"d1:1", "d1:2", "d1:3"}
    (check,) = ratings(read(CUT), "ESA-control")
    assert check.segment == results[11.0]


def batches(path, rows, lines):
    items = [
        {
            "documentID": document, "itemID": item, "targetID": system,
            "itemType": kind, "sourceText": "", "targetText": f"😀 text of {item}",
            "_item": f"{system} | {line} | d",
        }
        for (_, system, item, kind, _, _, _, document, *_), line in zip(
            rows, lines, strict=True
        )
    ]  # fmt: skip
    path.write_text(json.dumps([{"items": items, "task": {}}], indent=1))
    return str(path)


def test_batches_give_lines_and_texts(read, tmp_path):
    rows = [list(each) for each in CUT]
    rows[0][9] = json.dumps([{**MINOR, "start_i": 3, "end_i": 6}])
    path = batches(tmp_path / "batches.json", rows, [10, 11, 12, 10, 10, 11, 12, 40])
    records = read(rows, batches=path)
    results = {r.score: r.segment for r in ratings(records)}
    assert [results[i] for i in (1.0, 2.0, 3.0)] == ["11", "12", "13"]
    assert [results[i] for i in (11.0, 7.0, 8.0)] == ["11", "12", "13"]
    span = next(r for r in records if isinstance(r, Span) and r.severity == "minor")
    assert (span.start, span.end, span.text) == (2, 6, "text")


def test_the_batch_of_a_judge_follows_from_the_other_items(read, tmp_path):
    def item(number, document, line):
        return {
            "documentID": document, "itemID": number, "targetID": "A",
            "targetText": "", "_item": f"A | {line} | d",
        }  # fmt: skip

    one = {"items": [item(1, "d1#A", 0), item(2, "d2#A", 5)]}
    two = {"items": [item(1, "d1#A", 1), item(2, "d3#A", 9)]}
    path = tmp_path / "batches.json"
    path.write_text(json.dumps([one, two]))
    rows = [row("j1", "A", 1, "d1#A"), row("j1", "A", 2, "d2#A")]
    rows += [row("j2", "A", 1, "d1#A"), row("j2", "A", 2, "d3#A")]
    results = [r.segment for r in ratings(read(rows, batches=str(path)))]
    assert results == ["1", "6", "2", "10"]


def test_items_that_no_batch_has_are_bad_rows(read, tmp_path):
    path = batches(tmp_path / "batches.json", CUT[:1], [0])
    result = read(CUT, batches=path)
    bad = [r for r in result if isinstance(r, Bad)]
    assert len(bad) == len(CUT) - 1
    assert bad[0].reason == "item 2 of document d1#A is not in the batches"


@pytest.mark.parametrize("text", ["[1]", "{", '[{"items": [{"documentID": "d"}]}]'])
def test_other_files_are_no_batches(read, tmp_path, text):
    path = tmp_path / "batches.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=r"batches\.json"):
        read(CUT, batches=str(path))


def test_batches_alone_are_no_judgements(tmp_path):
    path = batches(tmp_path / "batches.json", CUT[:1], [0])
    with pytest.raises(FormatError, match=r"import EXPORT -o STORE --batches FILE"):
        Judgements.read(path)


def test_the_last_submission_of_an_item_counts(read):
    rows = [*BATCH, row("j1", "wmt23.A", 2, "d1#A", score=5, time=(1e4, 1e4))]
    result = read(rows)
    assert ("A", "d1:1", 5.0) in {(r.system, r.segment, r.score) for r in result[:-1]
                                  if isinstance(r, Rating)}  # fmt: skip
    (bad,) = [r for r in result if isinstance(r, Bad)]
    assert (bad.line, bad.skipped) == (2, True)
    assert bad.reason == "submitted again in line 10"


def test_rows_that_are_there_twice_count_once(read):
    result = read([*BATCH, BATCH[1]])
    assert len(ratings(result)) == 6
    assert [r.line for r in result if isinstance(r, Bad)] == [10]


def test_times_of_single_clicks_count_from_the_item_before(read):
    rows = [
        row("j1", "A", 1, "d1#A", score=1, time=(100.0, 104.0)),
        row("j1", "A", 2, "d1#A", score=2, time=(120.0, 120.0)),
        row("j1", "B", 3, "d1#B", score=3, time=(130.0, 150.0)),
        row("j2", "A", 1, "d2#A", score=4, time=(900.0, 900.0)),
    ]
    results = {r.score: r for r in ratings(read(rows))}
    assert {score: r.duration for score, r in results.items()} == {
        1.0: 4.0,
        2.0: 16.0,
        3.0: 30.0,
        4.0: None,
    }
    assert json.loads(results[3.0].meta) == {"active_seconds": 20.0}


def test_times_of_pages_are_taken_as_they_are(read):
    rows = [row("j1", "A", i, "d1#A", time=(100.0 * i, 100.0 * i + 7)) for i in (1, 2)]
    assert [r.duration for r in ratings(read(rows))] == [7.0, 7.0]


def test_mqm_campaigns_give_errors_and_no_scores(read):
    wrong = {**MINOR, "error_type": ["Accuracy", "Omission"]}
    spelt = {**MINOR, "error_type": ["Linguistic conventions", "Punctuation"]}
    rows = [[*each[:6], 0, *each[7:]] for each in BATCH]
    rows[1][9], rows[5][9] = json.dumps([spelt]), json.dumps([wrong, wrong])
    records = read(rows)
    assert {r.scale for r in records if isinstance(r, Rating)} == {"MQM-control"}
    bad = ratings(records, "MQM-control")[1]
    assert (bad.segment, bad.score) == ("d1:1", -2.0)
    judgements = Judgements.from_iterable(records)
    scores = rank_systems(judgements, method="mqm", resamples=0).scores()
    assert scores == pytest.approx({"A": -0.1 / 4, "B": 0.0})
    report = agree(judgements)
    assert list(report.whole.ratings) == ["MQM"]
    assert report.whole.ratings["MQM"].ratings == 6
    assert (report.judges[0].checks.passed, report.judges[0].checks.total) == (1, 2)


def test_spans_of_any_severity_and_missing_text_are_read(read):
    marks = [
        {**MINOR, "severity": "undecided"},
        {"start_i": "missing", "end_i": "missing", "severity": "major",
         "error_type": None},
        {"start_i": 3, "end_i": 6, "severity": "minor"},
    ]  # fmt: skip
    records = read([row("j1", "A", 1, "d1#A", spans=marks)])
    spans = [r for r in records if isinstance(r, Span)]
    assert [(s.category, s.severity, s.start, s.end) for s in spans] == [
        ("", "undecided", 0, 2),
        ("missing", "major", None, None),
        ("", "minor", 3, 6),  # filled in before: the end is not marked
    ]
    judgements = Judgements.from_iterable(records)
    assert rank_systems(judgements, method="mqm", resamples=0).scores() == {"A": -7.0}


SKIPPED = [
    row("j1", "A", 1, "d1#A"),
    # Number 2, of either document, was skipped.
    row("j1", "A", 3, "d2#A"),
    row("j1", "A", 4, "d2#A"),
    row("j1", "A", 5, "d3#A"),
    row("j3", "A", 1, "d7#A"),  # Numbers are places in batches.
]


def test_items_after_a_skipped_beginning_are_not_taken_for_others(read):
    names = [r.segment for r in ratings(read(SKIPPED))]
    assert [is_cut(name) for name in names] == [False, True, True, False, False]
    assert [names[0], names[3]] == ["d1:1", "d3:1"]


def test_a_document_that_is_complete_begins_where_it_seems_to(read):
    other = [row("j2", "B", i, "d2#B") for i in (1, 2)] + [row("j2", "B", 3, "d1#B")]
    names = [r.segment for r in ratings(read([*SKIPPED, *other]))]
    assert names[:4] == ["d1:1", "d2:1", "d2:2", "d3:1"]


def test_another_judge_of_the_batch_tells_the_position(read):
    other = [row("j2", "A", i, f"d{d}#A") for i, d in ((1, 1), (2, 2), (3, 2), (4, 2))]
    names = [r.segment for r in ratings(read([*SKIPPED, *other]))]
    assert names[:4] == ["d1:1", "d2:2", "d2:3", "d3:1"]
    assert names[5:] == ["d1:1", "d2:1", "d2:2", "d2:3"]


def test_positions_are_not_known_where_one_judge_has_two_batches(read):
    one = [row("j1", "A", i, f"d{d}#A") for i, d in ((1, 1), (2, 2), (3, 2), (4, 3))]
    two = [row("j1", "B", i, f"d{d}#B") for i, d in ((1, 4), (2, 4), (3, 1), (4, 1))]
    other = [row("j2", "A", i, f"d{d}#A") for i, d in ((1, 1), (2, 2), (3, 2), (4, 3))]
    names = [r.segment for r in ratings(read([*one, *two, *other]))]
    assert [is_cut(name) for name in names] == [True] * 8 + [False] * 4


def test_rounds_tell_nothing_about_each_other(tmp_path):
    """Their batches may be in another order."""
    whole = [row("j1", "A", i, f"d{d}#A") for i, d in ((1, 1), (2, 2), (3, 2), (4, 2))]
    moved = [row("j1", "A", i, f"d{d}#A") for i, d in ((1, 5), (2, 5), (3, 5), (4, 2))]
    cut = [row("j4", "A", i, "d6#A") for i in (1, 2)]
    cut += [row("j5", "A", i, f"d{d}#A") for i, d in ((1, 5), (2, 6), (3, 6))]
    cut += [row("j6", "B", i, "d6#B") for i in (1, 2, 3, 4)]
    rounds = [whole, moved, SKIPPED, [*whole, *cut], [*moved, *reversed(cut)]]
    paths = [write(tmp_path / f"{n}.csv", rows) for n, rows in enumerate(rounds)]

    def names(*files):
        both = import_judgements(files).judgements.iterate("ratings")
        return [rating.segment for rating in both]

    apart = [names(path) for path in paths]
    assert names(*paths) == [name for each in apart for name in each]
    assert sum(map(is_cut, apart[2])) == 2
