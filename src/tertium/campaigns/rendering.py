# SPDX-License-Identifier: Apache-2.0
"""Notes of the library in the reader's language."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from tertium.errors import TertiumError
from tertium.judgements.annotators.flag import Flag
from tertium.notes import Note
from tertium.notes.judgements import FORMATS, JUDGES, RANKINGS

__all__ = ["TEMPLATES", "render", "render_error", "render_flag"]

#: The templates of the notes that pages show; all of them are translated.
TEMPLATES = {**JUDGES, **RANKINGS, **FORMATS}


def render(note: Note | str) -> str:
    """Return a note in the reader's language.

    A text is looked up as it is: tasks and tables bring some without values.

    Examples
    --------
    >>> render(Note("one-value", {"value": 3.0, "ratings": 12}))
    'gave 3 to all 12 outputs'
    """
    if isinstance(note, str):
        return gettext(note) if note else ""
    template = note.template
    if isinstance(template, tuple):
        return note.fill(ngettext(*template, note.count), render)
    return note.fill(gettext(template), render)


def render_flag(flag: Flag) -> str:
    """Return why a judge is flagged, with the scale."""
    reason = render(flag.note)
    return f"{reason} ({flag.scale})" if flag.scale else reason


def render_error(error: TertiumError) -> str:
    """Return an error in the reader's language, in English if it has no note."""
    return str(error) if error.note is None else render(error.note)
