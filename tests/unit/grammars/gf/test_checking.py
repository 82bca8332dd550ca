# SPDX-License-Identifier: Apache-2.0
"""Wrong grammars: each rule of validation has a file that breaks it."""

from __future__ import annotations

import pytest

from support.grammar_texts import HAVE
from tertium.grammars.gf import GrammarError, load_grammar, parse_grammar


def error(text: str | dict[str, str]) -> GrammarError:
    with pytest.raises(GrammarError) as caught:
        parse_grammar(text)
    return caught.value


def broken(old: str, new: str) -> GrammarError:
    assert old in HAVE
    return error(HAVE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "what", "cure"),
    [
        # ------------------------------------------------------------ unknown names
        ("++ now ++", "++ nwo ++", "unknown name 'nwo'", "did you mean now"),
        ("++ now ++", "++ zzz ++", "unknown name 'zzz'", "define it with oper or let"),
        ("p.s ! Ade", "p.t ! Ade", "no field 't' in {s : Case => Str}", "fields are s"),
        ("p.s ! Ade", "p.s ! Add", "unknown name 'Add'", "did you mean Ade"),
        ("Nom => n", "Nomi => n", "'Nomi' is not a value of Case", "did you mean Nom"),
        ("Nom => n", "Xyz => n", "'Xyz' is not a value of Case", "Nom, Gen, Par, Ade"),
        ('Vow => "an"', 'Nom => "an"', "'Nom' is not a value of Init", "Cons, Vow"),
        (
            ": Case => Str} ;\n  lin",
            ": Caze => Str} ;\n  lin",
            "unknown type 'Caze'",
            "did you mean Case",
        ),
        ("now : Str", "now : Type", "'Type' is a reserved", "write the type out"),
        ("now : Str", "now : Qwert", "unknown type 'Qwert'", "param Qwert = ..."),
        (
            ": Person -> Prop",
            ": Preson -> Prop",
            "unknown category 'Preson'",
            "did you mean Person",
        ),
        (
            "startcat = Template",
            "startcat = Tmplate",
            "unknown category 'Tmplate'",
            "did you mean Template",
        ),
        (
            "lincat Template, Person",
            "lincat Template, Persn",
            "unknown category 'Persn'",
            "did you mean Person",
        ),
        (
            "    XOwnsY p a t      =",
            "    XOwnY p a t =",
            "unknown function 'XOwnY'",
            "did you mean XOwnsY",
        ),
        (
            "open MiniFin",
            "open MinFin",
            "no resource module 'MinFin'",
            "did you mean MiniFin",
        ),
        (
            "HaveFin of Have",
            "HaveFin of Haev",
            "no abstract module 'Haev'",
            "did you mean Have",
        ),
        # -------------------------------------------------------- arity and type
        (
            "XIsOwnerOfY p a t = p ++",
            "XIsOwnerOfY p a = p ++",
            "'XIsOwnerOfY' has 3 arguments, not 2",
            "lin XIsOwnerOfY x1 x2 x3",
        ),
        (
            "XIsOwnerOfY p a t = p ++",
            "XIsOwnerOfY p a t u = p ++",
            "'XIsOwnerOfY' has 3 arguments, not 4",
            "take away variables",
        ),
        (
            "XIsOwnerOfY p a t = p ++",
            "XIsOwnerOfY p a p = p ++",
            "two variables 'p'",
            "rename one",
        ),
        (
            "indef a t ;",
            "indef a ;",
            "this is a function of type Str -> Str",
            "give it its arguments",
        ),
        (
            "indef a t ;",
            "indef a t t ;",
            "'indef' has too many arguments",
            "delete this one",
        ),
        (
            "indef a t ;",
            "indef t a ;",
            "this is a value of type Str",
            "{i : Init ; s : Str} is expected",
        ),
        (
            "++ a.s ++",
            "++ a ++",
            "this is a value of type {i : Init ; s : Str}",
            "take its field with .s",
        ),
        ("++ a.s ++", "++ a.i ++", "this is a value of type Init", "type Str"),
        (
            "++ a.s ++",
            "++ a.s.s ++",
            "a value of type Str has no fields",
            "needs a record",
        ),
        (
            "p.s ! Ade ;",
            "p.s ;",
            "this is a value of type Case => Str",
            "with ! and a value of Case",
        ),
        (
            "p.s ! Ade ;",
            "p ! Ade ;",
            "a value of type {s : Case => Str} is not a table",
            "only from a table",
        ),
        (
            "! a.i ++ a.s",
            "! a.s ++ a.s",
            "a value of type Str cannot choose",
            "parameter type",
        ),
        (
            'clause p "has" (',
            'clause p "has" "x" (',
            "'clause' has too many arguments",
            "delete this one",
        ),
        (
            '"Anna" ;  Sem',
            '"Anna" "x" ;  Sem',
            "a value of type Str takes no argument",
            "join with ++",
        ),
        (
            '"Anna" ;  Sem',
            '"Anna"\n "x" ;  Sem',
            "a value of type Str takes no argument",
            "end the line before with ;",
        ),
        ("i = Vow}", "j = Vow}", "the record has no field 'i'", "is expected here"),
        ("; i = Vow}", "}", "the record has no field 'i'", "is expected here"),
        ("i = Vow}", "i = Vow ; i = Cons}", "two fields 'i'", "rename one"),
        ("i = Vow}", 'i = "x"}', "this is a value of type Str", "type Init"),
        (
            "{s : Str ; i : Init} ;\n  lin",
            "{s, s : Str} ;\n  lin",
            "two fields 's'",
            "rename one",
        ),
        (
            'variants {"now" ; "nowadays"}',
            'variants {"now" ; Cons}',
            "this is a value of type Init",
            "type Str",
        ),
        (
            'now : Str = variants {"now" ; "nowadays"}',
            'now = variants {"now" ; Cons}',
            "of type Init stands beside a value of type Str",
            "of one type",
        ),
        (
            "oper nyt : Str =",
            "oper f = \\x -> x ; nyt : Str =",
            "the type of the function cannot be inferred",
            "f : Str -> Str",
        ),
        (
            "oper nyt : Str =",
            'oper t = \\\\c => "x" ; nyt : Str =',
            "the type of the table cannot be inferred",
            "t : Case => Str",
        ),
        (
            "oper nyt : Str =",
            'oper t = table {c => "x"} ; nyt : Str =',
            "the type of the table cannot be inferred",
            "t : Case => Str",
        ),
        (
            "oper nyt : Str =",
            'oper t : Str = \\\\c => "x" ; nyt : Str =',
            "this is a table",
            "type Str",
        ),
        (
            "oper nyt : Str =",
            'oper t : Str = \\c -> "x" ; nyt : Str =',
            "this is a function",
            "type Str",
        ),
        (
            "oper nyt : Str =",
            'oper t = "x" ** "y" ; nyt : Str =',
            "a value of type Str is not a record",
            "** joins records",
        ),
        ('forms "Anna" ', "forms Nom ", "this is a value of type Case", "type Str"),
        (
            "{s : Case => Str} -> {s",
            "{s : Str => Str} -> {s",
            "'Str' is not a parameter type",
            "define one with param",
        ),
        (
            "{s : Case => Str} -> {s",
            "{s : {x : Str} => Str} -> {s",
            "the keys of a table",
            "Param => Type",
        ),
        (
            "now : Str",
            "now : (x : Str)",
            "names of arguments stand before an arrow",
            "(x,y : Str) -> Str",
        ),
        # -------------------------------------------------------------- tables
        ('; Vow => "an"}', "}", "the table has no branch for Vow", "a last branch _"),
        ("Par => p ; ", "", "the table has no branch for Par", "of Case"),
        ("Nom => n", "Nom x => n", "'Nom' has 0 arguments, not 1", "write Nom"),
        (
            "Nom => n",
            "Nom | c => n",
            "the variable 'c' stands in one of several",
            "a branch for each",
        ),
        ("Nom => n", "foo c => n", "'foo' is not a value of Case", "Nom, Gen"),
        # ----------------------------------------------------------- recursion
        (
            "SemVar3aBig, ",
            "More : Prop -> Prop ; SemVar3aBig, ",
            "category 'Prop' contains itself (Prop > Prop)",
            "must be finite",
        ),
        (
            "SemVar3aBig, ",
            "More : Template -> Prop ; SemVar3aBig, ",
            "category 'Template' contains itself (Template > Prop > Template)",
            "must be finite",
        ),
        (
            "oper nyt : Str =",
            "oper f : Str = g ; g : Str = f ; nyt : Str =",
            "operation 'f' uses itself (f > g > f)",
            "not recursive",
        ),
        (
            "oper nyt : Str =",
            "oper f = f ; nyt : Str =",
            "operation 'f' uses itself (f > f)",
            "not recursive",
        ),
        (
            "Nom | Gen | Par | Ade",
            "Nom | Gen | Par | Ade | Of Case",
            "parameter type 'Case' contains itself",
            "finite",
        ),
        # ------------------------------------------------------ start category
        (
            "lincat Template = Str ; Person,",
            "lincat Template, Person,",
            "the start category 'Template' has the type {s : Case => Str}",
            "lincat Template = Str",
        ),
        (
            "flags startcat = Template ;",
            "",
            "there is no start category",
            "flags startcat",
        ),
        (
            "flags startcat = Template ;",
            "flags startcat = Template ; startcat = Thing ;",
            "two start categories",
            "delete one",
        ),
        # ---------------------------------------------------- other definitions
        (
            "lincat Template, Person, Thing",
            "lincat Template, Person",
            "category 'Thing' has no lincat in HaveEng",
            "lincat Thing = Str",
        ),
        (
            "{s : Str ; i : Init} ;\n  lin",
            "{s : Str -> Str} ;\n  lin",
            "the type of 'Prop' holds a function",
            "text, parameters, records",
        ),
        (
            'SemVar1bPekka = "Pekka"',
            'SemVar1aAnna = "Pekka"',
            "'SemVar1aAnna' is defined twice, first at line 18",
            "variants",
        ),
        (
            "cat Template ;",
            "cat Template ; Thing ;",
            "'Thing' is defined twice",
            "rename or delete",
        ),
        (
            "SemVar1aAnna, ",
            "SemVar1aAnna, SemVar1aAnna, ",
            "is defined twice",
            "rename or delete",
        ),
        ("Cons | Vow", "Cons | Cons", "'Cons' is defined twice", "rename"),
        ("oper nyt", 'oper nyt : Str = "x" ; nyt', "'nyt' is defined twice", "rename"),
        ("oper nyt", 'oper BIND : Str = "x" ; nyt', "'BIND' has a meaning", "rename"),
        ("param Init", "param Str = X ; Init", "'Str' is the type of text", "rename"),
        (
            "lincat Template = Str ; P",
            "lincat Template = Str ; Template = Str ; P",
            "'Template' is defined twice",
            "delete one",
        ),
        (
            "resource MiniFin",
            "resource HaveFin",
            "there are two modules 'HaveFin'",
            "rename or delete",
        ),
        (
            "resource MiniFin =",
            "resource MiniFin = open MiniFin in",
            "MiniFin opens MiniFin, in a circle",
            "third module",
        ),
        # -------------------------------------------------------------- gluing
        ('p ++ "is"', 'p + "is"', "'+' cannot glue it", "write ++ BIND ++"),
        ('"Anna" ;  S', '"Anna" + BIND ;  S', "BIND is not a word", "write ++"),
    ],
)
def test_a_broken_grammar_is_rejected(old, new, what, cure):
    result = broken(old, new)
    messages = [f"{one.what}; {one.cure}" for one in (result, *result.others)]
    assert any(what in one and cure in one.split("; ", 1)[1] for one in messages), (
        messages
    )
    assert result.at is not None


