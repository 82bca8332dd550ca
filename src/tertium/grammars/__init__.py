# SPDX-License-Identifier: Apache-2.0
"""Paraphrase grammars: huge sets of references, and the closest one of them.

Names are imported on first use, so that ``import tertium.grammars`` costs nothing.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.grammars.automaton import Automaton
    from tertium.grammars.edits import EditCosts
    from tertium.grammars.gf import Grammar, GrammarError, load_grammar
    from tertium.grammars.light import parse_light, read_light
    from tertium.grammars.matching import Correction, Match, Matcher, closest
    from tertium.grammars.morphology import Analyser, Analysis, load_analyser
    from tertium.grammars.openfst import read_fst, write_fsts
    from tertium.grammars.references import read_references
    from tertium.grammars.segment import Segment
    from tertium.grammars.template import (
        Finding,
        Template,
        check_template,
        load_template,
    )

__all__ = [
    "Analyser",
    "Analysis",
    "Automaton",
    "Correction",
    "EditCosts",
    "Finding",
    "Grammar",
    "GrammarError",
    "Match",
    "Matcher",
    "Segment",
    "Template",
    "check_template",
    "closest",
    "load_analyser",
    "load_grammar",
    "load_template",
    "parse_light",
    "read_fst",
    "read_light",
    "read_references",
    "write_fsts",
]

_HOMES = {
    "automaton": ("Automaton",),
    "edits": ("EditCosts",),
    "gf": (
        "Grammar",
        "GrammarError",
        "load_grammar",
    ),
    "light": (
        "parse_light",
        "read_light",
    ),
    "matching": (
        "Correction",
        "Match",
        "Matcher",
        "closest",
    ),
    "morphology": (
        "Analyser",
        "Analysis",
        "load_analyser",
    ),
    "openfst": (
        "read_fst",
        "write_fsts",
    ),
    "references": ("read_references",),
    "segment": ("Segment",),
    "template": (
        "Finding",
        "Template",
        "check_template",
        "load_template",
    ),
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    for home, names in _HOMES.items():
        if name in names:
            value: object = getattr(importlib.import_module(f"{__name__}.{home}"), name)
            globals()[name] = value
            return value
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *__all__})
