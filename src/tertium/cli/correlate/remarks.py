# SPDX-License-Identifier: Apache-2.0
"""Notes on test sets, judgements and scores, as remarks on stderr."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.cli.shared.remarks import remark
from tertium.cli.shared.testset_notes import note_texts
from tertium.cli.shared.values import Remarks
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.data.testset import Note as TestsetNote

__all__ = ["remark_note"]

# The flags that a note's advice is about.
_FLAGS = {
    "metric-taken-to-rise": "--lower-is-better %(metric)s",
    "reference-in-use": "--reference",
}


def remark_note(options: Remarks, note: Note | TestsetNote) -> None:
    """Write a note to stderr, with the flag that helps."""
    if not isinstance(note, Note):
        for text in note_texts([note]):
            remark(options, text)
        return
    flag = _FLAGS.get(note.code)
    remark(options, f"{note} ({flag % note.values})" if flag else str(note))
