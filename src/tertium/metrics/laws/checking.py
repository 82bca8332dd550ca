# SPDX-License-Identifier: Apache-2.0
"""All laws and conformance vectors, tried on one metric."""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tertium._seed import SEED
from tertium.data.batch import Batch
from tertium.errors import InputError, TertiumError
from tertium.metrics import registry
from tertium.metrics.base import Metric
from tertium.metrics.laws.examples import make_examples, make_lines
from tertium.metrics.laws.of_metrics import METRIC_LAWS
from tertium.metrics.laws.of_texts import COPY_LAW, PAIR_LAWS, TEXT_LAWS
from tertium.metrics.registry import metric as make_metric
from tertium.metrics.registry import register
from tertium.metrics.vectors import Vector, read_vectors

__all__ = ["Finding", "check_metric", "load_file"]

_COPIES = 4  # references per example of the law of copies


@dataclass(frozen=True)
class Finding:
    """One law, or the vectors of one tool, tried on a metric.

    Attributes
    ----------
    name : str
    about : str
        What the law says.
    tried : int
        How many examples were tried; fewer where one failed.
    problem : str
        The first counterexample; empty if there is none.
    """

    name: str
    about: str
    tried: int
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether no counterexample was found."""
        return not self.problem

    def to_dict(self) -> dict[str, str | int | None]:
        """Return the finding as JSON."""
        return {
            "name": self.name,
            "about": self.about,
            "tried": self.tried,
            "problem": self.problem or None,
        }


def check_metric(
    spec: str | Metric,
    *,
    examples: int = 50,
    seed: int = SEED,
    vectors: Sequence[Vector] | None = None,
) -> list[Finding]:
    """Try all laws on a metric, and the vectors that other tools have computed for it.

    Parameters
    ----------
    spec : str or Metric
        Any metric that has a name, a plug-in too.
    examples : int
        How many test sets to make up.
    seed : int
        For these.
    vectors : sequence of Vector, optional
        Instead of those that come with Tertium; others than those of the metric are
        ignored.

    Raises
    ------
    InputError
        If the metric lacks something that every score needs, such as a configuration.

    Examples
    --------
    >>> findings = check_metric("wer", examples=5)
    >>> all(finding.holds for finding in findings)
    True
    """
    try:
        metric = make_metric(spec)
        _check_ready(metric)
    except TertiumError:
        raise
    except Exception as error:  # A plug-in may raise anything.
        problem = f"{type(error).__name__}: {error}"
        return [Finding("constructor", "The metric can be made.", 1, problem)]
    copies = list(make_lines(examples * _COPIES, seed=seed))
    lists = [copies[i : i + _COPIES] for i in range(0, len(copies), _COPIES)]
    out = [
        _try(
            name,
            law.__doc__,
            ((law, (metric, each)) for each in make_examples(examples, seed=seed)),
        )
        for name, law in TEXT_LAWS.items()
    ]
    out.append(
        _try("copies", COPY_LAW.__doc__, ((COPY_LAW, (metric, refs)) for refs in lists))
    )
    if metric.symmetric:
        out += [
            _try(
                name, law.__doc__, ((law, (metric, *pair)) for pair in pairwise(copies))
            )
            for name, law in PAIR_LAWS.items()
        ]
    out += [
        _try(name, law.__doc__, [(law, (metric,))]) for name, law in METRIC_LAWS.items()
    ]
    return [*out, *_vectors(metric, read_vectors() if vectors is None else vectors)]


def _check_ready(metric: Metric) -> None:
    """Raise the error of a metric that no text can be scored with."""
    text = ["a"]
    try:
        _ = metric.signature, metric.bounds
        metric.check(Batch([text], text, sources=text, docs=text))
    except TertiumError:
        raise
    except Exception:  # A plug-in may raise anything; the laws say what is wrong.
        return


def load_file(path: str) -> list[str]:
    """Run a Python file, register the metrics that it defines, and return their names.

    Raises
    ------
    InputError
        If there is no such file, it cannot be run, or it defines no metric.
    """
    if not os.path.isfile(path):
        raise InputError(f"there is no file {path}; check the path")
    # Who watches or guards this process hears of it: code is about to be run.
    sys.audit("tertium.run_file", os.path.abspath(path))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"{path} is not a Python file; give one that ends in .py")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        raise InputError(f"{path} cannot be run ({why}); correct it") from error
    classes = [
        value
        for value in vars(module).values()
        if isinstance(value, type)
        and issubclass(value, Metric)
        and value.__module__ == name
        and value.name
    ]
    if not classes:
        raise InputError(f"{path} defines no metric; derive a class from Metric")
    return [_register_again(cls) for cls in classes]


def _register_again(cls: type[Metric]) -> str:
    """Register a class, in the place of an older one from the same file."""
    old = registry._registered.get(cls.name)
    if old is not None and (old.__module__, old.__qualname__) == (
        cls.__module__,
        cls.__qualname__,
    ):
        del registry._registered[cls.name]
    return register(cls).name


_Call = tuple[Callable[..., "str | None"], tuple[object, ...]]


def _try(name: str, about: str | None, calls: Iterable[_Call]) -> Finding:
    """Try a law until it fails; an exception is a failure too."""
    tried = 0
    for law, arguments in calls:
        tried += 1
        try:
            problem = law(*arguments)
        except Exception as error:  # A plug-in may raise anything.
            problem = f"{type(error).__name__}: {error}"
        if problem:
            return Finding(name, _first(about), tried, problem)
    return Finding(name, _first(about), tried)


def _first(text: str | None) -> str:
    return (text or "").strip().partition("\n")[0]


def _vectors(metric: Metric, vectors: Sequence[Vector]) -> Iterator[Finding]:
    """Yield what became of the vectors, by tool."""
    chosen = [vector for vector in vectors if vector.metric == metric.name]
    for tool in dict.fromkeys(f"{vector.tool} {vector.version}" for vector in chosen):
        calls: list[_Call] = [
            (Vector.check, (vector,))
            for vector in chosen
            if f"{vector.tool} {vector.version}" == tool
        ]
        yield _try(tool, f"Values are those of {tool}.", calls)
