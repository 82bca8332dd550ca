# SPDX-License-Identifier: Apache-2.0
"""The outputs of a page: each with its correction, to look through and to filter.

The first segments are in the page as they are; all of them are also data, from which
the script shows those that a reader asks for.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Sequence

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.recurring import edit_groups
from tertium.grammars.edits import UNIT
from tertium.report.grammar.categories import CATEGORIES, of_kind
from tertium.report.grammar.markup import edit_words, marked_up
from tertium.report.html_tables import plain

__all__ = ["FIRST", "browser"]

#: Segments that are shown without a script, and at a time with one.
FIRST = 10

#: Characters that a page holds as they are. Packed, an output takes about a
#: fourteenth: its markup is that of all others.
_PLAIN = 50_000
_SHOWN = 6  # alternatives of an output that are written out
_COSTS = ((0.0001, "needs an edit"), (0.5, "0.5 or more"), (1, "1 or more"),
          (2, "2 or more"))  # fmt: skip


def browser(evaluation: Evaluation) -> str:
    """Return the form, the first segments, and the data of all."""
    names = [own.name for own in evaluation.ranking]
    segments = [
        _Segment([evaluation.records[name][place] for name in names], evaluation)
        for place in range(len(next(iter(evaluation.records.values()), ())))
    ]
    data = {
        "systems": names,
        "first": FIRST,
        "segments": [segment.data() for segment in segments],
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028")
    shown = "".join(segment.html() for segment in segments[:FIRST])
    rest = len(segments) - FIRST
    more = (
        f"<noscript><p>{rest:,} more segments are in the files above; showing them "
        "here needs JavaScript.</p></noscript>"
        if rest > 0
        else ""
    )
    return (
        f"{_form(evaluation, names)}"
        '<p id="found" class="legend" role="status" aria-live="polite">'
        f"The first {min(FIRST, len(segments)):,} of {len(segments):,} segments.</p>"
        f'<div id="segments">{shown}</div>{more}'
        '<p><button type="button" id="more" class="button" hidden></button></p>'
        f"{_data(text)}"
    )


def _data(text: str) -> str:
    """Return the data of all segments, packed if they are large."""
    kind, content = "application/json", text
    if len(text) > _PLAIN:
        packed = gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)
        kind, content = "application/gzip", base64.b64encode(packed).decode()
    return f'<script type="{kind}" id="segment-data">{content}</script>'


class _Segment:
    """A segment with the outputs of all systems, equal ones together."""

    def __init__(self, records: Sequence[SegmentRecord], whole: Evaluation) -> None:
        self.first = records[0]
        self.prototype = whole.templates.get(self.first.template, "")
        groups: dict[str, list[int]] = {}
        for place, record in enumerate(records):
            groups.setdefault(record.hyp, []).append(place)
        self.rows = [
            (places, records[places[0]], [records[p].system for p in places])
            for places in groups.values()
        ]
        self.humans = {own.name for own in whole.systems if own.human}

    def data(self) -> dict[str, object]:
        return {
            "t": self.first.template,
            "h": self._head(),
            "r": [
                {
                    "s": places,
                    "c": record.cost / UNIT,
                    "k": sorted(_categories(record)),
                    "x": _searched(record),
                    "h": self._row(record, systems),
                }
                for places, record, systems in self.rows
            ],
        }

    def html(self) -> str:
        rows = "".join(self._row(record, systems) for _, record, systems in self.rows)
        return f'<article class="segment">{self._head()}{rows}</article>'

    def _head(self) -> str:
        own = self.first
        made = ", ".join(own.source_constructions)
        what = " · ".join(part for part in (own.id, made) if part)
        source = own.source or own.id
        return f'<h3 dir="auto">{plain(source)}</h3><p class="what">{plain(what)}</p>'

    def _row(self, record: SegmentRecord, systems: Sequence[str]) -> str:
        names = ", ".join(
            plain(name)
            + (' <span class="person">person</span>' if name in self.humans else "")
            for name in systems
        )
        right = not record.cost
        cost = "right" if right else f"{record.cost / UNIT:.2f}"
        written = ""
        if any(change.moved for change in record.best.changes):
            written = (
                f'<p class="written" dir="auto"><span>as written:</span> '
                f"{plain(record.hyp)}</p>"
            )
        text = marked_up(record) or "<i>nothing</i>"
        return (
            f'<div class="row{" right" if right else ""}">'
            f'<p class="who">{names}</p>'
            f'<div class="said"><p class="text" dir="auto">{text}</p>{written}'
            f"{_details(record)}</div>"
            f'<p class="cost">{cost}</p></div>'
        )


def _details(record: SegmentRecord) -> str:
    if not record.cost:
        made = ", ".join(record.constructions)
        return f'<p class="built">{plain(made)}</p>' if made else ""
    others = len(record.alternatives)
    said = "reference"
    if others:
        said += f" and {others} other correction{'' if others == 1 else 's'}"
    facts = "".join(_facts(record))
    return f"<details><summary>{said}</summary><dl>{facts}</dl></details>"


def _facts(record: SegmentRecord) -> Iterator[str]:
    def fact(name: str, html: str) -> str:
        return f"<dt>{name}</dt><dd>{html}</dd>"

    yield fact("Output", f"<span dir=auto>{plain(record.hyp)}</span>")
    reference = plain(" ".join(record.best.reference))
    yield fact("Reference", f"<span dir=auto>{reference}</span>")
    words = f"{record.ref_len} word{'' if record.ref_len == 1 else 's'}"
    yield fact("Cost", f"{record.cost / UNIT:g} for {words}, {record.score:.3f} a word")
    if record.constructions:
        yield fact("Built as", plain(", ".join(record.constructions)))
    if record.close:
        least = " at least" if record.close_is_least else ""
        counts = ", ".join(map(str, record.close))
        yield fact("Close costs", f"{counts}{least} (within 0.5, 1, 1.5)")
    if not record.proven:
        yield fact("Beware", "the search ended early: there may be something cheaper")
    if record.alternatives:
        items = "".join(
            f"<li>{other.cost / UNIT:.2f} <span dir=auto>{plain(' '.join(other.ref))}"
            "</span></li>"
            for other in record.alternatives[:_SHOWN]
        )
        rest = len(record.alternatives) - _SHOWN
        more = f"<li>and {rest} more</li>" if rest > 0 else ""
        yield fact("Or into", f"<ul>{items}{more}</ul>")


def _searched(record: SegmentRecord) -> str:
    """Return what an output can be found by: its texts, and its edits."""
    edits = (
        edit_words(" ".join(change.hyp for change in group), group[0].ref)
        for group in edit_groups(record)
    )
    texts = (record.source, record.hyp, *record.best.reference, record.id)
    return f"{' '.join(texts).casefold()} {' '.join(edits)} "


def _categories(record: SegmentRecord) -> set[int]:
    keys = {of_kind(change.kind).key for change in record.edits}
    return {place for place, own in enumerate(CATEGORIES) if own.key in keys}


def _form(evaluation: Evaluation, names: Sequence[str]) -> str:
    used = {
        name for own in evaluation.systems for name, n in own.taxonomy.items() if n > 0
    }
    kinds = [
        (str(place), own.name)
        for place, own in enumerate(CATEGORIES)
        if own.name in used
    ]
    systems = [(str(place), name) for place, name in enumerate(names)]
    templates = [(name, name) for name in evaluation.templates]
    costs = [(str(least), words) for least, words in _COSTS]
    orders = [("dear", "dearest first"), ("apart", "where systems differ most")]
    return (
        '<form id="filter" class="filter" hidden>'
        + _choice("system", "System", "all systems", systems)
        + (_choice("template", "Template", "all", templates) if templates[1:] else "")
        + _choice("kind", "Error", "any", kinds)
        + _choice("least", "Cost", "any", costs)
        + _choice("order", "Order", "as in the test set", orders)
        + '<label>Words <input type="search" name="words" autocomplete="off" '
        'placeholder="a word, or wrong>right"></label>'
        '<label class="tick"><input type="checkbox" name="others"> '
        "show other systems too</label>"
        '<button type="reset" class="button">Clear</button></form>'
    )


def _choice(name: str, label: str, every: str, options: list[tuple[str, str]]) -> str:
    items = "".join(
        f'<option value="{plain(value)}">{plain(words)}</option>'
        for value, words in options
    )
    return (
        f'<label>{label} <select name="{name}"><option value="">{every}</option>'
        f"{items}</select></label>"
    )