def test_all_errors_are_reported_at_once():
    text = HAVE.replace("++ now ++", "++ nwo ++", 1).replace("p.s ! Ade", "p.t ! Ade")
    result = error(text)
    assert [one.what.split("'")[1] for one in (result, *result.others)] == ["nwo", "t"]


def test_an_operation_that_two_use_is_wrong_once():
    text = HAVE.replace("oper nyt : Str =", "oper nyt =", 1)
    result = error(text.replace('"nykyään"}', "zzz}", 1))
    assert result.what == "unknown name 'zzz'"
    assert result.others == ()


def test_a_name_of_two_modules_must_be_qualified():
    text = """
    abstract A = { flags startcat = S ; cat S ; fun f : S ; }
    concrete AEng of A = open R, Q in { lincat S = Str ; lin f = %s ; }
    resource R = { param P = X ; oper a : Str = "r" ; }
    resource Q = { param P = Y ; oper a : Str = "q" ; }
    """
    result = error(text % "a")
    assert result.what == "'a' is defined in R and in Q"
    assert result.cure == "say which: R.a"
    assert list(parse_grammar(text % "Q.a").sentences("Eng")) == [("q",)]
    assert "unknown name 'b'" in error(text % "Q.b").what
    result = error(text % "let p : P = X in a")
    assert result.what == "'P' is defined in R and in Q"


