# SPDX-License-Identifier: Apache-2.0
"""Notes: codes with values, and their English templates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tertium
from tertium.campaigns.exchange.formats import SIDES, formats, losses
from tertium.errors import InputError
from tertium.judgements import FORMATS
from tertium.judgements.formats.losses import LOSSES
from tertium.judgements.items import ITEM_FORMATS
from tertium.notes import Note, templates


def test_a_note_with_an_unknown_code_cannot_be_made():
    with pytest.raises(KeyError):
        Note("no-such-code")


def test_a_note_without_one_of_its_values_cannot_be_made():
    wanting = [code for code, text in templates().items() if "%(" in str(text)]
    for code in wanting:
        with pytest.raises(KeyError):
            Note(code)


def test_codes_are_lower_case_words_joined_by_hyphens():
    assert all(
        code.replace("-", "").isalnum() and code.islower() for code in templates()
    )


def test_the_count_chooses_between_singular_and_plural():
    one, many = (Note("z-no-judge", {"count": n}) for n in (1, 1234))
    assert str(one) == "left out by z: 1 rating has no judge"
    assert str(many) == "left out by z: 1,234 ratings have no judge"


def test_names_are_listed_and_notes_among_values_are_rendered():
    assert str(Note("no-score", {"systems": ["A", "B"]})).startswith(
        "no score for A, B:"
    )
    inner = Note("ties-only")
    outer = Note("z-one-score", {"judge": inner})
    assert str(inner) in str(outer)
    assert outer.fill("%(judge)s!", lambda note: note.code) == "ties-only!"


def test_equal_notes_have_equal_hashes():
    notes = [Note("no-score", {"systems": [name]}) for name in "AAB"]
    assert len(set(notes)) == 2


def test_an_error_keeps_its_note():
    note = Note("no-judgements")
    error = InputError(note, options=("langpair",))
    assert (str(error), error.note) == (str(note), note)
    assert InputError("plain text").note is None


def test_every_code_is_used():
    room = Path(tertium.__file__).parent
    paths = {*room.rglob("*.py")} - {*room.glob("notes/*.py")}
    source = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    literals = set(re.findall(r'"([a-z-]+)"', source))
    named = {f"format-{name}" for name in (*FORMATS, *formats(), *SIDES)}
    named |= {f"format-{name}" for name in ITEM_FORMATS}
    named |= {note.code for note in LOSSES.values()}
    named |= {note.code for name in formats() for note in losses(name)}
    assert set(templates()) - literals - named == set()
