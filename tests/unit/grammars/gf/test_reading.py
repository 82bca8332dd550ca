# SPDX-License-Identifier: Apache-2.0
"""Mistakes of syntax, and what is said about them."""

from __future__ import annotations

import builtins

import pytest

from support.grammar_texts import HAVE
from tertium.errors import FormatError, MissingExtraError
from tertium.grammars.gf import GrammarError, parse_grammar, reading, syntax
from tertium.grammars.gf.mistakes import RESERVED
from tertium.grammars.gf.problems import Source


def changed(old: str, new: str) -> str:
    assert old in HAVE
    return HAVE.replace(old, new, 1)


def message(text: str) -> str:
    with pytest.raises(GrammarError) as caught:
        parse_grammar({"have.gf": text})
    return str(caught.value)


@pytest.mark.parametrize("word", sorted(RESERVED))
def test_reserved_words_of_gf_are_no_names(word):
    """What is read here must be good for GF."""
    text = message(changed("oper nyt : Str =", f'oper {word} = "x" ; nyt : Str ='))
    assert f"'{word}' is a reserved word of GF" in text
    if word not in ("Type", "PType"):
        assert f"take another, such as {word}_" in text
    parse_grammar({"have.gf": changed("oper nyt", f'oper {word}_ = "x" ; nyt')})


def test_reserved_words_are_reported_before_what_follows_them():
    pre = 'pre {"a" => "b" ; _ => "c"} ;'
    text = message(changed('SemVar1aAnna = "Anna" ;', f"SemVar1aAnna = {pre}"))
    assert "'pre' is a reserved word of GF" in text
    with pytest.raises(GrammarError) as caught:
        parse_grammar({"have.gf": HAVE.replace("nyt", "with").replace("s :", "def :")})
    assert caught.value.others


def test_the_message_shows_place_line_caret_and_cure():
    with pytest.raises(FormatError) as caught:
        parse_grammar({"have.gf": changed("Cons | Vow ;", "Cons | Vow")})
    error = caught.value
    assert str(error) == (
        "have.gf:12:26: a ';' is missing before 'lincat'; write ';' there\n"
        "      param Init = Cons | Vow\n"
        "                             ^"
    )
    assert (error.path, error.line, error.column) == ("have.gf", 12, 26)


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('"Anna" ;', '"Anna" ', "a ';' is missing before 'SemVar1bPekka'"),
        ("++ indef a t ;", "++ indef a t", "a ';' is missing before 'SemVar1aAnna'"),
        ('Cons => "a" ;', 'Cons => "a"', "a ';' is missing before 'Vow'"),
        ("{s : Str ; i", "{s : Str i", "a ';' is missing before 'i'"),
        ("open MiniFin in", "open MiniFin", "a 'in' is missing before '{'"),
        ("oper nyt : Str =", "oper nyt : Str", "a '=' is missing before 'variants'"),
        ("(indef a t) ;", "(indef a t ;", "a ')' is missing before ';'"),
        (
            "oper nyt : Str =",
            "oper f x = x ; nyt : Str =",
            "f has a variable before its '='; write f : Str -> Str = \\x -> ...",
        ),
        ("Cons | Vow", "Cons | | Vow", "'|' cannot stand here; expected a name"),
        (
            "flags",
            "flag",
            "'flag' cannot stand here; expected 'cat', 'flags', 'fun' or",
        ),
        ('"Anna"', '"Anna', "a string is not closed on its line"),
        ('"Anna"', "“Anna”", "'“' has no meaning here; strings stand in"),
        ('"Anna"', "'Anna'", 'strings stand in "double quotes"'),
        ('"Anna"', "5", "'5' has no meaning here; names begin with a letter"),
        ('"Anna"', "#", "'#' has no meaning here; delete it"),
        ("  oper\n", "  {- oper\n", "a comment is not closed; write -} at its end"),
        ("p ++", "p ++ ++", "'++' cannot stand here; expected a name, a string"),
        ('variants {"now" ; "nowadays"}', "variants {}", "braces; write nonExist"),
        ("{s : Str ; i : Init} ;", "{} ;", "braces; put something into them"),
        (
            'variants {"now" ; "nowadays"}',
            'variants {"now" ; "nowadays"',
            "(the '{' of line 23 is still open)",
        ),
    ],
)
def test_mistakes_are_named(old, new, what):
    assert what in message(changed(old, new))


def test_a_module_without_end_is_shown_at_its_beginning():
    text = HAVE.rstrip().removesuffix("}")
    assert "the '{' is never closed; write '}' where its content ends" in message(text)
    assert message(text).splitlines()[1].strip() == "resource MiniFin = {"


def test_an_unclosed_comment_at_a_mark_is_found():
    assert "a comment is not closed" in message(HAVE + "{- resource")


@pytest.mark.parametrize("text", ["", "  \n", "-- nothing"])
def test_a_file_without_a_module_is_no_grammar(text):
    assert "there is no abstract module" in message(text)


def test_the_line_is_shown_with_its_tabs():
    lines = message("abstract A = {\n\tcat\tS T ;\n}").splitlines()
    assert lines[1:] == ["    \tcat\tS T ;", "    \t   \t ^"]


def test_trees_know_where_they_stand():
    (module, *_) = reading.read_modules(Source("have.gf", HAVE))
    assert isinstance(module, syntax.Abstract)
    assert (module.name.text, module.at.line, module.at.column) == ("Have", 2, 1)
    assert str(module.name.at) == "have.gf:2:10"


def test_without_the_parser_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without(name, *rest, **more):
        if name == "lark":
            raise ImportError(name)
        return real(name, *rest, **more)

    reading._parser.cache_clear()
    reading._parsed.cache_clear()  # another test may have read the same text
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"tertium\[grammar\]"):
        parse_grammar(HAVE)
