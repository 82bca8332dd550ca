# SPDX-License-Identifier: Apache-2.0
"""Appraise exports that are written again, and what became of pre-filled spans."""

from __future__ import annotations

import csv
import gzip
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.errors import InputError
from tertium.judgements import (
    FORMATS,
    ImportOptions,
    Judgements,
    Rating,
    Span,
    import_judgements,
)
from tertium.judgements.formats.appraise_kept import prefilled
from tertium.judgements.writing import write_judgements

NEW = {"start_i": 2, "end_i": 5, "severity": "minor", "error_type": None}
OLD = {"start_i": 0, "end_i": 3, "severity": "major"}
MISSING = {"start_i": "missing", "end_i": "missing", "severity": "major"}


def row(judge, item, *, system="A", score=50, kind="TGT", spans=(), end=20.25):
    cells = [judge, f"wmt23.{system}", item, kind, "eng", "deu", score]
    document = f"d1#{system}" + ("#bad2" if kind == "BAD" else "")
    text = json.dumps(list(spans), separators=(",", ":"))
    return [*cells, document, False, text, f"{end - 3:.3f}", f"{end:.3f}"]


def text_of(rows):
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


ROWS = [
    row("j1", 4, system="B", score=71, spans=[OLD, NEW], end=80),
    row("j1", 3, system="B", score=30, end=70),  # replaced by the last row
    row("j1", 2, kind="BAD", score=12, spans=[NEW], end=60),
    row("j1", 1, score="87.0", end=50),
    row("j2", 1, score=99, end=50),
    row("j1", 3, system="B", score=35, spans=[NEW, MISSING], end=90),
]


def again(text, folder, *, change=None, name="esa"):
    path, out = folder / "in.csv", folder / "out.csv"
    path.write_text(text, encoding="utf-8", newline="")
    judgements = import_judgements([path]).judgements
    if change is not None:
        judgements = Judgements.from_iterable(map(change, judgements.iterate()))
    write_judgements(judgements, out, format=name)
    return out.read_bytes().decode()


def test_exports_come_back_with_earlier_submissions(tmp_path):
    text = text_of(ROWS)
    assert again(text, tmp_path) == text
    store = tmp_path / "store.sqlite"
    import_judgements([tmp_path / "in.csv"], out=store)
    write_judgements(Judgements.read(store), tmp_path / "out.csv", format="esa")
    assert (tmp_path / "out.csv").read_text() == text


def test_mqm_exports_have_no_ratings_and_come_back(tmp_path):
    typed = NEW | {"error_type": ["Accuracy", "Omission"]}
    rows = [[*each[:6], 0, *each[7:]] for each in ROWS]
    rows[0][9] = json.dumps([typed, OLD])
    text = text_of(rows)
    assert again(text, tmp_path) == text


def test_exports_without_spans_and_with_a_header_come_back(tmp_path):
    text = (
        "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,"
        "timeStart,timeEnd\nu1,A,1,TGT,ces,ukr,70,doc.1,False,1.0,2.0\n"
        "u1,A,2,TGT,ces,ukr,70.50,doc.1,True,1.0,2.0\n"
    )
    assert again(text, tmp_path, name="appraise") == text


def test_what_changed_is_written(tmp_path):
    def change(judgement):
        judgement = judgement._replace(judge=f"x{judgement.judge[1:]}")
        if isinstance(judgement, Rating) and judgement.score == 99:
            return judgement._replace(score=98.5)
        return judgement

    text = (
        text_of(ROWS).replace("j1", "x1").replace("j2", "x2").replace(",99,", ",98.5,")
    )
    assert again(text_of(ROWS), tmp_path, change=change) == text


def test_other_judgements_are_an_error(tmp_path):
    def moved(judgement):
        if isinstance(judgement, Span) and judgement.start == 2:
            return judgement._replace(start=1)
        return judgement

    with pytest.raises(InputError, match=r"error spans of 'B' .* those of in.csv:1"):
        again(text_of(ROWS), tmp_path, change=moved)
    other = Judgements.from_iterable([Rating("A", 7.0, "ESA", "1")])
    with pytest.raises(InputError, match=r"'A' was not read from an Appraise export"):
        write_judgements(other, tmp_path / "x.csv", format="esa")
    whole = import_judgements([tmp_path / "in.csv"]).judgements
    spans = Judgements.from_iterable(whole.iterate("spans"))
    with pytest.raises(InputError, match="have no row without their rating"):
        write_judgements(spans, tmp_path / "x.csv", format="esa")


