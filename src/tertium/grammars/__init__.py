# SPDX-License-Identifier: Apache-2.0
"""Paraphrase grammars: huge sets of references, and the closest one of them.

Names are imported on first use, so that ``import tertium.grammars`` costs nothing.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.automata.openfst import read_fst, write_fsts
    from tertium.automata.segment import Segment
    from tertium.grammars.bundled import bundled_templates
    from tertium.grammars.coverage import Coverage, Translation, cover
    from tertium.grammars.edits import EditCosts
    from tertium.grammars.exchange import SourceSentence, read_outputs, read_sources
    from tertium.grammars.gf import Grammar, GrammarError, load_grammar
    from tertium.grammars.growth import Growth, bleu_growth
    from tertium.grammars.light import parse_light, read_light
    from tertium.grammars.matching import (
        Budget,
        Correction,
        Match,
        Matcher,
        closest,
    )
    from tertium.grammars.morphology import Analyser, Analysis, load_analyser
    from tertium.grammars.reference_files import (
        read_reference_sets,
        write_reference_sets,
    )
    from tertium.grammars.selection import diverse, select_sources
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
    "Budget",
    "Correction",
    "Coverage",
    "EditCosts",
    "Finding",
    "Grammar",
    "GrammarError",
    "Growth",
    "Match",
    "Matcher",
    "Segment",
    "SourceSentence",
    "Template",
    "Translation",
    "bleu_growth",
    "bundled_templates",
    "check_template",
    "closest",
    "cover",
    "diverse",
    "load_analyser",
    "load_grammar",
    "load_template",
    "parse_light",
    "read_fst",
    "read_light",
    "read_outputs",
    "read_reference_sets",
    "read_sources",
    "select_sources",
    "write_fsts",
    "write_reference_sets",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "tertium.automata.automaton": ("Automaton",),
        ".bundled": ("bundled_templates",),
        ".coverage": (
            "Coverage",
            "Translation",
            "cover",
        ),
        ".edits": ("EditCosts",),
        ".exchange": (
            "SourceSentence",
            "read_outputs",
            "read_sources",
        ),
        ".gf": (
            "Grammar",
            "GrammarError",
            "load_grammar",
        ),
        ".growth": (
            "Growth",
            "bleu_growth",
        ),
        ".light": (
            "parse_light",
            "read_light",
        ),
        ".matching": (
            "Budget",
            "Correction",
            "Match",
            "Matcher",
            "closest",
        ),
        ".morphology": (
            "Analyser",
            "Analysis",
            "load_analyser",
        ),
        "tertium.automata.openfst": (
            "read_fst",
            "write_fsts",
        ),
        ".reference_files": (
            "read_reference_sets",
            "write_reference_sets",
        ),
        "tertium.automata.segment": ("Segment",),
        ".selection": (
            "diverse",
            "select_sources",
        ),
        ".template": (
            "Finding",
            "Template",
            "check_template",
            "load_template",
        ),
    },
)
