# SPDX-License-Identifier: Apache-2.0
"""What each construct of the grammars says."""

from __future__ import annotations

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.grammars.gf import Grammar, load_grammar, parse_grammar, parse_set
from tertium.grammars.gf.variables import united

ABSTRACT = """
abstract T = {
  flags startcat = S ;
  cat S ; N ;
  fun Say : N -> S ; Ball, Sphere : N ;
}
"""
PARAMS = """
resource R = {
  param Number = Sg | Pl ;
        Case = Nom | Gen ;
        Form = NF Number Case | Bare ;
  oper s : Str = "s" ;
}
"""


def said(body: str, abstract: str = ABSTRACT) -> list[str]:
    grammar = parse_grammar(
        abstract + "concrete TEng of T = open R in {" + body + "}" + PARAMS
    )
    return [" ".join(tokens) for tokens in grammar.sentences("Eng")]


def value(exp: str, of: str = "Str", use: str = "n") -> list[str]:
    """Return the sentences of one expression."""
    return said(f"lincat S = Str ; N = {of} ; lin Say n = {use} ; Ball = {exp} ;")


@pytest.mark.parametrize(
    ("exp", "sentences"),
    [
        ('"the owner of" ++ "it"', ["the owner of it"]),
        ("[]", [""]),
        ('"a" ++ [] ++ "b"', ["a b"]),
        ('variants {"a" ; "b"}', ["a", "b"]),
        ('variants {"a" ; "b" ;}', ["a", "b"]),
        ('("a" | "b" ++ "c")', ["a", "b c"]),
        ('"a" | nonExist', ["a"]),
        ("nonExist", []),
        ('"a" ++ nonExist', []),
        ('"ball" &+ "\'s"', ["ball's"]),
        ('"ball" ++ BIND ++ "\'s" ++ "x"', ["ball's x"]),
        ('"talo" + "ssa"', ["talossa"]),
        ('"talo" + "i" + "ssa"', ["taloissa"]),
        ('(variants {"a" ; "b"}) + s', ["as", "bs"]),
        ('[] + "a" ++ ("b" + [])', ["a b"]),
        ('("a" ++ "b") + "c"', ["a bc"]),
        ('(nonExist + "a") | "b"', ["b"]),
        ('let x : Str = "a" ; y = x ++ "b" in y ++ x', ["a b a"]),
        ('let x = "a" | "b" in x ++ x', ["a a", "a b", "b a", "b b"]),
        ('case Pl of { Sg => "one" ; Pl => "many" }', ["many"]),
        (
            """case NF Pl Gen of { NF Pl c => table {Nom => "n" ; _ => "g"} ! c ;
                                  _ => "x" }""",
            ["g"],
        ),
        ('case (Sg | Pl) of { Sg => "one" ; Pl => "many" }', ["many", "one"]),
        ('(table { Sg | Pl => "any" }) ! Sg', ["any"]),
        (
            """let t : Number => Case => Str =
                     \\\\n,c => case n of {Sg => "s" ; Pl => "p"}
               in t ! Pl ! Nom""",
            ["p"],
        ),
        ('"say \\"hi\\""', ['say "hi"']),
        ('{s = "a" ; n = Sg}.s', ["a"]),
        ('({s = "a"} ** {t = "b"}).t', ["b"]),
        ('({s = "a"} ** {s = "b"}).s', ["b"]),
        ("R.s", ["s"]),
        ('"a" -- a comment\n ++ {- another\n -} "b"', ["a b"]),
    ],
)
def test_texts(exp, sentences):
    assert value(exp) == sentences


def test_records_tables_and_parameters():
    of = "{s : Number => Case => Str ; g : Number}"
    exp = """{s = table {
               Sg => table {Nom => "ball" ; Gen => "ball" + "'s"} ;
               Pl => \\\\_ => nonExist } ; g = Sg}"""
    assert value(exp, of, "n.s ! n.g ! Gen") == ["ball's"]
    assert value(exp, of, "n.s ! Pl ! Gen | n.s ! n.g ! Nom") == ["ball"]


