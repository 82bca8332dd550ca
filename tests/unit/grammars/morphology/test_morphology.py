# SPDX-License-Identifier: Apache-2.0
"""Analysers behind one protocol: tables, programs, taggers and Voikko."""

from __future__ import annotations

import gc
import os
import pickle
import shlex
import subprocess
import sys
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.grammar_words import UNIMORPH, analyser, lexicon_lines
from tertium.errors import FormatError, InputError, MissingExtraError, UnknownNameError
from tertium.grammars.morphology import (
    ANALYSERS,
    Analysis,
    BatchAnalyser,
    Generator,
    load_analyser,
)
from tertium.grammars.morphology.features import from_ud, read_features
from tertium.grammars.morphology.process import ProcessAnalyser
from tertium.grammars.morphology.tsv import Entry, TsvLexicon, parse_lexicon
from tertium.grammars.morphology.unimorph import UniMorphLexicon, read_bundle
from tertium.grammars.morphology.voikko import VoikkoAnalyser, from_voikko

# ------------------------------------------------------------------------ features


def test_features_of_universal_dependencies_get_short_names():
    features = read_features("Case=Ine|Number=Plur|Gender=Fem")
    assert from_ud("talo", "NOUN", features) == (Analysis("talo", "NOUN", "INE", "PL"),)


def test_several_values_are_several_readings():
    result = from_ud("Hund", "NOUN", read_features("Case=Acc,Nom|Number=Plur"))
    assert [one.case for one in result] == ["ACC", "NOM"]


def test_participles_are_no_verbs_and_infinitives_have_a_mood():
    (participle,) = from_ud("olla", "VERB", read_features("Case=Nom|VerbForm=Part"))
    assert (participle.pos, participle.nominal, participle.verbal) == (
        "PTCP",
        True,
        False,
    )
    features = read_features("Case=Ine|InfForm=3|VerbForm=Inf")
    (infinitive,) = from_ud("olla", "VERB", features)
    assert (infinitive.mood, infinitive.nominal) == ("INF3", False)


def test_a_finnish_passive_has_a_person():
    features = read_features("Mood=Ind|Tense=Pres|VerbForm=Fin|Voice=Pass")
    assert from_ud("tehdä", "VERB", features)[0].person == "4"


@pytest.mark.parametrize("text", ["Case", "Case=", "=Nom", "Case=Nom||Number=Sing"])
def test_wrong_features_are_rejected(text):
    with pytest.raises(InputError, match="not a feature"):
        read_features(text)


# ----------------------------------------------------------------- plain lexicons


def test_a_lexicon_has_readings_and_forms(write_lines):
    path = write_lines("fi.tsv", lexicon_lines())
    lexicon = load_analyser(f"tsv:{path}", language="fi")
    assert lexicon.analyse("omenapuun") == (
        Analysis("omenapuu", "NOUN", "GEN", "SG", parts=("omena", "puu")),
    )
    assert {one.lemma for one in lexicon.analyse("omistavat")} == {"omistaa"}
    assert lexicon.analyse("xqzt") == ()
    assert isinstance(lexicon, Generator)
    assert lexicon.generate("raskas", "ADJ", "Case=Par") == ("raskasta", "raskaita")
    assert lexicon.generate("raskas", "ADJ", "Case=Par|Number=Plur") == ("raskaita",)
    assert lexicon.generate("raskas", "NOUN", "") == ()
    assert lexicon.language == "fi"


def test_the_name_of_a_lexicon_changes_with_its_content(write_lines):
    one = load_analyser(f"tsv:{write_lines('a.tsv', ['a' + chr(9) + 'a'])}").name
    two = load_analyser(f"tsv:{write_lines('a.tsv', ['b' + chr(9) + 'b'])}").name
    assert one.startswith("tsv:a.tsv@")
    assert one != two


