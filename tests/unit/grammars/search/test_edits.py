# SPDX-License-Identifier: Apache-2.0
"""Kinds of edits, their costs, and rows of them against a table read pair by pair."""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.automata.automaton import Automaton
from tertium.errors import InputError, UnknownNameError
from tertium.grammars.morphology import Analysis
from tertium.grammars.search.edits import (
    PROFILES,
    TAXONOMY,
    UNRELIABLE,
    EditCosts,
    Kind,
    category_of,
    classify,
)
from tertium.grammars.search.matching import Matcher
from tertium.grammars.search.vocabulary import Vocabulary
from tertium.grammars.search.words import Lexis, Word
from tests.oracles import edit_kinds

DEFAULT = PROFILES["default"]


def noun(lemma: str, case: str, number: str = "SG", pos: str = "NOUN") -> Analysis:
    return Analysis(lemma, pos, case=case, number=number)


def verb(lemma: str, tense: str = "PRES", person: str = "3", **more: str) -> Analysis:
    features = {"number": "SG", "mood": "IND"} | more
    return Analysis(lemma, "VERB", tense=tense, person=person, **features)


def word(token: str, *analyses: Analysis, known: bool = True) -> Word:
    return Word(token, analyses, known=known)


TALO = word("talo", noun("talo", "NOM"))
CASES_OF_EDITS = {
    "match": (word("Talo"), TALO, "match", 0),
    "case differs": (
        word("talon", noun("talo", "GEN")),
        TALO,
        "CASESHIFT-GEN-NOM",
        3500,
    ),
    "case and number differ": (
        word("taloja", noun("talo", "PAR", "PL")),
        TALO,
        "CASESHIFT-PAR-NOM",
        3500,
    ),
    "number differs": (
        word("talot", noun("talo", "NOM", "PL")),
        TALO,
        "lemma_sub",
        3500,
    ),
    "form differs": (word("talokin", noun("talo", "NOM")), TALO, "lemma_sub", 3500),
    "other lemma": (word("auto", noun("auto", "NOM")), TALO, "casenum_sub", 5000),
    "other lemma and number": (
        word("autot", noun("auto", "NOM", "PL")),
        TALO,
        "case_sub",
        7500,
    ),
    "other lemma and case": (word("auton", noun("auto", "GEN")), TALO, "sub", 15000),
    "other verb": (
        word("sanoo", verb("sanoa")),
        word("menee", verb("mennä")),
        "tensenum_sub",
        5000,
    ),
    "other verb and tense": (
        word("sanoi", verb("sanoa", "PAST")),
        word("menee", verb("mennä")),
        "sub",
        15000,
    ),
    "other verb and number": (
        word("sanovat", verb("sanoa", number="PL")),
        word("menee", verb("mennä")),
        "sub",
        15000,
    ),
    "other verb and mood": (
        word("sanoisi", verb("sanoa", mood="COND")),
        word("menee", verb("mennä")),
        "sub",
        15000,
    ),
    "infinitives of one case": (
        word("sanomaan", Analysis("sanoa", "VERB", case="ILL", mood="INF3")),
        word("menemään", Analysis("mennä", "VERB", case="ILL", mood="INF3")),
        "tensenum_sub",
        5000,
    ),
    "infinitives of two cases": (
        word("sanomassa", Analysis("sanoa", "VERB", case="INE", mood="INF3")),
        word("menemään", Analysis("mennä", "VERB", case="ILL", mood="INF3")),
        "sub",
        15000,
    ),
    "animacy": (
        word("sillä", noun("se", "ADE", pos="PRON")),
        word("hänellä", noun("hän", "ADE", pos="PRON")),
        "animacy_sub",
        5000,
    ),
    "animacy, plural": (
        word("he", noun("he", "NOM", "PL", "PRON")),
        word("ne", noun("ne", "NOM", "PL", "PRON")),
        "animacy_sub",
        5000,
    ),
    "animacy in another case": (
        word("sen", noun("se", "GEN", pos="PRON")),
        word("hänellä", noun("hän", "ADE", pos="PRON")),
        "sub",
        15000,
    ),
    "unknown": (word("xqzt", known=False), TALO, "unksub", 15000),
    "no readings": (word("koska"), word("ja"), "sub", 15000),
    "verbs without features": (
        word("go", Analysis("go", "VERB")),
        word("say", Analysis("say", "VERB")),
        "sub",
        15000,
    ),
}


