# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: templates, senses, and people beside systems, on our templates."""

from __future__ import annotations

from pathlib import Path

from tertium.data import io
from tertium.data.lines import open_lines
from tertium.grammars.analysis import evaluate_outputs
from tertium.grammars.analysis.humans import challenge
from tertium.grammars.authoring.bundled import bundled_templates
from tertium.grammars.authoring.template import Template, load_template
from tertium.grammars.demo import read_demo
from tertium.grammars.gf.grammar import Grammar
from tertium.grammars.morphology.analysers import template_analyser
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome

__all__ = ["people_and_systems", "senses", "template_sizes", "unique_edits"]

_PRINTED, _HERE = "printed", "our templates"
_TRANSLATOR = "translator"


def senses(_: Exhibit, __: Data) -> Outcome:
    """Table 1: constructions of one sense are accepted, of the other rejected."""
    grammar = _template("differences").grammar
    rest = "pitkistä neuvotteluista huolimatta"
    disagree = {
        "NP-NOM AP-PTV": f"Norja ja Islanti ovat {rest} erimielisiä",
        "NP-NOM NP-PTV": f"Norja ja Islanti ovat {rest} eri mieltä",
        "NP-ADE NP-PTV": f"Norjalla ja Islannilla on {rest} erimielisyyksiä",
    }
    differ = {
        "NP-NOM V NP-ELA-REFL": f"Norja ja Islanti eroavat {rest} toisistaan",
        "NP-NOM AP-PTV": f"Norja ja Islanti ovat {rest} erilaisia",
        "NP-ADE NP-PTV": f"Norjalla ja Islannilla on {rest} eroavaisuuksia",
    }
    claims = []
    for sense, sentences, wanted in (
        ("disagree", disagree, True),
        ("have different characteristics", differ, False),
    ):
        for name, sentence in sentences.items():
            claims.append(
                Claim(
                    f"{name}, {sense}: {'accepted' if wanted else 'rejected'}",
                    _accepts(grammar, sentence) == wanted,
                    sentence,
                )
            )
    return Outcome(claims=tuple(claims))


def template_sizes(exhibit: Exhibit, _: Data) -> Outcome:
    """Figures 3 and 4: how many sentences and variable sets templates have."""
    cells, claims = [], []
    per_set: dict[str, float] = {}
    for row, printed in exhibit.published.items():
        cells += [Cell(row, name, x, part=_PRINTED) for name, x in printed.items()]
        grammar = _template(row.split()[1]).grammar
        sets = grammar.sets("Fin")
        values = {
            "English": sum(one.count for one in grammar.sets("Eng").values()),
            "Finnish": sum(one.count for one in sets.values()),
            "sets": len(sets),
        }
        cells += [Cell(row, name, x, part=_HERE) for name, x in values.items()]
        per_set[row] = values["Finnish"] / len(sets)
        claims.append(
            Claim(
                f"{row}: more references than sources, in print and here",
                values["Finnish"] > values["English"]
                and printed["Finnish"] > printed["English"],
                f"{values['Finnish'] / values['English']:,.1f} times as many here",
            )
        )
    shown = ", ".join(f"{row} {value:,.0f}" for row, value in per_set.items())
    claims.append(_complexity(per_set, shown))
    return Outcome(tuple(cells), tuple(claims))


def _complexity(per_set: dict[str, float], shown: str) -> Claim:
    if "5 vessel" in per_set:
        text = "the plain statement has the fewest references per set"
        least = min(per_set, key=lambda row: per_set[row])
        return Claim(text, least == "5 vessel", shown)
    simple = max(per_set["1 size"], per_set["2 trust"])
    hard = min(per_set["3 differences"], per_set["4 exercise"])
    text = "the two complex templates have more references per set than the simple ones"
    return Claim(text, hard > simple, shown)


def people_and_systems(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 5: a human translation among systems."""
    data, outputs = read_demo()
    path = Path(io.demo_path()).parent / "grammar" / "human" / "translator.txt"
    outputs = {_TRANSLATOR: list(open_lines(path)), **outputs}
    result = evaluate_outputs(
        data.segments,
        outputs,
        data.references,
        analyser=template_analyser(data.templates, "Fin"),
        human=[_TRANSLATOR],
        moves=(),
    )
    cells = [
        Cell(row, "score", printed["score"], part=_PRINTED)
        for row, printed in exhibit.published.items()
    ]
    compared = challenge(result)
    for one in compared.contestants:
        low, high = one.interval or (None, None)
        cells.append(Cell(one.name, "score", one.score, low, high, part="the demo"))
    person, best = (
        next(one for one in compared.contestants if one.human == human)
        for human in (True, False)
    )
    return Outcome(
        tuple(cells),
        (
            Claim(
                "the translator scores better than every system",
                compared.separated is True,
                f"{person.score:.3f} against {best.score:.3f} for {best.name}, the "
                "best system",
            ),
            Claim(
                "the translator's score is not 0: good Finnish is outside the grammars",
                person.score > 0,
                f"{person.total} edits",
            ),
        ),
    )


def unique_edits(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 7.3.1: shares of unique edits, from their printed counts."""
    shares = {
        row: 100 * printed["unique"] / printed["all"]
        for row, printed in exhibit.published.items()
    }
    cells = [
        Cell(row, "unique %", share, against="unique %")
        for row, share in shares.items()
    ]
    claim = Claim(
        "fewer edits of the human translation are unique",
        shares["HT-2"] < shares["NMT-2"],
        f"{shares['HT-2']:.1f} % against {shares['NMT-2']:.1f} %",
    )
    return Outcome(tuple(cells), (claim,))


def _template(name: str) -> Template:
    return load_template(bundled_templates()[name])


def _accepts(grammar: Grammar, sentence: str) -> bool:
    tokens = sentence.split()
    return any(tokens in automaton for automaton in grammar.sets("Fin").values())
