# SPDX-License-Identifier: Apache-2.0
"""A small test set from the grammar of the tests, and systems with typical faults."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from support.grammar_texts import HAVE
from support.grammar_words import analyser
from tertium.grammars.analysis import (
    Evaluation,
    TemplateReferenceSets,
    evaluate_outputs,
)
from tertium.grammars.authoring.template import Template
from tertium.grammars.gf.grammar import parse_grammar
from tertium.grammars.gf.variables import show_set

#: A second template, of our own: who walks to what.
WALK = r"""
abstract Walk = {
  flags startcat = Template ;
  cat Template ; Person ;
  fun
    XIsY, YIsX : Person -> Template ;
    SemVar1aAnna, SemVar1bPekka : Person ;
}
concrete WalkEng of Walk = {
  lincat Template, Person = Str ;
  lin
    XIsY p = p ++ "is" ++ variants {"now" ; "nowadays"} ++ "big and old" ;
    SemVar1aAnna = "Anna" ; SemVar1bPekka = "Pekka" ;
}
concrete WalkFin of Walk = {
  lincat Template, Person = Str ;
  lin
    XIsY p = p ++ "on" ++ variants {"nyt" ; "nykyään"} ++ "iso" ++ "ja" ++ "vanha" ;
    YIsX p = variants {"iso" ; "suuri"} ++ "ja" ++ "vanha" ++ p ++ "on" ++ "nyt" ;
    SemVar1aAnna = "Anna" ; SemVar1bPekka = "Pekka" ;
}
"""

_BASE = {
    "Annalla": "Anna", "Pekalla": "Pekka", "ison": "iso", "suuren": "suuri",
    "vanhan": "vanha", "auton": "auto", "omenapuun": "omenapuu",
}  # fmt: skip


@dataclass(frozen=True)
class Item:
    """A sentence of the test set."""

    id: str
    template: str
    set: str
    source: str
    constructions: tuple[str, ...] = ()


@cache
def references() -> TemplateReferenceSets:
    """Return the references of both templates."""
    return TemplateReferenceSets(
        [
            Template(
                "have", "Anna has a car now", "Eng", ("Fin",), parse_grammar(HAVE)
            ),
            Template("walk", "Anna is now big", "Eng", ("Fin",), parse_grammar(WALK)),
        ]
    )


@cache
def items(per_set: int = 3) -> tuple[Item, ...]:
    """Return some source sentences of every variable set, as files have them."""
    made = []
    for name, template in references().templates.items():
        for number, (codes, sentences) in enumerate(
            template.grammar.sets("Eng").items()
        ):
            for place, tokens in enumerate(sentences.sample(per_set)):
                text = " ".join(tokens)
                made.append(
                    Item(
                        f"{name}.{number}.Eng.{place}",
                        name,
                        show_set(codes),
                        text[0].upper() + text[1:] + ".",
                    )
                )
    return tuple(made)


def _split(tokens: list[str], draw: random.Random) -> list[str]:
    text = " ".join(tokens)
    return (
        text.replace("omenapuun", "omena puun").replace("omenapuu", "omena puu").split()
    )


def _cases(tokens: list[str], draw: random.Random) -> list[str]:
    return [_BASE.get(token, token) for token in tokens]


def _drop(tokens: list[str], draw: random.Random) -> list[str]:
    gone = draw.randrange(len(tokens))
    return tokens[:gone] + tokens[gone + 1 :]


def _shift(tokens: list[str], draw: random.Random) -> list[str]:
    first = draw.randrange(len(tokens) - 1)
    return [*tokens[:first], tokens[first + 1], tokens[first], *tokens[first + 2 :]]


def _jumble(tokens: list[str], draw: random.Random) -> list[str]:
    return ["tammi" if token == "auto" else "xqzt" if token == "on" else token
            for token in _shift(tokens, draw)]  # fmt: skip


FAULTS: dict[str, Callable[[list[str], random.Random], list[str]]] = {
    "Splitter": _split,
    "Base forms": _cases,
    "Dropper": _drop,
    "Shifter": _shift,
    "Jumbler": _jumble,
    "Person": lambda tokens, draw: tokens,
}


@cache
def outputs(per_set: int = 3) -> dict[str, list[str]]:
    """Return what imitation systems made of the test set."""
    texts: dict[str, list[str]] = {name: [] for name in FAULTS}
    for number, item in enumerate(items(per_set)):
        automaton = references().automaton(item.template, item.set)
        right = automaton.sample(len(FAULTS), seed=number)
        for place, (name, fault) in enumerate(FAULTS.items()):
            draw = random.Random(100 * number + place)
            tokens = fault(list(right[place % len(right)]), draw)
            text = " ".join(tokens)
            texts[name].append(text[:1].upper() + text[1:] + " .")
    return texts


@cache
def evaluation() -> Evaluation:
    """Return the evaluation of the imitation systems."""
    return evaluate_outputs(
        items(),
        outputs(),
        references(),
        analyser=analyser("tsv"),
        human=["Person"],
        resamples=200,
        threads=1,
    )
