# SPDX-License-Identifier: Apache-2.0
"""Scores of hypotheses from files: what they weigh, and which they keep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from tertium.cli.shared import flags
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.cli.mbr.streaming import Options
    from tertium.tuning.lists import NBestList
    from tertium.tuning.mbr.shortlist import Shortlist

__all__ = ["check_scores", "with_scores"]


class _Scores(NamedTuple):
    values: list[float]
    rises: bool


def check_scores(options: Options, *, streamed: bool) -> None:
    """Reject options on scores that do not go together."""
    if not options.scores:
        for flag, value in (
            ("--keep", options.keep),
            ("--lower-is-better", options.lower_is_better),
            ("--higher-is-better", options.higher_is_better),
        ):
            if value:
                raise InputError(f"{flag} is about --scores; give them, or omit it")
        return
    from tertium.meta.files.direction import check_directions

    check_directions(options.lower_is_better, options.higher_is_better)
    if streamed:
        raise InputError("--scores belong to lists in files; omit --rows-per-shard")
    names = [name for name, _ in flags.named_files(options.scores)]
    if options.keep is not None and len(names) > 1:
        message = f"--keep needs one file of scores, not {len(names)}"
        raise InputError(f"{message}; give one")
    if options.keep is None and options.utility_weights not in names:
        raise InputError(
            "--scores alone change nothing; add --keep N, or --utility-weights "
            f"{names[0]} for log-probabilities"
        )


def with_scores(
    options: Options, lists: Sequence[NBestList]
) -> tuple[Sequence[NBestList], Shortlist | None]:
    """Return lists with scores as features, and the shortlist of ``--keep``."""
    if not options.scores:
        return lists, None
    from tertium.tuning.mbr.shortlist import Shortlist
    from tertium.tuning.reranking import attach_scores

    directions = {
        **dict.fromkeys(options.lower_is_better, "no"),
        **dict.fromkeys(options.higher_is_better, "yes"),
    }
    files = flags.named_files(options.scores)
    known = {
        name: _read(name, path, directions.get(name, "auto")) for name, path in files
    }
    if unknown := set(directions) - set(known):
        message = f"no scores called {', '.join(sorted(unknown))}"
        raise InputError(f"{message}; choose from {', '.join(known)}")
    lists = attach_scores(lists, {name: each.values for name, each in known.items()})
    if options.keep is None:
        return lists, None
    (name, scores), *_ = known.items()
    return lists, Shortlist(
        lists, name, keep=options.keep, higher_is_better=scores.rises
    )


def _read(name: str, path: str, higher: str) -> _Scores:
    from tertium.meta.files.scores import ScoreFile, read_scores
    from tertium.scores import FileScores
    from tertium.scores.lookup import MARK

    known = read_scores([ScoreFile(path, name)], position_mark=MARK)
    if len(known) != 1 or len(known[0].segment) != 1:
        message = f"{path} has scores of several metrics or systems"
        raise InputError(f"{message}; give one score per hypothesis, in their order")
    (scores,) = known[0].segment.values()
    numbers = range(1, len(scores) + 1)
    for mark in (MARK, ""):
        if all(f"{mark}{number}" in scores for number in numbers):
            values = [scores[f"{mark}{number}"] for number in numbers]
            metric = FileScores(file=path, name=name, higher=higher, scores=known[0])
            return _Scores(values, metric.higher_is_better)
    raise InputError(f"{path} does not number hypotheses from 1; give them in order")
