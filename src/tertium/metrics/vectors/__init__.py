# SPDX-License-Identifier: Apache-2.0
"""Conformance vectors: values that other tools have computed, for any tool to meet.

Files have one vector per line. ``tools/make_vectors.py`` writes ``vectors.jsonl`` with
the tools themselves, and a test does so again; ``tools/bertscore_vectors.py`` writes
``bertscore.jsonl``, for which that tool needs PyTorch, and ``tools/meteor_vectors.py``
writes ``meteor.jsonl``, for which it needs Java.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib import resources
from typing import Any

from tertium.errors import FormatError
from tertium.metrics.settings import Value

__all__ = ["Vector", "read_vectors"]

_FILES = ("vectors.jsonl", "meteor.jsonl", "bertscore.jsonl")


@dataclass(frozen=True)
class Vector:
    """A value of a metric, from another tool.

    Attributes
    ----------
    id : str
    metric : str
        As Tertium calls it.
    settings : mapping of str to bool, int, float or str
        As Tertium calls them; what is not there has Tertium's default.
    level : str
        ``corpus``, or ``segment`` for the score of the first segment on its own.
    hyps : sequence of str
        One text per segment.
    refs : sequence of sequences of str
        The references of every segment.
    value : float
    tolerance : float
        How far another value may be off.
    tool, version : str
        Who computed the value.
    command : str
        How: Python, with `hyps` and `refs` as above.
    """

    id: str
    metric: str
    settings: Mapping[str, Value]
    level: str
    hyps: Sequence[str]
    refs: Sequence[Sequence[str]]
    value: float
    tolerance: float
    tool: str
    version: str
    command: str

    def check(self) -> str | None:
        """Return what is wrong with Tertium's value; None if it is near enough."""
        from tertium.metrics.registry import metric_class

        metric = metric_class(self.metric)(**self.settings)
        if self.level == "segment":
            score = float(metric.segment_scores(self.hyps, self.refs)[0])
        else:
            score = metric.corpus_score(self.hyps, self.refs)
        if abs(score - self.value) <= self.tolerance:
            return None
        return (
            f"{self.id}: {score!r}, but {self.tool} {self.version} has {self.value!r}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the vector as JSON."""
        return {
            "id": self.id,
            "metric": self.metric,
            "settings": dict(self.settings),
            "level": self.level,
            "hyps": list(self.hyps),
            "refs": [list(refs) for refs in self.refs],
            "value": self.value,
            "tolerance": self.tolerance,
            "tool": self.tool,
            "version": self.version,
            "command": self.command,
        }


def read_vectors(path: str | os.PathLike[str] | None = None) -> list[Vector]:
    """Return the vectors in a file, by default those that come with Tertium.

    Those of ``bertscore`` can be checked with the extra ``neural`` only.

    Raises
    ------
    FormatError
        If a line is not a vector.
    """
    if path is None:
        folder = resources.files(__name__)
        texts = {name: folder.joinpath(name).read_text("utf-8") for name in _FILES}
        return [vector for name in _FILES for vector in _parse(texts[name], name)]
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            return _parse(file.read(), name)
    except (OSError, UnicodeDecodeError) as error:
        what = f"cannot be read ({error}); check the path"
        raise FormatError(what, path=name) from None


def _parse(text: str, name: str) -> list[Vector]:
    vectors = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            vectors.append(_vector(json.loads(line)))
            _check(vectors[-1])
        except (TypeError, ValueError, RecursionError) as error:
            what = f"not a conformance vector ({error}); correct the line"
            raise FormatError(what, path=name, line=number) from None
    return vectors


def _vector(content: object) -> Vector:
    if not isinstance(content, dict):
        raise TypeError("the line is not a JSON object")
    known = [field.name for field in fields(Vector)]
    if missing := [name for name in known if name not in content]:
        raise ValueError(f"missing keys: {', '.join(missing)}")
    if unknown := [str(name) for name in content if name not in known]:
        raise ValueError(f"unknown keys: {', '.join(unknown)}")
    return Vector(**content)


def _check(vector: Vector) -> None:
    texts = (vector.id, vector.metric, vector.tool, vector.version, vector.command)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError("id, metric, tool, version and command are texts")
    if vector.level not in ("corpus", "segment"):
        raise ValueError(f"level is {vector.level!r}, not corpus or segment")
    numbers = (vector.value, vector.tolerance)
    if not all(isinstance(x, (int, float)) for x in numbers):
        raise TypeError("value and tolerance are numbers")
    if not isinstance(vector.settings, dict):
        raise TypeError("settings is an object")
    if not isinstance(vector.hyps, list) or not isinstance(vector.refs, list):
        raise TypeError("hyps and refs are lists")
    if len(vector.hyps) != len(vector.refs):
        raise ValueError("there must be as many hyps as refs")
