# SPDX-License-Identifier: Apache-2.0
"""Exports of Appraise, with and without error spans."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from support.appraise import without_rows
from tertium.judgements import Bad, ImportOptions, Rating, Span, import_judgements
from tertium.judgements.formats import FORMATS

TIMES = "86400.0,86410.5"


def read(path, text, name, options=None):
    path.write_text(text)
    assert import_judgements([path]).formats == {str(path): name}
    records = FORMATS[name].read(str(path), options or ImportOptions())
    return list(map(without_rows, records))


def test_segments(tmp_path):
    text = (
        f"u1,newstest2020.en-liv.hyp.Sys.liv.txt,239,TGT,eng,liv,70,{TIMES}\n"
        f"u1,Sys,240,BAD,eng,deu,3,{TIMES}\n"
    )
    first, check = read(tmp_path / "a.csv", text, "appraise")
    assert first == Rating(
        "Sys", 70.0, "DA", "239", "u1", None, "en-liv", None,
        datetime(1970, 1, 2, 0, 0, 10, 500_000), 10.5,
    )  # fmt: skip
    assert check.scale == "DA-control"
    assert check.langpair == "en-de"
    assert json.loads(check.meta) == {"item": "BAD"}


def test_documents(tmp_path):
    text = (
        f"u1,A,1,TGT,ces,ukr,70,doc.1#A,False,{TIMES}\n"
        f"u1,A,2,TGT,ces,ukr,80,doc.1#A,True,{TIMES}\n"
        f"u1,A,3,CHK,ces,ukr,80,doc.1#A,False,{TIMES}\n"
        f"u1,A,4,TGT,ces,ukr,80,doc.1#A#dup,False,{TIMES},5,1234\n"
        f"u1,A,5,TGT,ces,ukr,-1,doc.1#A,False,{TIMES}\n"
        f"u1,A,6,XXX,ces,ukr,80,doc.1#A,False,{TIMES}\n"
        f"u1,A,7,TGT,ces,ukr,80,doc.1#A,False,now,{TIMES[8:]}\n"
        "u1,A,8,TGT,ces,ukr,80\n"
        "u1,A,9,TGT,ces,ukr,80,doc.1#A,False,20.0,10.0\n"
        "u1,,9,TGT,ces,ukr,80,doc.1#A,False,20.0,30.0\n"
    )
    result = read(tmp_path / "a.csv", text, "appraise")
    ratings = [record for record in result if isinstance(record, Rating)]
    assert [(r.scale, r.segment, r.document) for r in ratings] == [
        ("DA", "1", "doc.1"),
        ("DA-document", "doc.1", "doc.1"),
        ("DA-control", "3", "doc.1"),
        ("DA", "4", "doc.1"),
        ("DA", "9", "doc.1"),
    ]
    assert {r.langpair for r in ratings} == {"cs-uk"}
    assert ratings[-1].duration is None
    assert json.loads(ratings[3].meta) == {"mark": "dup"}
    bad = [record for record in result if isinstance(record, Bad)]
    assert [(b.line, b.skipped) for b in bad] == [
        (5, True), (6, False), (7, False), (8, False), (10, False),
    ]  # fmt: skip
    assert "nobody judged" in bad[0].reason
    assert "XXX" in bad[1].reason
    assert "time 'now'" in bad[2].reason
    assert "7 fields" in bad[3].reason
    assert bad[4].reason == "no system"


def test_headers(tmp_path):
    text = (
        "taskID,systemID,username,email,groups,segmentID,score,startTime,endTime,"
        "durationInSeconds,itemType,campaignName,documentID,isCompleteDocument,mqm\n"
        "1,A,u1,u@example.org,g,7,55,10,20,10.0,TGT,camp,d,False,"
        '[{"start_i":0,"end_i":1,"severity":"minor","error_type":null}]\n'
    )
    rating, span = read(
        tmp_path / "en-de.csv", text, "esa", ImportOptions(campaign="mine", scale="S")
    )
    assert rating[:4] == ("A", 55.0, "S", "7")
    assert rating.langpair == "en-de"
    assert rating.campaign == "mine"
    assert "example" not in str(rating)
    kept = list(FORMATS["esa"].read(str(tmp_path / "en-de.csv"), ImportOptions()))
    assert "example" not in str(kept)
    assert (span.start, span.end) == (0, 2)
    text = (
        "username,system,itemId,itemType,srcLang,trgLang,score,docId,isDocScore,"
        f"timeStart,timeEnd\nu1,A,1,TGT,ces,ukr,70,doc.1,False,{TIMES}\n"
    )
    (rating,) = read(tmp_path / "b.csv", text, "appraise")
    assert rating.document == "doc.1"


def exported(**more):
    """Return a line of ExportSystemScoresToJSONL (Appraise 00c1d4a)."""
    line = {
        "annotator": "u1", "source_id": "s", "source_text": "A ferry.", "item_id": 1,
        "item_type": "TGT", "source_language": "eng", "target_language": "deu",
        "document_id": "d", "is_complete_document": False, "start_time": 86400.0,
        "end_time": 86410.5, "duration": 10.5, "batch_number": 3,
        "item_database_id": 17, "campaign_name": "camp", "task_type": "Document",
    }  # fmt: skip
    return line | more


def target(system, score, *spans, text="😀 Fähre"):
    annotations = [
        {"start_i": a, "end_i": b, "severity": "minor", "error_type": None}
        for a, b in spans
    ]
    return {
        "target_id": system, "target_text": text, "score": score,
        "mqm_annotations": json.dumps(annotations),
    }  # fmt: skip


def test_the_export_in_json_lines_has_texts(tmp_path):
    lines = [
        exported(**target("A", 51, (3, 7), ("missing", "missing"))),
        exported(item_id=2, item_type="BAD", **target("A", 5)),
        exported(
            item_id=3,
            task_type="PairwiseESA",
            targets=[target("A", 70), target("B", 80, (0, 1)), target(None, None)],
        ),
        exported(task_type="ContrastiveESA", targets=[target("A", 1)]),
        exported(targets=5),
    ]
    text = "\n".join([*(json.dumps(line, ensure_ascii=False) for line in lines), "{"])
    result = read(tmp_path / "a.jsonl", text, "esa")
    ratings = [r for r in result if isinstance(r, Rating)]
    assert [(r.system, r.score, r.scale) for r in ratings] == [
        ("A", 51.0, "ESA"), ("A", 5.0, "ESA-control"), ("A", 70.0, "ESA"),
        ("B", 80.0, "ESA"),
    ]  # fmt: skip
    assert {r[4:8] for r in ratings} == {("u1", "d", "en-de", "camp")}
    assert {json.loads(r.meta)["length"] for r in ratings} == {7}
    spans = [(r.system, r.start, r.text) for r in result if isinstance(r, Span)]
    assert spans == [
        ("A", 2, "Fähre"), ("A", None, None), ("A", None, None), ("B", 0, "😀"),
    ]  # fmt: skip
    bad = [(r.line, r.reason) for r in result if isinstance(r, Bad)]
    assert [line for line, _ in bad] == [4, 5, 6]
    assert "does not name the systems" in bad[0][1]


@pytest.mark.parametrize(
    ("spans", "kind", "scale"),
    [("", "appraise", "DA"), ('"[{""start_i"":0,""end_i"":1}]",', "esa", "ESA")],
)
def test_pairs_of_outputs_have_a_place(tmp_path, spans, kind, scale):
    # PairwiseAssessmentDocumentResult of Appraise: 054e27c, and 526e8c8 with spans.
    start = "u1,{},1,TGT,eng,deu,{},d,False"
    rows = [
        f"{start.format(*row)},{spans}{TIMES},3,1017,{place}"
        for place, row in enumerate([("A", 51), ("B", 99)])
    ]
    result = read(tmp_path / "a.csv", "\n".join(rows), kind)
    assert not [r for r in result if isinstance(r, Bad)]
    ratings = [r for r in result if isinstance(r, Rating)]
    assert [(r.system, r.score, r.scale, r.document) for r in ratings] == [
        ("A", 51.0, scale, "d"), ("B", 99.0, scale, "d"),
    ]  # fmt: skip
    assert all(r.duration == 10.5 for r in ratings)


def test_segments_that_are_all_called_documents_are_segments(tmp_path):
    # So WMT 2025 made its batches.
    rows = [
        f"u1,A,{item},TGT,eng,ces,{score},{document},True,[],{TIMES}"
        for item, score, document in [(1, 51, "d"), (2, 99, "d"), (3, 70, "e")]
    ]
    result = read(tmp_path / "a.csv", "\n".join(rows), "esa")
    ratings = [r for r in result if isinstance(r, Rating)]
    assert [(r.scale, r.segment, r.document) for r in ratings] == [
        ("ESA", "1", "d"), ("ESA", "2", "d"), ("ESA", "3", "e"),
    ]  # fmt: skip
    (rating,) = read(tmp_path / "b.csv", rows[2], "esa")
    assert (rating.scale, rating.segment) == ("ESA-document", "e")


ESA = """\
u1,wmt23.A,1,TGT,eng,deu,51,d#A,False,"[{""start_i"":3,""end_i"":3,""severity"":\
""minor"",""error_type"":null},{""start_i"":""missing"",""end_i"":""missing"",\
""severity"":""major"",""error_type"":null}]",86400.0,86410.5
u1,wmt23.A,2,TGT,eng,deu,99,d#A,False,[],86400.0,86410.5
u1,wmt23.A,3,BAD,eng,deu,5,d#A#bad2,False,"[{""start_i"":0,""end_i"":1,\
""severity"":""major"",""error_type"":[""Accuracy"",""Omission""]}]",86400.0,86410.5
u1,wmt23.A,4,TGT,eng,deu,5,d#A,False,"[{""start_i"":9,""end_i"":1}]",86400,86410
u1,wmt23.A,5,TGT,eng,deu,5,d#A,False,oops,86400,86410
u1,wmt23.A,6,TGT,eng,deu,5,d-tutorial#A,False,"{""tutorial"":{},""payload"":[]}",1,2
"""


def test_error_spans(tmp_path):
    result = read(tmp_path / "esa.csv", ESA, "esa")
    when = datetime(1970, 1, 2, 0, 0, 10, 500_000)
    rest = ("u1", "d", "en-de", None, when, None, None)
    assert [record for record in result if isinstance(record, Span)] == [
        Span("A", "", "minor", "1", 3, 4, "target", None, *rest),
        Span("A", "missing", "major", "1", None, None, "target", None, *rest),
        Span("A", "no-error", "no-error", "2", None, None, "target", None, *rest),
    ]
    ratings = [record for record in result if isinstance(record, Rating)]
    assert [(r.scale, r.score) for r in ratings] == [
        ("ESA", 51.0), ("ESA", 99.0), ("ESA-control", 5.0), ("ESA-control", 5.0),
    ]  # fmt: skip
    check = json.loads(ratings[2].meta)
    assert check["item"] == "BAD"
    assert check["mark"] == "bad2"
    assert check["spans"][0]["category"] == "Accuracy/Omission"
    assert json.loads(ratings[3].meta) == {"item": "tutorial"}
    reasons = [record.reason for record in result if isinstance(record, Bad)]
    assert reasons == [
        "error span from 9 to 1 has no place in the text",
        "the error spans are not JSON",
    ]


def test_a_quotation_mark_spoils_one_row(tmp_path):
    row = f"u1,A,1,TGT,eng,deu,70,{TIMES}\n"
    result = read(tmp_path / "a.csv", f'{row}"{row}{row}', "appraise")
    assert [type(record) for record in result] == [Rating, Bad, Rating]
    assert result[1].reason == "quotation marks do not match"


def test_error_spans_as_json_lines(tmp_path):
    row = {
        "langs": "en-cs", "line_id": 6, "src": "I am here.", "tgt": "😀 jsem\ntu.",
        "doc_id": "d1", "domain": "news", "esa_score": 70.5, "system": "A",
        "annotator": "u1", "speech_info": None,
        "esa_spans": [
            # UTF-16 units, the line end included.
            {"start_i": 3, "end_i": 9, "severity": "minor"},
            {"start_i": 99, "end_i": 99, "severity": "minor"},
        ],
    }  # fmt: skip
    wrong = [{**row, "line_id": "x"}, {"esa_spans": 3}, {**row, "esa_spans": 3}]
    lines = [json.dumps(line, ensure_ascii=False) for line in [row, *wrong]]
    result = read(tmp_path / "a.jsonl", "\n".join([*lines, "{"]), "esa")
    rating, span, gone = result[:3]
    assert rating[:7] == ("A", 70.5, "ESA", "7", "u1", "d1", "en-cs")
    assert (span.start, span.end, span.text) == (2, 9, "jsem\ntu")
    assert (gone.category, gone.start) == ("missing", None)
    assert [record.line for record in result[3:]] == [2, 3, 4, 5]
    assert all(isinstance(record, Bad) for record in result[3:])


def test_spans_that_end_after_the_text_are_bad():
    from tertium.judgements.formats.marks import marks

    with pytest.raises(ValueError, match="after the text of 5"):
        marks([{"start_i": 0, "end_i": 40}], text="a\nbcd")


def test_white_space_around_a_text_is_not_counted(tmp_path):
    # Appraise trims what it shows (17c319c).
    row = {
        "line_id": 0, "tgt": " \n ab\ncd ", "esa_score": 1, "system": "A",
        "esa_spans": [{"start_i": 1, "end_i": 3, "severity": "minor"}],
    }  # fmt: skip
    _, span = read(tmp_path / "a.jsonl", json.dumps(row), "esa")
    assert (span.start, span.end, span.text) == (4, 7, "b\nc")
