# SPDX-License-Identifier: Apache-2.0
"""MQM errors in Google's TSV."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

import tertium
from tertium.errors import FormatError, InputError
from tertium.judgements import Bad, ImportOptions, Judgements, Span, import_judgements
from tertium.judgements.formats import FORMATS
from tertium.judgements.formats.mqm_tsv import write_mqm

HEAD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


def read(path, options=None):
    return list(FORMATS["mqm-tsv"].read(str(path), options or ImportOptions()))


def test_errors(tmp_path):
    path = tmp_path / "mqm_newstest2020_ende.tsv"
    rows = [
        "A\td1\t1\t609\tr1\tA dog.\tEin <v>Hand</v>.\tAccuracy/Mistranslation\tMajor",
        "A\td1\t2\t610\tr1\tA <v>big</v> dog.\tEin Hund.\tAccuracy/Omission\tMinor",
        "A\td1\t3\t611\tr1\tA cat.\tEine Katze.\tNo-error\tNo-error",
        'A\td1\t4\t612\tr1\t"Say ""hi""."\t"Sag <v>""hi""</v>."\tStyle/Awkward\tMinor',
        "A\td1\t5\t0\tr1\tA\t<v>B</v><v>C</v>D\tOther\tNeutral",
    ]
    path.write_text("\n".join([HEAD, *rows]) + "\n")
    assert import_judgements([path]).formats == {str(path): "mqm-tsv"}
    result = read(path)
    assert [record[:8] for record in result] == [
        ("A", "Accuracy/Mistranslation", "Major", "609", 4, 8, "target", "Hand"),
        ("A", "Accuracy/Omission", "Minor", "610", 2, 5, "source", "big"),
        ("A", "no-error", "no-error", "611", None, None, "target", None),
        ("A", "Style/Awkward", "Minor", "612", 4, 8, "target", '"hi"'),
        ("A", "Other", "Neutral", "d1:5", 0, 1, "target", "B"),
    ]
    assert {(r.judge, r.document, r.langpair) for r in result} == {
        ("r1", "d1", "en-de")
    }
    assert json.loads(result[0].meta) == {
        "source": "A dog.",
        "target": "Ein Hand.",
        "doc_seg": "1",
        "columns": HEAD.split("\t"),
    }
    # One row is one error, wherever it is marked.
    assert json.loads(result[4].meta)["more"] == [["target", 1, 2]]


def test_attention_checks_are_not_errors(tmp_path):
    path = tmp_path / "x.tsv"
    row = "A\td\t1\t1\tr\tA.\tB.\tFound\tHOTW-test"
    path.write_text(f"{HEAD}\n{row}\n")
    (check,) = read(path)
    assert (check.line, check.skipped) == (2, True)
    assert check.reason == "an attention check (Found), not an error"


def test_metadata(tmp_path):
    path = tmp_path / "x.tsv"
    meta = {"timestamp": 86_400_500, "note": "hm", "segment": {"metrics": {"X": 1}}}
    rows = [
        f"A\td\t1\t1\tr\ts\tt\tX\tMajor\t{json.dumps(meta)}",
        "A\td\t1\t1\t\ts\tt\t\t\t{}",
        "A\td\t1\t1\tr\ts\tt\tX\tMajor\tjust a note",
        "A\td\t1\t1\tr\ts\tt\tX\tMajor",
        "A\td\t1\t1\tr\ts\t<v>t\tX\tMajor\t",
        "A\td\t1\t1\tr\ts\t</v>t\tX\tMajor\t",
        "A\td\t1\t1\tr\ts\tt\tX\tMajor\t{]",
        "A\td\t1\t1\tr\ts\tt\tX\t\t",
        "\td\t1\t1\tr\ts\tt\tX\tMajor\t",
        "A\t\t\t0\tr\ts\tt\tX\tMajor\t",
        "A\td\t1",
        "",
    ]
    path.write_text("\n".join(rows) + "\n")
    assert import_judgements([path]).formats == {str(path): "mqm-tsv"}
    result = read(path, ImportOptions("de-en", "c"))
    assert result[0].time == datetime(1970, 1, 2, 0, 0, 0, 500_000)
    assert json.loads(result[0].meta)["note"] == "hm"
    assert "segment" not in json.loads(result[0].meta)
    assert (result[0].langpair, result[0].campaign) == ("de-en", "c")
    assert result[1].skipped
    assert json.loads(result[2].meta)["note"] == "just a note"
    assert isinstance(result[3], Span)
    bad = result[4:]
    assert all(isinstance(record, Bad) and not record.skipped for record in bad)
    assert [record.line for record in bad] == [5, 6, 7, 8, 9, 10, 11]


def test_empty_file(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("")
    with pytest.raises(FormatError, match="empty"):
        read(path)


text = st.text(st.sampled_from("ab \"'<v/>😀ß"), min_size=1, max_size=8).filter(
    lambda t: "<v>" not in t and "</v>" not in t
)


@st.composite
def spans(draw):
    source, target = draw(text), draw(text)
    side = draw(st.sampled_from(["source", "target"]))
    marked = source if side == "source" else target
    start = draw(st.none() | st.integers(0, len(marked)))
    end = None if start is None else draw(st.integers(start, len(marked)))
    number = draw(st.integers(1, 9))
    document = draw(st.sampled_from(["d", "e"]))
    meta = {"source": source, "target": target, "doc_seg": str(number)}
    if draw(st.booleans()):
        meta["note"] = draw(text)
    return Span(
        draw(st.sampled_from("AB")),
        draw(st.sampled_from(["Style", "Accuracy/Omission"])),
        draw(st.sampled_from(["Major", "minor"])),
        draw(st.sampled_from([str(number), f"{document}:{number}"])),
        start,
        end,
        "target" if start is None else side,
        None if start is None else marked[start:end],
        draw(st.sampled_from(["r1", "r2"])),
        document,
        "en-de",
        time=draw(st.none() | st.just(datetime(2024, 2, 3, 4, 5, 6, 789_000))),
        meta=json.dumps(meta, ensure_ascii=False),
    )


@examples(st.lists(spans(), max_size=4))
def test_round_trip(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("mqm") / "en-de.tsv.gz"
    FORMATS["mqm-tsv"].write(Judgements.from_iterable(records), str(path))
    back = read(path)
    assert [r._replace(meta=None) for r in back] == [
        r._replace(meta=None) for r in records
    ]
    assert [json.loads(r.meta) for r in back] == [json.loads(r.meta) for r in records]


def test_several_places_and_no_error_are_written(tmp_path):
    path = tmp_path / "en-de.tsv"
    rows = [
        "A\td1\t5\t0\tr1\t<v>A</v>\t<v>B</v><v>C</v>D\tOther\tNeutral\t{}",
        "A\td1\t6\t6\tr1\tA\tB\tNo-error\tNo-error\t{}",
    ]
    names = "system\tdoc\tdocSegId\tglobalSegId\trater\tsource\ttarget\tcategory"
    path.write_text("\n".join([f"{names}\tseverity\tmetadata", *rows]) + "\n")
    again = tmp_path / "again.tsv"
    write_mqm(import_judgements([path]).judgements, again)
    assert again.read_text() == path.read_text()


def test_texts_of_a_test_set(tmp_path):
    table = Judgements.from_iterable([Span("A", "X", "major", "2", 0, 1, judge="r")])
    path = tmp_path / "x.tsv"
    with pytest.raises(InputError, match="output of A for segment 2 is not known"):
        write_mqm(table, path)
    testset = tertium.Testset.build(["x", "y"], {"A": ["a", "b"]}, sources=["s", "t"])
    write_mqm(table, path, testset=testset)
    (span,) = read(path)
    assert span.text == "b"
    assert json.loads(span.meta)["source"] == "t"
    for wrong, why in (("", "outside"), ("a\tb", "tab"), ("<v>", "has <v> in it")):
        testset.systems["A"][1] = wrong
        with pytest.raises(InputError, match=why):
            write_mqm(table, path, testset=testset)


OLD = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"


@pytest.mark.parametrize("note", ["", "\tcomment"])
def test_the_header_is_written_as_it_was(note, tmp_path):
    rows = [
        "A\td\t1\t1\tr1\tThe dog.\tDer <v>Hand</v>.\tAccuracy\tMajor",
        "B\td\t1\t1\tr1\tThe dog.\tDer Hund.\tNo-error\tNo-error",
    ]
    cells = ["\tsee here", "\t"] if note else ["", ""]
    lines = [OLD + note, *(a + b for a, b in zip(rows, cells, strict=True))]
    path = tmp_path / "mqm_ende.tsv"
    path.write_text("\n".join(lines) + "\n")
    write_mqm(import_judgements([path]).judgements, tmp_path / "out.tsv")
    assert (tmp_path / "out.tsv").read_text() == path.read_text()


def test_files_with_different_headers_get_the_usual_one(tmp_path):
    row = "A\td\t1\t1\tr1\tThe dog.\tDer Hund.\tNo-error\tNo-error"
    paths = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    paths[0].write_text(f"{OLD}\n{row}\n")
    paths[1].write_text(f"{OLD}\tnote\n{row}\tyes\n")
    write_mqm(import_judgements(paths).judgements, tmp_path / "out.tsv")
    head, *_ = (tmp_path / "out.tsv").read_text().splitlines()
    assert head.split("\t")[2:4] == ["docSegId", "globalSegId"]
    assert head.endswith("metadata")