def test_files_are_written_one_after_the_other(tmp_path):
    for name, judge in (("b.csv", "j1"), ("a.csv", "j9")):
        rows = [[judge, *each[1:]] for each in ROWS]
        (tmp_path / name).write_text(text_of(rows))
    paths = [tmp_path / "b.csv", tmp_path / "a.csv"]
    out = tmp_path / "out.csv"
    write_judgements(import_judgements(paths).judgements, out, format="esa")
    assert out.read_text() == "".join(path.read_text() for path in paths)


spans = st.lists(
    st.builds(
        lambda start, size, severity, kept: (
            {"start_i": start, "end_i": start + size, "severity": severity}
            | ({} if kept else {"error_type": None})
        ),
        st.integers(0, 40),
        st.integers(1, 9),
        st.sampled_from(["minor", "major", "undecided"]),
        st.booleans(),
    ),
    max_size=4,
)
rows = st.lists(
    st.builds(
        row,
        st.sampled_from(["a", "b,c", 'd"e']),
        st.integers(1, 5),
        system=st.sampled_from("AB"),
        score=st.integers(0, 100),
        kind=st.sampled_from(["TGT", "BAD"]),
        spans=spans,
        end=st.floats(10, 1e9),
    ),
    min_size=1,
    max_size=12,
)


@given(rows=rows)
def test_any_rows_come_back(rows, tmp_path_factory):
    text = text_of(rows)
    assert again(text, tmp_path_factory.mktemp("again")) == text


@pytest.mark.parametrize(
    ("final", "shown", "marks", "numbers"),
    [
        ([OLD, NEW], [OLD], ["kept", ""], (1, 0, 0)),
        ([NEW], [OLD], ["changed"], (0, 1, 0)),
        ([], [OLD, MISSING], [], (0, 0, 2)),
        ([MISSING, NEW], [MISSING], ["kept", ""], (1, 0, 0)),
        ([MISSING | {"error_type": None}], [MISSING], ["changed"], (0, 1, 0)),
        ([NEW], [OLD, OLD], ["changed"], (0, 1, 1)),
    ],
)
def test_prefilled_spans_are_kept_changed_or_removed(final, shown, marks, numbers):
    result = prefilled(json.dumps(final), shown)
    assert result.marks == marks
    assert tuple(result.numbers.values()) == numbers
    alone = prefilled(json.dumps(final), None)
    assert alone.numbers == {}
    assert "changed" not in alone.marks


def test_batches_tell_what_was_prefilled(tmp_path):
    item = {"itemType": "TGT", "sourceText": "s", "targetText": "Ein Text."}
    names = {"documentID": "d1#A", "itemID": 1, "targetID": "wmt23.A"}
    batches = tmp_path / "batches.json"
    batches.write_text(
        json.dumps([{"items": [names | item | {"mqm": [OLD, MISSING]}]}])
    )
    path = tmp_path / "esa.csv"
    path.write_text(text_of([row("j1", 1, spans=[NEW])]))
    options = ImportOptions(batches=str(batches))
    rating, span = FORMATS["esa"].read(str(path), options)
    numbers = {"kept": 0, "changed": 1, "removed": 1}
    assert json.loads(rating.meta)["prefilled"] == numbers
    assert json.loads(span.meta)["prefilled"] == "changed"
    path.write_text(text_of([row("j1", 1, spans=[OLD])]))
    _, span = FORMATS["esa"].read(str(path), ImportOptions())
    assert json.loads(span.meta)["prefilled"] == "kept"


@pytest.mark.wmt
@pytest.mark.parametrize("with_batches", [False, True])
def test_real_exports_come_back_byte_for_byte(with_batches, wmt_data, tmp_path):
    folder = wmt_data / "esa"
    batches = str(folder / "appraise-batches.en-de.esa.json.gz")
    paths = sorted(folder.glob("*.csv.gz"))
    assert paths
    for path in paths:
        store = tmp_path / path.name
        import_judgements([path], out=store, batches=batches if with_batches else None)
        out = tmp_path / f"{path.name}.csv"
        assert write_judgements(Judgements.read(store), out, format="esa") == ()
        assert out.read_bytes() == gzip.decompress(path.read_bytes())


@pytest.mark.wmt
def test_prefilled_spans_are_those_without_error_type(wmt_data):
    """Only tutorials have any where nothing was filled in for the judge."""
    for path in sorted((wmt_data / "esa").glob("*.csv.gz")):
        with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
            cells = list(csv.reader(file))
        untyped = [
            each
            for each in cells
            if any("error_type" not in span for span in json.loads(each[9]))
        ]
        judged = import_judgements([path]).judgements
        kept = [
            span
            for span in judged.iterate("spans")
            if json.loads(span.meta).get("prefilled") == "kept"
        ]
        if "esa-ai" in path.name:
            assert kept
        else:
            assert all("tutorial" in each[7] for each in untyped)
            assert not kept