class Fixed:
    """An analyser with a table."""

    name = "fixed"
    language = ""
    closed = False

    def __init__(self, table: dict[str, tuple[Analysis, ...]]) -> None:
        self.table = table

    def analyse(self, token: str) -> tuple[Analysis, ...]:
        return self.table.get(token, ())


@pytest.mark.parametrize("case", CASES_OF_EDITS)
def test_every_kind_of_edit(case):
    hyp, ref, label, cost = CASES_OF_EDITS[case]
    result = classify(hyp, ref, DEFAULT)
    assert (result.label, result.cost) == (label, cost)
    assert edit_kinds.edit(hyp, ref, DEFAULT) == (
        result.kind.label,
        result.cost,
        result.label,
    )


# ------------------------------------------------------------- cases of verbs


def test_infinitives_have_no_case_shift():
    hyp = word("menemässä", Analysis("mennä", "VERB", case="INE", mood="INF3"))
    ref = word("menemään", Analysis("mennä", "VERB", case="ILL", mood="INF3"))
    assert classify(hyp, ref, DEFAULT).kind is Kind.LEMMA_SUB


def test_participles_shift_their_case():
    hyp = word("omistaman", noun("omistaa", "GEN", pos="PTCP"))
    ref = word("omistama", noun("omistaa", "NOM", pos="PTCP"))
    assert classify(hyp, ref, DEFAULT).label == "CASESHIFT-GEN-NOM"


def test_verbs_of_one_lemma_shift_no_case_even_if_read_as_participles():
    hyp = word(
        "omistavat",
        verb("omistaa", number="PL"),
        noun("omistaa", "NOM", "PL", "PTCP"),
    )
    ref = word("omistaa", verb("omistaa"), noun("omistaa", "PAR", pos="PTCP"))
    assert classify(hyp, ref, DEFAULT).kind is Kind.LEMMA_SUB


# --------------------------------------------------------------- several readings


def test_of_several_case_shifts_the_one_with_equal_number_is_named():
    hyp = word("talot", noun("talo", "GEN", "PL"), noun("talo", "ACC", "SG"))
    ref = word("talossa", noun("talo", "INE"))
    assert classify(hyp, ref, DEFAULT).label == "CASESHIFT-ACC-INE"
    assert classify(ref, hyp, DEFAULT).label == "CASESHIFT-INE-ACC"


def test_the_order_of_readings_does_not_matter():
    readings = [noun("talo", "GEN"), noun("talo", "ELA"), noun("talo", "ABL")]
    ref = word("talossa", noun("talo", "INE"))
    labels = {
        classify(word("x", *readings[i:], *readings[:i]), ref, DEFAULT).label
        for i in range(3)
    }
    assert labels == {"CASESHIFT-ABL|ELA|GEN-INE"}


def test_a_suffix_is_no_case_shift():
    # äitinsä is the nominative and the genitive of both numbers.
    hyp = word(
        "äitinsä",
        *(noun("äiti", case, number) for case in ("NOM", "GEN") for number in ("SG",)),
        noun("äiti", "NOM", "PL"),
    )
    ref = word("äiti", noun("äiti", "NOM"))
    assert classify(hyp, ref, DEFAULT).kind is Kind.LEMMA_SUB


def test_a_number_is_no_case_shift_if_a_case_can_be_the_same():
    hund = [noun("Hund", case) for case in ("NOM", "DAT", "ACC")]
    hunde = [noun("Hund", case, "PL") for case in ("NOM", "GEN", "ACC")]
    result = classify(word("Hund", *hund), word("Hunde", *hunde), DEFAULT)
    assert result.kind is Kind.LEMMA_SUB


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("NOUN", "PROPN", Kind.CASENUM_SUB),
        ("PRON", "DET", Kind.CASENUM_SUB),
        ("ADJ", "PTCP", Kind.CASENUM_SUB),
        ("NOUN", "DET", Kind.SUB),
        ("NOUN", "ADJ", Kind.SUB),
        ("NOUN", "NUM", Kind.SUB),
        ("PRON", "NOUN", Kind.SUB),
    ],
)
def test_words_replace_each_other_only_if_their_parts_of_speech_can(one, other, kind):
    for a, b in ((one, other), (other, one)):
        hyp = word("x", Analysis("x", a, "NOM", "SG"))
        ref = word("y", Analysis("y", b, "NOM", "SG"))
        assert classify(hyp, ref, DEFAULT).kind is kind
        # Case alone is no better reason.
        many = word("y", Analysis("y", b, "NOM", "PL"))
        case = Kind.CASE_SUB if kind is Kind.CASENUM_SUB else Kind.SUB
        assert classify(hyp, many, DEFAULT).kind is case


