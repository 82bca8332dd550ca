# SPDX-License-Identifier: Apache-2.0
"""The page of the reference: signatures and docstrings of all public names."""

from __future__ import annotations

import importlib
import inspect
import textwrap
from collections.abc import Sequence
from typing import Any

import tertium

#: Pages of the reference: title, what it is about, names.
NAMES = {
    "Score and compare": ("score", "score_permutations", "compare", "Runs", "report"),
    "Explain": ("explain", "Explanation"),
    "Meta-evaluation and training": ("correlate", "Correlations", "train", "Trained"),
    "Test sets": ("read", "write", "Testset"),
    "Metrics": ("metric", "metric_names", "Metric", "register"),
    "Human judgements": (
        "Judgements",
        "rank",
        "Rankings",
        "agree",
        "AgreementReport",
        "reuse",
        "Reuse",
    ),
    "Grammars": ("evaluate", "Evaluation"),
    "Clusters": ("use",),
    "Results": (
        "ScoreTable",
        "Score",
        "Comparison",
        "Pair",
        "SystemReport",
        "tabulate",
    ),
    "Errors": (
        "TertiumError",
        "InputError",
        "FormatError",
        "UnknownNameError",
        "OutputError",
        "NotDefinedError",
        "MissingExtraError",
    ),
}

