# SPDX-License-Identifier: Apache-2.0
"""Reference sets in files beside a test set: the layer ``automaton`` of references."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from tertium.automata.automaton import Automaton
from tertium.automata.shortest import shortest_sentence
from tertium.data.annotated import Annotated
from tertium.data.layers import LayerFiles
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.grammars.sets.reference_files import read_reference_sets
from tertium.notes import Note

__all__ = ["with_set_files"]

_NOTES = 6  # more of them are only counted


def with_set_files(chunks: Iterator[Testset], files: LayerFiles) -> Iterator[Testset]:
    """Yield chunks whose first references carry the reference sets of their segments.

    A segment without a reference gets the shortest sentence of its set as one.
    """
    sets = _Sets(files.set_files())
    notes = sets.notes
    for chunk in chunks:
        yield replace(sets.add(chunk), notes=(*chunk.notes, *notes))
        notes = ()
    sets.close()


class _Sets:
    """The reference sets of a test set, handed out in step with it."""

    def __init__(self, paths: list[str]) -> None:
        self._name = ", ".join(paths)
        segments = read_reference_sets(*paths)
        self._sets: Mapping[str, Automaton] = {
            segment.id: segment.automaton for segment in segments
        }
        self._by_id: bool | None = None
        self._done = 0
        texts = [text for segment in segments for text in segment.notes]
        self.notes = tuple(Note("reference-set", {"text": t}) for t in texts[:_NOTES])
        if len(texts) > _NOTES:
            self.notes += (Note("more-notes", {"count": f"{len(texts) - _NOTES:,}"}),)

    def add(self, chunk: Testset) -> Testset:
        """Return a chunk whose first references carry their sets."""
        references = []
        for refs, automaton in zip(chunk.references, self._take(chunk), strict=True):
            texts = refs or (" ".join(shortest_sentence(automaton)),)
            first = texts[0]
            layers = dict(first.layers) if isinstance(first, Annotated) else {}
            layers["automaton"] = automaton
            if not refs:
                layers["stand-in"] = True
            references.append((Annotated(first, layers), *texts[1:]))
        return replace(chunk, references=references)

    def _take(self, chunk: Testset) -> list[Automaton]:
        if self._by_id is None:
            # Names such as 1, 2 ... are also what files without ids give.
            self._by_id = bool(self._sets.keys() & {*(chunk.ids or ())})
        start = self._done
        self._done += len(chunk)
        if not self._by_id:
            taken = list(self._sets.values())[start : self._done]
            if len(taken) < len(chunk):
                message = (
                    f"{self._name}: there are sets for {len(self._sets):,} segments, "
                    "the test set has more; give one for each"
                )
                raise InputError(message)
            return taken
        ids = chunk.ids or []
        missing = [name for name in ids if name not in self._sets]
        if missing:
            message = (
                f"{self._name}: there is no set for the segment {missing[0]!r}; give "
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