@pytest.mark.parametrize("lexis", [Lexis(), Lexis(Fixed({})), None])
def test_a_hyphen_too_many_or_too_few_is_a_compound_error(lexis):
    """With readings that share a lemma, with none, and without an analyser."""
    result = noun("omenapuu", "NOM")
    lexis = lexis or Lexis(Fixed({"omenapuu": (result,), "omena-puu": (result,)}))
    for hyp, ref in (("Omena-puu", "omenapuu"), ("omenapuu", "omena\u2011puu")):
        vocabulary = Vocabulary([ref], lexis)
        assert vocabulary.row(hyp) == [(Kind.COMP_HYPHEN, 3_520)]
        assert vocabulary.edit(hyp, 0).label == "comp_hyphen"
    assert category_of(Kind.COMP_HYPHEN) == "compound spelling"


def test_the_cheapest_edit_wins_before_the_most_reliable():
    hyp = word("talon", noun("talo", "GEN"))
    assert classify(hyp, TALO, DEFAULT).kind is Kind.CASESHIFT
    cheap = EditCosts.read("default,lemma_sub=0.3")
    assert classify(hyp, TALO, cheap).kind is Kind.LEMMA_SUB
    dear = EditCosts.read("default,lemma_sub=2,caseshift=2")
    assert classify(hyp, TALO, dear).kind is Kind.SUB


def test_case_sub_is_off_if_it_costs_more_than_sub():
    hyp = word("autot", noun("auto", "NOM", "PL"))
    costs = EditCosts.read("default,case_sub=1.6")
    assert classify(hyp, TALO, costs).kind is Kind.SUB


# ------------------------------------------------------------------------- costs


def test_profiles():
    assert PROFILES["thesis-table"].lemma_sub == 2_500
    assert PROFILES["thesis-table"].caseshift == 2_500
    assert (PROFILES["fig8"].moves, PROFILES["fig8"].window) == (3, 3)
    assert (DEFAULT.moves, DEFAULT.window) == (3, 6)
    assert all(name == costs.profile for name, costs in PROFILES.items())
    # Barely cheaper than to delete and to insert.
    assert DEFAULT.sub < DEFAULT.delete + DEFAULT.insert


def test_changed_costs_are_named_after_the_change():
    costs = EditCosts.read("fig8, move=0.55, moves=2")
    assert costs.profile == "fig8,move=0.55,moves=2"
    assert (costs.move, costs.moves, costs.window) == (5_500, 2, 3)


@pytest.mark.parametrize(
    "text",
    ["default,move=x", "default,move=-1", "default,move=0.00001", "default,moves=1.5",
     "default,move=nan", "default,window=", "default,move=inf",
     # What the search cannot count to.
     "default,sub=10.0001", "default,moves=9", "default,window=25"],
)  # fmt: skip
def test_wrong_costs_are_rejected(text):
    with pytest.raises(InputError, match="give"):
        EditCosts.read(text)


def test_the_highest_costs_are_searched_with():
    highest = EditCosts.read("default,sub=10,moves=8,window=24")
    references = Automaton.from_sentences(["a b"])
    assert Matcher(references, costs=highest).closest("a b").best.cost == 0


def test_unknown_profiles_and_edits_are_rejected():
    with pytest.raises(UnknownNameError, match="default"):
        EditCosts.read("defalt")
    with pytest.raises(UnknownNameError, match="lemma_sub"):
        EditCosts.read("default,lemma_sup=1")
    with pytest.raises(InputError, match="integer"):
        EditCosts(move=0.6)


def test_kinds_are_in_the_order_of_their_reliability():
    names = [kind.label for kind in sorted(Kind)]
    assert names == ["match", *edit_kinds.ORDER]


def test_every_edit_has_one_category():
    kinds = list(chain(*TAXONOMY.values()))
    assert sorted(kinds) == sorted(set(Kind) - {Kind.MATCH})
    assert category_of(Kind.COMP_LEMMA_JOIN) == "compound spelling"
    assert set(TAXONOMY) >= UNRELIABLE
    with pytest.raises(InputError, match="match"):
        category_of(Kind.MATCH)


# -------------------------------------------------------------------------- rows


