# SPDX-License-Identifier: Apache-2.0
"""Paraphrase grammars: huge reference sets, and the closest reference in them.

Names are imported on first use, so that ``import tertium.grammars`` costs nothing.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.automata.openfst import read_fst, write_fsts
    from tertium.automata.segment import Segment
    from tertium.grammars.analysis.edit_study import (
        AnnotationReport,
        AnnotationSelection,
        choose_items,
        compare_answers,
    )
    from tertium.grammars.authoring.attestation import Attestation, attest_templates
    from tertium.grammars.authoring.bundled import bundled_templates
    from tertium.grammars.authoring.catalogue import find_templates, load_templates
    from tertium.grammars.authoring.checks import CheckReport, check_templates
    from tertium.grammars.authoring.constructions import (
        Constructions,
        show_constructions,
    )
    from tertium.grammars.authoring.coverage import (
        Coverage,
        Translation,
        cover,
        measure_coverage,
    )
    from tertium.grammars.authoring.starter import write_starter
    from tertium.grammars.authoring.template import (
        Finding,
        Template,
        check_template,
        load_template,
    )
    from tertium.grammars.comparison import evaluate
    from tertium.grammars.gf import Grammar, GrammarError, load_grammar
    from tertium.grammars.light.notation import parse_light, read_light
    from tertium.grammars.morphology import Analyser, Analysis, load_analyser
    from tertium.grammars.search.edits import EditCosts
    from tertium.grammars.search.matching import (
        Budget,
        Correction,
        Match,
        Matcher,
        closest,
    )
    from tertium.grammars.sensitivity import Sensitivity, measure_sensitivity
    from tertium.grammars.sets.exchange import (
        SourceSentence,
        read_outputs,
        read_sources,
    )
    from tertium.grammars.sets.growth import Growth, bleu_growth, measure_growth
    from tertium.grammars.sets.reference_files import (
        read_reference_sets,
        write_reference_sets,
    )
    from tertium.grammars.sets.selection import (
        SourceSelection,
        diverse,
        make_testset,
        select_sources,
    )
    from tertium.grammars.sets.sentence_sets import (
        SentenceSet,
        SentenceSets,
        read_sentence_sets,
    )
    from tertium.grammars.sets.testset import (
        GrammarTestset,
        compile_testset,
        read_grammar_testset,
        read_systems,
    )

__all__ = [
    "Analyser",
    "Analysis",
    "AnnotationReport",
    "AnnotationSelection",
    "Attestation",
    "Automaton",
    "Budget",
    "CheckReport",
    "Constructions",
    "Correction",
    "Coverage",
    "EditCosts",
    "Finding",
    "Grammar",
    "GrammarError",
    "GrammarTestset",
    "Growth",
    "Match",
    "Matcher",
    "Segment",
    "Sensitivity",
    "SentenceSet",
    "SentenceSets",
    "SourceSelection",
    "SourceSentence",
    "Template",
    "Translation",
    "attest_templates",
    "bleu_growth",
    "bundled_templates",
    "check_template",
    "check_templates",
    "choose_items",
    "closest",
    "compare_answers",
    "compile_testset",
    "cover",
    "diverse",
    "evaluate",
    "find_templates",
    "load_analyser",
    "load_grammar",
    "load_template",
    "load_templates",
    "make_testset",
    "measure_coverage",
    "measure_growth",
    "measure_sensitivity",
    "parse_light",
    "read_fst",
    "read_grammar_testset",
    "read_light",
    "read_outputs",
    "read_reference_sets",
    "read_sentence_sets",
    "read_sources",
    "read_systems",
    "select_sources",
    "show_constructions",
    "write_fsts",
    "write_reference_sets",
    "write_starter",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "tertium.automata.automaton": ("Automaton",),
        "tertium.automata.openfst": ("read_fst", "write_fsts"),
        "tertium.automata.segment": ("Segment",),
        ".authoring.attestation": ("Attestation", "attest_templates"),
        ".authoring.bundled": ("bundled_templates",),
        ".authoring.catalogue": ("find_templates", "load_templates"),
        ".authoring.checks": ("CheckReport", "check_templates"),
        ".comparison": ("evaluate",),
        ".authoring.constructions": ("Constructions", "show_constructions"),
        ".authoring.coverage": ("Coverage", "Translation", "cover", "measure_coverage"),
        ".analysis.edit_study": (
            "AnnotationReport",
            "AnnotationSelection",
            "choose_items",
            "compare_answers",
        ),
        ".search.edits": ("EditCosts",),
        ".sets.exchange": ("SourceSentence", "read_outputs", "read_sources"),
        ".gf": ("Grammar", "GrammarError", "load_grammar"),
        ".sets.growth": ("Growth", "bleu_growth", "measure_growth"),
        ".light.notation": ("parse_light", "read_light"),
        ".search.matching": ("Budget", "Correction", "Match", "Matcher", "closest"),
        ".morphology": ("Analyser", "Analysis", "load_analyser"),
        ".sets.reference_files": ("read_reference_sets", "write_reference_sets"),
        ".sets.selection": (
            "SourceSelection",
            "diverse",
            "make_testset",
            "select_sources",
        ),
        ".sensitivity": ("Sensitivity", "measure_sensitivity"),
        ".sets.sentence_sets": ("SentenceSet", "SentenceSets", "read_sentence_sets"),
        ".authoring.starter": ("write_starter",),
        ".authoring.template": (
            "Finding",
            "Template",
            "check_template",
            "load_template",
        ),
        ".sets.testset": (
            "GrammarTestset",
            "compile_testset",
            "read_grammar_testset",
            "read_systems",
        ),
    },
)
