# SPDX-License-Identifier: Apache-2.0
"""Meteor's tokeniser: pairs that the program printed (1.5, -norm), kept in case."""

from __future__ import annotations

import pytest
from hypothesis import given

from support.strategies import any_lines, messy_lines
from tertium.text.meteor_tokens import METEOR_LANGUAGES, meteor_tokenize


@pytest.mark.parametrize(
    ("language", "line", "wanted"),
    [
        (
            "en",
            "Mr. X paid $1,000.50, i.e. twice.",
            "Mr. X paid $ 1,000.50 , ie twice .",
        ),
        ("en", "On No. 5 at 5 p.m. today.", "On No. 5 at 5 pm today ."),
        ("en", "It's don't '90s O'Neill.", "It 's don 't ' 90s O 'Neill ."),
        ("en", "“Hi” ‘bye’ – or — …", "\" Hi \" ' bye ' - or — …"),
        ("en", "wait... really?! a/b a_b", "wait ... really ? ! a / b a _ b"),
        ("en", "a-b -- c a--b a - b.", "a b - c a b a - b ."),
        ("en", "''quote'' don`t", '" quote " don \'t'),
        ("en", "End. Next. end.Next etc.)", "End . Next. end.Next etc . )"),
        ("en", "red@mainpost.de.", "red @ mainpostde"),
        ("en", "x ,,a 1'a 14.5 m²", "x , ,a 1'a 14.5 m ²"),
        ("fr", "L'homme 1'a M. X", "L' homme 1 ' a M. X"),
        ("de", "z.B. am 5. Mai, it's", "zB am 5. Mai , it ' s"),
        ("cs", "Dr. A. Foo", "Dr . A . Foo"),
        ("es", "el Dr. 4º p. 5", "el Dr. 4 º p. 5"),
        ("ru", "Это ул. Ленина, д. 5.", "Это ул. Ленина , д. 5 ."),
        ("ja", "日本語の。", "日本語の 。"),
    ],
)
def test_lines_are_cut_as_the_program_cuts_them(language, line, wanted):
    assert meteor_tokenize([line], language) == [wanted]


@pytest.mark.parametrize("language", [*METEOR_LANGUAGES, "xx"])
@given(line=any_lines | messy_lines)
def test_no_line_is_too_strange_and_spaces_are_single(language, line):
    (done,) = meteor_tokenize([line], language)
    assert done == " ".join(done.split())