READINGS = st.builds(
    Analysis,
    lemma=st.sampled_from(["hän", "se", "talo", "Talo", "auto"]),
    pos=st.sampled_from(["NOUN", "PRON", "VERB", "PTCP", "AUX", "ADV"]),
    case=st.sampled_from(["", "NOM", "GEN", "XYZ"]),
    number=st.sampled_from(["", "SG", "PL"]),
    tense=st.sampled_from(["", "PRES"]),
    mood=st.sampled_from(["", "IND"]),
    parts=st.sampled_from([(), ("hän", "talo"), ("talo", "se", "auto")]),
)
SPELLINGS = ["a", "A", "b", "B", "c", "d", "e", "E", "talo", "ta-lo", "-", "--", "7"]
COSTS = st.builds(
    EditCosts,
    **{
        name: st.sampled_from([0, 1, 2, 3])
        for name in edit_kinds.ORDER
        if name not in ("move", "insert")
    },
)


@given(
    st.dictionaries(st.sampled_from(SPELLINGS), st.lists(READINGS, max_size=3)),
    st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=8, unique=True),
    COSTS | st.just(DEFAULT),
    st.booleans(),
)
def test_rows_are_what_pairs_say(table, symbols, costs, closed):
    fixed = Fixed({token: tuple(each) for token, each in table.items()})
    fixed.closed = closed
    vocabulary = Vocabulary(symbols, Lexis(fixed), costs)
    for token in SPELLINGS:
        hyp = vocabulary.word(token)
        row = vocabulary.row(token)
        for symbol, ref in enumerate(vocabulary.words):
            expected = edit_kinds.edit(hyp, ref, costs)
            result = vocabulary.edit(token, symbol)
            assert (result.kind.label, result.cost, result.label) == expected
            assert row[symbol] == (result.kind, result.cost)
        slots = {
            (number, place)
            for number, join in enumerate(vocabulary.joins)
            for place, parts in enumerate(join.parts)
            if any(one.lemma == "+".join(parts) for one in hyp.analyses)
            or any(one.parts == parts for one in hyp.analyses)
            or token.casefold() == "+".join(parts)
        }
        assert vocabulary.slots(token) == sorted(slots)


def test_without_an_analyser_every_token_is_known():
    vocabulary = Vocabulary(["the", "ball"])
    assert vocabulary.row("xqzt")[0] == (Kind.SUB, 15_000)
    assert vocabulary.delete("xqzt") == (Kind.DELETE, 9_000)
    assert vocabulary.lexis.name == "none"


def test_unknown_tokens_are_deleted_as_such():
    vocabulary = Vocabulary(["talo", "xq"], Lexis(Fixed({"talo": TALO.analyses})))
    assert vocabulary.delete("xqzt") == (Kind.UNKDEL, 9_000)
    assert vocabulary.delete("talo") == (Kind.DELETE, 9_000)
    # A token of the references is a word, and so are figures.
    assert vocabulary.delete("XQ") == (Kind.DELETE, 9_000)
    assert vocabulary.delete("1,5") == (Kind.DELETE, 9_000)


def test_compounds_are_joined_from_their_parts():
    table = {
        "lumisadekausi": (
            Analysis("lumisadekausi", "NOUN", "NOM", parts=("lumi", "sade", "kausi")),
        ),
        "lumen": (noun("lumi", "GEN"),),
        "sade": (noun("sade", "NOM"),),
        "sadekausi": (Analysis("sadekausi", "NOUN", "NOM", parts=("sade", "kausi")),),
    }
    vocabulary = Vocabulary(["lumisadekausi"], Lexis(Fixed(table)))
    shown = [join.parts for join in vocabulary.joins]
    assert shown == [
        (("lumi",), ("sade",), ("kausi",)),
        (("lumi", "sade"), ("kausi",)),
        (("lumi",), ("sade", "kausi")),
    ]
    assert [len(join) for join in vocabulary.joins] == [3, 2, 2]
    assert vocabulary.slots("lumen") == [(0, 0), (2, 0)]
    assert vocabulary.slots("sade") == [(0, 1)]
    assert vocabulary.slots("sadekausi") == [(2, 1)]
    assert vocabulary.slots("Kausi") == [(0, 2), (1, 1)]  # Not in the table.
    assert vocabulary.slots("muu") == []


def test_long_compounds_are_not_divided_in_every_way():
    parts = tuple("abcdefghijklmnopqrst")
    table = {"long": (Analysis("long", "NOUN", "NOM", parts=parts),)}
    joins = Vocabulary(["long"], Lexis(Fixed(table))).joins
    assert [len(join) for join in joins] == [20] + [2] * 19
    assert joins[1].parts == (("a",), parts[1:])
    table = {"long": (Analysis("long", "NOUN", "NOM", parts=parts[:6]),)}
    assert len(Vocabulary(["long"], Lexis(Fixed(table))).joins) == 2**5 - 1
