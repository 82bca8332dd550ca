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

from tertium._version import __version__

if TYPE_CHECKING:
    from tertium.data import Testset, read, write
    from tertium.engine.compare import compare
    from tertium.engine.permutations import score_permutations
    from tertium.engine.results import Comparison, Pair, Score, ScoreTable
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
    from tertium.metrics import Metric, metric, metric_names, register
    from tertium.report import Explanation, explain

__all__ = [
    "Comparison",
    "Explanation",
    "FormatError",
    "InputError",
    "Metric",
    "MissingExtraError",
    "NotDefinedError",
    "OutputError",
    "Pair",
    "Score",
    "ScoreTable",
    "TertiumError",
    "Testset",
    "UnknownNameError",
    "__version__",
    "compare",
    "explain",
    "metric",
    "metric_names",
    "read",
    "register",
    "score",
    "score_permutations",
    "write",
]

_HOMES = {
    "tertium.data": ("Testset", "read", "write"),
    "tertium.engine.compare": ("compare",),
    "tertium.engine.permutations": ("score_permutations",),
    "tertium.engine.results": ("Comparison", "Pair", "Score", "ScoreTable"),
    "tertium.engine.score": ("score",),
    "tertium.metrics": ("Metric", "metric", "metric_names", "register"),
    "tertium.report": ("Explanation", "explain"),
    "tertium.errors": (
        "FormatError",
        "InputError",
        "MissingExtraError",
        "NotDefinedError",
        "OutputError",
        "TertiumError",
        "UnknownNameError",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        message = f"module 'tertium' has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
