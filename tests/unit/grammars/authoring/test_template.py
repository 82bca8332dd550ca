# SPDX-License-Identifier: Apache-2.0
"""Templates: their file, their samples, and what is wrong with them."""

from __future__ import annotations

import pytest

import tertium.grammars as rooms
from support.grammar_texts import HAVE
from tertium.automata.automaton import Automaton
from tertium.errors import FormatError
from tertium.grammars.authoring.samples import accepts, read_samples, where_it_stops
from tertium.grammars.authoring.template import Template, check_template, load_template

TOML = """
id = "have"
prototype = "Anna has a big apple tree now"
source = "Eng"
target = "Fin"
notes = ["apple trees bear apples"]
minimum = 20

[samples.Eng]
positive = "positive.txt"

[samples.Fin]
positive = ["fin.txt", "more.txt"]
negative = "not.txt"

[analysers]
Fin = "tsv:lexicon.tsv"
"""


@pytest.fixture
def write(tmp_path):
    """Write a template's folder and return it; other texts replace files."""

    def written(**files: str):
        texts = {
            "Have.gf": HAVE,
            "template.toml": TOML,
            "positive.txt": "# a remark\n\nNow Anna has a big car.\n",
            "fin.txt": "1a,2b,3a\tAnnalla on nyt iso omenapuu\n",
            "more.txt": "nykyään Pekka omistaa vanhan auton",
            "not.txt": "Annan on nyt iso omenapuu\n1b,2b,3a\tAnnalla on nyt iso auto",
        }
        for name, text in {**texts, **files}.items():
            (tmp_path / name.replace("_", ".")).write_text(text, encoding="utf-8")
        return tmp_path

    return written


def codes(template: Template, severity: str = "error", **more: object) -> list[str]:
    result = check_template(template, **more)
    return [finding.code for finding in result if finding.severity == severity]


def test_a_bundled_template_is_read_by_its_name(monkeypatch, tmp_path):
    assert load_template("shop").id == "shop"
    with pytest.raises(FormatError, match="missing"):
        load_template("shopping")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "shop").mkdir()  # a folder of one's own comes first
    with pytest.raises(FormatError, match="missing"):
        load_template("shop")


def test_a_prototype_must_be_a_sentence_of_the_grammar(write):
    assert codes(load_template(write())) == []
    text = TOML.replace("Anna has a big apple", "Anna has a tall apple")
    folder = write(template_toml=text)
    (finding,) = (f for f in check_template(load_template(folder)) if "proto" in f.code)
    assert finding.severity == "error"
    assert finding.code == "prototype-rejected"
    assert finding.where == str(folder / "template.toml")
    assert "'Anna has a tall apple tree now'" in finding.message
    assert "after 'Anna has a' the grammar has big, large" in finding.cure
    for prototype in ("Annalla on nyt iso omenapuu", "", "..."):
        changed = TOML.replace("Anna has a big apple tree now", prototype)
        assert codes(load_template(write(template_toml=changed))) == []


def test_a_template_is_read(write):
    template = load_template(write())
    assert (template.id, template.source, template.targets) == ("have", "Eng", ("Fin",))
    assert template.languages == ("Eng", "Fin")
    assert template.prototype == "Anna has a big apple tree now"
    assert template.notes == ("apple trees bear apples",)
    assert template.analysers == {"Fin": "tsv:lexicon.tsv"}
    assert template.minimum == 20
    assert template.grammar.trees == 24
    assert [one.sentence for one in template.samples["Fin"].positive] == [
        "Annalla on nyt iso omenapuu",
        "nykyään Pekka omistaa vanhan auton",
    ]
    assert template.samples["Fin"].positive[0].codes == {"1a", "2b", "3a"}
    assert template.samples["Fin"].negative[0].codes is None
    assert rooms.load_template is load_template


def test_a_good_template_has_warnings_only(write):
    template = load_template(write())
    assert codes(template) == []
    assert codes(template, "warning") == ["single-expression"] * 5 + ["small-set"] * 4
    findings = check_template(template)
    assert str(findings[0]) == (
        "warning: Eng 1a: SemVar1aAnna has a single expression, which will recur in "
        "all sources; add a synonym if there is one"
    )
    assert findings[-1].where == "Fin {1b,2b,3b}"
    assert findings[-1].message == "there are 14 references, fewer than 20"


def test_samples_are_checked(write):
    template = load_template(
        write(
            fin_txt="Annalla on nyt punainen omenapuu\n1b,2b,3a\tAnna omistaa",
            not_txt="Annalla on nyt iso omenapuu\n7a\tx",
            more_txt="Kissa istuu",
        )
    )
    findings = [one for one in check_template(template) if one.severity == "error"]
    assert [finding.code for finding in findings] == [
        "sample-without-set",
        "sample-rejected",
        "sample-rejected",
        "sample-rejected",
        "sample-accepted",
    ]
    without, red, short, cat, accepted = findings
    assert without.message == "Fin has no variable set '7a'"
    assert red.where.endswith("fin.txt:1")
    assert red.cure == "after 'Annalla on nyt' the grammar has iso, suuri"
    assert short.cure.startswith("at its beginning the grammar has Pekalla, Pekka, ny")
    assert cat.message == "Fin does not accept 'Kissa istuu'"
    assert accepted.message == ("Fin {1a,2b,3a} accepts 'Annalla on nyt iso omenapuu'")
    assert accepted.cure == "fix XHasY, or remove the sample"


