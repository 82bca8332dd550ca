# SPDX-License-Identifier: Apache-2.0
"""Result files of a metrics task, as WMT's packages have them.

``system.correlations.toEn``, ``.fromEn`` and the same of segments: a line a metric, a
column a language pair, and the average over those of the file. Pairs without English
go to ``.other``. Metrics that lack scores of what was judged come last; where there are
such, a last column says so: numbers stay numbers.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

from tertium.cli.correlate.tables import INCOMPLETE, order
from tertium.cli.shared.render import Table, render
from tertium.errors import InputError
from tertium.meta.results import Average, Correlation, Correlations

__all__ = ["make_folder", "write_task_files"]

_DIRECTIONS = ("toEn", "fromEn", "other")
_LEVELS = ("system", "segment")


def write_task_files(result: Correlations, args: argparse.Namespace) -> list[Path]:
    """Write a file a level and direction that has values, and return their paths."""
    folder = Path(args.task_files)
    digits = 3 if args.digits is None else args.digits
    written = []
    for level in _LEVELS:
        for direction in _DIRECTIONS:
            pairs = [p for p in result.langpairs if _direction(p) == direction]
            table = _table(result, level, pairs, digits, args.average_without)
            if table.rows:
                path = folder / f"{level}.correlations.{direction}"
                render([table], "tsv", output=str(path))
                written.append(path)
    return written


def make_folder(folder: str) -> None:
    """Make the folder of result files, before anything that takes long.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"no folder can be made at {folder}: {error.strerror}; name another"
        raise InputError(message) from None


def _direction(langpair: str) -> str:
    """Return which file has a language pair; slices have the name of theirs first.

    Examples
    --------
    >>> [_direction(pair) for pair in ("de-en", "en-de 1-9 words", "fr-de", "all")]
    ['toEn', 'fromEn', 'other', 'other']
    """
    source, _, target = langpair.partition(" ")[0].partition("-")
    english = [
        name.replace("_", "-").partition("-")[0].lower() in ("en", "eng")
        for name in (source, target)
    ]
    if english[0] == english[1]:
        return "other"
    return "toEn" if english[1] else "fromEn"


def _table(
    result: Correlations,
    level: str,
    pairs: list[str],
    digits: int,
    without: list[str],
) -> Table:
    """Return a row a coefficient and metric: values, their half-widths, averages."""
    others = [pair for pair in result.langpairs if pair not in pairs]
    exclude = [*others, *without]
    names = [each.name for each in result.coefficients if each.level == level]
    own = [v for v in result.values if v.coefficient in names and v.langpair in pairs]
    # A column a pair of this level, which need not have all of them.
    pairs = [pair for pair in pairs if any(v.langpair == pair for v in own)]
    wide = any(value.interval is not None for value in own)
    partial = not all(value.complete for value in own)

    def cells(one: Correlation | Average | None) -> list[str]:
        both = [None, None] if one is None else [one.value, one.half_width]
        both = both if wide else both[:1]
        return ["n/a" if each is None else f"{each:.{digits}f}" for each in both]

    rows = []
    for name in names:
        there = {value.metric for value in own if value.coefficient == name}
        for metric in order(result, name, exclude):
            if metric not in there:
                continue
            row = [name, metric]
            for pair in pairs:
                row += cells(result.get(pair, metric, name))
            average = result.average(metric, name, exclude=exclude)
            row += [*cells(average), str(average.pairs if average else 0)]
            if partial:
                row.append(_lacking([result.get(pair, metric, name) for pair in pairs]))
            rows.append(row)
    head = ["coefficient", "metric"]
    for column in (*pairs, "average"):
        head += [column, f"{column} ±"] if wide else [column]
    head += ["pairs", *(["incomplete"] if partial else [])]
    return Table(head, rows, left=2)


def _lacking(found: Iterable[Correlation | None]) -> str:
    """Return where a metric lacks scores, and of how much it has some."""
    lacking = [each for each in found if each is not None and not each.complete]
    parts = [f"{each.langpair} {each.n} of {each.of}" for each in lacking]
    return f"{INCOMPLETE} {', '.join(parts)}" if parts else ""