def test_a_header_sets_the_columns():
    lines = [
        "# frozen, do not edit",
        "lemma\tPOS\tfeatures\tform\tgenerator",
        "auto\tNOUN\tCase=Gen|Number=Sing\tauton\thand 1.0",
        "",
        "nyt\tADV\t_\tnyt\thand 1.0",
    ]
    entries = list(parse_lexicon(lines))
    assert entries == [
        Entry("auton", "auto", "NOUN", "Case=Gen|Number=Sing", generator="hand 1.0"),
        Entry("nyt", "nyt", "ADV", generator="hand 1.0"),
    ]
    assert TsvLexicon(entries).analyse("auton")[0].case == "GEN"


def test_short_lines_are_readings_without_features():
    assert list(parse_lexicon(["talo\ttalo", "form\tto form"])) == [
        Entry("talo", "talo"),
        Entry("form", "to form"),
    ]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["talo"], "1 columns"),
        (["a\tb\tc\t_\td+e\tf"], "6 columns"),
        (["talo\t_"], "lemma is empty"),
        (["\ttalo"], "form is empty"),
        (["iso talo\ttalo"], "several tokens"),
        (["talo\ttalo\tNOUN\tNom"], "not a feature"),
        (["form\tlemma\tcolour"], "name each once"),
        (["form\tlemma\tform"], "name each once"),
    ],
)
def test_wrong_lines_are_rejected_with_their_place(lines, what):
    with pytest.raises(FormatError, match=f"words.tsv:2: .*{what}"):
        list(parse_lexicon(["# a remark", *lines], name="words.tsv"))


@given(st.lists(st.text(alphabet="ab_\t=|+# ", max_size=12), max_size=4))
def test_any_lines_are_read_or_rejected(lines):
    try:
        lexicon = TsvLexicon(parse_lexicon(lines))
    except FormatError:
        return
    for entry in lexicon.entries:
        assert entry.lemma in {one.lemma for one in lexicon.analyse(entry.form)}


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"no\.tsv"):
        load_analyser(f"tsv:{tmp_path / 'no.tsv'}")


# ----------------------------------------------------------------------- UniMorph


def test_unimorph_tables_name_places_by_two_tags(write_lines):
    table = load_analyser(f"unimorph:{write_lines('fin', UNIMORPH.splitlines())}")
    assert table.name.startswith("unimorph:fin@")
    assert table.analyse("Annalla") == (Analysis("Anna", "PROPN", "ADE", "SG"),)
    assert table.generate("iso", "ADJ", "GEN;SG") == ("ison",)
    assert table.generate("iso", "", "") == ("iso", "ison")
    assert table.generate("iso", "NOUN", "GEN") == ()
    (finite,) = table.analyse("on")
    assert finite == Analysis("olla", "VERB", "", "SG", "PRES", "3", "IND")
    assert {one.pos for one in table.analyse("omistavat")} == {"VERB", "PTCP"}


def test_alternatives_in_unimorph_are_several_readings():
    assert [one.case for one in read_bundle("Hund", "N;{NOM/ACC};PL")] == ["NOM", "ACC"]
    (passive,) = read_bundle("tehdä", "V;PASS;PRS;POS;IND")
    assert passive.person == "4"


@pytest.mark.parametrize("line", ["talo", "talo\ttalo", "talo\t\tN", "a\tb\tN\tc\td"])
def test_wrong_lines_of_unimorph_are_rejected(line):
    with pytest.raises(FormatError, match=r"fin:3: .*UniMorph"):
        UniMorphLexicon(["a\ta\tN", "", line], name="fin")


# ----------------------------------------------------------------------- programs

