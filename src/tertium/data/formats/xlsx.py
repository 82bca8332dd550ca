# SPDX-License-Identifier: Apache-2.0
"""Excel workbooks (.xlsx, Office Open XML), as rows of cells.

Texts are written as inline strings, so that no spreadsheet takes one for a formula.
Only the first sheet is read, and of a formula its last result. Equal rows give equal
bytes.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr

from tertium._files import replace_file
from tertium._messages import quote
from tertium.data.lines import StrPath, display, open_bytes
from tertium.errors import FormatError, InputError

TYPE_CHECKING = False  # Not from typing, whose import takes as long as all of this.
if TYPE_CHECKING:
    from typing import IO

__all__ = ["read_xlsx", "write_workbook", "write_xlsx"]

Cell = str | int | float | None

# What Excel can open.
_MOST_CHARACTERS = 32_767
_MOST_ROWS = 1_048_576
_MOST_COLUMNS = 16_384

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_BOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_LINKS = f"{_PACKAGE}/relationships"
_TYPES = (
    f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_BOOK}.sheet.main+xml"/>'
)
_WORKBOOK = f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
_TIME = (1980, 1, 1, 0, 0, 0)

# XML has no way to write these, and turns a CR into LF; Excel writes _x000D_.
_UNWRITABLE = re.compile("[^\t\n -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_CODE = r"x(?![Dd][89A-Fa-f])([0-9A-Fa-f]{4})"
_ESCAPED = re.compile(f"_{_CODE}_")
_LIKE_ESCAPED = re.compile(f"_(?={_CODE}(?:_|{_UNWRITABLE.pattern}))")
# What the libraries raise for files that are broken, encrypted or something else.
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    ET.ParseError,
    EOFError,
    LookupError,
    RuntimeError,
    ValueError,
)
_SHEET_NAME = re.compile(r"[^\[\]:*?/\\]{1,31}")


def write_xlsx(
    path: StrPath, rows: Iterable[Sequence[Cell]], *, sheet: str = "Sheet1"
) -> None:
    """Write rows to the only sheet of a workbook.

    Parameters
    ----------
    path : str or path
    rows : iterable of sequences of str, int, float or None
        The header too, if there is one. Texts stay texts, whatever they look like.
    sheet : str
        What to call the sheet.

    Raises
    ------
    InputError
        When Excel could not open the file: too many rows or columns, a text that is
        too long, or half a surrogate pair.
    """
    write_workbook(path, {sheet: rows})


def write_workbook(
    path: StrPath, sheets: Mapping[str, Iterable[Sequence[Cell]]]
) -> None:
    """Write rows to the sheets of a workbook, in their order.

    Parameters
    ----------
    path : str or path
    sheets : mapping of str to iterable of sequences of str, int, float or None
        At least one, by the name of the sheet; otherwise as in :func:`write_xlsx`.

    Raises
    ------
    InputError
        As by :func:`write_xlsx`.
    """
    for sheet in sheets:
        if not _SHEET_NAME.fullmatch(sheet):
            raise InputError(
                f"{sheet!r} cannot name a sheet; use up to 31 characters without "
                r"[ ] : * ? / \ "
            )
    whole = io.BytesIO()  # Zip goes back in what it writes; compressed files cannot.
    with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in _workbook_parts(list(sheets)).items():
            archive.writestr(_part(name), _HEAD + text)
        for number, rows in enumerate(sheets.values(), start=1):
            part = _part(f"xl/worksheets/sheet{number}.xml")
            with archive.open(part, "w") as stream:
                _write_sheet(stream, rows, display(path))
    with replace_file(path) as file:
        file.write(whole.getbuffer())


def _workbook_parts(sheets: Sequence[str]) -> dict[str, str]:
    """Return the parts of a workbook besides its sheets."""
    types, links, book = _TYPES, f'<Relationships xmlns="{_LINKS}">', _WORKBOOK
    for number, sheet in enumerate(sheets, start=1):
        place = f"worksheets/sheet{number}.xml"
        types += (
            f'<Override PartName="/xl/{place}" ContentType="{_BOOK}.worksheet+xml"/>'
        )
        links += (
            f'<Relationship Id="rId{number}" Type="{_OFFICE}/worksheet" '
            f'Target="{place}"/>'
        )
        name = quoteattr(sheet)
        book += f'<sheet name={name} sheetId="{number}" r:id="rId{number}"/>'
    return {
        "[Content_Types].xml": f"{types}</Types>",
        "_rels/.rels": (
            f'<Relationships xmlns="{_LINKS}"><Relationship Id="rId1" '
            f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
            "</Relationships>"
        ),
        "xl/_rels/workbook.xml.rels": f"{links}</Relationships>",
        "xl/workbook.xml": f"{book}</sheets></workbook>",
    }


def read_xlsx(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """Yield number and cells of every row of the first sheet that has any.

    Cells are texts: numbers as the file has them (a date is a number of days), a
    cell without a value is ``""``, and rows end with their last value.

    Raises
    ------
    FormatError
        When the file is not a workbook.
    """
    with open_bytes(path) as raw:
        try:
            with zipfile.ZipFile(_seekable(raw)) as archive:
                shared = _shared_strings(archive)
                sheet = _open_part(archive, _first_sheet(archive))
                yield from _read_sheet(sheet, shared)
        except _BROKEN as error:
            reason = str(error) or type(error).__name__
            what = f"not an Excel workbook ({reason}); save it as .xlsx or .csv"
            raise FormatError(what, path=display(path)) from None


# ------------------------------------------------------------------------ writing


def _part(name: str) -> zipfile.ZipInfo:
    part = zipfile.ZipInfo(name, _TIME)
    part.compress_type = zipfile.ZIP_DEFLATED
    return part


def _write_sheet(stream: IO[bytes], rows: Iterable[Sequence[Cell]], shown: str) -> None:
    def write(text: str) -> None:
        stream.write(text.encode())

    write(f'{_HEAD}<worksheet xmlns="{_MAIN}"><sheetData>')
    for number, row in enumerate(rows, start=1):
        where = f"cannot write {shown}: row {number}"
        if number > _MOST_ROWS or len(row) > _MOST_COLUMNS:
            raise InputError(
                f"{where} with {len(row)} cells is too large for Excel, which has "
                f"{_MOST_ROWS:,} rows and {_MOST_COLUMNS:,} columns; write CSV"
            )
        cells = "".join(
            _cell(f"{_letters(place)}{number}", cell, where)
            for place, cell in enumerate(row)
        )
        write(f'<row r="{number}">{cells}</row>')
    write("</sheetData></worksheet>")


def _cell(place: str, cell: Cell, where: str) -> str:
    if cell is None:
        return ""
    if not isinstance(cell, str):
        return f'<c r="{place}"><v>{cell!r}</v></c>'
    if len(cell) > _MOST_CHARACTERS:
        raise InputError(
            f"{where} has a text of {len(cell):,} characters, {quote(cell)}, and "
            f"Excel's cells hold {_MOST_CHARACTERS:,}; write CSV"
        )
    try:
        cell.encode()
    except UnicodeEncodeError:
        raise InputError(
            f"{where} has half a surrogate pair in {quote(cell)}; remove it"
        ) from None
    # What looks like an escape already must not be read as one.
    text = _LIKE_ESCAPED.sub("_x005F_", cell)
    text = _UNWRITABLE.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    return (
        f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(text)}'
        "</t></is></c>"
    )


def _letters(place: int) -> str:
    """Return the name of a column, counted from 0.

    Examples
    --------
    >>> _letters(0), _letters(25), _letters(26), _letters(702)
    ('A', 'Z', 'AA', 'AAA')
    """
    place += 1
    letters = ""
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


# ------------------------------------------------------------------------ reading


def _seekable(raw: IO[bytes]) -> IO[bytes]:
    if raw.seekable():
        return raw
    return io.BytesIO(raw.read())


def _open_part(archive: zipfile.ZipFile, name: str) -> IO[bytes]:
    """Return a part as it is; reject declarations, whose entities grow to any size."""
    data = archive.read(name)
    if b"<!DOCTYPE" in data or b"<!ENTITY" in data or b"\0" in data:
        message = f"{name} declares entities, or is not UTF-8"
        raise ValueError(message)
    return io.BytesIO(data)


def _root(archive: zipfile.ZipFile, name: str) -> ET.Element:
    return ET.parse(_open_part(archive, name)).getroot()  # noqa: S314 (see there)


def _first_sheet(archive: zipfile.ZipFile) -> str:
    sheets = list(_root(archive, "xl/workbook.xml").iter(f"{{{_MAIN}}}sheet"))
    links = _root(archive, "xl/_rels/workbook.xml.rels")
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    target = targets[sheets[0].get(f"{{{_OFFICE}}}id")]
    return target.removeprefix("/") if target.startswith("/") else f"xl/{target}"


def _shared_strings(archive: zipfile.ZipFile) -> list[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return []
    return [_text(item) for item in _root(archive, "xl/sharedStrings.xml")]


def _read_sheet(
    stream: IO[bytes], shared: Sequence[str]
) -> Iterator[tuple[int, list[str]]]:
    number = 0
    for _, row in ET.iterparse(stream):  # noqa: S314 (no entities)
        if row.tag != f"{{{_MAIN}}}row":
            continue
        number = int(row.get("r", number + 1))
        cells: dict[int, str] = {}
        place = -1
        for cell in row.iter(f"{{{_MAIN}}}c"):
            place = _column(cell.get("r")) if cell.get("r") else place + 1
            if len(cell):  # Others are only coloured.
                cells[place] = _value(cell, shared)
        row.clear()
        if cells:
            yield number, [cells.get(k, "") for k in range(max(cells) + 1)]


def _value(cell: ET.Element, shared: Sequence[str]) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        inline = cell.find(f"{{{_MAIN}}}is")
        return "" if inline is None else _text(inline)
    value = cell.findtext(f"{{{_MAIN}}}v", "")
    if kind == "s":
        return shared[int(value)]
    if kind == "b":
        return "TRUE" if value == "1" else "FALSE"
    return _unescaped(value)


def _text(item: ET.Element) -> str:
    """Return a text with or without formatting, but without its pronunciation."""
    runs = [item, *item.findall(f"{{{_MAIN}}}r")]
    return _unescaped("".join(run.findtext(f"{{{_MAIN}}}t", "") for run in runs))


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text)


def _column(place: str | None) -> int:
    number = 0
    for char in (place or "").rstrip("0123456789"):
        number = 26 * number + ord(char) - ord("A") + 1
    if not 1 <= number <= _MOST_COLUMNS:
        message = f"there is no cell {place}"
        raise ValueError(message)
    return number - 1
