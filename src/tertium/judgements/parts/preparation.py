# SPDX-License-Identifier: Apache-2.0
"""Parts and their candidates from files, ready for annotators."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from tertium.align.links import Links, reverse
from tertium.align.pharaoh import read_pharaoh
from tertium.data.formats.columns import Systems, columns
from tertium.data.lines import StrPath, open_lines
from tertium.errors import InputError, UnknownNameError
from tertium.judgements.parts.counts import ExtractionCounts
from tertium.judgements.parts.extraction import MAX_LENGTH, MIN_LENGTH, token_tree
from tertium.judgements.parts.files import read_parts
from tertium.judgements.parts.projection import Projection, project
from tertium.judgements.parts.sentences import SentenceParts, sentence_parts
from tertium.trees.brackets import ConstituencyTree, read_brackets
from tertium.trees.parses import read_first_parses
from tertium.trees.tree import DependencyTree

__all__ = ["Extraction", "extract_parts", "project_parts"]


@dataclass(frozen=True)
class Extraction:
    """Sentences with their parts.

    Parameters
    ----------
    sentences : sequence of SentenceParts
    min, max : int
        The shortest and the longest part, in words.
    """

    sentences: Sequence[SentenceParts]
    min: int
    max: int

    @property
    def counts(self) -> ExtractionCounts:
        """The numbers of sentences, words and parts."""
        return ExtractionCounts.of(self.sentences)

    def to_dict(self) -> dict[str, object]:
        """Return the bounds and counts as JSON has them."""
        bounds = {"min_length": self.min, "max_length": self.max}
        return {**bounds, **self.counts.to_dict()}


def extract_parts(
    trees: StrPath,
    *,
    source: StrPath | None = None,
    brackets: bool = False,
    conllu: bool = False,
    min: int = MIN_LENGTH,  # noqa: A002 (as the flag)
    max: int = MAX_LENGTH,  # noqa: A002 (as the flag)
    hold: Callable[[Iterable[SentenceParts]], Sequence[SentenceParts]] = tuple,
) -> Extraction:
    """Return the parts of all sentences in a file of trees.

    Parameters
    ----------
    trees : str or path
        One tree per sentence: constituents in Penn brackets, or dependencies in CoNLL-U
        if the name of the file contains ``.conllu``.
    source : str or path, optional
        The sentences, one per line, tokenised by white space.
    brackets, conllu : bool
        The format of the trees, whatever the name of the file.
    min, max : int
        The shortest and the longest part, in words.
    hold : callable
        Makes the sequence of results: a tuple, or :class:`tertium.data.kept.Kept`,
        which is on disk.

    Raises
    ------
    InputError
        When the bounds are wrong, or trees and sentences differ.
    FormatError
        When a file cannot be read, with its name and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = pathlib.Path(folder, "a.trees")
    ...     _ = file.write_text("(S (NP (DT a) (JJ red) (NN kite)) (VP (VBD rose)))")
    ...     extraction = extract_parts(file, max=3)
    >>> extraction.sentences[0].parts, extraction.counts.coverage
    (((0, 1, 2),), 0.75)
    """
    lines = None if source is None else open_lines(source)
    is_conllu = conllu or (".conllu" in os.fspath(trees) and not brackets)
    sentences = sentence_parts(
        _dependencies(trees) if is_conllu else read_brackets(trees),
        lines,
        min_length=min,
        max_length=max,
    )
    return Extraction(hold(sentences), min, max)


def _dependencies(path: StrPath) -> Iterator[ConstituencyTree | DependencyTree]:
    return map(token_tree, read_first_parses(path))


def project_parts(
    parts: StrPath,
    *,
    systems: Systems,
    alignments: Systems,
    one_based: bool = False,
    output_first: bool = False,
    sure_only: bool = False,
    fill: bool = False,
) -> Projection:
    """Return the candidates of all parts in a file.

    Parameters
    ----------
    parts : str or path
        A file that `write_parts` wrote.
    systems : mapping of name to path, or sequence
        The outputs, tokenised by white space. In a sequence, an item is a path, named
        after the file, or a pair of name and path.
    alignments : mapping of name to path, or sequence
        Links between the source and each output in Pharaoh's format, under the same
        names (``A``, or ``A`` with an extension). With one system, any name will do.
    one_based : bool
        Whether the links count words from 1.
    output_first : bool
        Whether the links name the word of the output first.
    sure_only : bool
        Whether to leave out possible links.
    fill : bool
        Whether to include the words in gaps of a translation.

    Raises
    ------
    InputError
        When names or numbers of sentences differ, or a link points outside its texts.
    FormatError
        When a file cannot be read, with its name and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from tertium.judgements.parts import write_parts
    >>> with tempfile.TemporaryDirectory() as name:
    ...     folder = pathlib.Path(name)
    ...     one = SentenceParts("1", ("a", "red", "kite", "rose"), ((0, 1, 2),))
    ...     write_parts(folder / "parts.jsonl", [one])
    ...     _ = (folder / "A.txt").write_text("un cerf-volant rouge monta")
    ...     _ = (folder / "A.links").write_text("0-0 1-2 2-1 3-3")
    ...     projection = project_parts(folder / "parts.jsonl",
    ...         systems=[folder / "A.txt"], alignments=[folder / "A.links"])
    >>> projection.origins[0].image.text
    'un cerf-volant rouge'
    """
    outputs = {column.name: column.path for column in columns(systems=systems)}
    paths = _link_paths(alignments, list(outputs))
    sentences = list(read_parts(parts))
    texts = {name: list(open_lines(path)) for name, path in outputs.items()}
    sources = [sentence.source for sentence in sentences]
    links = {}
    for name, path in paths.items():
        sides = (texts[name], sources) if output_first else (sources, texts[name])
        lines = read_pharaoh(path, base=int(one_based), hyps=sides[0], refs=sides[1])
        links[name] = [
            _chosen(line, output_first=output_first, sure_only=sure_only)
            for line in lines
        ]
    return project(sentences, texts, links, fill=fill)


def _chosen(links: Links, *, output_first: bool, sure_only: bool) -> Links:
    """Return links with the source first, without possible ones if so wished."""
    if output_first:
        links = reverse(links)
    return tuple(link for link in links if link.sure) if sure_only else links


def _link_paths(alignments: Systems, systems: Sequence[str]) -> dict[str, str]:
    """Return the path to the links of each system."""
    files = [(column.name, column.path) for column in columns(systems=alignments)]
    if len(files) == len(systems) == 1:
        return {systems[0]: files[0][1]}  # Nothing can be mixed up.
    paths: dict[str, str] = {}
    for name, path in files:
        system = _system(name, systems)
        if system in paths:
            message = f"system {system} has two link files; give one per system"
            raise InputError(message, options=("alignments",))
        paths[system] = path
    for name in systems:
        if name not in paths:
            message = f"system {name} has no links; add a file of this name"
            raise InputError(message, options=("alignments",))
    return paths


def _system(name: str, systems: Sequence[str]) -> str:
    """Return the system that a link file belongs to: A for A, A.links and so on."""
    for candidate in (name, os.path.splitext(name)[0]):
        if candidate in systems:
            return candidate
    raise UnknownNameError("system with links", name, systems)
