# SPDX-License-Identifier: Apache-2.0
"""Paraphrase tables in METEOR's format.

Three lines per entry: a probability, a phrase, and its paraphrase. METEOR's tables are
large (English: five million entries), so they are read and split as a whole; checking
them costs no more than a look at each number.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from tertium import _core
from tertium.errors import FormatError
from tertium.text._files import read_bytes

__all__ = ["load_paraphrases", "read_paraphrases", "read_weighted_paraphrases"]


def load_paraphrases(path: str) -> _core.PhraseTable:
    """Return a table that an aligner can read, without creating Python objects.

    Raises
    ------
    FormatError
        If the file does not consist of such triples, with the line.
    """
    data = read_bytes(path)
    _check_utf8(data, path)
    table = _core.PhraseTable()
    line = _core.add_paraphrases(table, data)
    if line or not data:
        raise _out_of_step(path, line or 1)
    table.close()
    return table


def read_paraphrases(
    path: str, *, threshold: float | None = None
) -> Iterator[tuple[str, str]]:
    """Yield phrases and their paraphrases.

    Parameters
    ----------
    path : str
        The table; may be compressed by gzip.
    threshold : float, optional
        Leave out less probable entries. METEOR uses all entries.

    Raises
    ------
    FormatError
        If the file does not consist of such triples, with the line.
    """
    lines = _lines(path)
    entries = zip(
        islice(lines, 0, None, 3),
        islice(lines, 1, None, 3),
        islice(lines, 2, None, 3),
        strict=True,
    )
    for number, (weight, phrase, paraphrase) in enumerate(entries):
        # The first character is enough to notice lines that are out of step.
        if not weight[:1].isdigit() or not phrase or not paraphrase:
            raise _out_of_step(path, 3 * number + 1)
        if threshold is not None and _probability(weight, path, number) < threshold:
            continue
        yield phrase, paraphrase


def read_weighted_paraphrases(path: str) -> Iterator[tuple[float, str, str]]:
    """Yield probabilities, phrases and paraphrases."""
    lines = _lines(path)
    for number in range(len(lines) // 3):
        weight, phrase, paraphrase = lines[3 * number : 3 * number + 3]
        if not phrase or not paraphrase:
            raise _out_of_step(path, 3 * number + 1)
        yield _probability(weight, path, number), phrase, paraphrase


def _lines(path: str) -> list[str]:
    lines = _check_utf8(read_bytes(path), path).split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines or len(lines) % 3:
        message = (
            "does not have three lines per entry (probability, phrase, paraphrase); "
            "name a table in METEOR's format"
        )
        raise FormatError(message, path=path, line=len(lines) or None)
    return lines


def _check_utf8(data: bytes, path: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = "is not UTF-8; convert it with iconv"
        raise FormatError(message, path=path, line=line) from None


def _probability(text: str, path: str, number: int) -> float:
    try:
        return float(text)
    except ValueError:
        raise _out_of_step(path, 3 * number + 1) from None


def _out_of_step(path: str, line: int) -> FormatError:
    message = (
        "does not start an entry of probability, phrase and paraphrase; name a table "
        "in METEOR's format"
    )
    return FormatError(message, path=path, line=line)
