# SPDX-License-Identifier: Apache-2.0
"""Ratings in tables with a header."""

from __future__ import annotations

import json
from datetime import datetime

import pytest
from hypothesis import given as examples
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.judgements import Bad, ImportOptions, Judgements, Rating, import_judgements
from tertium.judgements.formats import FORMATS


def read(path, options=None):
    return list(FORMATS["likert-tsv"].read(str(path), options or ImportOptions()))


def test_one_scale(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text(
        "system\tsegment\tjudge\tscore\tscale\tlangpair\tdocument\ttime\tduration\tnote\n"
        "A\t1\tj\t4\tadequacy\tde-en\td\t2024-01-02T03:04:05\t00:01:02\tfine\n"
        "A\t2\tj\t\tadequacy\tde-en\t\t\t\t\n"
        "A\t3\tj\tx\tadequacy\tde-en\t\t\t\t\n"
        "\t3\tj\t1\tadequacy\tde-en\t\t\t\t\n"
        "A\t\tj\t1\tadequacy\tde-en\t\t\t\t\n"
        "A\t4\tj\t1\tadequacy\tde-en\t\tnow\t\t\n"
        "A\t4\n\n"
    )
    assert import_judgements([path]).formats == {str(path): "likert-tsv"}
    rating, *rest = read(path)
    when = datetime(2024, 1, 2, 3, 4, 5)
    meta = '{"note": "fine"}'
    assert rating == Rating(
        "A", 4.0, "adequacy", "1", "j", "d", "de-en", None, when, 62.0, meta
    )
    assert [record.line for record in rest] == [3, 4, 5, 6, 7, 8]
    assert [record.skipped for record in rest] == [True] + [False] * 5
    assert all(isinstance(record, Bad) for record in rest)


def test_one_column_a_scale(tmp_path):
    path = tmp_path / "de-en.csv"
    path.write_text('system,segment,judge,Adequacy,order\nA,"1,2",j,4,2\nA,2,j,,1\n')
    assert import_judgements([path]).formats == {str(path): "likert-tsv"}
    rest = ("j", None, "de-en")
    assert read(path) == [
        Rating("A", 4.0, "Adequacy", "1,2", *rest),
        Rating("A", 2.0, "order", "1,2", *rest),
        Rating("A", 1.0, "order", "2", *rest),
    ]


def test_names_and_defaults(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("System,seg,rater,score\nA,1,j,4\n")
    assert read(path) == [Rating("A", 4.0, "score", "1", "j")]
    assert read(path, ImportOptions("a-b", "c", "s")) == [
        Rating("A", 4.0, "s", "1", "j", None, "a-b", "c")
    ]


@pytest.mark.parametrize(
    ("head", "why"),
    [
        ("system,segment,segment", "same name"),
        ("system,score", "system and segment"),
        ("system,segment,judge", "no column of scores"),
        ("", "system and segment"),
    ],
)
def test_headers(tmp_path, head, why):
    path = tmp_path / "x.csv"
    path.write_text(f"{head}\n")
    with pytest.raises(FormatError, match=why):
        read(path)


def test_meta_must_be_json(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text(
        'system\tsegment\tscore\tmeta\nA\t1\t1\t[1]\nA\t1\t1\t"{""a"": 1}"\n'
    )
    bad, rating = read(path)
    assert bad.reason == "meta is not a JSON object"
    assert json.loads(rating.meta) == {"a": 1}


name = st.text(st.sampled_from("ab ,\"'\tß😀"), min_size=1, max_size=4).filter(
    lambda text: text == text.strip()
)


@examples(
    st.lists(
        st.builds(
            Rating,
            name,
            st.floats(-100, 100),
            name,
            name,
            st.none() | name,
            st.none() | name,
            st.none() | name,
            st.none() | name,
            st.none() | st.just(datetime(2024, 2, 3, 4, 5, 6, 789_000)),
            st.none() | st.sampled_from([0.5, 12.0]),
            st.none() | name.map(lambda text: json.dumps({"a": text})),
        ),
        max_size=4,
    ),
    st.sampled_from(["x.tsv", "x.csv", "x.csv.gz"]),
)
def test_round_trip(tmp_path_factory, records, file):
    path = tmp_path_factory.mktemp("likert") / file
    FORMATS["likert-tsv"].write(Judgements.from_iterable(records), str(path))
    back = [
        r._replace(meta=json.dumps(json.loads(r.meta)) if r.meta else None)
        for r in read(path)
    ]
    assert back == records


def test_line_ends_are_rejected(tmp_path):
    table = Judgements.from_iterable([Rating("A\nB", 1.0, "s", "1")])
    with pytest.raises(InputError, match="line end"):
        FORMATS["likert-tsv"].write(table, str(tmp_path / "x.tsv"))
