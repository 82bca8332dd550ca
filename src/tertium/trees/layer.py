# SPDX-License-Identifier: Apache-2.0
"""Trees in CoNLL-U files beside, or instead of, texts: the layer ``tree``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tertium.data.annotated import Annotated
from tertium.data.formats.columns import system_name
from tertium.data.layers import LayerFiles, files_by_system
from tertium.data.testset import Testset
from tertium.errors import InputError
from tertium.trees.files import TreeFile

__all__ = ["with_tree_files"]


def with_tree_files(
    chunks: Iterator[Testset] | None, files: LayerFiles, *, size: int
) -> Iterator[Testset]:
    """Yield chunks whose texts carry their trees; without chunks, trees bring texts."""
    trees = _Trees(files)
    if chunks is None:
        yield from trees.chunks(size)
    else:
        for chunk in chunks:
            yield trees.add(chunk)
    trees.close()


class _Trees:
    """The tree files of a test set, read in step with it."""

    def __init__(self, files: LayerFiles) -> None:
        self._paths = files.tree_files()
        self._ref_paths = files.ref_tree_files()
        self._systems: dict[str, TreeFile] | None = None
        self._refs: list[TreeFile] = []

    def add(self, chunk: Testset) -> Testset:
        """Return a chunk with trees, and with texts from them where it has none."""
        files = self._open(chunk)
        systems: dict[str, list[str]] = dict(chunk.systems)
        references = chunk.references
        for name, file in files.items():
            if name in systems:
                systems[name] = list(file.add(systems[name]))
            else:
                systems[name] = list(file.take(len(chunk)))
        if self._refs and any(references):
            self._check_references(chunk)
            columns = zip(*references, strict=True)
            added = [f.add(c) for f, c in zip(self._refs, columns, strict=True)]
            references = list(zip(*added, strict=True))
        elif self._refs:
            taken = [file.take(len(chunk)) for file in self._refs]
            references = list(zip(*taken, strict=True))
        return replace(chunk, systems=systems, references=references)

    def chunks(self, size: int) -> Iterator[Testset]:
        """Yield the test set that the trees alone make."""
        files = self._open(Testset([], {}))
        everything = [*self._refs, *files.values()]
        done = False
        while not done:
            first = everything[0].take(size, short=True)
            done = len(first) < size
            columns: list[list[Annotated]] = [first]
            columns += [file.take(len(first)) for file in everything[1:]]
            count = len(self._refs)
            refs = list(zip(*columns[:count], strict=True)) or [()] * len(first)
            named = zip(files, columns[count:], strict=True)
            yield Testset(
                [tuple(texts) for texts in refs], {name: list(c) for name, c in named}
            )

    def close(self) -> None:
        """Check that no file has trees left."""
        for file in (*self._refs, *(self._systems or {}).values()):
            file.close()

    def _open(self, chunk: Testset) -> dict[str, TreeFile]:
        if self._systems is not None:
            return self._systems
        if chunk.systems:
            listed = {name: [path] for name, path in self._paths.items()}
            by_system = files_by_system(listed, chunk, "trees")
            paths = {name: path for name, (path,) in by_system.items()}
        else:
            paths = {name or _name(path): path for name, path in self._paths.items()}
        self._systems = {name: TreeFile(path) for name, path in paths.items()}
        self._refs = [TreeFile(path) for path in self._ref_paths]
        return self._systems

    def _check_references(self, chunk: Testset) -> None:
        for number, refs in enumerate(chunk.references, start=1):
            if len(refs) != len(self._refs):
                message = (
                    f"ref_trees has {len(self._refs)} files, but segment {number} has "
                    f"{len(refs)} references; give one file per reference"
                )
                raise InputError(message, options=("ref_trees",))


def _name(path: str) -> str:
    """Return the name of the system whose trees are in a file."""
    return system_name(path).removesuffix(".conllu")
