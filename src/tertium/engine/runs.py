# SPDX-License-Identifier: Apache-2.0
"""Several runs of one system: outputs of the same system trained or tuned again.

Inside, every run is a system of its own, called ``NAME#1``, ``NAME#2``, ...; what
belongs together is put together again when there are scores.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tertium.engine.results import Score
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.engine.inputs import Systems

__all__ = [
    "RunGroups",
    "Runs",
    "mean_score",
    "reject_runs",
    "run_name",
    "split_runs",
]


class Runs(Sequence[Sequence[str]]):
    """The outputs of several runs of one system.

    Parameters
    ----------
    outputs : sequence of sequences of str
        The texts of every run.

    Examples
    --------
    >>> import tertium
    >>> runs = tertium.Runs([["the cat sat"], ["the cat sits"]])
    >>> table = tertium.score({"A": runs}, ["the cat sat"], metrics=["wer"])
    >>> table["A"]["wer"].runs
    [0.0, 0.3333333333333333]
    """

    def __init__(self, outputs: Sequence[Sequence[str]]) -> None:
        if not outputs or isinstance(outputs, str):
            raise InputError("runs need a list of texts each; give at least one run")
        for number, texts in enumerate(outputs, start=1):
            if isinstance(texts, str):
                message = f"run {number} is one text; give the list of its texts"
                raise InputError(message)
        self._outputs = [list(texts) for texts in outputs]

    def __len__(self) -> int:
        return len(self._outputs)

    def __getitem__(self, place: int) -> Sequence[str]:  # type: ignore[override]
        return self._outputs[place]

    def __repr__(self) -> str:
        return f"<Runs: {len(self)} of {len(self[0])} segments>"


def run_name(system: str, number: int) -> str:
    """Return what a run is called inside; they are counted from 1."""
    return f"{system}#{number}"


def reject_runs(system: str) -> InputError:
    """Return the error for several runs where a system can have but one."""
    message = f"system {system!r} has several runs, which only score, compare and "
    message += "report take"
    return InputError(f"{message}; choose one of them")


def split_runs(systems: Systems) -> tuple[Systems, dict[str, list[str]]]:
    """Return systems whose runs are systems, and the names of runs by system."""
    if not isinstance(systems, Mapping):
        if isinstance(systems, Runs):
            return split_runs({"system": systems})
        return systems, {}
    named: dict[str, Sequence[str]] = {}
    runs: dict[str, list[str]] = {}
    for name, texts in systems.items():
        if not isinstance(texts, Runs):
            named[name] = texts
            continue
        runs[name] = [run_name(name, number) for number in range(1, len(texts) + 1)]
        named |= dict(zip(runs[name], texts, strict=True))
    return named, runs


@dataclass(frozen=True)
class RunGroups:
    """Which of the systems of a test set are runs of one system.

    Attributes
    ----------
    names : list of str
        Of the systems, in the order of their first runs.
    members : list of list of int
        The places of their runs in the test set.
    """

    names: list[str]
    members: list[list[int]]

    @classmethod
    def of(
        cls, systems: Sequence[str], runs: Mapping[str, Sequence[str]] | None
    ) -> RunGroups:
        """Return the groups of a test set; a system without runs is its only run.

        Raises
        ------
        UnknownNameError, InputError
            If the test set has no such run, or a run or name is there twice.
        """
        system_of: dict[str, str] = {}
        for name, listed in (runs or {}).items():
            if not listed:
                raise InputError(f"system {name!r} has no runs; name at least one")
            for run in listed:
                if run not in systems:
                    raise UnknownNameError("run", run, systems)
                if run in system_of:
                    raise InputError(f"run {run!r} is given twice; keep one")
                system_of[run] = name
        groups: dict[str, list[int]] = {}
        for place, name in enumerate(systems):
            if name not in system_of and name in (runs or {}):
                raise InputError(f"{name!r} is a system and has runs; rename one")
            groups.setdefault(system_of.get(name, name), []).append(place)
        return cls(list(groups), list(groups.values()))

    @property
    def several(self) -> bool:
        """Whether any system has more than one run."""
        return any(len(places) > 1 for places in self.members)

    def __iter__(self) -> Iterator[tuple[str, list[int]]]:
        return iter(zip(self.names, self.members, strict=True))

    def signature(self) -> dict[str, str]:
        """Return what signatures say about runs: nothing where each has one."""
        counts = sorted({len(places) for places in self.members})
        return {"runs": "-".join(map(str, counts))} if self.several else {}


def mean_score(runs: Sequence[Score]) -> Score:
    """Return the mean of the scores of runs, of segments and documents too.

    A segment that a metric leaves out in some runs has the mean of the others.
    """
    segments = documents = None
    if all(run.segments is not None for run in runs):
        columns = zip(*(run.segments or () for run in runs), strict=True)
        segments = [_mean([x for x in column if x is not None]) for column in columns]
    if all(run.documents is not None for run in runs):
        by_run = [run.documents or {} for run in runs]
        documents = {
            doc: sum(each[doc] for each in by_run) / len(by_run) for doc in by_run[0]
        }
    return Score(
        score=sum(run.score for run in runs) / len(runs),
        segments=segments,
        documents=documents,
        degenerate=sum(run.degenerate for run in runs),
        unproven=sum(run.unproven for run in runs),
        undefined=sum(run.undefined for run in runs),
        runs=[run.score for run in runs],
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
