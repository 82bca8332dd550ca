# SPDX-License-Identifier: Apache-2.0
"""Parts of a set that ``tertium correlate --slice`` compares."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.errors import FormatError, InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.meta.evaluation import Evaluation
    from tertium.meta.human import Human

__all__ = ["ratings_by_judge", "sliced"]


def sliced(
    both: Evaluation, testset: Testset | None, kind: str | None
) -> list[Evaluation]:
    """Return the parts that --slice asks for: NAME, or NAME=FILE with the groups."""
    from tertium.meta.scores import segment_names
    from tertium.meta.slices import by_judge, by_segment, length_groups

    if kind is None:
        return [both]
    name, _, path = kind.partition("=")
    if path:
        groups = _groups(path)
        if name == "judge":
            return by_judge(both, lambda judge: groups.get(judge, "others"))
        if name == "segment":
            return by_segment(both, groups)
        raise InputError(f"--slice {kind} is neither judge=FILE nor segment=FILE")
    if name == "judge":
        return by_judge(both, lambda judge: judge)
    if testset is None:
        raise InputError(f"slices by {name} need the test set; give it")
    if name == "length":
        return by_segment(both, length_groups(testset))
    columns = dict(testset.layers)
    if testset.docs is not None:
        columns["document"] = testset.docs
    if name not in columns:
        known = ["length", "judge", *columns]
        raise UnknownNameError("slice", name, known)
    return by_segment(
        both, dict(zip(segment_names(testset), columns[name], strict=True))
    )


def ratings_by_judge(
    judgements: Judgements,
    kind: str,
    langpair: str | None,
    scored: Callable[[Judgements], Human],
) -> Iterator[Human]:
    """Yield the ratings of groups of judges; they are means, so each is made anew."""
    own = judgements if langpair is None else judgements.filter(langpair=langpair)
    judges = own.names("judge")
    if not judges:
        raise InputError("slices by judge need judges, and no judgement names its own")
    path = kind.partition("=")[2]
    known = _groups(path) if path else {name: name for name in judges}
    groups: dict[str, list[str]] = {}
    for judge in judges:
        groups.setdefault(known.get(judge, "others"), []).append(judge)
    unknown = own.nameless("judge")
    for group, members in groups.items():
        human = scored(own.filter(judge=members))
        notes = human.notes
        if unknown:
            notes += (f"{unknown:,} judgements of unknown judges are in no slice",)
        yield replace(human, langpair=f"{langpair or 'all'} {group}", notes=notes)


def _groups(path: str) -> dict[str, str]:
    """Return the groups of a table: a name and its group per line, TSV or CSV."""
    from tertium.data.formats.comma import read_table

    found = {}
    for number, cells in read_table(path):
        if len(cells) < 2 or not all(cells[:2]):
            line = " ".join(cells)
            what = f"{line!r} is not a name and its group, separated by a tab"
            raise FormatError(what, path=path, line=number)
        found[cells[0]] = "\t".join(cells[1:])
    return found
