# SPDX-License-Identifier: Apache-2.0
"""Metrics by name: built-ins, plug-ins by entry point, and classes registered.

Built-in classes are imported when they are asked for. A plug-in names its class
in the entry-point group ``tertium.metrics`` and obeys the same laws.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TypeVar

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Metric

__all__ = ["metric", "metric_class", "metric_names", "register"]

_BUILTIN = {
    "aligned-percentage": "aligned:AlignedPercentage",
    "amber": "amber:Amber",
    "avg-arity": "pets:AvgArity",
    "beer": "tertium.learn.beer:Beer",
    "bertscore": "tertium.metrics.bertscore.metric:BertScore",
    "bleu": "bleu:Bleu",
    "bleu-nrc": "bleu:BleuNrc",
    "bleu1": "bleu:Bleu1",
    "cder": "edit:Cder",
    "characTER": "character:Character",
    "chrf": "chrf:Chrf",
    "chrf++": "chrf:ChrfPlusPlus",
    "dependency-f": "dependency:DependencyF",
    "derp": "derp:Derp",
    "dted": "dted:Dted",
    "evalgen": "tertium.grammars.metric:Evalgen",
    "exactmatch": "tertium.tuning.judged.metrics:ExactMatch",
    "external": "tertium.scores.external:External",
    "fuzzy": "order:Fuzzy",
    "hamming": "order:Hamming",
    "headword-chain": "dependency:HeadwordChain",
    "inverted-ratio": "pets:InvertedRatio",
    "kendall": "order:Kendall",
    "layered": "layered:Layered",
    "link-tau": "aligned:LinkTau",
    "llm": "tertium.llm.metric:LlmJudge",
    "log-pets": "pets:LogPets",
    "lrscore": "order:LRScore",
    "max-op": "pets:MaxOp",
    "mean": "mean:Mean",
    "meteor": "meteor:Meteor",
    "meteor-chunking": "meteor:MeteorChunking",
    "n-pets": "pets:NPets",
    "nist": "nist:Nist",
    "pef": "pets:Pef",
    "penalizeunknown": "tertium.tuning.judged.metrics:PenalizeUnknown",
    "per": "edit:Per",
    "pet": "pets:Pet",
    "pet-size": "pets:PetSize",
    "recpef": "pets:Recpef",
    "recpet": "pets:Recpet",
    "ribes": "ribes:Ribes",
    "rouge-s": "rouge:RougeS",
    "scores": "tertium.scores.from_files:FileScores",
    "segranksbleu": "tertium.tuning.judged.segranksbleu:SegRanksBleu",
    "semantic-esa": "semantic_esa:SemanticEsa",
    "sentbleu": "bleu:SentBleu",
    "sentbleu-plus1": "bleu:SentBleuPlusOne",
    "spearman": "order:Spearman",
    "sqrt-kendall": "order:SqrtKendall",
    "straight-ratio": "pets:StraightRatio",
    "ter": "ter:Ter",
    "ulam": "order:Ulam",
    "wer": "edit:Wer",
}
_BY_LOWER_CASE = {name.lower(): name for name in _BUILTIN}
_GROUP = "tertium.metrics"

# Metrics people ask for, with years and sizes behind them: comet22, metricx-24-xl.
_NEURAL = (
    r"(wmt[0-9]+-)?(unbabel/)?(wmt[0-9]+-)?(x?comet|bleurt|metricx|yisi|"
    r"prism|mover-?score|bart-?score|gemba|unite|cross-?qe|open-?kiwi|cometkiwi)"
)

_registered: dict[str, type[Metric]] = {}
_MetricClass = TypeVar("_MetricClass", bound=type[Metric])


def metric(spec: str | Metric) -> Metric:
    """Return the metric of a spec string.

    Parameters
    ----------
    spec : str
        ``name`` or ``name:key=value,key=value``. Names ignore case.

    Raises
    ------
    InputError
        If the name or a setting is unknown (the message lists near ones), or a
        value does not fit.

    Examples
    --------
    >>> metric("bleu:tokenize=intl,lowercase=yes").signature.rpartition("|")[0]
    'nrefs:1|case:lc|eff:no|tok:intl|smooth:exp'
    """
    if isinstance(spec, Metric):
        return spec
    name, colon, body = spec.strip().partition(":")
    kind = metric_class(name)
    return kind.parse(body) if colon or name == "mean" else kind()


def metric_class(name: str) -> type[Metric]:
    """Return the class behind a name, imported now if need be."""
    if known := _BY_LOWER_CASE.get(name.lower()):
        module, _, attribute = _BUILTIN[known].partition(":")
        home = module if "." in module else f"tertium.metrics.{module}"
        kind = getattr(import_module(home), attribute)
        return _checked(kind, known)
    for names in (_registered, _plugins()):
        for known in names:
            if known.lower() == name.lower():
                return _registered.get(known) or _load_plugin(known)
    if re.match(_NEURAL, name.lower()):
        raise InputError(_ways(name))
    raise UnknownNameError("metric", name, metric_names())


def _ways(name: str) -> str:
    """Return how to use a metric that runs in a program of its own, in three lines."""
    return (
        f"{name!r} needs a neural model. Give its scores: --scores FILE, or -m "
        "scores:file=FILE;\n"
        "  let Tertium run it: -m external:config=comet.toml (examples: "
        "docs/recipes/external);\n"
        "  or use what is built in: -m bertscore (extra neural) or -m "
        "llm:config=judge.toml (by API)"
    )


def metric_names() -> list[str]:
    """Return all names, sorted."""
    return sorted({*_BUILTIN, *_registered, *_plugins()}, key=str.lower)


def register(cls: _MetricClass) -> _MetricClass:
    """Register a metric class under its `name`; usable as a decorator.

    Raises
    ------
    InputError
        If the name is empty or taken.
    """
    _checked(cls, cls.name)
    if not cls.name or set(cls.name) & set(":,()* "):
        message = (
            f"{cls.name!r} is not a name for {cls.__qualname__}; set the class "
            "attribute `name`, without spaces and : , ( ) *"
        )
        raise InputError(message)
    for origin, names in (
        ("a built-in metric", _BY_LOWER_CASE),
        ("a registered class", _registered),
        ("a plug-in", _plugins()),
    ):
        if cls.name.lower() in {name.lower() for name in names}:
            message = (
                f"metric name {cls.name!r} of {cls.__module__}.{cls.__qualname__} is "
                f"taken by {origin}; choose another"
            )
            raise InputError(message)
    _registered[cls.name] = cls
    return cls


@cache
def _plugins() -> dict[str, str]:
    """Return the entry points of the group: name and where it comes from."""
    from importlib.metadata import entry_points  # 10 ms: only for unknown names

    origins: dict[str, str] = {}
    for point in entry_points(group=_GROUP):
        other = origins.get(point.name)
        if point.name.lower() in _BY_LOWER_CASE:
            other = "Tertium itself"
        if other is not None and other != point.value:
            message = (
                f"metric {point.name!r} comes twice, from {other} and from "
                f"{point.value}; uninstall one"
            )
            raise InputError(message)
        origins[point.name] = point.value
    return origins


def _load_plugin(name: str) -> type[Metric]:
    origin = _plugins()[name]
    module, _, attribute = origin.partition(":")
    try:
        kind = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        message = (
            f"metric {name!r} cannot be loaded from {origin} ({error}); fix or "
            "uninstall the package that offers it"
        )
        raise InputError(message) from error
    return _checked(kind, name)


def _checked(kind: object, name: str) -> type[Metric]:
    if isinstance(kind, type) and issubclass(kind, Metric):
        return kind
    message = f"metric {name!r} is {kind!r}, not a subclass of tertium.metrics.Metric"
    raise InputError(message)
