# SPDX-License-Identifier: Apache-2.0
"""Slices: the same comparison on some of the segments, or some of the judges.

A slice is named ``length``, ``document``, ``judge`` or as another column of the test
set; ``judge=FILE`` and ``segment=FILE`` read groups from a table.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from tertium.data.formats.comma import read_table
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.meta.answers import new_places
from tertium.meta.evaluation import Evaluation, Measured
from tertium.meta.human import Human, scored
from tertium.meta.scores import segment_names
from tertium.notes import Note

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.data.testset import Testset
    from tertium.judgements import Judgements

__all__ = ["by_judge", "by_segment", "length_groups", "ratings_by_judge", "sliced"]


def sliced(
    both: Evaluation, testset: Testset | None, name: str | None
) -> list[Evaluation]:
    """Return one evaluation per slice; the whole one where no slice is named.

    Parameters
    ----------
    both : Evaluation
    testset : Testset, optional
        Needed for slices by length, document or another column.
    name : str, optional

    Raises
    ------
    InputError
        If there is no such slice, or nothing to make it from.
    """
    if name is None:
        return [both]
    column, _, path = name.partition("=")
    if path:
        groups = _read_groups(path)
        if column == "judge":
            return by_judge(both, lambda judge: groups.get(judge, "others"))
        if column == "segment":
            return by_segment(both, groups)
        message = f"slice {name!r} is neither judge=FILE nor segment=FILE"
        raise InputError(message, options=("slice",))
    if column == "judge":
        return by_judge(both, lambda judge: judge)
    if testset is None:
        raise InputError(f"slices by {column} need the test set; give it")
    if column == "length":
        return by_segment(both, length_groups(testset))
    columns = dict(testset.layers)
    if testset.docs is not None:
        columns["document"] = testset.docs
    if column not in columns:
        raise UnknownNameError("slice", column, ["length", "judge", *columns])
    segments = segment_names(testset)
    return by_segment(both, dict(zip(segments, columns[column], strict=True)))


def ratings_by_judge(
    judgements: Judgements,
    name: str,
    langpair: str | None,
    scored: Callable[[Judgements], Human],
) -> Iterator[Human]:
    """Yield the ratings of every group of judges; these are means, so made anew.

    Parameters
    ----------
    judgements : Judgements
    name : str
        Of the slice: ``judge`` or ``judge=FILE``.
    langpair : str, optional
    scored : callable
        Makes ratings of judgements.

    Raises
    ------
    InputError
        If no judgement names its judge.
    """
    if langpair is not None:
        judgements = judgements.filter(langpair=langpair)
    judges = judgements.names("judge")
    if not judges:
        raise InputError("slices by judge need judges, and no judgement names its own")
    path = name.partition("=")[2]
    group_of = _read_groups(path) if path else {judge: judge for judge in judges}
    groups: dict[str, list[str]] = {}
    for judge in judges:
        groups.setdefault(group_of.get(judge, "others"), []).append(judge)
    unknown = judgements.nameless("judge")
    for group, members in groups.items():
        human = scored(judgements.filter(judge=members))
        notes = human.notes
        if unknown:
            notes += (_unknown_judges(unknown, "judgements"),)
        yield replace(human, langpair=f"{langpair or 'all'} {group}", notes=notes)


def _unknown_judges(unknown: int, what: str) -> Note:
    return Note("judges-unknown", {"unknown": unknown, "what": what})


def _read_groups(path: str) -> dict[str, str]:
    """Return the groups in a table: a name and its group per line, TSV or CSV."""
    groups = {}
    for number, cells in read_table(path):
        if len(cells) < 2 or not all(cells[:2]):
            line = " ".join(cells)
            what = f"{line!r} is not a name and its group, separated by a tab"
            raise FormatError(what, path=path, line=number)
        groups[cells[0]] = "\t".join(cells[1:])
    return groups


def length_groups(testset: Testset, *, groups: int = 4) -> dict[str, str]:
    """Return the name of a length group for every segment.

    Groups have about as many segments each; lengths are words of the first
    reference, or of the source where there is none.
    """
    if testset.references and testset.references[0]:
        texts = [refs[0] for refs in testset.references]
    elif testset.sources:
        texts = testset.sources
    else:
        raise InputError("slices by length need references or sources; give some")
    lengths = np.array([len(text.split()) for text in texts])
    cuts = np.unique(np.quantile(lengths, np.linspace(0, 1, groups + 1)[1:-1]))
    place = np.searchsorted(cuts, lengths, side="left")
    names = {}
    for group in range(len(cuts) + 1):
        members = lengths[place == group]
        if len(members):
            names[group] = f"{members.min()}-{members.max()} words"
    order = np.argsort(lengths, kind="stable")  # groups come by rising length
    segments = segment_names(testset)
    return {segments[i]: names[int(place[i])] for i in order}


def by_segment(both: Evaluation, group_of: Mapping[str, str]) -> list[Evaluation]:
    """Return one evaluation a group of segments.

    Scores of systems are those of the group: means of ratings, and means of the
    metric's segments; wins are counted again.

    Parameters
    ----------
    both : Evaluation
    group_of : mapping of str to str
        The group of every segment, which gives the order of the groups; a segment
        without one is left out.
    """
    judged = set(both.human.segments)
    groups = dict.fromkeys(group for name, group in group_of.items() if name in judged)
    if not groups:
        raise InputError("no judged segment has a group; check the names of segments")

    def chosen(group: str) -> NDArray[np.bool_]:
        return np.array([group_of.get(name) == group for name in both.human.segments])

    return [_restricted(both, group, chosen(group)) for group in groups]


def by_judge(both: Evaluation, group_of: Callable[[str], str]) -> list[Evaluation]:
    """Return one evaluation a group of judges; rankings only."""
    comparisons = both.human.comparisons
    if comparisons is None:
        message = "slices by judge need rankings, or ratings that name their judges"
        raise InputError(message, options=("judgements",))
    names = [group_of(name) for name in comparisons.judges]
    notes = both.notes
    unknown = int((comparisons.judge < 0).sum())
    if unknown:
        notes += (_unknown_judges(unknown, "comparisons"),)
    out = []
    for group in dict.fromkeys(names):
        members = np.array([name == group for name in names] + [False])  # -1: unknown
        kept = comparisons.select(members[comparisons.judge])
        human = _named(replace(both.human, comparisons=kept), group)
        out.append(replace(both, human=human, notes=notes))
    return out


def _restricted(both: Evaluation, group: str, chosen: NDArray[np.bool_]) -> Evaluation:
    human = both.human
    ratings = None if human.ratings is None else human.ratings[:, chosen]
    raw = None if human.raw is None else human.raw[:, chosen]
    comparisons = human.comparisons
    if comparisons is not None:
        comparisons = comparisons.select(chosen[comparisons.segment])
        number = np.cumsum(chosen) - 1
        comparisons = replace(
            comparisons, segment=number[comparisons.segment].astype(np.int32)
        )
    kept = tuple(n for n, inside in zip(human.segments, chosen, strict=True) if inside)
    metrics = tuple(
        Measured(
            metric.name,
            np.array(list(_row_means(metric.segment[:, chosen]))),
            metric.segment[:, chosen],
            metric.probe,
            undefined=None if metric.undefined is None else metric.undefined[:, chosen],
        )
        for metric in both.metrics
        if metric.segment is not None
    )
    answers = human.answers
    if answers is not None:
        answers = answers.restricted(segments=new_places(chosen))
    part = replace(
        human,
        segments=kept,
        ratings=ratings,
        raw=raw,
        comparisons=comparisons,
        answers=answers,
    )
    note = Note("means-of-slices")
    return replace(
        both,
        human=_named(part, group),
        metrics=metrics,
        notes=tuple(dict.fromkeys((*both.notes, note))),
    )


def _row_means(matrix: NDArray[np.float64]) -> Sequence[float]:
    return [
        float(row[~np.isnan(row)].mean()) if not np.isnan(row).all() else float("nan")
        for row in matrix
    ]


def _named(human: Human, group: str) -> Human:
    """Return the judgements under the name of the group, systems scored anew."""
    name = f"{human.langpair or 'all'} {group}"
    return scored(replace(human, langpair=name))
