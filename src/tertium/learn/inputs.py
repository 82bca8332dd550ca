# SPDX-License-Identifier: Apache-2.0
"""What a model is trained on: test sets paired with judgements, n-best lists."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from tertium._messages import count
from tertium.data.formats.nbest import read_nbest
from tertium.data.lines import open_lines
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.judgements import Judgements
from tertium.learn.data import Source, make_source
from tertium.learn.training import SelfTraining
from tertium.meta.inputs.judged import read_judged
from tertium.meta.inputs.testsets import (
    common_pairs,
    named_by_judgements,
    read_testsets,
)
from tertium.notes import Note

if TYPE_CHECKING:
    from tertium.meta.inputs.judged import JudgementsLike
    from tertium.meta.inputs.testsets import OnNote, TestsetLike
    from tertium.stats.resample import Report

__all__ = ["JudgementGroups", "TestsetGroups", "read_self_training", "read_sources"]

StrPath: TypeAlias = "str | os.PathLike[str]"
#: Test sets of one campaign, or of several: a sequence of sequences.
TestsetGroups: TypeAlias = (
    "TestsetLike | Sequence[TestsetLike] | Sequence[Sequence[TestsetLike]]"
)
#: Judgements of one campaign, or of several: a sequence of sequences.
JudgementGroups: TypeAlias = "JudgementsLike | Sequence[JudgementsLike]"


def read_sources(
    testsets: TestsetGroups,
    judgements: JudgementGroups | None = None,
    *,
    names: Sequence[str] = (),
    langpair: Sequence[str] = (),
    only: Sequence[str] = (),
    scale: str | None = None,
    ratings_by: str | None = None,
    empty: str = "drop",
    systems_columns: Sequence[str] | None = None,
    on_note: OnNote,
    progress: Report | None = None,
) -> list[Source]:
    """Return one source per campaign and language pair.

    Parameters
    ----------
    testsets, judgements, names, langpair, only, scale, ratings_by, empty
    systems_columns
        As in :func:`tertium.train`.
    on_note : callable
        Called with what was left out.
    progress : callable, optional

    Raises
    ------
    InputError
        If there is nothing to learn from, or groups do not fit together.
    """
    texts = _groups(testsets)
    judged = _groups(judgements)
    if texts == [["demo"]] and not judged:
        judged = [["demo"]]
    _check_groups(texts, judged, names)
    sources: list[Source] = []
    for number, (group, paths) in enumerate(zip(texts, judged, strict=True)):
        table = read_judged(
            paths[0] if isinstance(paths[0], Judgements) else paths,
            only=only,
            on_note=on_note,
            progress=progress,
        )
        by_pair = _paired(group, table, langpair, systems_columns, on_note)
        name = names[number] if names else _campaign(table, group, number)
        if not by_pair:
            message = f"{name}: no texts and judgements of {', '.join(langpair)}"
            raise InputError(f"{message}; choose others", options=("langpair",))
        sources += [
            make_source(
                testset,
                table,
                name=f"{name}/{pair}" if pair else name,
                scale=scale,
                method=ratings_by,
                empty=empty,
            )
            for pair, testset in by_pair.items()
        ]
    _check_names(sources)
    for source in sources:
        for note in source.notes:
            on_note(Note("source-note", {"source": source.name, "note": note}))
    return sources


def _check_groups(
    texts: Sequence[object], judged: Sequence[object], names: Sequence[str]
) -> None:
    if not texts:
        message = "nothing to learn from; give test sets and judgements"
        raise InputError(message, options=("testsets", "judgements"))
    if len(texts) != len(judged):
        message = (
            f"there are {count(len(texts), 'group')} of test sets and "
            f"{count(len(judged), 'group')} of judgements; give judgements with every "
            "group of test sets"
        )
        raise InputError(message, options=("testsets", "judgements"))
    if names and len(names) != len(texts):
        message = (
            f"{count(len(names), 'name')} for {count(len(texts), 'group')} of test "
            "sets; give one for each"
        )
        raise InputError(message, options=("names",))


def _paired(
    testsets: Sequence[TestsetLike],
    judgements: Judgements,
    langpair: Sequence[str],
    systems_columns: Sequence[str] | None,
    on_note: OnNote,
) -> dict[str | None, Testset]:
    """Return the test sets that have judgements, by language pair."""
    known = judgements.names("langpair")
    by_pair = named_by_judgements(
        read_testsets(
            testsets, systems_columns=systems_columns, on_disk=True, on_note=on_note
        ),
        langpair or known,
    )
    return {
        pair: by_pair[pair]
        for pair in common_pairs(known, by_pair, on_note=on_note)
        if not langpair or pair in langpair
    }


def _groups(items: object) -> list[list]:  # type: ignore[type-arg]
    """Return groups of test sets or judgements.

    Examples
    --------
    >>> _groups("a"), _groups(["a", "b"]), _groups([["a"], ["b", "c"]]), _groups(None)
    ([['a']], [['a', 'b']], [['a'], ['b', 'c']], [])
    """
    if items is None:
        return []
    if isinstance(items, (str, os.PathLike, Testset, Judgements)):
        return [[items]]
    if not isinstance(items, Sequence):
        raise InputError(f"{type(items).__name__} is neither a path nor a list of them")
    if any(isinstance(item, (list, tuple)) for item in items):
        return [group for item in items for group in _groups(item)]
    if items and all(isinstance(item, Judgements) for item in items):
        return [[item] for item in items]
    return [list(items)] if items else []


def _campaign(
    judgements: Judgements, testsets: Sequence[TestsetLike], number: int
) -> str:
    """Return what a group is called: its campaign, or the folder of its texts."""
    campaigns = judgements.names("campaign")
    if len(campaigns) == 1:
        return campaigns[0]
    paths = [os.path.abspath(t) for t in testsets if not isinstance(t, Testset)]
    folders = {os.path.basename(os.path.dirname(path)) for path in paths}
    return next(iter(folders)) if len(folders) == 1 else str(number + 1)


def _check_names(sources: Sequence[Source]) -> None:
    names = [source.name for source in sources]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        message = f"two groups have {twice[0]}; give every group of test sets a name"
        raise InputError(message, options=("names",))


def read_self_training(
    nbest: Sequence[StrPath],
    references: Sequence[StrPath],
    *,
    mode: str | None = None,
    sampling: str | None = None,
    rounds: int | None = None,
) -> SelfTraining | None:
    """Return n-best lists with their references; None if there are none.

    Parameters
    ----------
    nbest : sequence of paths
    references : sequence of paths
        One file per n-best list, with one reference per sentence.
    mode, sampling : str, optional
        As in :class:`SelfTraining`.
    rounds : int, optional

    Raises
    ------
    InputError
        If files do not fit together, or there is nothing to use an option for.
    """
    if not nbest:
        for name, value in (
            ("self_training", mode),
            ("sampling", sampling),
            ("rounds", rounds),
        ):
            if value is not None:
                message = f"{name.replace('_', '-')} is for n-best lists; give some"
                raise InputError(message, options=("nbest",))
    if len(nbest) != len(references):
        message = (
            f"{count(len(nbest), 'n-best list')} and "
            f"{count(len(references), 'reference file')}; give one reference file per "
            "n-best list"
        )
        raise InputError(message, options=("nbest", "nbest_references"))
    if not nbest:
        return None
    lists = []
    for path, reference in zip(nbest, references, strict=True):
        sentences, refs = read_nbest(path), list(open_lines(reference))
        if len(sentences) != len(refs):
            message = (
                f"{os.fspath(path)} has {count(len(sentences), 'sentence')}, "
                f"{os.fspath(reference)} has {count(len(refs), 'line')}; give one "
                "reference per sentence"
            )
            raise InputError(message)
        lists.append((sentences, refs))
    return SelfTraining(
        lists,
        mode=mode or "union",
        sampling=sampling or "uniform",
        rounds=rounds,
        names=[os.path.basename(path) for path in nbest],
    )