#: Further modules that are public, with the names to list: all or the main ones.
MODULES = {
    "tertium.analysis": (
        "gap_meaning",
        "GapMeaning",
        "gap_metrics",
        "largest",
        "segment_groups",
        "Group",
        "score_groups",
        "Bucket",
        "word_classes",
        "WordClass",
        "ngram_gains",
        "NgramGain",
        "label_errors",
        "LabelledOutputs",
        "count_errors",
        "ErrorKind",
        "find_habits",
        "Habit",
        "agreement",
        "MetricPair",
    ),
    "tertium.records": (
        "read_run",
        "Run",
        "Results",
        "File",
        "repeat",
        "Repetition",
        "cite",
        "Citation",
    ),
    "tertium.metrics.laws": ("check_metric", "Finding"),
    "tertium.scores": ("score_metrics", "FileScores"),
    "tertium.metrics.vectors": ("read_vectors", "Vector"),
    "tertium.cluster": ("Cluster", "Checkpointed"),
    "tertium.align": (
        "align",
        "Aligner",
        "AlignerSettings",
        "Alignment",
        "WordMatch",
        "register_matcher",
        "align_bilingual",
        "Eflomal",
        "CommandAligner",
        "Link",
        "symmetrise",
        "compose",
        "alignment_quality",
        "AlignmentQuality",
        "read_pharaoh",
        "write_pharaoh",
        "read_naacl",
        "write_naacl",
        "reduce_links",
        "link_tau",
    ),
    "tertium.cache": (
        "Cache",
        "Usage",
        "using",
        "cached_rows",
        "digest",
        "segment_digests",
    ),
    "tertium.grammars": (
        "closest",
        "Matcher",
        "Match",
        "Correction",
        "EditCosts",
        "Automaton",
        "read_reference_sets",
        "write_reference_sets",
        "Segment",
        "parse_light",
        "read_light",
        "read_fst",
        "write_fsts",
        "load_template",
        "load_templates",
        "find_templates",
        "bundled_templates",
        "write_starter",
        "check_template",
        "check_templates",
        "CheckReport",
        "read_sentence_sets",
        "SentenceSets",
        "SentenceSet",
        "show_constructions",
        "Constructions",
        "attest_templates",
        "Attestation",
        "Template",
        "Finding",
        "load_grammar",
        "Grammar",
        "GrammarError",
        "load_analyser",
        "Analyser",
        "Analysis",
        "make_testset",
        "SourceSelection",
        "select_sources",
        "diverse",
        "SourceSentence",
        "read_sources",
        "read_outputs",
        "read_systems",
        "read_grammar_testset",
        "GrammarTestset",
        "compile_testset",
        "measure_coverage",
        "cover",
        "Coverage",
        "Translation",
        "measure_growth",
        "bleu_growth",
        "Growth",
        "measure_sensitivity",
        "Sensitivity",
        "choose_items",
        "AnnotationSelection",
        "compare_answers",
        "AnnotationReport",
    ),
    "tertium.grammars.analysis": (
        "evaluate_outputs",
        "Evaluation",
        "SystemResult",
        "SegmentRecord",
        "Difference",
        "Near",
        "TemplateReferenceSets",
        "FixedReferenceSets",
        "read_records",
        "write_records",
        "segments_tsv",
        "systems_tsv",
    ),
    "tertium.judgements": (
        "import_judgements",
        "Import",
        "ImportOptions",
        "write_judgements",
        "merge",
        "Ranking",
        "Place",
        "Rating",
        "Span",
        "Bad",
        "Comparisons",
        "Wins",
        "read_store",
        "write_store",
        "summarise",
        "Summary",
        "attach_systems",
        "read_candidates",
        "CandidateSet",
        "read_system_table",
        "pooled_agreement",
        "agreement_over_time",
        "Agreement",
        "Kappa",
        "krippendorff_alpha",
        "intraclass_correlations",
        "fleiss_kappa",
        "cohen_kappa",
        "long_form",
        "Estimate",
        "JudgeProfile",
        "Flag",
        "rating_data",
        "rating_agreement",
        "adjust",
        "adjust_ratings",
        "Adjustment",
        "fit_mixed",
        "MixedFit",
    ),
    "tertium.order": (
        "Permutation",
        "PermutationTree",
        "PermutationForest",
        "Node",
        "Entry",
        "Reduction",
        "reduce_matches",
        "permutation_testset",
    ),
    "tertium.order.damage": (
        "permute",
        "generate",
        "Permuted",
        "Source",
        "Truecaser",
        "Edit",
        "replay",
    ),
    "tertium.judgements.ranking": (
        "rank_systems",
        "SystemRanking",
        "RankedSystem",
        "Pairwise",
        "ratio_of_wins",
        "wins_or_ties",
        "expected_wins",
        "bradley_terry",
        "BradleyTerry",
        "hopkins_may",
        "HopkinsMay",
        "trueskill",
        "TrueSkill",
        "Skill",
        "rating_scores",
        "mqm_scores",
        "MqmWeights",
        "SegmentScores",
    ),
    "tertium.judgements.planning.comparisons": (
        "plan_judgements",
        "Plan",
        "PairPlan",
        "CampaignSize",
        "judge_next",
        "Item",
    ),
    "tertium.judgements.planning.rating_plans": ("plan_ratings", "RatingPlan"),
    "tertium.judgements.planning.rating_next": ("rate_next",),
    "tertium.judgements.parts.against_sentences": (
        "compare_levels",
        "Levels",
        "SystemLevels",
        "Tau",
        "Disagreement",
    ),
    "tertium.llm": (
        "judge_outputs",
        "Judging",
        "plan_judging",
        "Plan",
        "JudgeSettings",
        "read_settings",
        "Prompt",
        "read_prompt",
        "parse_answer",
        "Assessment",
        "MarkedError",
    ),
    "tertium.judgements.reuse.unseen": ("leave_one_out", "UnseenSystem", "Guess"),
    "tertium.judgements.parts": (
        "extract",
        "token_tree",
        "sentence_parts",
        "SentenceParts",
        "image",
        "Image",
        "project",
        "Projection",
        "Candidates",
        "Origin",
        "ExtractionCounts",
        "ProjectionCounts",
        "SystemCounts",
        "read_parts",
        "write_parts",
        "write_candidates",
        "write_candidates_tsv",
        "write_origins",
    ),
    "tertium.trees": (
        "ConstituencyTree",
        "Constituent",
        "read_brackets",
        "parse_brackets",
        "DependencyTree",
        "LabelledTree",
        "edit_distance",
        "edit_distances",
        "edit_script",
        "EditOperation",
        "dted",
        "DtedResult",
        "DtedOperation",
        "derp",
        "DerpResult",
        "DerpEdge",
        "PathEncoding",
        "project",
        "make_projective",
        "Parse",
        "make_parses",
        "Sentence",
        "read_conllu",
        "parse_conllu",
        "write_conllu",
    ),
    "tertium.data.partitions": (
        "write_partitions",
        "open_partitions",
        "Partitions",
        "ShardSlice",
        "Manifest",
    ),
    "tertium.learn.data": ("Source", "make_source", "split"),
    "tertium.learn.pairs": ("pairs_from", "judged_pairs", "Pairs"),
    "tertium.learn.training": ("train_model", "recipe_of", "Recipe", "SelfTraining"),
    "tertium.learn.validation": (
        "validate",
        "leave_one_out",
        "Agreement",
        "LeftOut",
        "model_scores",
    ),
    "tertium.learn.influence": (
        "influences",
        "Influence",
        "group_losses",
        "GroupLoss",
    ),
    "tertium.stats": (
        "Bootstrap",
        "pearson",
        "spearman",
        "kendall",
        "williams",
        "Williams",
    ),
    "tertium.meta": (
        "correlate_evaluations",
        "Correlations",
        "Correlation",
        "Difference",
        "CrossTable",
        "Hypothesis",
        "Coefficient",
        "evaluation",
        "Evaluation",
        "human_judgements",
        "Human",
        "MetricScores",
        "run_metrics",
        "read_scores",
        "probes",
        "gaps",
        "Gap",
        "ScoreMatrix",
        "segment_coefficient",
        "calibrate",
        "TieMatrix",
        "Cells",
        "cells_from",
        "tau",
        "draw_taus",
        "bootstrap_difference",
        "system_level",
        "soft_pairwise_accuracy",
        "permutation_test",
        "MetricTests",
        "bootstrap_metrics",
        "hybrid_test",
    ),
}

