# SPDX-License-Identifier: Apache-2.0
"""Texts of a judged test set, those of human translators included."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium._messages import mismatch
from tertium.data.files import OnNote, TestsetFiles
from tertium.data.formats import FOLDERS, format_of
from tertium.data.formats.mtme import is_mtme, read_mtme_texts
from tertium.data.kept import keep_on_disk
from tertium.data.lines import display
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.lines import StrPath
    from tertium.data.testset import Testset

__all__ = ["read_judged_testset", "read_new_systems"]


def read_judged_testset(
    path: StrPath, *, langpair: str | None = None, on_note: OnNote | None = None
) -> Testset:
    """Return a test set in any format that holds references and systems.

    Texts of more than one chunk stay on disk (see :mod:`tertium.data.kept`).

    Of a folder of mt-metrics-eval, references that are also among the systems stay
    there: they may have been judged, so that outputs can be compared with them.
    (:func:`tertium.read` leaves them out, as metrics are computed against them.)

    Parameters
    ----------
    path : str or path
        As in :func:`tertium.read`.
    langpair : str, optional
    on_note : callable, optional
        Called with every note of the reader.

    Raises
    ------
    InputError
        If it is a file with one column.

    Examples
    --------
    >>> sorted(read_judged_testset("demo").systems)
    ['copy', 'good', 'order', 'words']
    """
    if os.path.isfile(path) and format_of(path) in (None, *FOLDERS):
        message = (
            f"{display(path)} holds one column; reuse needs a test set with the judged "
            "systems: make one with `tertium convert -r ref.txt -i A=a.txt B=b.txt -o "
            "set.jsonl`"
        )
        raise InputError(message)
    if not is_mtme(path):
        files = TestsetFiles(path=path, langpair=langpair)
        return keep_on_disk(files.stream(on_note=on_note))
    texts = read_mtme_texts(path, langpair)
    return replace(texts.against(), systems=texts.testset.systems, notes=())


def read_new_systems(
    files: Sequence[tuple[str, str]], testset: Testset, *, name: str
) -> dict[str, list[str]]:
    """Return the outputs of systems that nobody judged, one per segment.

    Parameters
    ----------
    files : sequence of (str, str)
        Name and file of every system.
    testset : Testset
        The test set that was judged.
    name : str
        What messages call it.

    Raises
    ------
    InputError
        If a file has more lines than the test set has segments, or fewer.
    """
    if not files:
        return {}
    outputs = keep_on_disk(TestsetFiles(systems=files).stream())
    if len(outputs) != len(testset):
        longer = next(iter(outputs.systems.values()))[len(testset) :]
        extra = longer[0] if longer else _first_text(testset, len(outputs))
        expected, written = (name, len(testset)), (files[0][1], len(outputs))
        raise InputError(mismatch(expected, written, extra=extra, unit="line"))
    return dict(outputs.systems)


def _first_text(testset: Testset, place: int) -> str:
    columns = [
        *([testset.sources] if testset.sources else []),
        *testset.systems.values(),
    ]
    return columns[0][place] if columns else ""
