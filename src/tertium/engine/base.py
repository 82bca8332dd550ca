# SPDX-License-Identifier: Apache-2.0
"""What all results share: dictionaries, JSON, frames, files, text and notebooks."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from tertium._notebook import Shown
from tertium.errors import InputError, MissingExtraError, UnknownNameError

if TYPE_CHECKING:
    from os import PathLike

    import pandas as pd
    import polars as pl

__all__ = [
    "Result",
    "Sheet",
    "csv_text",
    "record_sheet",
    "text_table",
    "without_nan",
]

#: Rows of an Excel sheet, the header first.
Sheet = Sequence[Sequence["str | int | float | None"]]


class Result(Shown):
    """A frozen result."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain dictionaries, lists, texts and numbers."""
        raise NotImplementedError

    def _records(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def _segment_records(self) -> list[dict[str, Any]]:
        raise InputError(f"{type(self).__name__} has no segments; omit `segments`")

    def _sheets(self) -> Mapping[str, Sheet]:
        return {"results": record_sheet(self._records())}

    def records(self, *, segments: bool = False) -> list[dict[str, Any]]:
        """Return one dictionary per figure, or per figure of a segment."""
        return self._segment_records() if segments else self._records()

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return :meth:`to_dict` as JSON; a figure without a value is null."""
        import json

        return json.dumps(
            without_nan(self.to_dict()), ensure_ascii=False, indent=indent
        )

    @overload
    def to_frame(
        self, *, kind: Literal["polars"] = "polars", segments: bool = False
    ) -> pl.DataFrame: ...

    @overload
    def to_frame(
        self, *, kind: Literal["pandas"], segments: bool = False
    ) -> pd.DataFrame: ...

    def to_frame(
        self, *, kind: str = "polars", segments: bool = False
    ) -> pl.DataFrame | pd.DataFrame:
        """Return a table, one row per figure.

        Parameters
        ----------
        kind : {"polars", "pandas"}
            Whose data frame; Polars comes with the extra ``meta``.
        segments : bool
            Whether rows are segments, whose scores must have been asked for.
        """
        if kind not in ("polars", "pandas"):
            raise UnknownNameError("kind of frame", kind, ("polars", "pandas"))
        records = self.records(segments=segments)
        if kind == "pandas":
            try:
                import pandas as pd
            except ImportError as error:
                what, command = 'to_frame(kind="pandas")', "pip install pandas"
                raise MissingExtraError(what, command=command) from error
            return pd.DataFrame(records)
        try:
            import polars as pl
        except ImportError as error:
            raise MissingExtraError("to_frame()", extra="meta") from error
        return pl.DataFrame(records, infer_schema_length=None)

    def to_csv(self, path: str | PathLike[str], *, segments: bool = False) -> None:
        """Write the rows of :meth:`to_frame` to a CSV file; no extra is needed."""
        from tertium._files import replace_file

        with replace_file(path) as file:
            file.write(csv_text(self.records(segments=segments)).encode())

    def to_excel(self, path: str | PathLike[str]) -> None:
        """Write an Excel workbook, with a sheet of segments if they were scored."""
        from tertium.data.formats.xlsx import write_workbook

        write_workbook(path, self._sheets())


def csv_text(records: Sequence[Mapping[str, Any]]) -> str:
    """Return records as CSV, their names first."""
    import csv
    import io

    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(record_sheet(records))
    return text.getvalue()


def record_sheet(records: Sequence[Mapping[str, Any]]) -> Sheet:
    """Return records as rows, their names first; what is not finite is empty."""
    head = list(dict.fromkeys(name for record in records for name in record))
    return [head, *([_cell(record.get(name)) for name in head] for record in records)]


def _cell(value: object) -> str | int | float | None:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value))
    return str(value)


def without_nan(value: Any) -> Any:  # any JSON value
    """Return a value with None for numbers that are not finite, which JSON lacks."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {key: without_nan(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_nan(item) for item in value]
    return value


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Return rows as text; only the first column is left-aligned."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [
            cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
