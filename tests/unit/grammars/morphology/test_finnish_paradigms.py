# SPDX-License-Identifier: Apache-2.0
"""The paradigms that Finnish templates share, form by form against Voikko."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import tertium.grammars
from support.grammar_words import analyser
from support.lock_tool import lock_tool
from tertium.grammars.gf import parse_grammar
from tertium.grammars.morphology import Analyser

COMMON = Path(tertium.grammars.__file__).parent / "templates/common/CommonFin.gf"

WORDS = {
    "talo": 'likeTalo "a" "tal" "tal" "o"',
    "kukko": 'likeTalo "a" "kukk" "kuk" "o"',
    "katu": 'likeTalo "a" "kat" "kad" "u"',
    "pöllö": 'likeTalo "ä" "pöll" "pöll" "ö"',
    "risti": 'likeRisti "ä" "rist" "rist"',
    "tauti": 'likeRisti "a" "taut" "taud"',
    "mestari": 'likeMestari "a" "mestar"',
    "onneton": 'likeOnneton "a" "onneto" "onnettoma" "onnettomi"',
    "kala": 'likeKala "kal" "kal"',
    "tapa": 'likeKala "tap" "tav"',
    "kahvila": 'likeKahvila "kahvil" "kahvil"',
    "valtio": 'likeValtio "a" "valti" "o"',
    "kiintiö": 'likeValtio "ä" "kiinti" "ö"',
    "neuvottelu": 'likeNeuvottelu "a" "neuvottel" "u"',
    "näyttely": 'likeNeuvottelu "ä" "näyttel" "y"',
    "omistaja": 'likeOmistaja "a" "omistaj" "o"',
    "tekijä": 'likeOmistaja "ä" "tekij" "ö"',
    "koira": 'likeKoira "a" "koir" "koir"',
    "päivä": 'likeKoira "ä" "päiv" "päiv"',
    "korkea": 'likeKorkea "a" "korke"',
    "suuri": 'likeSuuri "a" "suur"',
    "pieni": 'likeSuuri "ä" "pien"',
    "nainen": 'likeNainen "a" "nai"',
    "säännöllinen": 'likeNainen "ä" "säännölli"',
    "vastaus": 'likeVastaus "a" "vastau"',
    "kysymys": 'likeVastaus "ä" "kysymy"',
    "sairaus": 'likeSairaus "a" "sairau"',
    "mahdollisuus": 'likeSairaus "a" "mahdollisuu"',
    "sade": 'likeSade "a" "sade" "sate"',
    "perhe": 'likeSade "ä" "perhe" "perhe"',
    "rikas": 'likeRikas "a" "rikas" "rikkaa" "rikkai"',
    "kaunis": 'likeRikas "a" "kaunis" "kaunii" "kaunii"',
    "suurempi": 'likeSuurempi "a" "suure"',
    "pienempi": 'likeSuurempi "ä" "piene"',
    "maa": 'likeMaa "a" "maa" "mai" "maahan"',
    "työ": 'likeMaa "ä" "työ" "töi" "työhön"',
    "omenapuu": 'compound "omena" (likeMaa "a" "puu" "pui" "puuhun")',
}


@pytest.fixture(scope="module")
def voikko() -> Analyser:
    return analyser("voikko")


@pytest.mark.parametrize("word", WORDS)
def test_a_paradigm_has_its_forms(word, voikko):
    grammar = parse_grammar(
        {
            "CommonFin.gf": COMMON.read_text(encoding="utf-8"),
            "Word.gf": "abstract Word = { flags startcat = S ; cat S ; fun Say : S ; }",
            "WordFin.gf": f"""concrete WordFin of Word = open CommonFin in {{
                lincat S = Str ;
                lin Say = word.s ! Sg ! Nom ;
                oper word : {{s : Number => Case => Str}} = {WORDS[word]} ;
            }}""",
        }
    )
    cells = {
        cell
        for value in lock_tool().values(grammar, "Fin")
        for cell in lock_tool().texts(value)
        if len(cell) == 3
    }
    assert len({(number, case) for _, number, case in cells}) == 24
    assert (word, "SG", "NOM") in cells
    assert list(lock_tool().check_paradigm(cells, voikko)) == []


def test_every_paradigm_is_tried():
    text = COMMON.read_text(encoding="utf-8")
    tried = {
        one for example in WORDS.values() for one in re.findall(r"like\w+", example)
    }
    assert set(re.findall(r"^ {4}(like\w+) :", text, re.MULTILINE)) == tried
