# SPDX-License-Identifier: Apache-2.0
"""Span models as files: one readable JSON file.

A model has three classifiers: whether a word is part of an error (``error``), whether
an error is major (``major``), and whether an output lacks content (``missing``). Each
has an intercept, a threshold, and for every feature a weight, and mean and scale in
training. Features are generic numbers (:mod:`tertium.learn.spans.features`): a file
holds no words of the texts it was trained on.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from tertium.errors import FormatError, InputError
from tertium.learn._reading import (
    mapping,
    named_vectors,
    number,
    only_keys,
    problem,
    text,
)
from tertium.learn.spans.features import OUTPUT_FEATURES, WORD_FEATURES
from tertium.learn.spans.logistic import Logistic

__all__ = ["DEFAULT_MODEL", "SpanModel", "find_span_model", "load_span_model"]

#: The model that comes with Tertium.
DEFAULT_MODEL = "spans-1"
FORMAT = "tertium-span-model"
VERSION = 1
_FOLDER = Path(__file__).parent
_KEYS = (
    *("format", "version", "name", "licence", "error", "major", "missing"),
    *("missing_severity", "penalty", "training", "validation"),
)
_PARTS: Mapping[str, Sequence[str]] = {
    "error": WORD_FEATURES,
    "major": WORD_FEATURES,
    "missing": OUTPUT_FEATURES,
}
_SEVERITIES = ("minor", "major")


@dataclass(frozen=True)
class SpanModel:
    """A trained marker of error spans.

    Parameters
    ----------
    name : str
        The judge of its predictions.
    error, major, missing : Logistic
    thresholds : mapping of str to float
        By classifier: the least probability of a mark.
    missing_severity : {"minor", "major"}
        That of every missing mark.
    penalty : float
        MQM points of an expected wrong word; see :mod:`tertium.learn.spans.marking`.
    licence : str
    training, validation : dict
        What it was trained on and how, and what it reached, as JSON.
    """

    name: str
    error: Logistic
    major: Logistic
    missing: Logistic
    thresholds: Mapping[str, float]
    missing_severity: str = "major"
    penalty: float = 1.0
    licence: str = ""
    training: dict[str, object] = field(default_factory=dict)
    validation: dict[str, object] = field(default_factory=dict)

    def with_threshold(self, threshold: float) -> SpanModel:
        """Return the model with another threshold of ``error``: a lower one marks more.

        Raises
        ------
        InputError
            When it is not between 0 and 1.
        """
        if not 0 <= threshold <= 1:
            message = f"the threshold {threshold:g} is not between 0 and 1"
            raise InputError(message, options=("span_threshold",))
        return replace(self, thresholds={**self.thresholds, "error": threshold})

    def to_json(self) -> str:
        """Return the model as the text of a file."""
        parts = {name: self._part(name) for name in _PARTS}
        data = {
            "format": FORMAT,
            "version": VERSION,
            "name": self.name,
            "licence": self.licence,
            **parts,
            "missing_severity": self.missing_severity,
            "penalty": self.penalty,
            "training": self.training,
            "validation": self.validation,
        }
        lines = json.dumps(data, ensure_ascii=False, indent=2)
        return _short_lists(lines) + "\n"

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to a file."""
        from tertium._files import replace_file

        with replace_file(path) as stream:
            stream.write(self.to_json().encode())

    def _part(self, name: str) -> dict[str, object]:
        part: Logistic = getattr(self, name)
        rows = zip(part.weights, part.means, part.scales, strict=True)
        features = dict(zip(_PARTS[name], map(list, rows), strict=True))
        return {
            "threshold": self.thresholds[name],
            "intercept": part.intercept,
            "features": features,
        }


def find_span_model(name: str | os.PathLike[str] = DEFAULT_MODEL) -> SpanModel:
    """Return a model that comes with Tertium by name, or one from a file.

    Raises
    ------
    InputError
        If there is none.
    """
    if name == DEFAULT_MODEL:
        return _shipped()
    if not os.path.isfile(name):
        message = (
            f"there is no span model {os.fspath(name)}; name a file, or {DEFAULT_MODEL}"
        )
        raise InputError(message, options=("span_model",))
    return load_span_model(name)


@lru_cache(maxsize=1)
def _shipped() -> SpanModel:
    return load_span_model(_FOLDER / f"{DEFAULT_MODEL}.json")


def load_span_model(path: str | os.PathLike[str]) -> SpanModel:
    """Return the model in a file.

    Raises
    ------
    FormatError
        When something is wrong with it; the message says where.
    """
    where = os.fspath(path)
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, ValueError) as error:
        message = f"not a span model, since it is not JSON ({error})"
        raise FormatError(message, path=where) from None
    data = mapping(data, "the file", where)
    if data.get("format") != FORMAT or data.get("version") != VERSION:
        message = f"not a span model of version {VERSION}; train it again"
        raise problem(message, where)
    only_keys(data, _KEYS, "the file", where)
    parts, thresholds = {}, {}
    for name, names in _PARTS.items():
        part = mapping(data[name], name, where)
        only_keys(part, ("threshold", "intercept", "features"), name, where)
        at = f"{name}.features"
        rows = named_vectors(part["features"], names, 3, at, where)
        weights, means, scales = zip(*rows, strict=True)
        if min(scales) <= 0:
            raise problem(f"a scale in {at} is not above 0", where)
        intercept = number(part["intercept"], f"{name}.intercept", where)
        parts[name] = Logistic(intercept, weights, means, scales)
        thresholds[name] = number(part["threshold"], f"{name}.threshold", where)
    severity = text(data["missing_severity"], "missing_severity", where)
    if severity not in _SEVERITIES:
        raise problem("missing_severity must be minor or major", where)
    return SpanModel(
        text(data["name"], "name", where),
        parts["error"],
        parts["major"],
        parts["missing"],
        thresholds,
        severity,
        number(data["penalty"], "penalty", where),
        text(data["licence"], "licence", where),
        mapping(data["training"], "training", where),
        mapping(data["validation"], "validation", where),
    )


def _short_lists(lines: str) -> str:
    """Return JSON with lists of numbers on one line."""
    import re

    return re.sub(
        r"\[\s+([-+.\de,\s]+?)\s+\]",
        lambda match: "[" + re.sub(r"\s+", " ", match[1]) + "]",
        lines,
    )
