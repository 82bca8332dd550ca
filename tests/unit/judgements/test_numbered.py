# SPDX-License-Identifier: Apache-2.0
"""Records with the lines on which they stand."""

from __future__ import annotations

import pytest

from tertium.judgements import Judgements, Place, Ranking, write_store
from tertium.judgements.judgement import Bad
from tertium.judgements.sources import format_of, numbered_judgements

FILES = {
    "tertium-jsonl": (
        (
            '{"tertium": "judgements", "version": 1}\n\n'
            '{"kind": "rating", "system": "A", "score": 1, "scale": "DA", '
            '"segment": "7"}\n'
            '{"kind": "rating"}\n'
        ),
        [3, 4],
    ),
    "wmt-csv": (
        (
            "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,"
            'system2rank,system3Id,system3rank\ncs,en,1,1,j,A,1,B,2,"C",3\n\n'
            "cs,en,1,1,j,A,1,B,x,C,3\ncs,en,2,2,j,A,1,B,2,C,2\n"
        ),
        [2, 4, 5],
    ),
    # Three rows are one ranking, which begins with the first of them.
    "wmt-pairs-csv": (
        (
            "srclang,trglang,srcIndex,segmentId,judgeId,system1Id,system1rank,system2Id,"
            "system2rank,rankingID\ncs,en,1,1,j,A,1,B,2,7\ncs,en,1,1,j,A,1,C,3,7\n"
            "cs,en,1,1,j,B,2,C,3,7\ncs,en,2,2,j,A,1,B,1,8\n"
        ),
        [2, 5],
    ),
    "judged-tsv": ("seg\tjudge\tsystem(s)=rank ...\n\n1\tj\tA=1\tB=2\n", [3]),
    "legacy-json": (
        (
            '{"1,a b": [{"x": 1, "y": 2},\n {"x": 2, "y": 1}],\n\n'
            ' "2,\\u010d": [{"x": 1, "y": 9}],\n "3,a b": [{"x": 1, "y": 1}]}\n'
        ),
        [1, 1, 4, 5],
    ),
    "likert-tsv": ("system\tsegment\tjudge\tscore\nA\t1\tj\t3\nA\t2\tj\tx\n", [2, 3]),
    "mqm-tsv": (
        (
            "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"
            "A\td\t1\t1\tr\ts\t<v>t</v>\tStyle\tMinor\nA\td\n"
        ),
        [2, 3],
    ),
    "pairs": ("seg a b relation\n1 A B <\n\n2 A B ?\n", [2, 4]),
}


@pytest.mark.parametrize("name", list(FILES))
def test_records_and_bad_rows_have_their_lines(tmp_path, name):
    text, lines = FILES[name]
    place = tmp_path / "file"
    place.write_text(text, encoding="utf-8")
    kind = format_of(str(place))
    assert kind.name == name
    results = list(numbered_judgements(str(place), kind))
    assert [line for line, _ in results] == lines
    assert all(line == one.line for line, one in results if isinstance(one, Bad))


def test_records_of_a_store_are_counted(tmp_path):
    records = [Ranking((Place(("A",), 1), Place(("B",), 2)), s) for s in "12"]
    write_store(Judgements.from_iterable(records), tmp_path / "store")
    results = list(numbered_judgements(str(tmp_path / "store"), None))
    assert results == list(enumerate(records, 1))