_API = """\
# Reference

The public names of `tertium`, then the main names of its packages. Everything else may
change between versions. `tertium.__version__` is the version.
"""


def text() -> str:
    """Return signatures and docstrings of all public names."""
    listed = {name for names in NAMES.values() for name in names}
    missing = set(tertium.__all__) - listed - {"__version__"}
    if missing:
        message = f"docs/reference.py: NAMES lacks {', '.join(sorted(missing))}"
        raise ValueError(message)
    parts = [_API]
    for title, names in NAMES.items():
        parts += [f"## {title}\n", *_entries("tertium", names)]
    for module, names in MODULES.items():
        summary = inspect.cleandoc(importlib.import_module(module).__doc__ or "")
        parts += [f"## {module}\n", summary.partition("\n")[0] + "\n"]
        parts += _entries(module, names)
    return "\n".join(parts)


def _entries(module: str, names: Sequence[str]) -> list[str]:
    """Return what the docstrings of some names of a module say."""
    parts = []
    for name in names:
        value = getattr(importlib.import_module(module), name)
        parts += [f"### {name}\n", _docstring(value, f"{module}.{name}")]
        if inspect.isclass(value):
            parts += _members(value)
    return parts


def _members(cls: type) -> list[str]:
    """Return the public methods of a class that have a docstring."""
    parts = []
    for name in dir(cls):
        member = function = inspect.getattr_static(cls, name)
        if isinstance(member, (classmethod, staticmethod)):
            function = member.__func__
        elif isinstance(member, property):
            function = member.fget
        home = getattr(function, "__module__", "") or ""
        if name.startswith("_") or not inspect.isfunction(function):
            continue
        if function.__doc__ and home.startswith("tertium"):
            parts.append(_docstring(function, f"{cls.__name__}.{name}", member))
    return parts


def _docstring(value: Any, name: str, member: object = None) -> str:
    text = inspect.cleandoc(value.__doc__ or "")
    if isinstance(member, property):
        head = name
    else:
        head = name + _signature(value, bound=member is not None)
    return f"```text\n{head}\n\n{textwrap.indent(text, '    ')}\n```\n"


def _signature(value: Any, *, bound: bool) -> str:
    """Return the parameters, one per line if there are many."""
    if inspect.isclass(value) and issubclass(value, Exception):
        return ""
    signature = inspect.signature(value)
    parameters = list(signature.parameters.values())[1 if bound else 0 :]
    signature = signature.replace(parameters=parameters)
    shown = str(signature).replace("'", "")
    if len(shown) <= 70:
        return shown
    keyword = inspect.Parameter.KEYWORD_ONLY
    lines, starred = [], False
    for one in parameters:
        if one.kind is keyword and not starred:
            lines.append("*,")
            starred = True
        default = "" if one.default is one.empty else f" = {one.default!r}"
        lines.append(f"{one.name}: {one.annotation}{default},")
    result = ""
    if signature.return_annotation is not inspect.Signature.empty:
        result = f" -> {signature.return_annotation}".replace("'", "")
    return "(\n" + textwrap.indent("\n".join(lines), "    ") + f"\n){result}"
