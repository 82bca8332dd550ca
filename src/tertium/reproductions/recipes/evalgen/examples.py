# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: the worked examples and definitions, which need no test set."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

from tertium.automata.automaton import Automaton
from tertium.automata.expressions import choice
from tertium.grammars.gf.grammar import Grammar, parse_grammar
from tertium.grammars.gf.variables import show_set
from tertium.grammars.light.notation import parse_light
from tertium.grammars.morphology.tsv import Entry, TsvLexicon
from tertium.grammars.search.corrections import Correction
from tertium.grammars.search.edits import (
    PROFILES,
    TAXONOMY,
    UNIT,
    EditCosts,
    Kind,
)
from tertium.grammars.search.matching import closest
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome

__all__ = [
    "ball_corrections",
    "ball_paraphrases",
    "constructions",
    "edit_costs",
    "hopeless_hypothesis",
    "permutations_allowed",
    "sample_output",
    "taxonomy",
    "variable_sets",
]

_SLOTS = {
    "on": "{on|on top of} the table",
    "put": "located|sitting|placed",
    "that": "that's|that is|which is",
    "object": "ball [<that>] [<put>] <on>",
}
_BALL = (
    "the <object> is red",
    "the color of the <object> is red",
    "the <object> is red in color",
    "the <object> 's color is red",
    "the <object> has a red color",
)

#: The functions of the thesis; how they are said is written anew.
_COLOUR = r"""
abstract Colour = {
  flags startcat = Template ;
  cat Template ; Object ; Colour ;
  fun
    XIsY, AdvPossXIsY, XGenColorIsY, XIsYAdvColor, XIsAdvColorY, XIsYGenColor,
      XHasYColor : Object -> Colour -> Template ;
    SemVar1aBall, SemVar1bBallOnTable, SemVar1bBallRelativeOnTable : Object ;
    SemVar2aRed, SemVar2bGreen : Colour ;
}
concrete ColourEng of Colour = {
  lincat Template, Object, Colour = Str ;
  lin
    XIsY o c = o ++ "is" ++ c ;
    AdvPossXIsY o c = "the color of" ++ o ++ "is" ++ c ;
    XGenColorIsY o c = o &+ "'s" ++ "color is" ++ c ;
    XIsYAdvColor o c = o ++ "is" ++ c ++ "in color" ;
    XHasYColor o c = o ++ "has a" ++ c ++ "color" ;
    SemVar1aBall = "the ball" ;
    SemVar1bBallOnTable = "the ball on the table" ;
    SemVar1bBallRelativeOnTable = "the ball which is on the table" ;
    SemVar2aRed = "red" ; SemVar2bGreen = "green" ;
}
concrete ColourFin of Colour = {
  lincat Template = Str ; Object, Colour = {nom, gen : Str} ;
  lin
    XIsY o c = o.nom ++ "on" ++ c.nom ;
    XGenColorIsY o c = o.gen ++ "väri on" ++ c.nom ;
    XIsYAdvColor o c = o.nom ++ "on" ++ c.nom ++ "väriltään" ;
    XIsAdvColorY o c = o.nom ++ "on väriltään" ++ c.nom ;
    XIsYGenColor o c = o.nom ++ "on" ++ c.gen ++ "värinen" ;
    SemVar1aBall = {nom = "pallo" ; gen = "pallon"} ;
    SemVar1bBallOnTable = {nom = "pallo pöydällä" ; gen = "pöydän pallon"} ;
    SemVar1bBallRelativeOnTable =
      {nom = "pöydällä oleva pallo" ; gen = "pöydällä olevan pallon"} ;
    SemVar2aRed = {nom = "punainen" ; gen = "punaisen"} ;
    SemVar2bGreen = {nom = "vihreä" ; gen = "vihreän"} ;
}
"""
_LANGUAGES = {"English": "Eng", "Finnish": "Fin"}


def ball_paraphrases(_: Exhibit, __: Data) -> Outcome:
    """Section 4.2: how many sentences the listed alternatives make."""
    parts = [parse_light(pattern, _SLOTS) for pattern in _BALL]
    counts = [Automaton.from_expression(part).count for part in parts]
    sentences = Automaton.from_expression(choice(parts))
    # Two prepositions, three verbs or none, three relative clauses or none.
    objects = 2 * (1 + 3) * (1 + 3)
    return Outcome(
        claims=(
            Claim(
                "every construction takes all phrases for the ball",
                counts == [objects] * 5,
                f"{counts[0]} sentences each",
            ),
            Claim(
                "no sentence is made in two ways",
                sentences.count == sum(counts),
                f"{sentences.count} different sentences",
            ),
        )
    )