def test_nested_parameters_select():
    of = "{s : Form => Str ; f : Form}"
    exp = """{s = table {NF Sg c => "one" ++ table {Nom => "n" ; _ => "g"} ! c ;
                         NF n _ => "many" ; Bare => "bare"} ; f = NF Sg Gen}"""
    assert value(exp, of, "n.s ! n.f") == ["one g"]
    assert value(exp, of, "n.s ! NF Pl Nom") == ["many"]
    assert value(exp, of, "n.s ! Bare") == ["bare"]
    assert value(exp, of, "n.s ! (case n.f of {NF _ c => NF Sg c ; b => b})") == [
        "one g"
    ]


def test_a_value_with_more_fields_may_stand_for_one_with_fewer():
    assert value('{s = "a" ; t = "b"}', "{s : Str}", "n.s") == ["a"]
    assert said(
        """lincat S = Str ; N = {s, t : Str} ;
           lin Say n = f n ; Ball = {s = "a" ; t = "b"} ;
           oper f : {s : Str} -> Str = \\x -> x.s ;"""
    ) == ["a"]


def test_functions_of_operations():
    body = """
      lincat S, N = Str ;
      lin Say n = twice (\\x -> x ++ n) "a" ; Ball = "b" ;
      oper twice : (f : Str -> Str) -> Str -> Str = \\f,x -> f (f x) ;
           untyped = "c" ;
    """
    assert said(body) == ["a b b"]


def test_a_linearisation_may_be_a_function():
    assert said('lincat S, N = Str ; lin Say = \\n -> n ++ "!" ; Ball = "b" ;') == [
        "b !"
    ]
    assert said(
        'lincat S, N = Str ; lin Say = quoted ; Ball = "b" ; '
        'oper quoted : Str -> Str = \\x -> "<" ++ x ++ ">" ;'
    ) == ["< b >"]
    assert said('lincat S, N = Str ; lin Say _ = "x" ; Ball, Sphere = "b" ;') == ["x"]


def test_a_category_is_also_a_type():
    assert said(
        """lincat S = Str ; N = {s : Str} ; lin Say n = f n ; Ball = mk "b" ;
           oper mk : Str -> N = \\x -> {s = x} ; f : N -> S = \\n -> n.s ;"""
    ) == ["b"]


def test_a_function_without_a_lin_is_not_available():
    grammar = parse_grammar(
        ABSTRACT
        + 'concrete TEng of T = { lincat S, N = Str ; lin Say n = n ; Ball = "b" ; }'
    )
    assert [tree[0] for tree in grammar.sentences("Eng")] == ["b"]
    assert grammar.available("Eng") == ["Say", "Ball"]
    assert [warning.what for warning in grammar.warnings] == [
        "no language has a lin for 'Sphere'"
    ]


def test_an_argument_is_the_same_wherever_it_is_used():
    # Not so with let: what it binds varies with each use.
    two = 'lincat S, N = Str ; lin Say n = n ++ "and" ++ n ; Ball = "a" | "b" ;'
    assert said(two) == ["a and a", "b and b"]


def test_forms_stay_together_through_functions_between():
    abstract = """abstract T = { flags startcat = S ; cat S ; N ; A ; V ;
      fun Say : V -> S ; Do : A -> N -> V ; a, b : A ; m, n : N ; }"""
    body = """
      lincat S = Str ; V = {one, two : Str} ; A = Str ; N = {x, y : Str} ;
      lin Say v = v.one ++ "-" ++ v.two ;
          Do a n = {one = n.x ; two = n.y ++ a} ;
          a = "a" | "A" ; b = "b" ; m = {x = "m" ; y = "mm"} ;
          n = variants { {x = "n" ; y = "nn"} ; {x = "o" ; y = "oo" | "ooo"} } ;
    """
    assert said(body, abstract) == sorted(
        f"{x} - {y} {a}"
        for x, y in [("m", "mm"), ("n", "nn"), ("o", "oo"), ("o", "ooo")]
        for a in "Aab"
    )


