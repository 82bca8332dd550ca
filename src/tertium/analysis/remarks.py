# SPDX-License-Identifier: Apache-2.0
"""What readers of a report should know before they trust its tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.analysis.groups import too_many_values
from tertium.notes import Note
from tertium.stats.limits import hopeless

if TYPE_CHECKING:
    from tertium.analysis.intervals import Difference, Resampler
    from tertium.data.segmentation import Resegmentation
    from tertium.data.testset import Testset
    from tertium.engine.comparison import Comparison

__all__ = ["on_groups", "on_resegmentation", "on_runs", "on_stems", "on_tests"]


def on_runs(comparison: Comparison) -> Iterator[Note]:
    """Yield that only scores and tests use every run of a system."""
    table = comparison.scores
    several = [
        name
        for name, scores in table.systems.items()
        if any(len(score.runs or ()) > 1 for score in scores.values())
    ]
    if several:
        yield Note("first-runs", {"systems": several})


def on_resegmentation(
    results: Mapping[str, Resegmentation], notes: Sequence[Note]
) -> Iterator[Note]:
    """Yield which outputs were cut into other lines, and how sure that is.

    Parameters
    ----------
    results : mapping of str to Resegmentation
        By system or run; empty where nothing had to be cut.
    notes : sequence of Note
        Of the test set that was made by cutting.
    """
    if results:
        yield from notes
    for name, result in results.items():
        for note in result.notes(name):
            if note.code != "not-resegmented":
                yield note


def on_stems(language: str, *, known: bool) -> Iterator[Note]:
    """Yield why words do not match by their stems, if they do not.

    Parameters
    ----------
    language : str
        Of the texts, "" if nobody knows it.
    known : bool
        Whether it has a stemmer.
    """
    if not language:
        yield Note("stems-unknown")
    elif not known:
        yield Note("stems-missing", {"language": language})


def on_groups(testset: Testset, tags: Mapping[str, Sequence[str]]) -> Iterator[Note]:
    """Yield which columns, of those that were asked for, do not group segments."""
    columns = {} if testset.docs is None else {"document": testset.docs}
    for kind, column in {**columns, **tags}.items():
        if most := too_many_values(column):
            values = {"kind": kind, "values": len(set(column))}
            numbers = {"segments": len(column), "most": most}
            yield Note("values-many", {**values, **numbers})


def on_tests(
    tables: Mapping[str, Sequence[Difference | None]], resampler: Resampler
) -> Iterator[Note]:
    """Yield in which tables no test could be significant after its correction.

    Parameters
    ----------
    tables : mapping of str to sequence of Difference
        The tests that are corrected together.
    resampler : Resampler
        How they were made.
    """
    for table, differences in tables.items():
        tests = sum(each is not None for each in differences)
        resamples = resampler.for_tests(tests).resamples
        why = hopeless(
            tests,
            resampler.alpha,
            correction="holm",
            resamples=resamples,
            units=2,  # a single one is not tested
            swapped=False,
        )
        if tests and why:
            numbers = {"resamples": resamples, "tests": tests, "needed": why.needed}
            yield Note("tests-hopeless", {"table": table, "p": why.adjusted, **numbers})
