# SPDX-License-Identifier: Apache-2.0
"""The test set of a verb: the options that name it, and how it is read."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.values import Input, Layers, Mtme, Scored
from tertium.errors import InputError

if TYPE_CHECKING:
    from typing import TypeVar

    from tertium.data.files import OnNote, TestsetFiles
    from tertium.data.testset import Testset
    from tertium.engine.chunks import Chunk
    from tertium.metrics import Metric

    _Verb = TypeVar("_Verb", bound=Scored)

__all__ = [
    "add_input",
    "add_layers",
    "add_mtme",
    "add_sets",
    "check_specs",
    "files_by_name",
    "keep_testset",
    "open_testset",
    "read_testset",
    "reopen_testset",
    "runs_of",
    "stream_testset",
    "testset_files",
    "with_scores",
]


class _Texts(NamedTuple):
    """The files of texts, apart from systems."""

    path: str | None
    references: list[str] | None
    source: str | None
    docs: str | None
    reference: str | None


def add_input(parser: argparse.ArgumentParser, *, runs: bool = False) -> None:
    """Add the options that name a test set, with several runs of a system or not."""
    parser.add_argument(
        "testset",
        nargs="?",
        metavar="TESTSET",
        help="a file that holds everything (.jsonl .tsv .csv .xlsx .parquet .xml), a "
        "folder made by `tertium convert` (also of shards) or of mt-metrics-eval, or "
        "`demo`; best given before the options",
    )
    parser.add_argument(
        "-r",
        "--references",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="reference files (text or SGML, also .gz .xz .bz2 .zst; - is stdin)",
    )
    parser.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="system outputs, named after their files unless a name is given"
        + "; several runs of one system: NAME=FILE,FILE,..." * runs,
    )
    parser.add_argument("-s", "--source", metavar="FILE", help="the source text")
    parser.add_argument(
        "--docs", metavar="FILE", help="the document id of every segment"
    )
    flags.add_systems_columns(parser)
    parser.add_argument(
        "--input-format",
        metavar="FORMAT",
        help="overrides the extension: plain, tsv, csv, xlsx, jsonl, parquet, sgml, "
        "xml",
    )
    parser.add_argument(
        "-l", "--langpair", metavar="SRC-TRG", help="language pair such as en-de"
    )


def add_mtme(parser: argparse.ArgumentParser) -> None:
    """Add the options that name a folder of mt-metrics-eval and its reference."""
    parser.add_argument(
        "--mtme",
        metavar="FOLDER",
        help="a folder of mt-metrics-eval instead of a test set (or give it as "
        "TESTSET), with -l; references among its systems are left out",
    )
    parser.add_argument(
        "-t",
        "--test-set",
        metavar="NAME",
        help="source and references that sacreBLEU or mt-metrics-eval have downloaded, "
        "such as wmt20, with -l; sacrebleu:NAME and mtme:NAME choose between them; "
        "without -i, the systems of mt-metrics-eval",
    )
    parser.add_argument(
        "--reference",
        metavar="NAME",
        help="the reference of a folder of mt-metrics-eval, or of -t (default: the "
        "first, or the one that sacreBLEU uses)",
    )


def add_layers(parser: argparse.ArgumentParser) -> None:
    """Add the options that name layer files."""
    group = parser.add_argument_group("layers")
    group.add_argument(
        "--alignments",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE[,FILE]",
        help="word links of a system's outputs with the reference, for metrics over "
        "aligned words: one line per segment such as `0-0 2-1` (Pharaoh), output "
        "first, counting the words of --trees and --ref-trees, or else those of the "
        "metric's tokenize, words separated by white space if it is not set; one file "
        "per reference; NAME may be omitted if there is one system",
    )
    flags.add_switch(group, "--one-based", help="links count words from 1, not 0")
    flags.add_switch(
        group,
        "--sure-only",
        help="ignore links that are only possible (1p2), which otherwise count as sure "
        "ones do",
    )
    group.add_argument(
        "--trees",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="dependency trees of a system's outputs, in CoNLL-U: one block per "
        "segment, as `tertium parse` writes them; texts are taken from the file if "
        "there is no -i",
    )
    group.add_argument(
        "--ref-trees",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="dependency trees of the references, one file each; texts are taken from "
        "the file if there is no -r",
    )
    add_sets(group)


def add_sets(group: argparse._ActionsContainer) -> None:
    """Add the option that names files of reference sets."""
    group.add_argument(
        "--sets",
        nargs="+",
        action="extend",
        metavar="FILE",
        help="reference sets for evalgen, besides the references: light notation, "
        "OpenFst text, lattices or JSON lines, matched by segment id if the test set "
        "has ids, else in its order; where there is no reference, the shortest "
        "sentence of a set (the alphabetically first of several) is one",
    )


def runs_of(options: Input) -> dict[str, list[str]]:
    """Return which systems of the test set are runs of one system."""
    return flags.run_files(options.systems)[1] if options.systems else {}


def testset_files(options: Input, *, runs: bool = False) -> TestsetFiles:  # noqa: PT028
    """Return the files that the options name.

    Parameters
    ----------
    options : Input
    runs : bool
        Whether a system may have several runs, see :func:`runs_of`.

    Raises
    ------
    InputError
        If there are none, or they do not go together.
    """
    from tertium.data.files import TestsetFiles

    layers = options if isinstance(options, Layers) else Layers()
    mtme = options if isinstance(options, Mtme) else Mtme()
    _check_mtme(options, mtme)
    texts = _texts(options, mtme)
    columns = (texts.path, texts.references, options.systems)
    if all(item is None for item in (*columns, layers.trees, layers.ref_trees)):
        message = (
            "nothing to read; give a test set before the options (try: demo), or "
            "references with -r and systems with -i"
        )
        raise InputError(message)
    systems = options.systems
    if systems is None:
        named = None
    else:
        named = flags.run_files(systems)[0] if runs else flags.single_files(systems)
    files = TestsetFiles(
        path=texts.path,
        references=texts.references,
        systems=named,
        sources=texts.source,
        docs=texts.docs,
        systems_columns=options.systems_columns,
        format=options.input_format,
        langpair=options.langpair,
        reference=texts.reference,
        alignments=files_by_name(layers.alignments, "alignments"),
        one_based=layers.one_based,
        sure_only=layers.sure_only,
        trees=files_by_name(layers.trees, "trees"),
        ref_trees=layers.ref_trees,
        sets=layers.sets,
    )
    output = getattr(options, "output", None)
    if output is not None:
        from tertium._files import check_not_read

        check_not_read(output, files.paths())
    return files


def _texts(options: Input, mtme: Mtme) -> _Texts:
    """Return the files of texts, also of a downloaded test set, with remarks."""
    texts = _Texts(
        mtme.mtme or options.testset,
        options.references,
        options.source,
        options.docs,
        mtme.reference,
    )
    if mtme.test_set is None:
        return texts
    from tertium.data.downloads import find_downloaded

    others = {
        "the test set": options.testset,
        "--mtme": mtme.mtme,
        "-r": options.references,
        "-s": options.source,
        "--docs": options.docs,
        "--input-format": options.input_format,
    }
    _check_alone("-t brings source and references", others)
    files = find_downloaded(
        mtme.test_set,
        options.langpair,
        reference=mtme.reference,
        with_systems=options.systems is None,
    )
    for note in files.notes:
        # Whoever reads the folder of mt-metrics-eval as a whole says so, too.
        if options.systems is not None or note.code != "several-references":
            remark_note(options, note)
    if options.systems is not None:
        return _Texts(None, list(files.references), files.source, files.docs, None)
    if files.origin == "mt-metrics-eval":
        return texts._replace(path=files.folder)
    message = f"{files.folder} has source and references only; give systems with -i"
    raise InputError(message)


def _check_alone(what: str, others: Mapping[str, object]) -> None:
    for name, value in others.items():
        if value is not None:
            raise InputError(f"{what}; omit {name}")


def _check_mtme(options: Input, mtme: Mtme) -> None:
    """Reject --mtme with other texts, or with a folder of another kind."""
    if mtme.mtme is None:
        return
    from tertium.data.formats.mtme import is_mtme

    others = {
        "the test set": options.testset,
        "-r": options.references,
        "-i": options.systems,
        "-s": options.source,
        "--docs": options.docs,
        "--input-format": options.input_format,
    }
    _check_alone("--mtme brings everything", others)
    if not is_mtme(mtme.mtme):
        message = f"{mtme.mtme} is not a folder of mt-metrics-eval, with sources/LP.txt"
        raise InputError(message)


def check_specs(specs: Sequence[str | Metric]) -> None:
    """Reject files and comma-separated lists in the place of metrics."""
    for spec in specs:
        if not isinstance(spec, str):
            continue
        if "," in spec and ":" not in spec:
            message = f"{spec!r} is not one metric; put spaces between metrics"
            raise InputError(message)
        if os.path.exists(spec) and not spec.isidentifier():
            message = f"{spec} is a file, not a metric; give the test set before -m"
            raise InputError(message)


def with_scores(options: _Verb) -> _Verb:
    """Return options whose metrics include those of ``--scores``."""
    known = (spec for spec in options.metrics if isinstance(spec, str))
    files = any(spec.strip().lower().startswith("scores:") for spec in known)
    named = options.scores or options.lower_is_better or options.higher_is_better
    if not files and not named:
        return options  # Most often, and without an import.
    from tertium.cli.shared.scoring import with_file_scores

    return with_file_scores(options)


def open_testset(
    options: Input,
    metrics: Sequence[str | Metric],
    *,
    slices: bool = False,
    runs: bool = False,
) -> Callable[[], Iterator[Chunk]]:
    """Return a function that streams the test set for metrics, with remarks.

    With `slices`, plain files are not read but cut. With `runs`, systems may have
    several.
    """
    from tertium.engine.layers import open_testset

    files = testset_files(options, runs=runs)
    check_specs(metrics)
    return open_testset(
        files, metrics=metrics, on_note=_listener(options), slices=slices
    )


def read_testset(options: Input, *, runs: bool = False) -> Testset:
    """Return the whole test set that the options name.

    Parameters
    ----------
    options : Input
    runs : bool
        Whether a system may have several runs, see :func:`runs_of`.
    """
    return testset_files(options, runs=runs).read(on_note=_listener(options))


def keep_testset(options: Input, *, link_tokenize: str = "none") -> Testset:
    """Return the test set that the options name, for work on texts in any order.

    Texts of more than one chunk stay on disk (see :mod:`tertium.data.kept`).

    Parameters
    ----------
    options : Input
    link_tokenize : str
        The tokeniser whose words links count.
    """
    from tertium.data.kept import keep_on_disk

    files = replace(testset_files(options), link_tokenize=link_tokenize)
    return keep_on_disk(files.stream(on_note=_listener(options)))


def stream_testset(
    options: Input, *, ignore: Collection[str] = ()
) -> Iterator[Testset]:
    """Return an iterator over chunks of the test set that the options name."""
    return testset_files(options).stream(on_note=_listener(options, ignore))


def reopen_testset(
    options: Input, *, ignore: Collection[str] = ()
) -> Callable[[], Iterator[Testset]]:
    """Return a function that streams the test set as often as it is called."""
    files = testset_files(options)
    return files.opener(twice=True, on_note=_listener(options, ignore))


def _listener(options: Input, ignore: Collection[str] = ()) -> OnNote:
    return lambda note: None if note.code in ignore else remark_note(options, note)


def files_by_name(
    items: Sequence[str] | None, argument: str
) -> dict[str, list[str]] | None:
    """Return the files of every system from ``NAME=FILE,FILE``; no name is ``""``."""
    if items is None:
        return None
    files: dict[str, list[str]] = {}
    for item in items:
        name, equals, rest = item.partition("=")
        # A file whose own name has an equals sign or a comma is meant as it stands.
        if not equals or os.path.exists(item):
            name, rest = "", item
        paths = [rest] if os.path.exists(rest) else rest.split(",")
        if not all(paths):
            message = f"{item} does not name a file; give NAME=FILE"
            raise InputError(message, options=(argument,))
        files.setdefault(name, []).extend(paths)
    return files
