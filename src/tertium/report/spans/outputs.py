# SPDX-License-Identifier: Apache-2.0
"""Outputs with human and predicted marks, to look through and to filter.

The first segments are HTML; all are data for ``templates/spans.js``. An output has a
list of findings per metric, each a list of numbers: the human mark's label, start and
end, those of the predicted mark, and the judge. A label of -1 means that there is no
such mark, a start of -1 that it has no place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tertium._messages import count
from tertium.judgements.spans.matching import Annotation, Mark, MissingMark
from tertium.judgements.spans.matching import severity_level as level_of
from tertium.meta.spans.conversions import score_of
from tertium.meta.spans.findings import Finding, findings
from tertium.meta.spans.inputs import Compared, Marked, Output
from tertium.meta.spans.texts import OutputText
from tertium.report.browser import FIRST, Choice, OutputSegment, packed
from tertium.report.spans.components import Item, MarkedPiece, SpanBrowser, SpanOutput

__all__ = ["KINDS", "LACK", "span_browser"]

#: Kinds of findings: sign, and name of one.
KINDS = {"match": "✓", "miss": "✗", "false alarm": "!"}
#: What stands for missing content.
LACK = "∅ missing"
_SHOW = (
    ("miss", "with misses"),
    ("false alarm", "with false alarms"),
    ("match", "with matches"),
    ("none", "without any mark"),
)
_SEVERITIES = (("3", "major or worse"),)
_ORDERS = (
    ("wrong", "most misses and false alarms"),
    ("miss", "most misses"),
    ("false alarm", "most false alarms"),
    ("match", "most matches"),
)
_DIGITS = re.compile(r"(\d+)")


def span_browser(
    compared: Compared, texts: Mapping[Output, OutputText], metrics: Sequence[str]
) -> SpanBrowser:
    """Return all outputs by segment, in the order of the test set.

    Parameters
    ----------
    compared : Compared
    texts : mapping of Output to OutputText
    metrics : sequence of str
        Whose predictions readers can choose; those of the first are shown first.
    """
    names = _Names()
    systems = sorted({output.system for output in compared.outputs}, key=_natural)
    numbers = {name: number for number, name in enumerate(systems)}
    segments: list[dict[str, object]] = []
    first: list[OutputSegment] = []
    many = len({output.langpair for output in compared.outputs}) > 1
    for outputs in _segments(compared.outputs, texts):
        one = outputs[0]
        name = f"{one.langpair} {one.segment}" if many else one.segment
        source = next((texts[each].source for each in outputs), "")
        rows = [_data(each, compared, texts, metrics, names) for each in outputs]
        for row, each in zip(rows, outputs, strict=True):
            row["s"] = numbers[each.system]
        segments.append({"n": name, "s": source, "o": rows})
        if len(first) < FIRST:
            shown = [_row(each, compared, texts[each], metrics[0]) for each in outputs]
            about = f"{name} · {count(len(outputs), 'output')}"
            key = f"segment-{len(first) + 1}"
            first.append(OutputSegment(source or name, about, shown, key))
    data: dict[str, object] = {
        "systems": systems,
        "metrics": list(metrics),
        "labels": list(names.labels),
        "levels": [level_of(severity) for severity, _ in names.labels],
        "judges": list(names.judges),
        "first": FIRST,
        "lack": LACK,
        "segments": segments,
    }
    choices = _choices(systems, metrics)
    return SpanBrowser(choices, first, len(segments), data, packed(data))


@dataclass
class _Names:
    """Numbers of labels and judges, in order of appearance."""

    labels: dict[tuple[str, str], int] = field(default_factory=dict)
    judges: dict[str, int] = field(default_factory=dict)

    def mark(self, mark: Mark | MissingMark | None) -> list[int]:
        if mark is None:
            return [-1, -1, -1]
        label = self.labels.setdefault(
            (mark.severity.strip().lower(), mark.category.strip()), len(self.labels)
        )
        if isinstance(mark, Mark):
            return [label, mark.start, mark.end]
        return [label, -1, -1]

    def judge(self, name: str) -> int:
        return self.judges.setdefault(name, len(self.judges)) if name else -1


def _segments(
    outputs: Sequence[Output], texts: Mapping[Output, OutputText]
) -> Iterator[list[Output]]:
    groups: dict[tuple[str, str], list[Output]] = {}
    for output in outputs:
        groups.setdefault((output.langpair, output.segment), []).append(output)

    def place(key: tuple[str, str]) -> tuple[object, ...]:
        known = texts[groups[key][0]].place
        number = -1 if known is None else known
        return key[0], known is None, number, _natural(key[1])

    for key in sorted(groups, key=place):
        yield sorted(groups[key], key=lambda output: _natural(output.system))


def _natural(name: str) -> list[tuple[int, str]]:
    """Return a key by which 2 comes before 10."""
    parts = _DIGITS.split(name)
    return [(int(part), "") if i % 2 else (-1, part) for i, part in enumerate(parts)]


def _data(
    output: Output,
    compared: Compared,
    texts: Mapping[Output, OutputText],
    metrics: Sequence[str],
    names: _Names,
) -> dict[str, object]:
    human = compared.human.annotations[output]
    several = len(human) > 1
    lists, scores = [], []
    for metric in metrics:
        marked = compared.metrics[metric]
        lists.append(
            [
                [
                    *names.mark(each.human),
                    *names.mark(each.predicted),
                    names.judge(each.judge if several else ""),
                ]
                for each in _findings(output, compared, metric)
            ]
        )
        scores.append(_score(output, marked))
    return {
        "t": texts[output].text,
        "f": lists,
        "h": _score(output, compared.human),
        "p": scores,
    }


def _findings(output: Output, compared: Compared, metric: str) -> list[Finding]:
    marked = compared.metrics[metric]
    predicted: Mapping[str, Annotation] = marked.annotations[output]
    return findings(compared.human.annotations[output], list(predicted.values()))


def _score(output: Output, marked: Marked) -> str:
    """Return a rating, or minus the weight of the errors."""
    annotations = marked.annotations[output].values()
    score = marked.scores.get(output)
    if score is None:
        score = sum(map(score_of, annotations)) / len(annotations)
    return f"{score:.4g}"


# ----------------------------------------------------------------- without a script


def _row(
    output: Output, compared: Compared, text: OutputText, metric: str
) -> SpanOutput:
    several = len(compared.human.annotations[output]) > 1
    each = _findings(output, compared, metric)
    human = _score(output, compared.human)
    predicted = _score(output, compared.metrics[metric])
    return SpanOutput(
        output.system,
        [*_pieces(text.text, each), *_lacks(each)],
        [_item(one, text.text, several=several) for one in each],
        _counts(each),
        f"human {human} · metric {predicted}",
    )


def _pieces(text: str, findings: Sequence[Finding]) -> list[MarkedPiece]:
    levels = ([0] * len(text), [0] * len(text))
    for each in findings:
        for side, mark in zip(levels, each[:2], strict=True):
            if isinstance(mark, Mark):
                level = level_of(mark.severity)
                for i in range(mark.start, min(mark.end, len(text))):
                    side[i] = max(side[i], level)
    pieces = []
    pairs = list(zip(*levels, strict=True))
    for (human, predicted), group in groupby(range(len(text)), pairs.__getitem__):
        places = list(group)
        piece = text[places[0] : places[-1] + 1]
        pieces.append(MarkedPiece(piece, human, predicted))
    return pieces


def _lacks(findings: Sequence[Finding]) -> list[MarkedPiece]:
    lacks = []
    for each in findings:
        levels = [
            level_of(mark.severity) if isinstance(mark, MissingMark) else 0
            for mark in each[:2]
        ]
        if any(levels):
            lacks.append(MarkedPiece(LACK, levels[0], levels[1], lack=True))
    return lacks


def _item(finding: Finding, text: str, *, several: bool) -> Item:
    words = [
        text[mark.start : mark.end] if isinstance(mark, Mark) else LACK
        for mark in finding[:2]
        if mark is not None
    ]
    parts = []
    if finding.human is not None:
        who = finding.judge if several and finding.judge else "human"
        parts.append(f"{who}: {_label(finding.human)}")
    if finding.predicted is not None:
        parts.append(f"metric: {_label(finding.predicted)}")
    shown = " / ".join(dict.fromkeys(words))
    kind = finding.kind
    return Item(kind.replace(" ", "-"), KINDS[kind], kind, shown, ", ".join(parts))


def _label(mark: Mark | MissingMark) -> str:
    """Return severity and category; ``templates/spans.js`` writes the same."""
    parts = (mark.severity.strip().lower(), mark.category.strip())
    return " ".join(part for part in parts if part) or "error"


def _counts(findings: Sequence[Finding]) -> str:
    """Return how many matches, misses and false alarms there are."""
    if not findings:
        return "no marks"
    plurals = {"match": "matches", "miss": "misses"}
    parts = []
    for kind in KINDS:
        number = sum(each.kind == kind for each in findings)
        if number:
            plural = plurals.get(kind, f"{kind}s")
            parts.append(f"{number} {kind if number == 1 else plural}")
    return ", ".join(parts)


def _choices(systems: Sequence[str], metrics: Sequence[str]) -> list[Choice]:
    def numbered(names: Sequence[str]) -> list[tuple[str, str]]:
        return [(str(number), name) for number, name in enumerate(names)]

    return [
        Choice("metric", "Metric", "", numbered(metrics)),
        Choice("system", "System", "all systems", numbered(systems)),
        Choice("kind", "Outputs", "all", _SHOW),
        Choice("level", "Severity", "any", _SEVERITIES),
        Choice("order", "Order", "as in the test set", _ORDERS),
    ]