@pytest.mark.parametrize(
    ("fun", "lin", "what"),
    [
        ("f : A -> S", "f a = a", "there is no tree of the start category 'S'"),
        (
            "f : A -> A -> S ; SemVar1aX : B -> A ; SemVar1bY : B",
            "f a b = a ++ b",
            "there is no tree of the start category 'S'",
        ),
    ],
)
def test_a_grammar_without_trees_is_rejected(fun, lin, what):
    result = error(
        f"abstract T = {{ flags startcat = S ; cat S ; A ; B ; fun {fun} ; }}\n"
        f"concrete TEng of T = {{ lincat S, A, B = Str ; lin {lin} ; }}"
    )
    assert result.what == what


def test_huge_types_are_rejected():
    params = " ; ".join(f"P{n + 1} = C{n} P{n} P{n}" for n in range(3))
    text = f"""
    abstract A = {{ flags startcat = S ; cat S ; N ; fun f : N -> S ; g : N ; }}
    concrete AEng of A = {{ param P0 = X | Y | Z ; {params} ;
      lincat S = Str ; N = {{s : P2 => P2 => Str}} ; lin f n = "x" ; }}"""
    assert (
        "parameter type 'P4' has"
        in error(text.replace("C2 P2 P2", "C2 P2 P2 ; P4 = C4 P3 P3")).what
    )
    assert (
        "the type of 'N' has 19,683 forms"
        in error(text.replace("P2 => P2 => Str", "P2 => P2 => P0 => Str")).what
    )


