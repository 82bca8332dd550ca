# SPDX-License-Identifier: Apache-2.0
"""Whatever stands in a row, readers set it aside and read on, and tables hold it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from tertium.judgements import import_judgements

CELLS = st.sampled_from(
    ["", "A", "1", "-1", "TGT", "BAD", "True", "False", "None", "nan", "inf", "1e999",
     "0", '"', '""', "<v>", "</v>", "<v>a</v>", "No-error", "Major", "[]", "{}", "[",
     '{"timestamp": 1e99}', '{"timestamp": "x"}', "[1]", '[{"start_i": 1}]', "{]",
     '"[{""start_i"": 99999999999, ""end_i"": 99999999999}]"', "2024-13-01", "😀",
     '{"a": "\\ud800"}']
)  # fmt: skip
VALUES = st.recursive(
    st.sampled_from(
        [None, True, -1, 0, 3, 10**30, 1e300, "", "A", "x", "missing", "__RESET__",
         "\ud800", "welcome_0"]
    ),
    lambda inner: st.lists(inner, max_size=2)
    | st.dictionaries(
        st.sampled_from(
            ["A", "score", "error_spans", "sliders", "start_i", "end_i", "severity",
             "category", "item_id", "src", "tgt", "validation", "form", "time"]
        ),
        inner,
        max_size=4,
    ),
    max_leaves=8,
)  # fmt: skip
MQM = "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity"
TABLES = {
    "wmt-da": ("LP DATA SYSTEM SID HUMAN", " ", 5),
    "appraise": ("", ",", 11),
    "esa": ("", ",", 12),
    "mqm-tsv": (f"{MQM}\tmetadata", "\t", 10),
    "likert-tsv": ("system\tsegment\tjudge\tscore\ttime\tduration\tmeta", "\t", 7),
}
GOOD = {
    "wmt-da": "de-en x A 1 0.5",
    "appraise": "u,A,1,TGT,eng,deu,70,d,False,1,2",
    "esa": "u,A,1,TGT,eng,deu,70,d,False,[],1,2",
    "mqm-tsv": "A\td\t1\t1\tr\ts\tt\tX\tMajor\t",
    "likert-tsv": "A\t1\tj\t1\t\t\t",
}


@pytest.mark.parametrize("name", TABLES)
@examples(st.data())
@settings(max_examples=60)
def test_tables(tmp_path_factory, name, data):
    head, separator, width = TABLES[name]
    row = st.lists(CELLS, min_size=width - 1, max_size=width + 1).map(separator.join)
    mixed = st.tuples(st.just(GOOD[name].split(separator)), st.integers(0, width - 1))
    changed = st.builds(
        lambda good, cell: separator.join(
            [*good[0][: good[1]], cell, *good[0][good[1] + 1 :]]
        ),
        mixed,
        CELLS,
    )
    rows = data.draw(st.lists(row | changed, max_size=4))
    lines = [*([head] if head else []), GOOD[name], *rows, GOOD[name]]
    path = tmp_path_factory.mktemp("wrong") / "file"
    path.write_text("\n".join(lines) + "\n")
    imported = import_judgements([path], format=name)
    kept = sum(imported.judgements.counts().values())
    assert kept >= 2
    # A row becomes one record at least, or is set aside.
    filled = sum(bool(line.strip()) for line in [GOOD[name], *rows, GOOD[name]])
    assert kept + len(imported.bad) >= filled


@pytest.mark.parametrize("name", ["pearmut", "esa"])
@examples(
    st.lists(
        st.fixed_dictionaries(
            {"annotation": VALUES, "user_id": VALUES, "item_i": VALUES},
            optional={
                "item": VALUES, "actions": VALUES, "line_id": VALUES, "tgt": VALUES,
                "esa_spans": VALUES, "esa_score": VALUES, "system": VALUES,
            },
        ),
        max_size=4,
    )
)  # fmt: skip
@settings(max_examples=60)
def test_json_lines(tmp_path_factory, name, entries):
    good = {
        "annotation": [{"A": {"score": 5}}], "user_id": "me", "item_i": "good",
        "line_id": 1, "tgt": "t", "esa_spans": [], "esa_score": 5, "system": "A",
    }  # fmt: skip
    path = tmp_path_factory.mktemp("wrong") / "x.jsonl"
    lines = [json.dumps(entry) for entry in [good, *entries]]
    path.write_text("\n".join([*lines, "{", "[" * 100_000]))
    imported = import_judgements([path], format=name)
    assert sum(imported.judgements.counts().values()) >= 1
    assert len(imported.bad) >= 2
