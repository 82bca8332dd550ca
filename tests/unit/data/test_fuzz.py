# SPDX-License-Identifier: Apache-2.0
"""Any bytes give a test set or a TertiumError, never another exception."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tertium.data import Testset, format_names, read, write
from tertium.errors import TertiumError

PIECES = {
    "plain": [b"\n", b"\r\n", b"\xef\xbb\xbf", b"\x1f\x8b\x08", b"\xfd7zXZ\x00"],
    "tsv": [b"ref", b"src", b"\t", b"\n", b"A", b"langpair", b"layer:x", b"\r"],
    "csv": [b"ref", b"src", b",", b";", b'"', b"\n", b"A", b"langpair", b"\r", b"\0"],
    "xlsx": [b"PK\x03\x04", b"PK\x05\x06", bytes(18), b"xl/workbook.xml"],
    "jsonl": [b"{", b"}", b'"ref"', b'"tgt"', b":", b"[", b"]", b"1", b",", b"\n"],
    "sgml": [b"<refset>", b"<doc docid=x>", b"<seg id=1>", b"</seg>", b"</doc>", b"<"],
    "xml": [b"<dataset>", b'<doc id="x">', b"<ref>", b'<seg id="1">', b"</seg>"],
    "parquet": [b"PAR1", b"\x15\x04", bytes(8)],
}
PIECES["xml"] += [b"</ref>", b"</doc>", b"</dataset>", b"&#x0;", b"<!--", b"<![CDATA["]


def read_any(folder: Path, data: bytes, form: str) -> None:
    if form == "parquet":
        pytest.importorskip("polars")
    file = folder / "fuzz"
    file.write_bytes(data)
    try:
        if form in ("plain", "sgml"):
            testset = read(references=file, format=form)
        else:
            testset = read(file, format=form)
    except TertiumError as error:
        assert ";" in str(error)  # noqa: PT017
    else:
        assert isinstance(testset, Testset)


@pytest.mark.parametrize("form", format_names())
@given(data=st.data())
@settings(max_examples=80, deadline=None)
def test_any_bytes_are_read_or_rejected(
    tmp_path_factory: pytest.TempPathFactory, form: str, data: st.DataObject
) -> None:
    piece = st.sampled_from(PIECES[form]) | st.binary(max_size=6)
    raw = b"".join(data.draw(st.lists(piece, max_size=12)))
    read_any(tmp_path_factory.getbasetemp(), raw, form)


@pytest.mark.parametrize("compression", ["", ".gz", ".xz", ".bz2", ".zst"])
@pytest.mark.parametrize("form", ["tsv", "csv", "xlsx", "jsonl", "xml", "parquet"])
def test_damaged_files_are_read_or_rejected(
    tmp_path: Path, form: str, compression: str
) -> None:
    if form == "parquet":
        pytest.importorskip("polars")
    testset = Testset.build(["one", "two"], {"A": ["1", "2"]}, docs=["x", "y"])
    file = tmp_path / f"a.{form}{compression}"
    write(testset, file)
    whole = file.read_bytes()
    random_generator = random.Random(7)
    for _ in range(30):
        data = io.BytesIO(whole)
        for _ in range(random_generator.randint(1, 3)):
            data.seek(random_generator.randrange(len(whole)))
            data.write(bytes([random_generator.randrange(256)]))
        end = random_generator.choice([len(whole), random_generator.randrange(80)])
        read_any(tmp_path, data.getvalue()[:end], form)
