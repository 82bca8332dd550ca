# SPDX-License-Identifier: Apache-2.0
"""A program as a metric: ``external:config=comet.toml``.

The program reads JSON lines, one per segment, with ``hypothesis`` and what it needs:
``source``, ``reference`` (or all ``references``), ``doc``. It writes one line for each,
a number or ``{"score": NUMBER}``. An empty line ends a batch: the program answers all
lines of it, and goes on reading. See :class:`tertium.scores.config.ProgramConfig`.

With several references, a program that needs one ``reference`` scores a segment
against each of them, and the best score counts.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tertium.data.batch import Batch, References
from tertium.errors import InputError
from tertium.metrics.settings import setting
from tertium.scores.answers import ask, config_key
from tertium.scores.config import ProgramConfig, read_config
from tertium.scores.means import ByMetric, MeanScore

if TYPE_CHECKING:
    from tertium.metrics.base import Rows

__all__ = ["External"]


class External(MeanScore):
    """Scores of segments by a program; the row is (score, 1)."""

    name = "external"
    summary = "scores by another program, such as COMET or MetricX"
    formula = "mean of the scores of segments"
    paper = "that of the metric"
    equal_to = "the mean of the scores that the program writes"
    cost = "that of the program, once per segment: answers are kept on disk"
    empty = "0 for an empty corpus; empty text gets what the program says"
    example = "external:config=demo"
    copy_exception = "as the program decides"

    # As the configuration says.
    higher_is_better = ByMetric(True, lambda m: m.program.higher_is_better)
    bounds = ByMetric((-math.inf, math.inf), lambda m: m.program.bounds)
    needs_references = ByMetric(True, lambda m: m.program.needs_references)
    uses_references = ByMetric(True, lambda m: m.program.needs_references)
    needs_source = ByMetric(True, lambda m: "source" in m.program.needs)
    needs_docs = ByMetric(False, lambda m: "doc" in m.program.needs)

    config: str = setting(
        "",
        "a TOML file with the command and what it needs; `demo` is a small program",
        external=True,
    )

    @cached_property
    def program(self) -> ProgramConfig:
        """The configuration."""
        if not self.config:
            raise InputError(
                "external needs a configuration; write external:config=FILE.toml (see "
                "the guide to scores of other programs)"
            )
        return read_config(self.config)

    @property
    def label(self) -> str:
        """The name in the configuration."""
        return self.program.name

    def statistics(
        self,
        hyps: Sequence[str],
        refs: References,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Rows:
        """Return score and weight of every segment."""
        batch = self.checked([hyps], refs, sources=sources, docs=docs)
        return self.rows(batch, threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:  # noqa: ARG002
        """Return score and weight of every segment, by system."""
        import numpy as np

        self.extra_inputs(batch)
        places: dict[tuple[Any, ...], str] = {}
        asked: list[list[list[tuple[Any, ...]]]] = []
        for number, hyps in enumerate(batch.systems):
            name = "" if batch.names is None else f" of system {batch.names[number]!r}"
            asked.append([self._inputs(batch, at, hyp) for at, hyp in enumerate(hyps)])
            for at, inputs in enumerate(asked[-1]):
                for each in inputs:
                    where = f"segment {batch.numbers[at] + 1}{name}"
                    places.setdefault(each, where)
        names = ("hypothesis", *self.program.needs)
        items = [dict(zip(names, each, strict=True)) for each in places]
        scores = ask(self.program, items, list(places.values())) if items else []
        known = dict(zip(places, scores, strict=True))
        best = max if self.program.higher_is_better else min
        return [
            np.array(
                [(best(known[each] for each in inputs), 1.0) for inputs in system],
                dtype=np.float64,
            ).reshape(-1, 2)
            for system in asked
        ]

    def _inputs(self, batch: Batch, at: int, hyp: str) -> list[tuple[Any, ...]]:
        """Return what the program gets for a segment, once for each reference."""
        refs = tuple(map(str, batch.nested[at]))
        needs = self.program.needs
        one_by_one = refs if "reference" in needs else (None,)
        columns = {
            "source": None if batch.sources is None else str(batch.sources[at]),
            "doc": None if batch.docs is None else batch.docs[at],
            "references": refs,
        }
        return [
            (
                str(hyp),
                *(ref if need == "reference" else columns[need] for need in needs),
            )
            for ref in one_by_one
        ]

    def signature_fields(self) -> dict[str, str]:
        """Return the name, the version, and a hash of command and files."""
        program = self.program
        fields = {"program": re.sub("[|:]", "_", program.name)}
        if program.version:
            fields["of"] = re.sub("[|:]", "_", program.version)
        fields["higher"] = "yes" if program.higher_is_better else "no"
        content = "demo" if self.config == "demo" else config_key(program).hex()[:8]
        return {**fields, "config": content}

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle with the configuration: another machine may not have the file."""
        return _restored, (self.config, self.program, config_key(self.program))


def _restored(config: str, program: ProgramConfig, key: bytes) -> External:
    if config_key(program) != key:
        import platform

        raise InputError(
            f"worker on {platform.node()}: files that {program.name} reads are not the "
            f"same in {program.folder} there; copy the folder, or put it on a disk "
            "that all workers see under the same path"
        )
    metric = External(config=config)
    metric.__dict__["program"] = program
    return metric
