# SPDX-License-Identifier: Apache-2.0
"""Layers in files beside a test set: word links, dependency trees, reference sets.

A layer joins its texts while they stream by: its files are read in step with the
chunks, so memory does not grow with them. The room that knows a kind of file has its
reader, a function of the chunks and the :class:`LayerFiles`, which is loaded by name.
To add a layer, add its fields to `LayerFiles` and `layer_paths`, and its reader to
`with_layers`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TypeAlias, cast

from tertium.data.lines import Paths, path_list
from tertium.data.testset import Testset
from tertium.errors import InputError

__all__ = [
    "LayerFiles",
    "SystemPaths",
    "add_layers",
    "files_by_system",
    "with_layers",
]

#: The files of every system, or of the only one.
SystemPaths: TypeAlias = Mapping[str, Paths] | Paths


@dataclass(frozen=True, kw_only=True, eq=False)  # for a fast start of verbs
class LayerFiles:
    """The files of the layers of a test set; see :func:`tertium.read`.

    Raises
    ------
    InputError
        When options about links come without links.
    """

    alignments: SystemPaths | None = None
    one_based: bool = False
    sure_only: bool = False
    link_tokenize: str = "none"
    trees: SystemPaths | None = None
    ref_trees: Paths | None = None
    sets: Paths | None = None

    def __post_init__(self) -> None:
        """Check that the options go together."""
        for name in ("one_based", "sure_only"):
            if getattr(self, name) and not self.alignments:
                raise InputError(
                    f"{name}=True is about alignments; give them, or omit it",
                    options=(name,),
                )

    def alignment_files(self) -> dict[str, list[str]]:
        """Return the alignment files of every system; ``""`` is the only one."""
        return _by_system(self.alignments)

    def tree_files(self) -> dict[str, str]:
        """Return the tree file of every system; ``""`` is the only one.

        Raises
        ------
        InputError
            When a system has several.
        """
        files = _by_system(self.trees)
        for name, paths in files.items():
            if len(paths) > 1:
                whose = f" for system {name!r}" if name else ""
                message = f"trees has {len(paths)} files{whose}; give one per system"
                raise InputError(message, options=("trees",))
        return {name: path for name, (path,) in files.items()}

    def ref_tree_files(self) -> list[str]:
        """Return the tree file of every reference."""
        return path_list(self.ref_trees)

    def set_files(self) -> list[str]:
        """Return the files of reference sets."""
        return path_list(self.sets)

    def layer_paths(self) -> list[str]:
        """Return the files of all layers."""
        by_system = [*self.alignment_files().values(), *_by_system(self.trees).values()]
        named = [path for paths in by_system for path in paths]
        return [*named, *self.ref_tree_files(), *self.set_files()]


def with_layers(
    chunks: Iterator[Testset] | None, files: LayerFiles, *, size: int
) -> Iterator[Testset]:
    """Return chunks whose texts carry the layers of `files`.

    Parameters
    ----------
    chunks : iterator of Testset, or None
        None if there are no texts: tree files bring them.
    files : LayerFiles
    size : int
        Segments per chunk where layers bring the texts.
    """
    # Trees first: they may bring the texts, and links count the words of a tree.
    if files.trees or files.ref_trees:
        chunks = _load("tertium.trees.layer:with_tree_files")(chunks, files, size=size)
    if chunks is None:
        raise InputError("nothing to read; give a file, or references and systems")
    if files.alignments:
        chunks = _load("tertium.align.layer:with_alignment_files")(chunks, files)
    if files.sets:
        chunks = _load("tertium.grammars.sets.layer:with_set_files")(chunks, files)
    return chunks


def add_layers(testset: Testset, files: LayerFiles) -> Testset:
    r"""Return a test set in memory whose texts carry the layers of files.

    Parameters
    ----------
    testset : Testset
    files : LayerFiles

    Raises
    ------
    InputError, FormatError
        When files do not fit the test set.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> testset = Testset.build(["a cat"], {"A": ["cat a"]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "A.links")
    ...     _ = file.write_text("0-1 1-0\n")
    ...     layered = add_layers(testset, LayerFiles(alignments={"A": file}))
    >>> [len(links) for links in layered.systems["A"][0].layers["links"]]
    [2]
    """
    (layered,) = with_layers(iter([testset]), files, size=max(1, len(testset)))
    return layered


def _load(reader: str) -> Callable[..., Iterator[Testset]]:
    """Return a reader by module and name."""
    module, _, name = reader.partition(":")
    return cast(
        "Callable[..., Iterator[Testset]]", getattr(import_module(module), name)
    )


def files_by_system(
    files: Mapping[str, list[str]], chunk: Testset, argument: str
) -> dict[str, list[str]]:
    """Return files by the systems of a test set.

    Parameters
    ----------
    files : mapping of str to list of str
        Files by system; ``""`` is the only one.
    chunk : Testset
    argument : str
        The argument with the files, for messages.

    Raises
    ------
    InputError
        When the test set does not have a system, or ``""`` could be several.
    """
    known = list(chunk.systems)
    by_system: dict[str, list[str]] = {}
    for name, paths in files.items():
        if not name and len(known) == 1:
            name = known[0]
        elif not name:
            listed = ",".join(paths)
            raise InputError(
                f"{argument}: {listed} does not name its system; give NAME={listed} "
                f"with one of {', '.join(known)}",
                options=(argument,),
            )
        if name not in known:
            raise InputError(
                f"{argument}: there is no system {name!r}; choose from "
                f"{', '.join(known)}",
                options=(argument,),
            )
        if name in by_system:
            raise InputError(
                f"{argument}: system {name!r} is named in two ways; keep one",
                options=(argument,),
            )
        by_system[name] = paths
    return by_system


def _by_system(files: SystemPaths | None) -> dict[str, list[str]]:
    if isinstance(files, Mapping):
        return {name: path_list(paths) for name, paths in files.items()}
    return {"": path_list(files)} if files else {}
