# SPDX-License-Identifier: Apache-2.0
"""Texts of a judged test set, those of human translators included."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.data.files import OnNote, TestsetFiles
from tertium.data.formats import FOLDERS, format_of
from tertium.data.formats.mtme import is_mtme, read_mtme_texts
from tertium.data.lines import display
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.lines import StrPath
    from tertium.data.testset import Testset

__all__ = ["read_judged_testset"]


def read_judged_testset(
    path: StrPath, *, langpair: str | None = None, on_note: OnNote | None = None
) -> Testset:
    """Return a test set in any format that holds references and systems.

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
        return TestsetFiles(path=path, langpair=langpair).read(on_note=on_note)
    texts = read_mtme_texts(path, langpair)
    return replace(texts.against(), systems=texts.testset.systems, notes=())
