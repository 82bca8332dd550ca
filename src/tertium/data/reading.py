# SPDX-License-Identifier: Apache-2.0
"""Reading test sets in any format, with the layers beside them.

``read`` gives the whole test set; ``stream`` gives it in chunks and holds no more
than one. Both take the arguments of :class:`~tertium.data.files.TestsetFiles`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tertium.data.files import CHUNK, TestsetFiles
from tertium.data.formats.columns import Systems
from tertium.data.layers import SystemPaths
from tertium.data.lines import Paths, StrPath
from tertium.data.testset import Testset

__all__ = ["read", "stream"]


def read(
    path: StrPath | None = None,
    *,
    references: Paths | None = None,
    systems: Systems | StrPath | None = None,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    systems_columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
    reference: str | None = None,
    alignments: SystemPaths | None = None,
    one_based: bool = False,
    sure_only: bool = False,
    link_tokenize: str = "none",
    trees: SystemPaths | None = None,
    ref_trees: Paths | None = None,
    sets: Paths | None = None,
) -> Testset:
    r"""Return the test set of one file, one folder, or separate files.

    Parameters
    ----------
    path : str or path, optional
        A file that holds everything (TSV, CSV, Excel, JSONL, Parquet, WMT XML), a
        folder as ``write`` makes it, a folder of mt-metrics-eval (with one reference,
        and without references among the systems), or ``"demo"``, the bundled
        test set (unless there is such a file).
    references : path or sequence of paths, optional
        One file per reference: plain text, or WMT SGML.
    systems : mapping of name to path, or sequence, optional
        The system outputs. In a sequence, an item is a path, named after the file, or
        a pair of name and path.
    sources, docs : path, optional
        Files with the source and the document id of every segment.
    systems_columns : sequence of str, optional
        The columns of the file that are systems; all others are layers. Without it,
        columns of a table that do not look like systems are layers: those with
        numbers only, with the same text throughout, or with a name such as ``LP``.
        They are in the ``notes`` of the test set.
    format : str, optional
        A format that overrules the extension.
    langpair : str, optional
        The language pair; overrules what the file says, and chooses from a folder of
        mt-metrics-eval.
    reference : str, optional
        The reference of a folder of mt-metrics-eval; by default the first.
    alignments : mapping of system to path, or path, optional
        Word links of outputs with their references, in Pharaoh format (``0-0 2-1``,
        output first), one line per segment and one file per reference. A system may
        have a list of files; the name may be omitted if there is one system. Links
        count the words of `trees`, or else those of `link_tokenize`.
    one_based : bool
        Whether links count words from 1.
    sure_only : bool
        Whether to ignore links that are only possible (``1p2``).
    link_tokenize : str
        The tokeniser whose words links count, as in ``tertium align --tokenize``; by
        default words are separated by white space. Metrics that read the links need
        the same setting `tokenize`.
    trees : mapping of system to path, or path, optional
        Dependency trees of outputs in CoNLL-U, one block per segment. Without
        `systems`, the files bring the texts.
    ref_trees : path or sequence of paths, optional
        Dependency trees of references, one file per reference. Without `references`,
        the files bring the texts.
    sets : path or sequence of paths, optional
        Reference sets (see :func:`tertium.grammars.read_reference_sets`), matched by
        segment id if the test set has ids, else in order. Where there is no reference,
        the shortest sentence of a set is one.

    Returns
    -------
    Testset
        The test set.

    Raises
    ------
    InputError
        When files differ in length, and for anything wrong with the arguments.
    FormatError
        When a file cannot be read, with its name and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ref, hyp = pathlib.Path(folder, "ref.txt"), pathlib.Path(folder, "A.txt")
    ...     sizes = ref.write_text("a cat\n"), hyp.write_text("the cat\n")
    ...     testset = read(references=ref, systems=[hyp])
    >>> testset.references, testset.systems
    ([('a cat',)], {'A': ['the cat']})
    """
    return TestsetFiles(
        path=path,
        references=references,
        systems=systems,
        sources=sources,
        docs=docs,
        systems_columns=systems_columns,
        format=format,
        langpair=langpair,
        reference=reference,
        alignments=alignments,
        one_based=one_based,
        sure_only=sure_only,
        link_tokenize=link_tokenize,
        trees=trees,
        ref_trees=ref_trees,
        sets=sets,
    ).read()


def stream(
    path: StrPath | None = None,
    *,
    references: Paths | None = None,
    systems: Systems | StrPath | None = None,
    sources: StrPath | None = None,
    docs: StrPath | None = None,
    systems_columns: Sequence[str] | None = None,
    format: str | None = None,  # noqa: A002 (the name people know)
    langpair: str | None = None,
    reference: str | None = None,
    alignments: SystemPaths | None = None,
    one_based: bool = False,
    sure_only: bool = False,
    link_tokenize: str = "none",
    trees: SystemPaths | None = None,
    ref_trees: Paths | None = None,
    sets: Paths | None = None,
    size: int = CHUNK,
) -> Iterator[Testset]:
    """Yield the test set in chunks of at most ``size`` segments.

    Plain text, TSV, CSV and JSONL are never in memory as a whole. There is always one
    chunk, without segments when the files are empty.

    Parameters
    ----------
    path, references, systems, sources, docs, systems_columns, format, langpair
        As in ``read``.
    reference, alignments, one_based, sure_only, link_tokenize, trees, ref_trees, sets
        As in ``read``.
    size : int
        Segments per chunk.

    Yields
    ------
    Testset
        The next segments.

    Raises
    ------
    InputError, FormatError
        As in ``read``, when the faulty chunk is asked for.
    """
    files = TestsetFiles(
        path=path,
        references=references,
        systems=systems,
        sources=sources,
        docs=docs,
        systems_columns=systems_columns,
        format=format,
        langpair=langpair,
        reference=reference,
        alignments=alignments,
        one_based=one_based,
        sure_only=sure_only,
        link_tokenize=link_tokenize,
        trees=trees,
        ref_trees=ref_trees,
        sets=sets,
    )
    return files.stream(size=size)
