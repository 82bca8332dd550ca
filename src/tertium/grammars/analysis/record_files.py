# SPDX-License-Identifier: Apache-2.0
"""Records of outputs as lines of JSON (``segments.jsonl``).

Every line is an object: ``id, system, template, set, source, hyp, tokens`` (words of
the output without punctuation), ``edits`` (``type, label, hyp_index, hyp, ref, cost,
moved_by``), ``ref`` (tokens), ``cost, ref_len, score, n_edits, close`` (costs less than
0.5, 1 and 1.5 above the best), ``close_is_least``, ``counts`` and ``expected`` (by
type), ``weight`` (of the best correction), ``alternatives`` (``cost, ref, text,
weight``), ``source_constructions, constructions, proven, analyser, text`` (as figure 7
shows it), ``move_cost``, and ``steps``: like edits, with the right tokens between them
and moves on the tokens that move. Costs are in units.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from tertium.data.lines import StrPath, open_lines, write_lines
from tertium.errors import FormatError
from tertium.grammars.analysis.records import Alternative, SegmentRecord
from tertium.grammars.search.edits import UNIT, Kind
from tertium.grammars.search.matching import Change, Correction

__all__ = ["parse_record", "read_records", "record_outline", "write_records"]

_T = TypeVar("_T")


def record_outline(record: SegmentRecord) -> dict[str, object]:
    """Return a record as a JSON object."""
    best = record.best
    return {
        "id": record.id,
        "system": record.system,
        "template": record.template,
        "set": record.set,
        "source": record.source,
        "hyp": record.hyp,
        "tokens": list(record.tokens),
        "edits": [_outline(change) for change in best.edits],
        "ref": list(best.reference),
        "cost": best.cost / UNIT,
        "ref_len": record.ref_len,
        "score": record.score,
        "n_edits": len(best.edits),
        "close": list(record.close),
        "close_is_least": record.close_is_least,
        "counts": {kind.label: n for kind, n in sorted(record.counts.items())},
        "expected": {kind.label: n for kind, n in sorted(record.expected.items())},
        "weight": record.weight,
        "alternatives": [
            {
                "cost": other.cost / UNIT,
                "ref": list(other.ref),
                "text": other.text,
                "weight": other.weight,
            }
            for other in record.alternatives
        ],
        "source_constructions": list(record.source_constructions),
        "constructions": list(record.constructions),
        "proven": record.proven,
        "analyser": record.analyser,
        "text": str(best),
        "move_cost": best.move_cost / UNIT,
        "steps": [_outline(change) for change in best.changes],
    }


def parse_record(row: Mapping[str, object]) -> SegmentRecord:
    """Return the record that a JSON object stands for.

    Raises
    ------
    KeyError, TypeError
        When a key is missing, or its value has the wrong type.
    """
    fields = _Row(row)
    expected = _Row(fields.one("expected", dict))
    return SegmentRecord(
        id=fields.one("id", str),
        system=fields.one("system", str),
        template=fields.one("template", str),
        set=fields.one("set", str),
        source=fields.one("source", str),
        hyp=fields.one("hyp", str),
        tokens=fields.many("tokens", str),
        best=Correction(
            fields.cost("cost"),
            fields.many("ref", str),
            tuple(_change(_Row(step)) for step in fields.many("steps", dict)),
            fields.cost("move_cost"),
        ),
        alternatives=tuple(
            Alternative(
                other.cost("cost"),
                other.many("ref", str),
                other.one("text", str),
                other.number("weight"),
            )
            for other in map(_Row, fields.many("alternatives", dict))
        ),
        weight=fields.number("weight"),
        expected={
            Kind[name.upper()]: expected.number(name) for name in expected.content
        },
        close=fields.many("close", int),
        close_is_least=fields.one("close_is_least", bool),
        proven=fields.one("proven", bool),
        source_constructions=fields.many("source_constructions", str),
        constructions=fields.many("constructions", str),
        analyser=fields.one("analyser", str),
    )


def write_records(records: Iterable[SegmentRecord], path: StrPath) -> None:
    """Write records as JSON lines."""
    encode = json.JSONEncoder(ensure_ascii=False).encode
    write_lines(path, (encode(record_outline(record)) for record in records))


def read_records(path: StrPath) -> Iterator[SegmentRecord]:
    """Yield the records of a file.

    Raises
    ------
    FormatError
        When a line is not a record.
    """
    for number, line in enumerate(open_lines(path), start=1):
        try:
            row = json.loads(line)
            yield parse_record(row if isinstance(row, dict) else {})
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            message = (
                f"this is not an output record ({type(error).__name__}: {error}); "
                "give a file that `tertium grammar evaluate` wrote"
            )
            raise FormatError(message, path=str(path), line=number) from None


def _outline(change: Change) -> dict[str, object]:
    return {
        "type": change.kind.label,
        "label": change.label,
        "hyp_index": change.index,
        "hyp": change.hyp,
        "ref": change.ref,
        "cost": change.cost / UNIT,
        "moved_by": change.moved_by,
    }


def _change(fields: _Row) -> Change:
    return Change(
        Kind[fields.one("type", str).upper()],
        fields.one("label", str),
        None if fields.content["hyp_index"] is None else fields.one("hyp_index", int),
        fields.one("hyp", str),
        fields.one("ref", str),
        fields.cost("cost"),
        None if fields.content["moved_by"] is None else fields.one("moved_by", int),
    )


class _Row:
    """Reads values of the right type from a JSON object."""

    def __init__(self, content: Mapping[str, object]) -> None:
        self.content = content

    def one(self, key: str, kind: type[_T]) -> _T:
        value = self.content[key]
        # True and False are integers in Python.
        if not isinstance(value, kind) or (type(value) is bool and kind is not bool):
            raise TypeError(key)
        return value

    def many(self, key: str, kind: type[_T]) -> tuple[_T, ...]:
        values = self.one(key, list)
        return tuple(_Row({key: value}).one(key, kind) for value in values)

    def number(self, key: str) -> float:
        value = self.content[key]
        return float(value) if isinstance(value, int) else self.one(key, float)

    def cost(self, key: str) -> int:
        return round(self.number(key) * UNIT)
