# SPDX-License-Identifier: Apache-2.0
"""Excel workbooks, written and read without a spreadsheet."""

from __future__ import annotations

import tempfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.data.formats.xlsx import read_xlsx, write_xlsx
from tertium.errors import FormatError, InputError

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
texts = st.text(
    st.characters(exclude_categories=["Cs"]) | st.sampled_from("_x0041\r\n\t=&<\0"),
    max_size=12,
)


@given(st.lists(st.lists(texts, min_size=1, max_size=3), max_size=4))
def test_texts_are_read_back_exactly(rows: list[list[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "a.xlsx")
        write_xlsx(file, rows)
        result = dict(read_xlsx(file))
    for number, row in enumerate(rows, start=1):
        read = result.get(number, [])
        assert read + [""] * (len(row) - len(read)) == row


@pytest.mark.parametrize("text", ["_x0041_", "_x0041_x0042_", "_x0041\r", "__x0041_"])
def test_texts_that_look_like_escapes_stay(tmp_path: Path, text: str) -> None:
    write_xlsx(tmp_path / "a.xlsx", [[text]])
    assert list(read_xlsx(tmp_path / "a.xlsx")) == [(1, [text])]


def test_formulas_are_text_and_numbers_are_numbers(tmp_path: Path) -> None:
    write_xlsx(tmp_path / "a.xlsx", [["=1+1", 3, 0.5, None, "7"]])
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "<v>3</v>" in sheet
    assert "<v>7</v>" not in sheet
    assert list(read_xlsx(tmp_path / "a.xlsx")) == [(1, ["=1+1", "3", "0.5", "", "7"])]


def test_equal_rows_give_equal_bytes(tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write_xlsx(tmp_path / name, [["a", "b"]])
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


@pytest.mark.parametrize(
    ("cell", "message"),
    [("x" * 32_768, "32,768 characters"), ("\ud800", "half a surrogate pair")],
)
def test_what_excel_cannot_open_is_rejected(
    tmp_path: Path, cell: str, message: str
) -> None:
    with pytest.raises(InputError, match=f"row 2 has .*{message}"):
        write_xlsx(tmp_path / "a.xlsx", [["a"], [cell]])
    assert not list(tmp_path.iterdir())


def excel(file: Path, sheet: str, strings: str) -> None:
    """Write a workbook as Excel does: shared strings, gaps, two sheets."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    rels = "http://schemas.openxmlformats.org/package/2006/relationships"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(
            "xl/workbook.xml",
            f'<workbook xmlns="{MAIN}" xmlns:r="{office}"><sheets>'
            '<sheet name="one" sheetId="5" r:id="rId9"/>'
            '<sheet name="two" sheetId="6" r:id="rId1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships xmlns="{rels}">'
            '<Relationship Id="rId1" Target="worksheets/other.xml"/>'
            '<Relationship Id="rId9" Target="/xl/worksheets/first.xml"/>'
            "</Relationships>",
        )
        archive.writestr(
            "xl/worksheets/first.xml",
            f'<worksheet xmlns="{MAIN}"><sheetData>{sheet}</sheetData></worksheet>',
        )
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{strings}</sst>')


def test_what_excel_writes_is_read(tmp_path: Path) -> None:
    excel(
        tmp_path / "a.xlsx",
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
        '<row r="3"><c r="B3"><f>1+1</f><v>2</v></c><c r="C3" t="b"><v>1</v></c></row>',
        "<si><t>a</t></si>"
        "<si><r><t>b </t></r><r><t>c</t></r><rPh sb='0' eb='1'><t>no</t></rPh></si>",
    )
    assert list(read_xlsx(tmp_path / "a.xlsx")) == [
        (1, ["a", "", "b c"]),
        (3, ["", "2", "TRUE"]),
    ]


@pytest.mark.parametrize(
    "sheet",
    [
        "<row>",
        '<row r="x"/>',
        '<row r="1"><c r="A1" t="s"><v>9</v></c></row>',
        '<row r="1"><c r="ZZZZZZZ1"><v>9</v></c></row>',
        "<!ENTITY a 'b'>",
    ],
)
def test_broken_sheets_are_reported(tmp_path: Path, sheet: str) -> None:
    excel(tmp_path / "a.xlsx", sheet, "")
    with pytest.raises(FormatError, match=r"a\.xlsx: not an Excel workbook"):
        list(read_xlsx(tmp_path / "a.xlsx"))


def test_other_files_are_reported(tmp_path: Path) -> None:
    (tmp_path / "a.xlsx").write_text("id,ref\n")
    with pytest.raises(FormatError, match=r"not an Excel workbook .*save it as \.xlsx"):
        list(read_xlsx(tmp_path / "a.xlsx"))