def test_alternatives_without_number_are_rejected():
    many = " | ".join(
        f'{{s = "{n}" ; p = X}} | {{s = "{n}" ; p = Y}}' for n in range(2)
    )
    text = f"""
    abstract A = {{ flags startcat = S ; cat S ; N ; fun f : N -> S ; g : N ; }}
    concrete AEng of A = {{ param P = X | Y ; Q = M P P P P P ;
      lincat S = Str ; N = Q => {{s : Str ; p : P}} ;
      lin f n = (n ! M X X X X X).s ; g = \\\\q => ({many}) ; }}"""
    result = error(text)
    assert result.what == "'g' has too many alternatives to tell apart"


def test_copies_without_number_are_rejected():
    # All sentences would have to be told apart to say each of them twice.
    words = " ++ ".join(['("a" | "b" | "c")'] * 10)
    result = error(
        f"""
    abstract A = {{ flags startcat = S ; cat S ; N ; fun f : N -> S ; g : N ; }}
    concrete AEng of A = {{ lincat S, N = Str ; lin f n = n ++ n ; g = {words} ; }}"""
    )
    assert result.what == "'f' has too many alternatives to tell apart"
    assert result.cure.startswith("use fewer forms of one argument")


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("SemVar1aAnna", "SemVarAnna", "'SemVarAnna' is not the name of a semantic"),
        (
            "cat Template ;",
            "cat Template ; Extra ;",
            "category 'Extra' has no function",
        ),
        (
            "SemVar3aBig, ",
            "Lost : Extra ; SemVar3aBig, ",
            "category 'Extra' is in no tree of 'Template'",
        ),
        ("Ade => a}", "Ade => a ; Gen => g}", "this pattern is never reached"),
        ("SemVar3aBig, ", "Many : Prop ; SemVar3aBig, ", "no language has a lin for"),
    ],
)
def test_what_looks_wrong_is_a_warning(old, new, what):
    text = HAVE.replace(old, new)
    if "Lost" in new:
        text = text.replace("cat Template ;", "cat Template ; Extra ;")
    grammar = parse_grammar(text)
    assert any(what in warning.what for warning in grammar.warnings)
    assert all(warning.at for warning in grammar.warnings)


def test_folders_without_a_grammar(tmp_path):
    with pytest.raises(GrammarError, match="no such file or folder"):
        load_grammar(tmp_path / "none")
    with pytest.raises(GrammarError, match=r"no \.gf files"):
        load_grammar(tmp_path)
    (tmp_path / "A.gf").write_bytes(b"abstract \xff")
    with pytest.raises(GrammarError, match="not UTF-8"):
        load_grammar(tmp_path)
    (tmp_path / "A.gf").write_text("resource A = { }")
    with pytest.raises(GrammarError, match="no abstract module"):
        load_grammar(tmp_path)
    (tmp_path / "A.gf").write_text(
        "abstract A = { flags startcat = S ; cat S ; fun f : S ; }"
    )
    with pytest.raises(GrammarError, match="'A' has no concrete module"):
        load_grammar(tmp_path)
    (tmp_path / "B.gf").write_text("abstract B = { }")
    with pytest.raises(GrammarError, match=r"several abstract modules \(A, B\)"):
        load_grammar(tmp_path)
    (tmp_path / "AEng.gf").write_text(
        'concrete AEng of A = { lincat S = Str ; lin f = "x" ; }'
    )
    assert load_grammar(tmp_path / "A.gf").languages == ("Eng",)


def test_a_grammar_is_made_again_only_when_a_file_changes(tmp_path):
    text = """abstract A = { flags startcat = S ; cat S ; fun f : S ; }
    concrete AEng of A = { lincat S = Str ; lin f = "x" ; }"""
    (tmp_path / "A.gf").write_text(text)
    first = load_grammar(tmp_path)
    assert load_grammar(tmp_path) is first
    (tmp_path / "A.gf").write_text(text.replace("x", "y"))
    second = load_grammar(tmp_path)
    assert first.sentences("Eng")[0] == ("x",)
    assert second.sentences("Eng")[0] == ("y",)