def constructions(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 5.2.1: which constructions exist in which language."""
    grammar = _colours()
    cells = [
        Cell(name, column, name in grammar.available(language), against=column)
        for name in exhibit.published
        for column, language in _LANGUAGES.items()
    ]
    claims = []
    for language, sentence, wanted in (
        ("Eng", "the ball 's color is red", "XGenColorIsY"),
        ("Eng", "the ball is red in color", "XIsYAdvColor"),
        ("Fin", "pallo on väriltään punainen", "XIsAdvColorY"),
        ("Fin", "pallo on punaisen värinen", "XIsYGenColor"),
    ):
        text = sentence.replace(" 's", "'s")
        names = grammar.accepting(language, "1a,2a", text)
        claims.append(
            Claim(f"“{text}” is {wanted}", names == (wanted,), ", ".join(names))
        )
    return Outcome(tuple(cells), tuple(claims))


def variable_sets(_: Exhibit, __: Data) -> Outcome:
    """Section 5.4: sentences by the values of semantic variables."""
    sets = {show_set(codes): one for codes, one in _colours().sets("Eng").items()}
    names = ", ".join(f"{name}: {one.count}" for name, one in sets.items())
    cells = (Cell("both", "sets", len(sets), against="sets"),)
    return Outcome(
        cells,
        (
            Claim(
                "the ball on the table has both of its phrases in one set",
                all(sets[f"1b,{c}"].count == 2 * sets[f"1a,{c}"].count for c in _RED),
                f"English sentences by set: {names}",
            ),
        ),
    )


_RED = ("2a", "2b")


def ball_corrections(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 2 and section 6.2: corrections of one hypothesis, with two costs."""
    hypothesis = "the ball red color"
    uniform = EditCosts.read("default,insert=1,delete=1,sub=1,moves=0")
    cells = []
    for reference in exhibit.published:
        result = closest(
            hypothesis, Automaton.from_sentences([reference]), costs=uniform
        )
        count = result.best.cost / UNIT
        cells.append(Cell(reference, "edits", count, against="edits"))
    both = Automaton.from_sentences(list(exhibit.published))
    best = closest(hypothesis, both).best
    edits = [(edit.kind, edit.ref) for edit in best.edits]
    return Outcome(
        tuple(cells),
        (
            Claim(
                "with the printed costs, both words are kept and two are inserted",
                edits == [(Kind.INSERT, "is"), (Kind.INSERT, "in")],
                f"{_shown(best)}, cost {best.cost / UNIT:g}",
            ),
        ),
    )


def permutations_allowed(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 6.1: what orders of three words cost, by window and limit."""
    limits = {
        "window 1, any moves": (8, 1),
        "window 2, one move": (1, 2),
        "window 2, any moves": (8, 2),
    }
    words = "it is red"
    cells = []
    for row in exhibit.published:
        moves, window = limits[row]
        # Nothing but moves: other edits cost more than all of them.
        costs = EditCosts.read(
            "default,move=1,insert=9,delete=9,sub=10,outdel=9,outsub=10,unkdel=9,"
            f"unksub=10,moves={moves},window={window}"
        )
        totals: Counter[float] = Counter()
        for order in permutations(words.split()):
            result = closest(words, Automaton.from_sentences([order]), costs=costs)
            totals[result.best.cost / UNIT] += 1
        values = {
            "orders": sum(count for cost, count in totals.items() if cost < 9),
            "costing 1": totals[1.0],
            "costing 2": totals[2.0],
        }
        cells += [
            Cell(row, name, value, against=name) for name, value in values.items()
        ]
    return Outcome(tuple(cells))


def edit_costs(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 6.3.3: the two tables of costs, and the compound of its example."""
    costs = PROFILES["thesis-table"]
    kinds = {
        "no edit": Kind.MATCH,
        "substitution": Kind.SUB,
        "insertion": Kind.INSERT,
        "deletion": Kind.DELETE,
        "keep lemma": Kind.LEMMA_SUB,
        "keep case + num": Kind.CASENUM_SUB,
        "keep case": Kind.CASE_SUB,
    }
    cells = [
        Cell(row, "cost", costs.of(kinds[row]) / UNIT, against="cost")
        for row in exhibit.published
    ]
    lexicon = TsvLexicon(
        [
            Entry("omena", "omena", "NOUN", "Case=Nom|Number=Sing"),
            Entry("mehu", "mehu", "NOUN", "Case=Nom|Number=Sing"),
            Entry(
                "omenamehua", "omenamehu", "NOUN", "Case=Par|Number=Sing",
                ("omena", "mehu"),
            ),
        ]
    )  # fmt: skip
    best = closest(
        "omena mehu", Automaton.from_sentences(["omenamehua"]), analyser=lexicon
    ).best
    joined = [edit.kind for edit in best.edits] == [Kind.COMP_LEMMA_JOIN] * 2
    claim = Claim("“omena mehu” is joined to “omenamehua”", joined, _shown(best))
    return Outcome(tuple(cells), (claim,))


def hopeless_hypothesis(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 7.2.1: the corrections of “colour the”."""
    cells, costs = [], {}
    for reference in exhibit.published:
        automaton = Automaton.from_sentences([reference])
        best = closest("colour the", automaton).best
        counts = Counter(edit.kind for edit in best.edits)
        values = {
            "deletions": counts[Kind.DELETE],
            "insertions": counts[Kind.INSERT],
            "moves": counts[Kind.MOVE],
        }
        cells += [Cell(reference, n, value, against=n) for n, value in values.items()]
        costs[reference] = best.cost / UNIT
    low, high = min(costs.values()), max(costs.values())
    return Outcome(
        tuple(cells),
        (
            Claim(
                "all five cost about the same (within one edit)",
                high - low <= 1.0 + 1e-9,
                ", ".join(f"{cost:g}" for cost in costs.values()),
            ),
        ),
    )


def sample_output(_: Exhibit, __: Data) -> Outcome:
    """Figure 7: the printed correction of one hypothesis."""
    lexicon = TsvLexicon(
        [
            Entry("Andien", "Andit", "PROPN", "Case=Gen|Number=Plur"),
            Entry("Andeilla", "Andit", "PROPN", "Case=Ade|Number=Plur"),
            Entry("raskas", "raskas", "ADJ", "Case=Nom|Number=Sing"),
            Entry("raskaita", "raskas", "ADJ", "Case=Par|Number=Plur"),
            Entry("lumi", "lumi", "NOUN", "Case=Nom|Number=Sing"),
            Entry("sade", "sade", "NOUN", "Case=Nom|Number=Sing"),
            Entry(
                "lumisateita", "lumisade", "NOUN", "Case=Par|Number=Plur",
                ("lumi", "sade"),
            ),
        ]
    )  # fmt: skip
    reference = "Andeilla on ollut raskaita lumisateita viikkoja"
    best = closest(
        "andien on ollut raskas lumi sade viikkoja",
        Automaton.from_sentences([reference]),
        analyser=lexicon,
    ).best
    values = {
        "cost": best.cost / UNIT,
        "score": best.score,
        "sentence errors": len(best.edits),
        "reference tokens": len(best.reference),
    }
    labels = [edit.label for edit in best.edits]
    wanted = ["CASESHIFT-GEN-ADE", "CASESHIFT-NOM-PAR", *["comp_lemma_join"] * 2]
    return Outcome(
        tuple(Cell(n, "value", value, against="value") for n, value in values.items()),
        (Claim("the edits are the printed ones", labels == wanted, _shown(best)),),
    )


def taxonomy(_: Exhibit, __: Data) -> Outcome:
    """Table 3: categories of errors, in the printed order."""
    printed = (
        "word order",
        "incorrect noun case",
        "other incorrect form",
        "unknown words",
        "wrong lexical choice",
        "missing words",
        "extra words",
        "other mistranslation",
    )
    ours = [name for name in TAXONOMY if name in printed]
    added = [name for name in TAXONOMY if name not in printed]
    return Outcome(
        claims=(
            Claim(
                "all printed categories, in the printed order",
                tuple(ours) == printed,
                f"added: {', '.join(added)}",
            ),
        )
    )


def _shown(correction: Correction) -> str:
    # Angle brackets would be tags in the pages.
    return str(correction).replace("<eps>", "ε")


def _colours() -> Grammar:
    return parse_grammar(_COLOUR)
