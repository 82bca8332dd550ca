# SPDX-License-Identifier: Apache-2.0
"""Trees that a user brings as CoNLL-U files beside, or instead of, texts."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.annotated import Annotated
    from tertium.data.testset import Testset
    from tertium.trees.files import TreeFile

__all__ = ["add_trees", "tree_options", "tree_paths", "with_tree_files"]

_Chunks: TypeAlias = "Callable[[], Iterator[Testset]]"

_SIZE = 1000  # segments a chunk where trees are all there is


def add_trees(group: argparse._ArgumentGroup) -> None:
    """Add the options that bring trees."""
    group.add_argument(
        "--trees",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="dependency trees of a system's outputs, in CoNLL-U: one block a segment, "
        "as `tertium parse` writes them; texts are taken from the file if there is "
        "no -i",
    )
    group.add_argument(
        "--ref-trees",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="dependency trees of the references, one file each; texts are taken from "
        "the file if there is no -r",
    )


def tree_options(args: argparse.Namespace) -> list[list[str] | None]:
    """Return what was given for trees of outputs and of references."""
    return [getattr(args, name, None) for name in ("trees", "ref_trees")]


def tree_paths(args: argparse.Namespace) -> list[str]:
    """Return the files that hold trees, as they were named."""
    from tertium.cli.shared.layers import named_files

    given = named_files(getattr(args, "trees", None), "--trees")
    refs = getattr(args, "ref_trees", None) or ()
    return [*(path for paths in given.values() for path in paths), *refs]


def with_tree_files(args: argparse.Namespace, open_chunks: _Chunks) -> _Chunks:
    """Return a function that streams the test set with the trees of its texts."""
    from tertium.cli.shared.layers import named_files

    files = named_files(getattr(args, "trees", None), "--trees")
    for name, paths in files.items():
        if len(paths) > 1:
            whose = f" for system {name!r}" if name else ""
            message = f"--trees names {len(paths)} files{whose}; give one a system"
            raise InputError(message)
    refs = list(getattr(args, "ref_trees", None) or ())
    if not files and not refs:
        return open_chunks
    alone = args.testset is None and args.references is None and args.systems is None
    if alone and (args.source is not None or args.docs is not None):
        message = "--source and --docs go with texts; give references with -r as well"
        raise InputError(message)
    by_system = {name: path for name, (path,) in files.items()}

    def opened() -> Iterator[Testset]:
        trees = _Trees(by_system, refs)
        if alone:
            yield from trees.chunks()
        else:
            for chunk in open_chunks():
                yield trees.add(chunk)
        trees.close()

    return opened


class _Trees:
    """The tree files of a test set, read in step with it."""

    def __init__(self, files: Mapping[str, str], refs: Sequence[str]) -> None:
        self._paths = dict(files)
        self._ref_paths = list(refs)
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

    def chunks(self) -> Iterator[Testset]:
        """Yield the test set that the trees alone make."""
        from tertium.data.testset import Testset

        files = self._open(Testset([], {}))
        everything = [*self._refs, *files.values()]
        done = False
        while not done:
            first = everything[0].take(_SIZE, short=True)
            done = len(first) < _SIZE
            columns: list[list[Annotated]] = [first]
            columns += [file.take(len(first)) for file in everything[1:]]
            count = len(self._refs)
            refs = list(zip(*columns[:count], strict=True)) or [()] * len(first)
            named = zip(files, columns[count:], strict=True)
            yield Testset(
                [tuple(own) for own in refs], {name: list(c) for name, c in named}
            )

    def close(self) -> None:
        """Check that no file has trees left."""
        for file in (*self._refs, *(self._systems or {}).values()):
            file.close()

    def _open(self, chunk: Testset) -> dict[str, TreeFile]:
        if self._systems is not None:
            return self._systems
        from tertium.cli.shared.layers import systems_of
        from tertium.trees.files import TreeFile

        if chunk.systems:
            listed = {name: [path] for name, path in self._paths.items()}
            found = systems_of(listed, chunk, "--trees")
            paths = {name: own[0] for name, own in found.items()}
        else:
            paths = {name or _name(path): path for name, path in self._paths.items()}
        self._systems = {name: TreeFile(path) for name, path in paths.items()}
        self._refs = [TreeFile(path) for path in self._ref_paths]
        return self._systems

    def _check_references(self, chunk: Testset) -> None:
        for number, own in enumerate(chunk.references, start=1):
            if len(own) != len(self._refs):
                message = (
                    f"--ref-trees names {len(self._refs)} files, but segment {number} "
                    f"has {len(own)} references; give one file per reference"
                )
                raise InputError(message)


def _name(path: str) -> str:
    """Return the name of the system whose trees are in a file."""
    from tertium.data import system_name

    return system_name(path).removesuffix(".conllu")
