# SPDX-License-Identifier: Apache-2.0
"""Result files of a metrics task, as WMT's packages have them.

``system.correlations.toEn``, ``.fromEn`` and the same for segments: one line per
metric, one column per language pair, and the average over the pairs of the file; if
several kinds of judgements or units are compared, one average for each of them. Pairs
without English go to ``.other``. Metrics without a score for everything that was judged
come last; where there are any, a last column names them, so that numbers stay numbers.
"""

from __future__ import annotations

import csv
import io
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tertium._files import replace_file
from tertium.errors import InputError
from tertium.meta.results import INCOMPLETE, Average, Correlation, Correlations

__all__ = ["make_folder", "task_tables", "write_task_files"]

_DIRECTIONS = ("toEn", "fromEn", "other")
_LEVELS = ("system", "segment")


def write_task_files(
    result: Correlations, folder: str | os.PathLike[str], *, digits: int = 3
) -> list[Path]:
    """Write one TSV file per level and direction, and return their paths.

    Parameters
    ----------
    result : Correlations
    folder : path
        Is made if it is not there.
    digits : int
        Decimal places.
    """
    make_folder(folder)
    paths = []
    for name, rows in task_tables(result, digits=digits).items():
        path = Path(folder) / name
        text = io.StringIO()
        csv.writer(text, delimiter="\t", lineterminator="\n").writerows(rows)
        with replace_file(path) as file:
            file.write(text.getvalue().encode())
        paths.append(path)
    return paths


def make_folder(folder: str | os.PathLike[str]) -> None:
    """Make the folder of result files, before anything that takes long.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror
        message = f"cannot make the folder {os.fspath(folder)}: {reason}; name another"
        raise InputError(message) from None


def task_tables(result: Correlations, *, digits: int = 3) -> dict[str, list[list[str]]]:
    """Return the rows of every file by its name, header first.

    Parameters
    ----------
    result : Correlations
    digits : int
        Decimal places.
    """
    tables = {}
    for level in _LEVELS:
        for direction in _DIRECTIONS:
            pairs = [p for p in result.langpairs if _direction(p) == direction]
            rows = _rows(result, level, pairs, digits)
            if len(rows) > 1:
                tables[f"{level}.correlations.{direction}"] = rows
    return tables


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


def _rows(
    result: Correlations, level: str, pairs: Sequence[str], digits: int
) -> list[list[str]]:
    """Return one row per coefficient and metric: values, half-widths, averages."""
    others = [pair for pair in result.langpairs if pair not in pairs]
    exclude = [*others, *result.average_without]
    names = [each.name for each in result.coefficients if each.level == level]
    values = [
        v for v in result.values if v.coefficient in names and v.langpair in pairs
    ]
    # Not every language pair has figures of this level.
    pairs = [pair for pair in pairs if any(v.langpair == pair for v in values)]
    wide = any(value.interval is not None for value in values)
    partial = not all(value.complete for value in values)

    def cells(one: Correlation | Average | None) -> list[str]:
        both = [None, None] if one is None else [one.value, one.half_width]
        both = both if wide else both[:1]
        return ["n/a" if each is None else f"{each:.{digits}f}" for each in both]

    views = _averaged(result, pairs)
    head = ["coefficient", "metric"]
    for column in pairs:
        head += [column, f"{column} ±"] if wide else [column]
    for view in views:
        column = f"average {view}".strip()
        head += [column, f"{column} ±"] if wide else [column]
        head.append(f"pairs {view}".strip())
    rows = [[*head, *(["incomplete"] if partial else [])]]
    for name in names:
        scored = {value.metric for value in values if value.coefficient == name}
        for metric in result.ranked(name, exclude=exclude):
            if metric not in scored:
                continue
            figures = [result.get(pair, metric, name) for pair in pairs]
            row = [name, metric, *(cell for one in figures for cell in cells(one))]
            for view in views:
                average = result.average(metric, name, exclude=exclude, view=view)
                row += [*cells(average), str(average.pairs if average else 0)]
            rows.append([*row, _lacking(figures)] if partial else row)
    return rows


def _averaged(result: Correlations, pairs: Sequence[str]) -> list[str]:
    """Return the only view of language pairs, or those that have several of them."""
    counts = Counter(result.views.get(pair, "") for pair in pairs)
    if len(counts) < 2:
        return [*counts]
    return [view for view, count in counts.items() if count > 1]


def _lacking(figures: Iterable[Correlation | None]) -> str:
    """Return where a metric lacks scores, and how many it has."""
    parts = [
        f"{each.langpair} {each.n} of {each.of}"
        for each in figures
        if each is not None and not each.complete
    ]
    return f"{INCOMPLETE} {', '.join(parts)}" if parts else ""
