# SPDX-License-Identifier: Apache-2.0
"""Word links in files beside a test set: the layer ``links`` of outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from tertium._messages import count
from tertium.align.links import Links, with_links
from tertium.align.pharaoh import stream_pharaoh
from tertium.align.word_counts import WordCounts
from tertium.data.annotated import Annotated
from tertium.data.layers import LayerFiles, files_by_system
from tertium.data.lines import display
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError

__all__ = ["with_alignment_files"]


def with_alignment_files(
    chunks: Iterator[Testset], files: LayerFiles
) -> Iterator[Testset]:
    """Yield chunks whose outputs carry the links of their alignment files."""
    systems: dict[str, _System] | None = None
    done = 0
    for chunk in chunks:
        if systems is None:
            paths = files_by_system(files.alignment_files(), chunk, "alignments")
            systems = {name: _System(name, paths[name], files) for name in paths}
        texts = dict(chunk.systems)
        for name, system in systems.items():
            texts[name] = list(system.add(chunk, done))
        done += len(chunk)
        yield replace(chunk, systems=texts)
    for system in (systems or {}).values():
        system.close(done)


class _System:
    """The alignment files of a system, one per reference, read in step with it."""

    def __init__(self, name: str, paths: Sequence[str], files: LayerFiles) -> None:
        self._name = name
        self._paths = paths
        self._sure_only = files.sure_only
        self._words = WordCounts(files.link_tokenize)
        base = int(files.one_based)
        self._streams = [stream_pharaoh(path, base=base) for path in paths]

    def add(self, chunk: Testset, done: int) -> Sequence[str]:
        """Return the outputs of a chunk with their links."""
        self._check_references(chunk, done)
        columns = [self._take(chunk, ref, done) for ref in range(len(self._paths))]
        linked = with_links(chunk.systems[self._name], *columns)
        if self._sure_only:  # Signatures tell.
            linked = [Annotated(t, {**t.layers, "sure": True}) for t in linked]
        return linked

    def close(self, done: int) -> None:
        """Check that no file has links left."""
        for stream, path in zip(self._streams, self._paths, strict=True):
            if next(stream, None) is not None:
                raise FormatError(
                    f"there are links beyond the {done} segments of the test set; "
                    "give one line per segment",
                    path=display(path),
                    line=done + 1,
                )

    def _take(self, chunk: Testset, ref: int, done: int) -> list[Links]:
        """Return the links of a chunk to a reference, checked against the texts."""
        path = self._paths[ref]
        column = list(islice(self._streams[ref], len(chunk)))
        if len(column) < len(chunk):
            raise FormatError(
                f"the links end after {count(done + len(column), 'line')}, the test "
                "set has more segments; give one line per segment, blank if there are "
                "no links",
                path=display(path),
            )
        hyps = chunk.systems[self._name]
        texts = [refs[ref] for refs in chunk.references]
        self._words.check(column, hyps, texts, path=path, line=done + 1)
        if self._sure_only:
            return [tuple(link for link in links if link.sure) for links in column]
        return column

    def _check_references(self, chunk: Testset, done: int) -> None:
        for number, refs in enumerate(chunk.references, start=done + 1):
            if len(refs) != len(self._paths):
                raise InputError(
                    f"alignments has {count(len(self._paths), 'file')} for system "
                    f"{self._name!r}, and segment {number} has "
                    f"{count(len(refs), 'reference')}; give one file per reference, as "
                    f"{self._name}=FILE,FILE",
                    options=("alignments",),
                )
