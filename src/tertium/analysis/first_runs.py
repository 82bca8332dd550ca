# SPDX-License-Identifier: Apache-2.0
"""Systems with several runs in a report: whose first runs it looks at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.engine.runs import RunGroups

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["first_runs", "readable_runs"]


def readable_runs(testset: Testset, runs: Mapping[str, Sequence[str]]) -> Testset:
    """Return the test set with names of runs that readers understand.

    Parameters
    ----------
    testset : Testset
        Every run is a system of it.
    runs : mapping of str to sequence of str
        The names of runs by system.
    """
    readable = {
        run: f"{name} (run {number})" if len(listed) > 1 else name
        for name, listed in runs.items()
        for number, run in enumerate(listed, start=1)
    }
    systems = {
        readable.get(name, name): texts for name, texts in testset.systems.items()
    }
    return replace(testset, systems=systems)


def first_runs(
    testset: Testset, runs: Mapping[str, Sequence[str]]
) -> tuple[Testset, list[int]]:
    """Return the test set with one output per system, and where these outputs were.

    Parameters
    ----------
    testset : Testset
        Every run is a system of it.
    runs : mapping of str to sequence of str
        The names of runs by system; a system without is its only run.
    """
    groups = RunGroups.of(list(testset.systems), runs)
    outputs = list(testset.systems.values())
    places = [members[0] for members in groups.members]
    systems = {
        name: outputs[place] for name, place in zip(groups.names, places, strict=True)
    }
    return replace(testset, systems=systems), places
