# SPDX-License-Identifier: Apache-2.0
"""Tables of systems that are scored from stored judgements."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.report.reuse.distances import distance_groups
from tertium.report.reuse.words import (
    accuracy,
    caution,
    column_notes,
    score_name,
    usual_digits,
)
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table, exact_cells, percent

if TYPE_CHECKING:
    from tertium.judgements.reuse.results import Reuse, SystemEstimate

__all__ = ["reuse_tables"]

_TEXT = 60  # characters of an output that a table shows


def reuse_tables(
    result: Reuse, style: Style, *, matrix: bool = False, segments: bool = False
) -> list[Table]:
    """Return systems with judged and predicted scores, and how near outputs are.

    Parameters
    ----------
    result : Reuse
    style : Style
        Programs get one table: the outputs, or what to annotate next, if asked for;
        otherwise the systems.
    matrix : bool
        Whether to show the scores of all other systems on the outputs that each
        estimate uses.
    segments : bool
        Whether to show every output.
    """
    if style.for_programs:
        if segments:
            return [_segments(result, style)]
        return [_next_values(result) if result.next else _values(result)]
    tables = [_systems(result, style), _distances(result)]
    if matrix:
        tables.append(_matrix(result, style))
    if result.next:
        tables.append(_next(result, style))
    if segments:
        tables.append(_segments(result, style))
    return tables


def _title(result: Reuse, about: str) -> str:
    return f"{result.langpair or 'all'}: {about}"


# ------------------------------------------------------------------------ systems


def _systems(result: Reuse, style: Style) -> Table:
    intervals = any(each.interval for each in result.systems)
    head = ["system", "judged", "predicted"]
    head += ["interval"] * intervals + ["hit rate", "distance"]
    if result.leave_one_out:
        head += ["worse", "equal", "better"]
    rows = []
    for name, judged, each in _ordered(result):
        if each is None:
            rows.append([name, _score(judged, result, style), *[""] * (len(head) - 2)])
        else:
            rows.append(_system(name, judged, each, result, style, intervals=intervals))
    rules = [len(rows)]
    rows.append(_system("all", None, result.all, result, style, intervals=intervals))
    title = f"{result.by}, {score_name(result)}"
    notes = column_notes(result)
    if result.accuracy is not None:
        notes.append(accuracy(result.accuracy, usual_digits(result)))
    notes.append(f"Caution: {caution(result)}.")
    return Table(
        head, rows, title=_title(result, title), note="\n".join(notes), rules=rules
    )


def _ordered(
    result: Reuse,
) -> Iterator[tuple[str, float | None, SystemEstimate | None]]:
    """Yield names, judged scores and estimates of all systems, the best first."""
    estimates = {each.system: each for each in result.systems}
    names = dict.fromkeys([*result.judged, *estimates])
    judged: dict[str, float | None] = {
        name: estimates[name].true if name in estimates else result.judged.get(name)
        for name in names
    }

    def score(name: str) -> float:
        known = judged[name]
        if known is None and name in estimates:
            known = estimates[name].predicted
        return float("-inf") if known is None else known

    for name in sorted(names, key=score, reverse=True):
        yield name, judged[name], estimates.get(name)


def _system(
    name: str,
    judged: float | None,
    each: SystemEstimate,
    result: Reuse,
    style: Style,
    *,
    intervals: bool,
) -> list[str]:
    together = each.system == "all" and each.predicted is None
    row = [name]
    row.append("" if judged is None else _score(judged, result, style))
    row.append("" if together else _score(each.predicted, result, style))
    if intervals:
        low, high = each.interval or (None, None)
        shown = f"{_score(low, result, style)} to {_score(high, result, style)}"
        row.append("" if low is None else shown)
    distance = each.mean_distance
    row.append(percent(each.hits, each.outputs))
    row.append("n/a" if distance is None else f"{distance:.1f}")
    if result.leave_one_out:
        misses = each.misses
        guesses = (misses.worse, misses.equal, misses.better)
        row += [percent(number, sum(guesses)) for number in guesses]
    return row


def _score(value: float | None, result: Reuse, style: Style) -> str:
    return style.number(value, usual_digits(result))


# ------------------------------------------------------- distances, matrix, next


def _distances(result: Reuse) -> Table:
    total = result.all
    outputs = sum(each.count for each in total.by_distance.values())
    head = ["distance", "outputs", "share"]
    if result.leave_one_out:
        head += ["worse", "equal", "better"]
    rows = []
    for group in distance_groups(total.by_distance):
        each = group.bin
        row = [group.label, f"{each.count:,}", percent(each.count, outputs)]
        if result.leave_one_out:
            guesses = (each.worse, each.equal, each.better)
            row += [percent(number, sum(guesses)) for number in guesses]
        rows.append(row)
    title = _title(result, "outputs by distance to the nearest judged one")
    return Table(head, rows, title=title)


def _matrix(result: Reuse, style: Style) -> Table:
    names = list(result.judged)
    rows = []
    for each in result.systems:
        scores = {**each.scores, each.system: each.predicted}
        rows.append(
            [each.system, *(_score(scores.get(n), result, style) for n in names)]
        )
    rules = [len(rows)]
    rows.append(
        ["all", *(_score(result.judged[name], result, style) for name in names)]
    )
    note = (
        "One row per prediction: scores of all systems on the outputs that it uses, "
        "the row's system as predicted.\nall: judged scores."
    )
    title = _title(result, "scores on the outputs used")
    return Table(["", *names], rows, title=title, note=note, rules=rules)


def _next(result: Reuse, style: Style) -> Table:
    rows = []
    for each in result.next:
        low, high = each.interval
        interval = f"{_score(low, result, style)} to {_score(high, result, style)}"
        text = _shortened(each.text)
        rows.append([each.system, each.segment, text, f"{each.gain:.2g}", interval])
    note = (
        f"The {count(len(rows), 'output')} to annotate next. gain: expected decrease "
        "of the variance of the system's score.\ninterval: that of the system once "
        "this output and those above are annotated."
    )
    head = ["system", "segment", "output", "gain", "interval"]
    return Table(head, rows, title=_title(result, "annotate next"), note=note, left=3)


def _segments(result: Reuse, style: Style) -> Table:
    rows = []
    for system in result.systems:
        for each in system.segments:
            hit = "yes" if each.hit else "no"
            distance = "" if each.distance is None else str(each.distance)
            numbers = [distance, _score(each.predicted, result, style)]
            if result.leave_one_out:
                numbers.append(_score(each.true, result, style))
            text = each.text if style.for_programs else _shortened(each.text)
            rows.append([system.system, each.segment, hit, text, *numbers])
    head = ["system", "segment", "hit", "output", "distance", "predicted"]
    if result.leave_one_out:
        head.append("judged")
    return Table(head, rows, title=_title(result, "outputs"), left=4)


def _shortened(text: str) -> str:
    return text if len(text) <= _TEXT else f"{text[: _TEXT - 1]}…"


# ------------------------------------------------------------------- for programs

_VALUES = ("system", "judged", "predicted", "low", "high", "outputs", "hits",
           "hit_rate", "mean_distance", "worse", "equal", "better")  # fmt: skip


def _values(result: Reuse) -> Table:
    """Return all systems, those that were judged only included."""
    rows = []
    for name, judged, each in _ordered(result):
        values: list[float | int | str | None] = [name, judged]
        if each is None:
            values += [None] * (len(_VALUES) - 2)
        else:
            misses = each.misses
            values += [each.predicted, *(each.interval or (None, None))]
            values += [each.outputs, each.hits, each.hit_rate, each.mean_distance]
            guesses = (misses.worse, misses.equal, misses.better)
            values += guesses if result.leave_one_out else [None] * 3
        rows.append(exact_cells(*values))
    return Table(_VALUES, rows)


def _next_values(result: Reuse) -> Table:
    rows = [
        exact_cells(each.system, each.segment, each.text, each.gain, *each.interval)
        for each in result.next
    ]
    return Table(["system", "segment", "text", "gain", "low", "high"], rows)