PROGRAM = """\
import sys
from types import SimpleNamespace
print("# analyser = toy 1.2")
for line in sys.stdin:
    form = line.strip()
    if form == "talon":
        print("talon\\ttalo\\tNOUN\\tCase=Gen|Number=Sing")
        print("talon\\ttalo\\tNOUN\\tCase=Acc|Number=Sing")
    elif form == "lumisade":
        print("lumisade\\tlumisade\\tNOUN\\tCase=Nom\\tlumi+sade")
    elif form == "on":
        print("1\\ton\\tolla\\tAUX\\tV\\tMood=Ind|Person=3\\t0\\troot\\t_\\t_\\n")
    elif form == "x":
        print("1\\tx\\tx\\tX\\t_\\t_\\t0\\troot\\t_\\t_")
    elif form == "broken":
        print("broken\\tbroken\\tNOUN\\tNom")
    elif form == "worse":
        print("1\\tworse\\tbad\\tADJ\\t_\\tCmp\\t0\\troot\\t_\\t_")
    else:
        print(form, "_", "_", sep="\\t")
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "toy analyser.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return f"{shlex.quote(sys.executable)} {shlex.quote(str(path))}"


def test_programs_read_tokens_and_write_readings(program, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8")
    toy = load_analyser(f"command:{program}", language="fi")
    assert toy.name == "toy 1.2"
    assert isinstance(toy, BatchAnalyser)
    result = toy.analyse_many(["talon", "lumisade", "on", "x", "äö", "talon"])
    assert [one.case for one in result[0]] == ["GEN", "ACC"]
    assert result[1][0].parts == ("lumi", "sade")
    assert result[2] == (Analysis("olla", "AUX", person="3", mood="IND"),)
    assert result[3:5] == [(), ()]
    assert result[5] == result[0]
    assert toy.analyse("talon") == result[0]
    assert toy.analyse_many([]) == []


@pytest.mark.parametrize("token", ["broken", "worse"])
def test_what_a_program_writes_is_checked(program, token):
    toy = ProcessAnalyser(program)
    with pytest.raises(FormatError, match=r"output of .*:2: .*not a feature"):
        toy.analyse(token)


@pytest.mark.parametrize(
    ("command", "what"),
    [
        ("no-such-program-anywhere", "cannot start"),
        ("'half a quote", "check the quotes"),
        ("  ", "empty"),
    ],
)
def test_commands_that_cannot_run_are_rejected(command, what):
    with pytest.raises(InputError, match=what):
        ProcessAnalyser(command)


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}"


def test_programs_that_fail_are_quoted():
    with pytest.raises(InputError, match="code 3: no model"):
        ProcessAnalyser(
            python("import sys; print('no model', file=sys.stderr); sys.exit(3)")
        )
    with pytest.raises(InputError, match="no reason given"):
        ProcessAnalyser(python("raise SystemExit(1)"))


def test_programs_that_do_not_end_are_stopped():
    with pytest.raises(InputError, match=r"within 0\.2 s"):
        ProcessAnalyser(python("import time; time.sleep(60)"), timeout=0.2)


def test_programs_must_write_utf8():
    with pytest.raises(InputError, match="UTF-8"):
        ProcessAnalyser(python("import sys; sys.stdout.buffer.write(b'\\xff')"))


# ------------------------------------------------------------------------ taggers


def test_a_tagger_reads_tokens_on_their_own(tiny_model):
    tagger = load_analyser(f"udpipe:{tiny_model}", language="en")
    assert tagger.name.startswith("udpipe-")
    assert tagger.analyse("cat") == (Analysis("cat", "NOUN"),)
    assert tagger.analyse_many(["sees", "cat"])[0][0].pos == "VERB"
    assert tagger.analyse_many([]) == []


def test_udpipe_gives_features(udpipe_model):
    tagger = load_analyser(f"udpipe:{udpipe_model}", language="en")
    (result,) = tagger.analyse("books")
    assert (result.lemma, result.number) == ("book", "PL")


def test_spacy_gives_features(spacy_model):
    tagger = load_analyser(f"spacy:{spacy_model}", language="en")
    (result,) = tagger.analyse("children")
    assert result.number == "PL"


# ------------------------------------------------------------------------- Voikko


def test_voikko_without_its_library_fails_once(monkeypatch):
    class Voikko:
        """As in the package: loads the library when first asked, ends in __del__."""

        def __init__(self, language):
            self.handle = self.getVersion()

        def __del__(self):
            del self.handle

        @classmethod
        def getVersion(cls):  # noqa: N802
            raise OSError("libvoikko.so.1: cannot open shared object file")

    module = SimpleNamespace(Voikko=Voikko, VoikkoException=RuntimeError)
    monkeypatch.setitem(sys.modules, "libvoikko", module)
    with pytest.raises(InputError, match="apt install libvoikko1 voikko-fi"):
        VoikkoAnalyser()
    gc.collect()  # A half-made Voikko would fail here, and with it the next test.


def test_voikko_reads_compounds():
    voikko = analyser("voikko")
    assert voikko.name.startswith("voikko-")
    assert voikko.analyse("omenapuun") == (
        Analysis("omenapuu", "NOUN", "GEN", "SG", parts=("omena", "puu")),
    )
    assert {one.parts for one in voikko.analyse("lumisadekausi")} == {
        ("lumi", "sade", "kausi")
    }
    assert voikko.analyse("sateenkaaren")[0].parts == ("sade", "kaari")
    assert voikko.analyse("maanomistajalla")[0].parts == ("maa", "omistaja")
    assert voikko.analyse("omistajavaihdos")[0].parts == ("omistaja", "vaihdos")
    assert voikko.analyse("uudelleenrakentamisen")[0].parts == ("uudelleen", "rakentaa")
    assert ("linja", "auto") in {one.parts for one in voikko.analyse("linja-autolla")}
    assert voikko.analyse("omistaja")[0].parts == ()


def test_voikko_reads_verbs_participles_and_adverbs():
    voikko = analyser("voikko")
    assert voikko.analyse("oli") == (
        Analysis("olla", "VERB", "", "SG", "PAST", "3", "IND"),
    )
    infinitive = voikko.analyse("tekemättä")[0]
    assert (infinitive.pos, infinitive.case, infinitive.nominal) == (
        "VERB",
        "ABE",
        False,
    )
    # A form of the verb as well.
    assert {one.lemma for one in voikko.analyse("ollut")} == {"ollut", "oltu", "olla"}
    assert not any(one.verbal for one in voikko.analyse("ollut"))
    (action,) = {
        (one.pos, one.lemma, one.case) for one in voikko.analyse("rakentamisen")
    }
    assert action == ("NOUN", "rakentaa", "GEN")
    assert voikko.analyse("nopeasti") == (Analysis("nopea", "ADV"),)
    assert voikko.analyse("xqzt") == ()


def test_voikko_moves_to_another_process():
    voikko = analyser("voikko")
    again = pickle.loads(pickle.dumps(voikko))
    assert again.analyse("talo") == voikko.analyse("talo")


def test_voikko_names_a_missing_dictionary():
    analyser("voikko")
    with pytest.raises(InputError, match="dictionary"):
        load_analyser("voikko:xx")


def test_voikko_output_is_read_without_voikko():
    item = {
        "BASEFORM": "jälleenrakentaa",
        "CLASS": "teonsana",
        "MOOD": "MINEN-infinitive",
        "NUMBER": "singular",
        "SIJAMUOTO": "omanto",
        "STRUCTURE": "=ppppppp=pppppppppppp",
        "WORDBASES": "+jälleenrakentaa(jälleen=rakentaa)",
    }
    (result,) = from_voikko(item, "jälleenrakentamisen")
    assert result.parts == ("jälleen", "rakentaa")


def test_without_the_package_voikko_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "libvoikko", None)
    with pytest.raises(MissingExtraError, match=r"tertium\[voikko\]"):
        load_analyser("voikko")


# ------------------------------------------------------------------------ loading


def test_analysers_are_named_by_texts():
    none = load_analyser("none")
    assert (none.name, none.analyse("talo")) == ("none", ())
    with pytest.raises(UnknownNameError, match="voikko"):
        load_analyser("voiko")
    with pytest.raises(InputError, match="takes nothing"):
        load_analyser("none:x")
    for name, what in ANALYSERS.items():
        if what:
            with pytest.raises(InputError, match=f"{name}:{what}"):
                load_analyser(name)


def test_nothing_heavy_is_imported_for_a_table():
    code = (
        "import sys; from tertium.grammars.morphology import load_analyser; "
        "load_analyser('none'); from tertium.grammars.search import vocabulary; "
        "heavy = {'numpy', 'libvoikko', 'spacy', 'ufal.udpipe'}; "
        "sys.exit(bool(heavy & {*sys.modules}))"
    )
    assert (
        subprocess.run([sys.executable, "-c", code], env=dict(os.environ)).returncode
        == 0
    )