def test_a_set_of_one_language_only_is_an_error(write):
    text = HAVE.replace(
        '    SemVar3bOld = forms "vanha" "vanhan" "vanhaa" "vanhalla" ;', ""
    )
    template = load_template(write(Have_gf=text, more_txt="", template_toml=TOML))
    findings = [
        one for one in check_template(template) if one.code == "set-in-one-language"
    ]
    assert [finding.where for finding in findings] == [
        f"Fin {{1{a},2{b},3b}}" for a in "ab" for b in "ab"
    ]
    assert findings[0].severity == "error"
    assert findings[0].cure == "write lin for SemVar3bOld in Fin"
    assert findings[0].message == "Eng can express the set, Fin cannot"


def test_an_empty_set_is_an_error(write):
    text = HAVE.replace('SemVar3bOld = {s = "old"', "SemVar3bOld = {s = nonExist")
    template = load_template(write(Have_gf=text))
    findings = [one for one in check_template(template) if one.code == "empty-set"]
    assert len(findings) == 4
    assert findings[0].severity == "error"
    assert findings[0].where == "Eng {1a,2a,3b}"


def test_an_empty_sentence_is_a_warning(write):
    text = HAVE.replace(
        "XIsOwnerOfY p a t = p.s ! Nom", "XIsOwnerOfY p a t = [] | p.s ! Nom"
    )
    template = load_template(write(Have_gf=text))
    assert "empty-sentence" in codes(template, "warning")


def test_warnings_of_the_grammar_are_findings(write):
    text = HAVE.replace("cat Template ;", "cat Template ; Extra ;")
    template = load_template(write(Have_gf=text))
    assert codes(template, "warning")[0] == "grammar"


def test_tokens_that_the_analyser_does_not_know_are_warnings(write):
    class Analyser:
        def analyse(self, token):
            return () if token in ("omistaja", "Pekka") else ("known",)

    template = load_template(write())
    for analyser in (Analyser(), {"Fin": Analyser(), "Eng": Analyser()}):
        result = check_template(template, analyser)
        unknown = [one.message for one in result if one.code == "unknown-token"]
        assert unknown == [
            "the analyser does not know 'Pekka'",
            "the analyser does not know 'omistaja'",
        ]
    assert codes(template, "warning", analyser={}).count("unknown-token") == 0


def test_tokens_are_analysed_at_once(write):
    class Batches:
        calls = 0

        def analyse(self, token):
            raise AssertionError(token)

        def analyse_many(self, tokens):
            self.calls += 1
            return [() if token == "Pekka" else ("known",) for token in tokens]

    analyser = Batches()
    result = check_template(load_template(write()), analyser)
    unknown = [one.message for one in result if one.code == "unknown-token"]
    assert unknown == ["the analyser does not know 'Pekka'"]
    assert analyser.calls == 1


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ('source = "Eng"', "", "'source' is missing"),
        ('source = "Eng"', "source = 3", "'source' is not a text"),
        ('target = "Fin"', "", "'target' is missing"),
        ('target = "Fin"', "target = [3]", "'target' is not a list of texts"),
        ('target = "Fin"', 'target = "Fim"', "no language 'Fim'; did you mean Fin?"),
        ('target = "Fin"', 'target = "Eng"', "'Eng' is both source and target"),
        ("minimum = 20", "minimum = true", "'minimum' is not a number"),
        ("minimum", "minimun", "unknown key 'minimun'; did you mean minimum?"),
        ("[samples.Fin]", "[samples.Swe]", "no language 'Swe'"),
        ('negative = "not.txt"', "negative = 1", "'negative' of samples.Fin is not"),
        ("negative", "negativ", "unknown key 'negativ'; did you mean negative?"),
        ("not.txt", "none.txt", "none.txt: samples cannot be read"),
        ("[samples.Fin]", "[samples]\nFin = 1\n[x]", "unknown key 'x'"),
        (
            'Fin = "tsv:lexicon.tsv"',
            "Fin = 1",
            "'analysers' is not written by language",
        ),
        ('Fin = "tsv:lexicon.tsv"', 'Swe = "none"', "no language 'Swe'"),
        ("[analysers]", "[analysers", "this is not TOML"),
        ('id = "have"', 'id = "have"\nabstract = "No.gf"', "no such file or folder"),
    ],
)
def test_a_broken_template_is_rejected(write, old, new, what):
    assert old in TOML
    with pytest.raises(FormatError) as caught:
        load_template(write(template_toml=TOML.replace(old, new, 1)))
    assert what in str(caught.value)


def test_samples_must_be_written_by_language(write):
    text = TOML[: TOML.index("[samples.Eng]")]
    with pytest.raises(FormatError, match="'samples' is not written by language"):
        load_template(write(template_toml=text + "samples = 3"))


def test_a_folder_without_its_file_is_rejected(tmp_path):
    with pytest.raises(FormatError, match="this file is missing; write it"):
        load_template(tmp_path)


def test_a_set_must_be_a_set_in_samples(tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("\n1a\tgood\nfoo\tbad\n")
    with pytest.raises(FormatError, match=r"a\.txt:3: 'foo' is not a value"):
        read_samples(file)


def test_case_and_punctuation_do_not_matter_in_samples():
    automaton = Automaton.from_sentences(["Now , Anna sings", "the U.S. - yes"])
    assert accepts(automaton, "now anna sings!")
    assert accepts(automaton, "“Now”, Anna ... SINGS.")
    assert accepts(automaton, "the u.s. yes")
    assert not accepts(automaton, "now anna")
    assert not accepts(automaton, "now anna sings well")
    # What is accepted is what costs nothing to correct.
    assert accepts(automaton, "Now,Anna sings")
    assert accepts(Automaton.from_sentences(["«it’s» red,"]), "it's red")
    assert accepts(Automaton.from_sentences(["red,green"]), "red green")
    assert accepts(Automaton.from_sentences(["a\u0308iti"]), "ÄITI")
    assert where_it_stops(automaton, "now Anna talks") == ("now Anna", ["sings"])
