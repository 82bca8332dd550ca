# SPDX-License-Identifier: Apache-2.0
"""Tertium measures machine translation, and measures the measures.

>>> import tertium
>>> bleu = tertium.metric("bleu")
>>> round(bleu.corpus_score(["the cat sat on a mat"], ["the cat sat on the mat"]), 2)
53.73

The main functions are :func:`read`, :func:`metric`, :func:`score` and
:func:`compare`. Everything is imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy
from tertium._version import __version__

if TYPE_CHECKING:
    from tertium._executor import use
    from tertium.analysis.report import SystemReport, report
    from tertium.data import Testset, read, write
    from tertium.engine.compare import compare
    from tertium.engine.comparison import Comparison, Pair
    from tertium.engine.permutations import score_permutations
    from tertium.engine.results import Score, ScoreTable
    from tertium.engine.runs import Runs
    from tertium.engine.score import score
    from tertium.errors import (
        FormatError,
        InputError,
        MissingExtraError,
        NotDefinedError,
        OutputError,
        TertiumError,
        UnknownNameError,
    )
    from tertium.grammars.analysis import Evaluation
    from tertium.grammars.comparison import evaluate
    from tertium.judgements.agreement.overview import agree
    from tertium.judgements.agreement.report import AgreementReport
    from tertium.judgements.ranking.overview import rank
    from tertium.judgements.ranking.rankings import Rankings
    from tertium.judgements.reuse.estimation import reuse
    from tertium.judgements.reuse.results import Reuse
    from tertium.judgements.tables import Judgements
    from tertium.learn.train import train
    from tertium.learn.trained import Trained
    from tertium.meta.correlate import correlate
    from tertium.meta.results import Correlations
    from tertium.metrics import Metric, metric, metric_names, register
    from tertium.report.explain import Explanation, explain
    from tertium.report.tables import tabulate

__all__ = [
    "AgreementReport",
    "Comparison",
    "Correlations",
    "Evaluation",
    "Explanation",
    "FormatError",
    "InputError",
    "Judgements",
    "Metric",
    "MissingExtraError",
    "NotDefinedError",
    "OutputError",
    "Pair",
    "Rankings",
    "Reuse",
    "Runs",
    "Score",
    "ScoreTable",
    "SystemReport",
    "TertiumError",
    "Testset",
    "Trained",
    "UnknownNameError",
    "__version__",
    "agree",
    "compare",
    "correlate",
    "evaluate",
    "explain",
    "metric",
    "metric_names",
    "rank",
    "read",
    "register",
    "report",
    "reuse",
    "score",
    "score_permutations",
    "tabulate",
    "train",
    "use",
    "write",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        "._executor": ("use",),
        ".analysis.report": ("SystemReport", "report"),
        ".data": ("Testset", "read", "write"),
        ".engine.compare": ("compare",),
        ".engine.permutations": ("score_permutations",),
        ".engine.comparison": ("Comparison", "Pair"),
        ".engine.results": ("Score", "ScoreTable"),
        ".engine.runs": ("Runs",),
        ".engine.score": ("score",),
        ".grammars.analysis": ("Evaluation",),
        ".grammars.comparison": ("evaluate",),
        ".judgements.agreement.overview": ("agree",),
        ".judgements.agreement.report": ("AgreementReport",),
        ".judgements.ranking.overview": ("rank",),
        ".judgements.ranking.rankings": ("Rankings",),
        ".judgements.reuse.estimation": ("reuse",),
        ".judgements.reuse.results": ("Reuse",),
        ".judgements.tables": ("Judgements",),
        ".learn.train": ("train",),
        ".learn.trained": ("Trained",),
        ".meta.correlate": ("correlate",),
        ".meta.results": ("Correlations",),
        ".metrics": ("Metric", "metric", "metric_names", "register"),
        ".report.explain": ("Explanation", "explain"),
        ".report.tables": ("tabulate",),
        ".errors": (
            "FormatError",
            "InputError",
            "MissingExtraError",
            "NotDefinedError",
            "OutputError",
            "TertiumError",
            "UnknownNameError",
        ),
    },
)