def test_what_need_not_be_taken_apart_is_not():
    # A verb in two pieces, with an object of ten to the 30th: none is enumerated.
    digits = "(" + " | ".join(f'"{digit}"' for digit in range(10)) + ")"
    abstract = """abstract T = { flags startcat = S ; cat S ; V ; O ;
      fun Say : V -> S ; Do : O -> V ; Num : O ; }"""
    body = f"""
      lincat S, O = Str ; V = {{fin, rest : Str}} ;
      lin Say v = v.fin ++ "not" ++ v.rest ;
          Do o = variants {{ {{fin = "has" ; rest = "seen" ++ o}} ;
                             {{fin = "does" ; rest = "see" ++ o}} }} ;
          Num = {" ++ ".join([digits] * 30)} ;
    """
    grammar = parse_grammar(abstract + "concrete TEng of T = {" + body + "}")
    assert grammar.sentences("Eng").count == 2 * 10**30
    assert "has not see " + "1 " * 30 not in grammar.sentences("Eng")


def test_trees_with_two_values_of_a_variable_are_dropped():
    grammar = parse_grammar(
        """abstract T = { flags startcat = S ; cat S ; N ; fun Say : N -> N -> S ;
             SemVar1aBall, SemVar1aSphere, SemVar1bCube : N ; Nothing : N ; }
           concrete TEng of T = { lincat S, N = Str ; lin Say x y = x ++ y ;
             SemVar1aBall = "ball" ; SemVar1aSphere = "sphere" ; SemVar1bCube = "cube" ;
             Nothing = [] ; }"""
    )
    sets = {"".join(codes): one.count for codes, one in grammar.sets("Eng").items()}
    assert sets == {"": 1, "1a": 6, "1b": 2}
    assert grammar.trees == 1 + (4 + 4) + (1 + 2)
    assert grammar.tree_counts[parse_set("1a")] == 8
    assert [one.name for one in grammar.functions("1a")] == [
        "SemVar1aBall",
        "SemVar1aSphere",
    ]
    assert grammar.expressions("Eng", "1a") == 2
    assert grammar.expressions("Eng", "9z") == 0


def test_codes():
    assert united([parse_set("1a,2b"), parse_set("1a")]) == {"1a", "2b"}
    assert united([parse_set("1a"), parse_set("1b")]) is None
    assert united([]) == frozenset()
    with pytest.raises(InputError, match="'a1' is not a value"):
        parse_set("1a,a1")


def test_languages_and_sets_are_looked_up(tmp_path):
    grammar = parse_grammar(
        ABSTRACT
        + 'concrete TEng of T = { lincat S, N = Str ; lin Say n = n ; Ball = "b" ; }'
    )
    assert repr(grammar) == "<Grammar T: Eng; 2 trees>"
    assert grammar.sets("TEng") is grammar.sets("Eng")
    with pytest.raises(UnknownNameError, match="unknown language 'Fin'"):
        grammar.sets("Fin")
    with pytest.raises(UnknownNameError, match="variable set of Eng '1a'"):
        grammar.sentences("Eng", "1a")
    assert isinstance(grammar, Grammar)


def test_modules_are_found_in_the_folder_and_on_the_path(tmp_path):
    folder, common = tmp_path / "t", tmp_path / "common"
    folder.mkdir()
    common.mkdir()
    (folder / "T.gf").write_text(ABSTRACT)
    (folder / "TEng.gf").write_text(
        "--# -path=.:../common\nconcrete TEng of T = open R, Prelude in { "
        "lincat S = Str ; N = {s : Str ; b : Bool} ; "
        'lin Say n = n.s ++ s ++ case n.b of {True => "yes" ; False => "no"} ; '
        'Ball = {s = "b" ; b = True} ; }'
    )
    (common / "R.gf").write_text(PARAMS)
    for path in (folder, str(folder / "T.gf")):
        grammar = load_grammar(path, root=tmp_path)
        assert list(grammar.sentences("Eng")) == [("b", "s", "yes")]
