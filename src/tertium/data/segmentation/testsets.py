# SPDX-License-Identifier: Apache-2.0
"""Test sets read from files whose lines do not match, with outputs cut anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tertium._messages import count, quote
from tertium.data.formats import wmt_columns
from tertium.data.formats.columns import Systems, named_systems, open_docs
from tertium.data.formats.wmtjson import is_documents
from tertium.data.lines import Paths, StrPath, display, path_list
from tertium.data.segmentation.cutting import OnProgress, resegment
from tertium.data.segmentation.files import DocumentLines, read_documents
from tertium.data.segmentation.results import Resegmentation
from tertium.data.testset import Testset
from tertium.errors import FormatError, InputError
from tertium.notes import Note

__all__ = ["References", "read_references", "read_resegmented"]


def read_resegmented(
    references: Paths,
    systems: Systems | StrPath,
    *,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    langpair: str | None = None,
    text_key: str | None = None,
    by: str = "words",
    exact: bool = False,
    threads: int | None = None,
    progress: OnProgress | None = None,
) -> tuple[Testset, dict[str, Resegmentation]]:
    """Return a test set from references and outputs in other lines.

    Parameters
    ----------
    references : path or sequence of paths
        One file per reference, as in :func:`read_documents`; all with the same lines.
    systems : mapping of name to path, or sequence
        As in :func:`tertium.read`, in the formats of :func:`read_documents`.
    sources, docs : path, optional
        The source and the document of every line of the references.
    langpair, text_key : str, optional
    by, exact, threads, progress
        As in :func:`resegment`.

    Returns
    -------
    testset : Testset
        With the documents of `docs`, or else of the references, or else of outputs
        whose lines are those of the references, if these outputs agree; otherwise
        :attr:`Testset.notes` says that they do not.
    results : dict of str to Resegmentation
        By system.

    Raises
    ------
    InputError, FormatError
        If files cannot be read, or do not go together.
    """
    known = read_references(references, docs, text_key=text_key, langpair=langpair)
    refs, names = known.texts, known.docs
    source = None if sources is None else read_documents(sources).lines
    if source is not None and len(source) != len(refs):
        message = (
            f"{display(str(sources))} has {count(len(source), 'line')}, the reference "
            f"has {len(refs):,}; the source must have the lines of the reference"
        )
        raise InputError(message)
    results = {}
    told: dict[str, Sequence[str]] = {}  # documents of segments, by system
    for name, path in named_systems(systems):
        output = known.matching(read_documents(path, text_key=text_key))
        try:
            results[name] = resegment(
                refs,
                output.lines,
                docs=names,
                output_docs=output.docs,
                by=by,
                exact=exact,
                threads=threads,
                progress=progress,
            )
        except InputError as error:
            message = f"{display(path)}: {error}"
            raise InputError(message, options=error.options) from None
        if output.docs is not None and results[name].unchanged:
            told[name] = output.docs
    notes: tuple[Note, ...] = ()
    if names is None:
        names, notes = _agreed(told)
    testset = Testset(
        refs,
        {name: result.texts for name, result in results.items()},
        sources=source,
        docs=names,
        langpair=langpair,
        notes=notes,
    )
    return testset, results


def _agreed(
    told: Mapping[str, Sequence[str]],
) -> tuple[list[str] | None, tuple[Note, ...]]:
    """Return the documents that outputs name, or a note on those that disagree."""
    if not told:
        return None, ()
    (name, docs), *others = told.items()
    for other, different in others:
        pairs = zip(docs, different, strict=True)
        line = next((k for k, (a, b) in enumerate(pairs, start=1) if a != b), None)
        if line is not None:
            values = {"system": name, "other": other, "line": line}
            return None, (Note("documents-disagree", values),)
    return list(docs), ()


@dataclass(frozen=True)
class References:
    """What outputs are cut by.

    Parameters
    ----------
    texts : list of tuple of str
        The references of every segment.
    docs : list of str, optional
        The document of every segment, if that is known.
    lacking : frozenset of str
        Documents of a test set that have no reference.
    """

    texts: list[tuple[str, ...]]
    docs: list[str] | None
    lacking: frozenset[str] = frozenset()

    def matching(self, output: DocumentLines) -> DocumentLines:
        """Return an output without the documents that have no reference.

        Raises
        ------
        FormatError
            If the output has no text at all.
        """
        if self.texts and not any(line.strip() for line in output.lines):
            raise FormatError(
                "no text to cut; give the output of a system", path=display(output.path)
            )
        if not self.lacking or output.docs is None:
            return output
        pairs = zip(output.lines, output.docs, strict=True)
        kept = [(line, doc) for line, doc in pairs if doc not in self.lacking]
        return replace(output, lines=[x for x, _ in kept], docs=[x for _, x in kept])


def read_references(
    references: Paths,
    docs: StrPath | None = None,
    *,
    text_key: str | None = None,
    langpair: str | None = None,
) -> References:
    """Return the references of every segment, and its document if that is known.

    Parameters
    ----------
    references : path or sequence of paths
        In the formats of :func:`read_documents`; of documents in JSON lines, segments
        are paragraphs (see :mod:`tertium.data.formats.wmtjson`).
    docs : path, optional
        The document of every line; otherwise the references may name it.
    text_key : str, optional
        The key of texts in JSON lines, whose lines are segments then.
    langpair : str, optional
        The language pair of a test set with several.

    Raises
    ------
    InputError
        If the files differ in length, or in documents.
    """
    texts: list[DocumentLines] = []
    lacking: frozenset[str] = frozenset()
    for path in path_list(references):
        if text_key is None and is_documents(path):
            known = wmt_columns.read_references(path, langpair)
            texts += [DocumentLines(path, lines, known.docs) for lines in known.texts]
            lacking |= known.lacking
        else:
            texts.append(read_documents(path, text_key=text_key))
    if not texts:
        message = "there is no reference to match; give one"
        raise InputError(message, options=("references",))
    first = next((text for text in texts if text.docs is not None), texts[0])
    for other in texts:
        _check_lines(first, other)
    names = first.docs
    if docs is not None:
        names = list(open_docs(docs))
        if len(names) != len(first.lines):
            message = (
                f"{display(docs)} has {count(len(names), 'line')}, "
                f"{display(first.path)} has {len(first.lines):,}; give the document of "
                "every line of the reference"
            )
            raise InputError(message)
    return References(
        list(zip(*(text.lines for text in texts), strict=True)), names, lacking
    )


def _check_lines(first: DocumentLines, other: DocumentLines) -> None:
    if len(first.lines) != len(other.lines):
        message = (
            f"{display(first.path)} has {count(len(first.lines), 'line')}, "
            f"{display(other.path)} has {len(other.lines):,}; all references must have "
            "the same lines"
        )
        raise InputError(message)
    if first.docs != other.docs and None not in (first.docs, other.docs):
        pairs = zip(_names(first), _names(other), strict=True)
        number = next(k for k, (a, b) in enumerate(pairs, start=1) if a != b)
        message = (
            f"{display(first.path)} and {display(other.path)} have different documents "
            f"from line {number} on: {quote(_names(first)[number - 1])} and "
            f"{quote(_names(other)[number - 1])}; give references of the same documents"
        )
        raise InputError(message)


def _names(text: DocumentLines) -> Sequence[str]:
    return text.docs or ()
