# SPDX-License-Identifier: Apache-2.0
"""Notes: codes with values, and their English templates."""

from __future__ import annotations

import pytest

from tertium.notes import Note, templates


def test_a_note_with_an_unknown_code_cannot_be_made():
    with pytest.raises(KeyError):
        Note("no-such-code")


def test_a_note_without_one_of_its_values_cannot_be_made():
    wanting = [code for code, text in templates().items() if "%(" in text]
    for code in wanting:
        with pytest.raises(KeyError):
            Note(code)


def test_codes_are_lower_case_words_joined_by_hyphens():
    assert all(
        code.replace("-", "").isalnum() and code.islower() for code in templates()
    )
