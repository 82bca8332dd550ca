# SPDX-License-Identifier: Apache-2.0
"""The result of an evaluation: all outputs, all systems, and how it was done."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from tertium._notebook import Shown
from tertium._version import __version__
from tertium.data.lines import StrPath, write_lines
from tertium.grammars.analysis.bootstrap import caution
from tertium.grammars.analysis.differences import Difference
from tertium.grammars.analysis.near import Near
from tertium.grammars.analysis.outlines import difference_outline, system_outline
from tertium.grammars.analysis.record_files import record_outline, write_records
from tertium.grammars.analysis.records import SegmentRecord
from tertium.grammars.analysis.sensitivity import MoveSensitivity
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.search.edits import TAXONOMY, UNIT, EditCosts, Kind
from tertium.grammars.sets.exchange import make_folder
from tertium.stats import Bootstrap
from tertium.stats.limits import Hopeless, hopeless

__all__ = ["Evaluation"]


@dataclass(frozen=True)
class Evaluation(Shown):
    """Systems compared on a test set with reference sets.

    Parameters
    ----------
    records : dict of str to tuple of SegmentRecord
        By system, all in the order of the test set.
    systems : tuple of SystemResult
        In the order given.
    differences : tuple of Difference
        Of all pairs, the better system first.
    sensitivity : tuple of MoveSensitivity
        Scores with other costs of moves, the cost that was used among them.
    costs : EditCosts
    near : Near
    bootstrap : Bootstrap
    analyser : str
        Name and version.
    templates : dict of str to str
        Prototypes of the templates, where known.
    notes : tuple of str
        What reference files contain and the reference sets do not.
    """

    records: Mapping[str, tuple[SegmentRecord, ...]]
    systems: tuple[SystemResult, ...]
    differences: tuple[Difference, ...]
    sensitivity: tuple[MoveSensitivity, ...]
    costs: EditCosts
    near: Near
    bootstrap: Bootstrap
    analyser: str
    templates: Mapping[str, str]
    notes: tuple[str, ...] = ()

    @cached_property
    def ranking(self) -> tuple[SystemResult, ...]:
        """The systems, the best (lowest score) first."""
        return tuple(sorted(self.systems, key=lambda one: (one.score, one.name)))

    @property
    def segments(self) -> list[SegmentRecord]:
        """All records: segment by segment, systems in the order given."""
        return [
            row for rows in zip(*self.records.values(), strict=True) for row in rows
        ]

    @property
    def caution(self) -> str:
        """A warning about the intervals, or an empty string."""
        rows = next(iter(self.records.values()), ())
        return caution([row.template for row in rows])

    def hopeless(self) -> Hopeless | None:
        """Return why no difference could be significant; None if one could."""
        if not self.bootstrap.resamples or not self.differences:
            return None
        return hopeless(
            len(self.differences),
            1 - self.bootstrap.confidence,
            correction="holm",
            resamples=self.bootstrap.resamples,
            units=len(next(iter(self.records.values()))),
            # P-values are at least those of segments that change sides.
            swapped=True,
        )

    def system(self, name: str) -> SystemResult:
        """Return a system by its name."""
        return {system.name: system for system in self.systems}[name]

    def save(self, folder: StrPath) -> None:
        """Write ``segments.jsonl`` and ``system.json`` into a folder."""
        make_folder(folder)
        write_records(self.segments, os.path.join(folder, "segments.jsonl"))
        text = json.dumps(self.to_json(), ensure_ascii=False, indent=2)
        write_lines(os.path.join(folder, "system.json"), text.split("\n"))

    def to_json(self, *, records: bool = False) -> dict[str, object]:
        """Return the whole evaluation as a JSON object.

        Keys: ``tertium`` (version), ``analyser``, ``costs`` (by edit, and ``moves``,
        ``window``, ``profile``), ``near`` (``tau``, ``delta``, ``count``),
        ``bootstrap`` (``resamples``, ``seed``, ``confidence``, ``clusters``:
        "template", ``caution``), ``segments`` (how many), ``taxonomy`` (edits of each
        category), ``templates`` (prototypes), ``ranking`` (names, best first),
        ``systems`` (a list, see :func:`system_outline`), ``differences`` (a list) and
        ``sensitivity`` (``move``, ``scores``, ``ranking``). Costs are in units,
        scores are costs per reference token, intervals are ``[low, high]`` or null.

        Parameters
        ----------
        records : bool
            Whether to include ``records``, all outputs as in ``segments.jsonl`` (see
            :func:`record_outline`).
        """
        costs: dict[str, object] = {
            kind.label: self.costs.of(kind) / UNIT for kind in Kind if kind
        }
        outline: dict[str, object] = {
            "tertium": __version__,
            "analyser": self.analyser,
            "costs": {
                "profile": self.costs.profile,
                **costs,
                "moves": self.costs.moves,
                "window": self.costs.window,
            },
            "near": {
                "tau": self.near.tau,
                "delta": self.near.delta,
                "count": self.near.count,
            },
            "bootstrap": {
                "resamples": self.bootstrap.resamples,
                "seed": self.bootstrap.seed,
                "confidence": self.bootstrap.confidence,
                "clusters": "template",
                "caution": self.caution,
            },
            "segments": len(next(iter(self.records.values()), ())),
            "taxonomy": {
                name: [kind.label for kind in kinds] for name, kinds in TAXONOMY.items()
            },
            "templates": dict(self.templates),
            "ranking": [one.name for one in self.ranking],
            "systems": [system_outline(one) for one in self.systems],
            "differences": [difference_outline(one) for one in self.differences],
            "sensitivity": [
                {
                    "move": one.move / UNIT,
                    "scores": dict(one.scores),
                    "ranking": one.ranking,
                }
                for one in self.sensitivity
            ],
        }
        if records:
            outline["records"] = [record_outline(row) for row in self.segments]
        return outline
