# SPDX-License-Identifier: Apache-2.0
"""Sets of references beside a test set: the layer ``automaton`` of references."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.data.testset import Testset
    from tertium.metrics.base import Metric

__all__ = ["add_sets", "check_sets", "set_paths", "testset_with_sets", "with_sets"]

_Chunks: TypeAlias = "Callable[[], Iterator[Testset]]"


def add_sets(group: argparse._ActionsContainer) -> None:
    """Add the option that brings sets of references."""
    group.add_argument(
        "--sets",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="sets of references for evalgen, beside those given: light notation, "
        "OpenFst text, lattices, JSON lines, matched by segment id if the test set has "
        "ids, else in its order; "
        "where there is no reference, the shortest sentence of a set (of several the "
        "first in the alphabet) is one",
    )


def set_paths(args: argparse.Namespace) -> list[str]:
    """Return the files of sets, as they were named."""
    return list(getattr(args, "sets", None) or ())


def check_sets(
    args: argparse.Namespace, metrics: Sequence[Metric], *, needed: bool
) -> None:
    """Refuse sets that no metric reads; if they bring references, say which.

    Parameters
    ----------
    args : argparse.Namespace
    metrics : sequence of Metric
    needed : bool
        Whether there are no references but theirs.

    Raises
    ------
    InputError
        When sets have no use.
    """
    if not set_paths(args) or any("automaton" in own.layers for own in metrics):
        return
    what = f"none of {', '.join(own.spec for own in metrics)} reads sets of references"
    if not needed:
        raise InputError(f"{what}; leave out --sets, or name evalgen")
    from tertium.cli.shared.remarks import remark

    remark(
        args,
        f"{what}: the shortest sentence of each is the only reference; name evalgen "
        "to use them all",
    )


def with_sets(args: argparse.Namespace, open_chunks: _Chunks) -> _Chunks:
    """Return a function that streams the test set with the sets of its segments."""
    paths = set_paths(args)
    if not paths:
        return open_chunks

    said = False

    def opened() -> Iterator[Testset]:
        nonlocal said
        sets = _Sets(paths)
        if not said:  # a test set is read twice by some
            _remark_notes(args, sets)
        said = True
        for chunk in open_chunks():
            yield sets.add(chunk)
        sets.close()

    return opened


def testset_with_sets(
    testset: Testset, paths: Sequence[str], args: argparse.Namespace
) -> Testset:
    """Return a whole test set with the sets of its segments.

    Raises
    ------
    InputError
        When segments of the files are not those of the test set.
    """
    sets = _Sets(paths)
    _remark_notes(args, sets)
    found = sets.add(testset)
    sets.close()
    return found


def _remark_notes(args: argparse.Namespace, sets: _Sets) -> None:
    # Not at the top: its options need this layer.
    from tertium.cli.grammar.inputs import remark_notes

    remark_notes(args, [note for own in sets.segments for note in own.notes])


class _Sets:
    """The sets of a test set, given out in step with it."""

    def __init__(self, paths: Sequence[str]) -> None:
        from tertium.grammars.reference_files import read_reference_sets

        self._name = ", ".join(paths)
        self.segments = read_reference_sets(*paths)
        self._sets: Mapping[str, Automaton] = {
            own.id: own.automaton for own in self.segments
        }
        self._by_id: bool | None = None
        self._done = 0

    def add(self, chunk: Testset) -> Testset:
        """Return a chunk whose first references carry their sets."""
        from tertium.automata.shortest import shortest_sentence
        from tertium.data.annotated import Annotated

        references = []
        for own, automaton in zip(chunk.references, self._take(chunk), strict=True):
            texts = own or (" ".join(shortest_sentence(automaton)),)
            first = texts[0]
            layers = dict(first.layers) if isinstance(first, Annotated) else {}
            layers["automaton"] = automaton
            if not own:
                layers["stand-in"] = True
            carried = Annotated(first, layers)
            references.append((carried, *texts[1:]))
        return replace(chunk, references=references)

    def _take(self, chunk: Testset) -> list[Automaton]:
        if self._by_id is None:
            # Names such as 1, 2 ... are also what files without ids give.
            self._by_id = bool(self._sets.keys() & {*(chunk.ids or ())})
        start = self._done
        self._done += len(chunk)
        if not self._by_id:
            found = list(self._sets.values())[start : self._done]
            if len(found) < len(chunk):
                message = (
                    f"{self._name}: there are sets for {len(self._sets):,} segments, "
                    "the test set has more; give one for each"
                )
                raise InputError(message)
            return found
        ids = chunk.ids or []
        lacking = [name for name in ids if name not in self._sets]
        if lacking:
            message = (
                f"{self._name}: there is no set for the segment {lacking[0]!r}; give "
                "one for each"
            )
            raise InputError(message)
        return [self._sets[name] for name in ids]

    def close(self) -> None:
        """Check that no set is left."""
        if self._done < len(self._sets):
            message = (
                f"{self._name}: there are sets for {len(self._sets):,} segments, the "
                f"test set has {self._done:,}; give one for each"
            )
            raise InputError(message)
