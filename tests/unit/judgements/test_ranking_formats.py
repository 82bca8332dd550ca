# SPDX-License-Identifier: Apache-2.0
"""The formats of rankings, one by one: what is read, written, rejected."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.judgement_strategies import record_lists
from tertium.errors import FormatError, InputError
from tertium.judgements import (
    FORMATS,
    Judgements,
    Place,
    Ranking,
    Rating,
    Span,
    import_judgements,
)
from tertium.judgements.formats.values import moment, seconds


@pytest.fixture
def read(tmp_path):
    """Return a function that reads a text, and what it is told to be."""

    def reader(text, name="file", **options):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        imported = import_judgements([path], **options)
        (kind,) = imported.formats.values()
        return (
            kind,
            list(imported.judgements.iterate()),
            [bad for _, bad in imported.bad],
        )

    return reader


def written(judgements, kind, tmp_path, name="out"):
    path = tmp_path / name
    FORMATS[kind].write(judgements, str(path))
    return path


def places(**ranks):
    return tuple(Place((name,), rank) for name, rank in ranks.items())


# ------------------------------------------------------------------------ WMT CSV

FIVE = (
    "srclang,trglang,srcIndex,documentId,segmentId,judgeId,"
    + ",".join(f"system{i}Number,system{i}Id" for i in range(1, 6))
    + ","
    + ",".join(f"system{i}rank" for i in range(1, 6))
)


def test_five_systems_a_row(read):
    kind, records, bad = read(
        f"{FIVE}\nCzech,English,7,doc,7,j1,1,A,2,B,3,C,4,D,-1,,2,1,1,-1,-1\n"
    )
    assert kind == "wmt-csv"
    expected = Ranking(places(A=2, B=1, C=1), "7", None, "j1", "doc", "cs-en")
    assert records == [expected]
    assert bad == []


def test_the_documents_of_appraise_are_unknown(read):
    row = "ces,eng,7,-1,7,j1,-1,newstest2014.A.3.cs-en,-1,B,-1,C,-1,D,-1,E,1,2,3,4,5"
    _, (record,), _ = read(f"{FIVE}\n{row}\n")
    assert record.document is None
    assert record.langpair == "cs-en"
    assert record.places[0].systems == ("A.3",)


@pytest.mark.parametrize(
    ("row", "reason", "skipped"),
    [
        ("Czech,English", "2 fields where the header names 21", False),
        ("a,b,7,,7,j,1,A,1,B,1,C,1,D,1,E,0,1,1,1,1", "rank '0' of 'A' is no", False),
        ("a,b,7,,7,j,1,A,1,B,1,C,1,D,1,E,x,1,1,1,1", "rank 'x' of 'A' is no", False),
        ("a,b,7,,7,j,1,A,1,A,1,C,1,D,1,E,1,1,1,1,1", "a system is named", False),
        ("a,b,7,,7,j,1,,1,B,1,C,1,D,1,E,1,1,1,1,1", "rank 1 without", False),
        ("a,b,-1,,,j,1,A,1,B,1,C,1,D,1,E,1,1,1,1,1", "no segment", False),
        ("a,b,7,,7,j,1,A,1,B,1,C,1,D,1,E,-1,-1,-1,-1,-1", "no system is", True),
        ("a,b,7,,7,j,1,A,1,B,1,C,1,D,1,E,1,-1,-1,-1,-1", "one system is", True),
    ],
)
def test_bad_rows_of_wmt_csv(read, row, reason, skipped):
    _, records, (bad,) = read(f"{FIVE}\n{row}\n")
    assert records == []
    assert bad.reason.startswith(reason)
    assert (bad.line, bad.text, bad.skipped) == (2, row, skipped)


def test_a_cell_with_a_line_end_in_it_is_set_aside_whole(read):
    row = 'a,b,7,"x\ny",7,j,1,A,1,"B,b",1,C,1,D,1,E,0,1,1,1,1'
    _, _, (bad,) = read(f"{FIVE}\n{row}\n")
    assert bad.text == row


PAIRWISE = (
    "srclang,trglang,srcIndex,segmentId,judgeID,"
    "system1Id,system1rank,system2Id,system2rank,rankingID"
)


def test_two_systems_a_row_become_rankings_again(read):
    text = (
        f"{PAIRWISE}\ndeu,eng,5,5,j,A,1,B,2,1\ndeu,eng,5,5,j,A,1,C,2,1\n"
        "deu,eng,5,5,j,B,2,C,2,1\ndeu,eng,6,6,j,A,2,B,1,2\n"
    )
    kind, records, _ = read(text)
    assert kind == "wmt-pairs-csv"
    assert [(r.segment, r.places) for r in records] == [
        ("5", places(A=1, B=2, C=2)),
        ("6", places(A=2, B=1)),
    ]


def test_a_missing_language_pair_is_that_of_the_file_name(read):
    rows = f"{PAIRWISE}\n,,5,5,j,A,1,B,2,1\n"
    _, (record,), _ = read(rows, name="wmt16.cs-en.csv")
    assert record.langpair == "cs-en"
    _, (record,), _ = read(rows, name="x.csv")
    assert record.langpair is None


@pytest.mark.parametrize(
    "rows",
    [
        ["5,5,j,A,1,B,2,1", "5,5,j,A,1,C,2,1"],  # B against C is missing
        ["5,5,j,A,1,B,2,1", "5,5,j,A,1,C,2,1", "5,5,j,B,1,C,2,1"],  # two ranks of B
        ["5,5,j,A,1,B,2,1", "6,6,j,A,1,B,2,1"],  # two segments
        ["5,5,j,A,1,B,2,1", "5,5,j,A,1,B,2,1"],  # one pair twice
    ],
)
def test_pairs_that_are_no_whole_ranking_stay_pairs(read, rows):
    _, records, bad = read("\n".join([PAIRWISE, *(f"deu,eng,{row}" for row in rows)]))
    assert len(records) == len(rows)
    assert all(len(record.places) == 2 for record in records)
    assert bad == []


def test_names_joined_by_a_plus_share_a_place(read):
    name = "newstest2015.A.1.de-en.txt+newstest2015.B.2.de-en.txt"
    _, (record,), _ = read(f"{PAIRWISE}\ndeu,eng,5,5,j,{name},1,x+y,2,1\n")
    assert record.places == (Place(("A.1", "B.2"), 1), Place(("x+y",), 2))


def test_a_quotation_mark_that_is_not_closed_is_named(read):
    long = "x" * 200_000
    with pytest.raises(FormatError, match=r"file:\d: not CSV .*not closed"):
        read(f'{PAIRWISE}\ndeu,eng,5,5,"j,A,1,B,2,1\n{long}\n')


def test_a_header_without_systems_is_rejected(read):
    with pytest.raises(FormatError, match="file:1: no columns segmentId"):
        read("srclang,trglang,segmentId\n", format="wmt-csv")
    with pytest.raises(FormatError, match="same name"):
        read(f"{PAIRWISE},srclang\n", format="wmt-csv")


RANKINGS = [
    Ranking(places(A=1, B=2, C=2), "7", None, "j1", "doc", "de-en"),
    Ranking((*places(A=3), Place(("B", "C"), 1)), "8", None, None, None, "de-en"),
]


def same_comparisons(one, other):
    one, other = one.comparisons(), other.comparisons()
    assert (one.wins().wins == other.wins().wins).all()
    assert (one.wins().ties == other.wins().ties).all()
    return one.systems == other.systems and one.segments == other.segments


def test_wmt_csv_is_written(tmp_path):
    result = Judgements.from_iterable(RANKINGS)
    path = written(result, "wmt-csv", tmp_path)
    assert path.read_text().splitlines()[:2] == [
        FIVE,
        "de,en,7,doc,7,j1,1,A,2,B,3,C,-1,,-1,,1,2,2,-1,-1",
    ]
    again = Judgements.read(path)
    assert same_comparisons(result, again)
    assert next(again.iterate()) == RANKINGS[0]
    pairwise = written(result, "wmt-pairs-csv", tmp_path, "pairs.csv.gz")
    assert same_comparisons(result, Judgements.read(pairwise))
    assert Judgements.read(pairwise).counts()["rankings"] == 2


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (Ranking(places(**dict.fromkeys("ABCDEF", 1)), "1"), "ranks 6 systems"),
        (Ranking(places(A=1, B=2), "1", "part"), "judged in parts"),
        (Ranking((Place((), 1), Place(("A",), 2)), "1"), "has no system"),
    ],
)
def test_what_wmt_csv_cannot_hold_is_rejected(tmp_path, record, reason):
    with pytest.raises(InputError, match=reason):
        written(Judgements.from_iterable([record]), "wmt-csv", tmp_path)
    assert list(tmp_path.iterdir()) == []


# ------------------------------------------------------------------------ WMT XML

HIT = """\
<?xml version="1.0" encoding="UTF-8"?>
<WMT15-results>
<HIT hit-id="h1" source-language="deu" block-id="-1" target-language="eng">
<ranking-task id="581">
<ranking-result duration="00:00:35.337000" user="j">
<translation system="newstest2015.A.0.de-en.txt" rank="3" />
<translation system="newstest2015.B.1.de-en.txt,newstest2015.C.de-en.txt" rank="1" />
</ranking-result>
<ranking-result duration="None" user="k" skipped="true"></ranking-result>
</ranking-task>
<ranking-task id="582"><ranking-result duration="x" user="j">
<translation system="A" rank="1"/><translation system="B" rank="2"/>
</ranking-result></ranking-task>
</HIT>
</WMT15-results>
"""


def test_the_xml_of_appraise_by_hit(read):
    kind, (record,), bad = read(HIT)
    assert kind == "wmt-xml"
    expected = (Place(("A.0",), 3), Place(("B.1", "C"), 1))
    assert record == Ranking(
        expected, "581", None, "j", None, "de-en", None, None, 35.337, '{"hit": "h1"}'
    )
    assert [(row.line, row.skipped) for row in bad] == [(9, True), (11, False)]
    assert bad[0].text == (
        '<ranking-result duration="None" user="k" skipped="true"></ranking-result>'
    )
    assert bad[1].reason.startswith("duration 'x' is neither")


@pytest.mark.parametrize("outer", [True, False])
def test_the_xml_of_appraise_by_item(read, outer):
    facts = 'duration="00:01:00" user="j"'
    text = (
        "<appraise-results>\n"
        f'<ranking-result id="0" source-language="ces" target-language="eng" '
        f"{facts if outer else ''}>\n"
        f'<ranking-item id="3" src-id="44" {"" if outer else facts}>'
        "<source>Ahoj</source>"
        '<translation system="A" rank="1"/><translation system="B" rank="1"/>'
        '<translation system="C" rank="-1"/>'
        "</ranking-item>\n</ranking-result></appraise-results>\n"
    )
    _, (record,), bad = read(text)
    assert record == Ranking(
        places(A=1, B=1), "44", None, "j", None, "cs-en", None, None, 60.0
    )
    assert bad == []


def test_systems_may_be_named_outside(read):
    text = (
        '<HIT systems="A,B" source-language="deu" target-language="eng">\n'
        '<ranking-task id="1"><ranking-result user="j">'
        '<translation rank="2"/><translation rank="1"/>'
        "</ranking-result></ranking-task></HIT>"
    )
    _, (record,), _ = read(text)
    assert record.places == places(A=2, B=1)


def test_broken_xml_is_named(read):
    with pytest.raises(FormatError, match=r"file:2: not XML at column"):
        read("<appraise-results>\n<a></b>")
    with pytest.raises(FormatError, match="declares an entity"):
        read('<!DOCTYPE a [<!ENTITY b "c">]>\n<appraise-results/>')


# --------------------------------------------------------------------- judged TSV


def test_judged_tsv(read):
    kind, (record,), bad = read(
        "hit\tseg\tjudge\tduration\tsystem(s)=rank ...\n"
        "h\t581\tj\t00:00:35.5\tA.0=3\tB=b,C=1\tD=-1\n",
        name="de-en.rankings.tsv",
    )
    assert kind == "judged-tsv"
    assert record == Ranking(
        (Place(("A.0",), 3), Place(("B=b", "C"), 1)),
        "581",
        None,
        "j",
        None,
        "de-en",
        None,
        None,
        35.5,
        '{"hit": "h"}',
    )
    assert bad == []


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("h\t1\tj", "3 fields where 4"),
        ("h\t\tj\t1\tA=1\tB=2", "no segment"),
        ("h\t1\tj\tlong\tA=1\tB=2", "duration 'long'"),
        ("h\t1\tj\t1\tA\tB=2", "'A' is not SYSTEM"),
        ("h\t1\tj\t1\tA,=1\tB=2", "'A,=1' is not SYSTEM"),
        ("h\t1\tj\t1\tA=0\tB=2", "'A=0' is not SYSTEM"),
        ("h\t1\tj\t1\tA=1\tA=2", "a system is named twice"),
        ("h\t1\tj\t1\tA=1", "one system is ranked"),
    ],
)
def test_bad_rows_of_judged_tsv(read, row, reason):
    head = "hit\tseg\tjudge\tduration\tsystem(s)=rank ..."
    _, records, (bad,) = read(f"{head}\n{row}\n")
    assert records == []
    assert bad.reason.startswith(reason)
    assert bad.text == row


def test_judged_tsv_is_written(tmp_path):
    full = Ranking(
        (Place(("A", "B"), 1), Place(("C",), 2)),
        "x",
        None,
        "j",
        "d",
        "de-en",
        "c",
        datetime(2024, 1, 2, 3, 4, 5, 678),
        0.1,
        '{"hit": "h"}',
    )
    result = Judgements.from_iterable([full, *RANKINGS])
    path = written(result, "judged-tsv", tmp_path, "x.tsv.xz")
    assert list(Judgements.read(path).iterate()) == [full, *RANKINGS]
    comma = Ranking(places(**{"A,a": 1, "B": 2}), "1")
    with pytest.raises(InputError, match="has a comma"):
        written(Judgements.from_iterable([comma]), "judged-tsv", tmp_path)
    tab = Ranking(places(A=1, B=2), "1", judge="a\tb")
    with pytest.raises(InputError, match="has a tab"):
        written(Judgements.from_iterable([tab]), "judged-tsv", tmp_path)


# ---------------------------------------------------------------------- pair lists


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("seg\tbetter\tworse\n7\tA\tB\n", "x.tsv"),
        ("7\tA\tB\n", "x.rank"),
        ("7 A B\n", "pairs.txt"),
        ("seg,better,worse\n7,A,B\n", "x.csv"),
        ("7\tA\tB\t<\n", "x.tsv"),
        ("7\tB\tA\t>\n", "x.tsv"),
        ("seg sysA sysB relation\n7 A B <\n", "x.txt"),
    ],
)
def test_pair_lists(read, text, name):
    kind, (record,), bad = read(text, name=name)
    assert kind == "pairs"
    assert sorted(record.places) == sorted(places(A=1, B=2))
    assert (record.segment, bad) == ("7", [])


def test_ties_are_pairs_too(read):
    _, (record,), _ = read("7\tA\tB\t=\n")
    assert record.places == places(A=1, B=1)


@pytest.mark.parametrize("header", ["LP DATA SID BETTER WORSE", "LP SID BETTER WORSE"])
def test_relative_rankings_of_the_metrics_task(read, header):
    _, (record,), bad = read(
        f"{header}\nde-en newstest2018 44 A.1 newstest2018.B.2.de-en\n"
    )
    expected = Ranking(
        places(**{"A.1": 1, "B.2": 2}), "44", langpair="de-en", campaign="newstest2018"
    )
    assert (record, bad) == (expected, [])


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("7\tA\tB", "3 fields where there should be 4"),
        ("7\tA\tB\t?", "relation '\\?' is none"),
        ("7\tA\tA\t<", "'A' is compared with itself"),
        ("\tA\tB\t<", "segment or system is empty"),
    ],
)
def test_bad_rows_of_pair_lists(read, row, reason):
    _, _, (bad,) = read(f"1\tA\tB\t<\n{row}\n")
    assert bad.line == 2
    assert bad.reason.startswith(reason.replace("\\", ""))


def test_three_columns_of_a_file_with_another_name_are_not_guessed(read):
    with pytest.raises(FormatError, match="no known format"):
        read("7\tA\tB\n", name="x.tsv")


def test_pair_lists_are_written(tmp_path):
    result = Judgements.from_iterable(RANKINGS)
    path = written(result, "pairs", tmp_path)
    assert path.read_text().splitlines()[:3] == [
        "langpair\tcampaign\tsegment\tdocument\tjudge\ta\tb\trelation",
        "de-en\t\t7\tdoc\tj1\tA\tB\t<",
        "de-en\t\t7\tdoc\tj1\tA\tC\t<",
    ]
    assert same_comparisons(result, Judgements.read(path))


@pytest.mark.parametrize("name", ["A\tB", "A\nB", "A\rB"])
def test_names_that_pair_lists_cannot_hold_are_rejected(tmp_path, name):
    good = Ranking(places(A=1, B=2), "1")
    for record in (
        good._replace(places=places(**{name: 1, "C": 2})),
        good._replace(judge=name),
    ):
        with pytest.raises(InputError, match="a tab or a line break"):
            written(Judgements.from_iterable([good, record]), "pairs", tmp_path)
        assert not (tmp_path / "out").exists()


def test_quotes_and_commas_of_names_come_back_from_pair_lists(tmp_path):
    names = {'"A"': 1, 'B "b", c': 2, "D, d": 2}
    result = Judgements.from_iterable([Ranking(places(**names), "1")])
    again = Judgements.read(written(result, "pairs", tmp_path))
    assert again.names("system") == sorted(names)
    assert same_comparisons(result, again)


# ------------------------------------------------------------------------ SegRanks


def test_garbage_of_segranks_is_the_last_rank_or_a_hundred(read):
    kind, records, bad = read(
        '{"1,a , b": [{"x": 1, "y": 3}, {"x": 100, "y": 1}], "1,c": [{"z": 1}]}'
    )
    assert kind == "legacy-json"
    one, other, single = records
    assert (one.segment, one.part) == ("1", "a , b")
    assert one.places == (Place((), 1, text="x"), Place((), 3, True, "y"))
    assert other.places == (Place((), 3, True, "x"), Place((), 1, text="y"))
    assert single.places == (Place((), 1, text="z"),)
    assert bad == []


@pytest.mark.parametrize("text", ['{"a": 1, "b": [{}]}', '{"a": [{}], "b,c": [{}]}'])
def test_other_json_is_not_taken_for_segranks(read, text):
    with pytest.raises(FormatError, match="no known format"):
        read(text)


def test_repeated_keys_of_segranks_are_all_read(read):
    _, records, _ = read('{"1,a": [{"x": 1, "y": 2}],\n "1,a": [{"x": 2, "y": 1}]}')
    assert len(records) == 2


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ('"1": [{"x": 1}]', "the key '1' is not"),
        ('"1,a": 5', "'1,a': an annotation is"),
        ('"1,a": [[]]', "'1,a': an annotation is"),
        ('"1,a": [{}]', "'1,a': no candidates"),
        ('"1,a": [{"x": 1, "x": 2}]', "'1,a': no candidates, or"),
        ('"1,a": [{"x": 0}]', "'1,a': rank 0 of 'x' is none"),
        ('"1,a": [{"x": 3}]', "'1,a': rank 3 of 'x' is none"),
        ('"1,a": [{"x": true}]', "'1,a': rank True of"),
    ],
)
def test_bad_annotations_of_segranks(read, value, reason):
    text = f'{{"0,q": [{{"x": 1, "y": 2}}],\n{value}}}'
    _, records, (bad,) = read(text, format="legacy-json")
    assert len(records) == 1
    assert bad.line == 2
    assert bad.reason.startswith(reason)


def test_segranks_is_not_written_without_texts(tmp_path):
    for record, reason in (
        (RANKINGS[0], "has no text"),
        (Ranking((Place((), 1, text="x"),), "1"), "names no part"),
    ):
        with pytest.raises(InputError, match=reason):
            written(Judgements.from_iterable([record]), "legacy-json", tmp_path)


# --------------------------------------------------------------------------- JSONL


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(record_lists)
def test_our_jsonl_keeps_everything(tmp_path, records):
    result = Judgements.from_iterable(records)
    path = written(result, "tertium-jsonl", tmp_path)
    again = Judgements.read(path, input_format="tertium-jsonl")
    assert list(again.iterate()) == list(result.iterate())


def test_our_jsonl_reads_as_written_by_hand(read):
    kind, records, bad = read(
        '{"kind": "rating", "system": "A", "score": 71, "scale": "DA", "segment": "7",'
        ' "meta": {"a": [1]}, "time": "2024-01-01T00:00:00Z"}\n\n'
        '{"kind": "span", "system": "A", "category": "", "severity": "no-error",'
        ' "segment": "7", "start": null}\n'
        '{"kind": "ranking", "segment": "7", "places": [{"rank": 1, "text": "x"},'
        ' {"systems": ["B"], "rank": 2, "garbage": true}]}\n'
    )
    assert (kind, bad) == ("tertium-jsonl", [])
    assert records == [
        Ranking((Place((), 1, text="x"), Place(("B",), 2, True)), "7"),
        Rating("A", 71.0, "DA", "7", time=datetime(2024, 1, 1), meta='{"a": [1]}'),
        Span("A", "", "no-error", "7"),
    ]


def test_later_versions_are_rejected(read):
    with pytest.raises(FormatError, match=r"file:1: version 2 .* newer program"):
        read('{"tertium": "judgements", "version": 2}\n')


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("{", "not JSON"),
        ("[]", "no JSON object"),
        ('{"kind": "vote"}', "'kind' is 'vote'"),
        ('{"kind": "rating", "system": "A"}', "no 'score'"),
        ('{"kind": "rating", "colour": "red"}', "unknown field 'colour'"),
        ('{"kind": "rating", "score": "1"}', "'score' is '1'"),
        ('{"kind": "rating", "score": NaN}', "'score' is nan"),
        ('{"kind": "rating", "score": true}', "'score' is True"),
        ('{"kind": "rating", "system": 7}', "'system' is 7"),
        ('{"kind": "rating", "time": "now"}', "time 'now' is not ISO"),
        ('{"kind": "rating", "duration": -1}', "'duration' is -1"),
        ('{"kind": "span", "start": -1}', "'start' is -1"),
        ('{"kind": "ranking", "places": []}', "'places' is not a list"),
        ('{"kind": "ranking", "places": [{"systems": ["A"]}]}', "a place is"),
        ('{"kind": "ranking", "places": [{"rank": 1.5}]}', "'rank' is 1.5"),
        ('{"kind": "ranking", "places": [{"rank": 1, "systems": "A"}]}', "a place is"),
        (
            '{"kind": "ranking", "places": [{"rank": 1, "systems": [""]}]}',
            "'systems' is",
        ),
        ('{"kind": "ranking", "segment": "1", "places": [TWICE]}', "a system is"),
    ],
)
def test_bad_rows_of_our_jsonl(read, row, reason):
    row = row.replace("TWICE", '{"rank": 1, "systems": ["A", "A"]}')
    _, records, (bad,) = read(f'{{"tertium": "judgements", "version": 1}}\n{row}\n')
    assert records == []
    assert bad.line == 2
    assert bad.reason.startswith(reason)


# --------------------------------------------------------------------------- fuzz

SAMPLES = {
    "wmt-csv": f"{FIVE}\nCzech,English,7,doc,7,j1,1,A,2,B,3,C,4,D,-1,,2,1,1,-1,-1\n",
    "wmt-pairs-csv": f"{PAIRWISE}\ndeu,eng,5,5,j,A,1,B,2,1\ndeu,eng,5,5,j,A,1,C,2,1\n",
    "wmt-xml": HIT,
    "judged-tsv": "hit\tseg\tjudge\tduration\ttime\ts=r\nh\t5\tj\t0:1\t\tA=3\tB,C=1\n",
    "pairs": "seg\tsysA\tsysB\trelation\n7\tA\tB\t<\n8\tA\tC\t=\n",
    "legacy-json": '{"1,a": [{"x": 1, "y": 3}],\n "2,b": [{"z": 1}]}',
    "tertium-jsonl": '{"kind": "ranking", "segment": "7", "places": [{"rank": 1}]}\n'
    '{"kind": "span", "system": "A", "category": "", "severity": "x", "segment": ""}\n',
}


@pytest.mark.parametrize("kind", SAMPLES)
@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    at=st.integers(0, 400),
    cut=st.integers(0, 20),
    put=st.sampled_from(
        ["", "\n", "\t", ",", '"', "=", "<", "-1", "9" * 30, "\0", "é", "{"]
    ),
)
def test_damaged_files_are_bad_rows_or_format_errors(read, kind, at, cut, put):
    text = SAMPLES[kind]
    at %= len(text)
    with suppress(FormatError):
        _, records, bad = read(text[:at] + put + text[at + cut :], format=kind)
        assert all(row.reason and row.line > 0 for row in bad)
        assert len(records) <= 4


# -------------------------------------------------------------------------- values


@pytest.mark.parametrize("text", ["x", "1:2:3:4", "-1", "nan", "inf", "1::2"])
def test_what_is_no_duration(text):
    with pytest.raises(ValueError, match="duration"):
        seconds(text)


def test_times_of_all_years_are_read():
    assert moment("") is None
    with pytest.raises(ValueError, match="not ISO"):
        moment("0001-01-01T00:00:00+14:00")


def test_every_format_says_what_it_is():
    for name, kind in FORMATS.items():
        assert kind.name == name
        assert kind.about
        assert set(kind.kinds) <= {"rankings", "ratings", "spans"}
