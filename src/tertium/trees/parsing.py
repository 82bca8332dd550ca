# SPDX-License-Identifier: Apache-2.0
"""Texts parsed into files: CoNLL-U with one block per segment.

A segment of several sentences is one block with several roots, and a segment without
words is a block without words, so that block k is always the tree of segment k.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from tertium._files import check_place, replace_folder
from tertium.data import open_lines, system_name
from tertium.data.formats import FOLDERS, extension_of, format_of
from tertium.data.formats.plain import text_columns
from tertium.data.io import wants_demo
from tertium.errors import InputError
from tertium.trees.cache import CachedParser, TreeCache, default_cache
from tertium.trees.conllu import Sentence, write_conllu
from tertium.trees.parsers import ModelParser, load_parser
from tertium.trees.parsers.pool import batches_in
from tertium.trees.parses import Parse, Parses, sentences_of

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = [
    "cached_parser",
    "is_testset",
    "lacks_tokenizer",
    "parse_files",
    "parse_testset",
]

#: Called with the number of segments parsed so far.
Progress: TypeAlias = "Callable[[int], None]"


def cached_parser(
    parser: str,
    model: str,
    *,
    tokenize: str = "own",
    processes: int | None = None,
    cache: str | None = None,
    no_cache: bool = False,
) -> CachedParser:
    """Return a parser that keeps its trees in a cache.

    Parameters
    ----------
    parser, model, tokenize : str
        As for :func:`tertium.trees.parsers.load_parser`.
    processes : int, optional
        Processes that parse, each with the model in memory; one per core by default.
    cache : str, optional
        The folder of the cache; by default that of `tertium.cache`.
    no_cache : bool
        Whether to parse everything and keep nothing.
    """
    loaded = load_parser(parser, model, tokenize=tokenize)
    store = None
    if not no_cache:
        store = default_cache() if cache is None else TreeCache.within(cache)
    number = processes or os.cpu_count() or 1
    return CachedParser(loaded, store, batches=batches_in(loaded, number))


def lacks_tokenizer(parser: CachedParser) -> bool:
    """Tell whether the model should tokenise but cannot, so white space is used."""
    model = parser.parser
    if not isinstance(model, ModelParser):
        return False
    return model.tokenize == "own" and model.words == "none"


def is_testset(files: Sequence[str]) -> bool:
    """Tell whether files are one test set instead of texts.

    Raises
    ------
    InputError
        When there is a test set among several files, or SGML.

    Examples
    --------
    >>> is_testset(["a.txt", "b.txt"]), is_testset(["set.jsonl"])
    (False, True)
    """
    testsets = [
        path
        for path in files
        if os.path.isdir(path)
        or format_of(path) not in (None, *FOLDERS)
        or wants_demo(path)
    ]
    if testsets and len(files) > 1:
        message = f"{testsets[0]} is a whole test set; give it as the only file"
        raise InputError(message)
    sgml = [path for path in files if format_of(path) == "sgml"]
    if sgml:
        message = f"{sgml[0]}: SGML is not parsed directly; convert it to text first"
        raise InputError(f"{message} (tertium convert)")
    return bool(testsets)


def parse_files(
    files: Sequence[str],
    parser: CachedParser,
    *,
    output: str | None = None,
    nbest: int = 1,
    progress: Progress | None = None,
) -> int:
    """Parse text files into CoNLL-U files.

    Parameters
    ----------
    files : sequence of str
        Texts, one segment per line.
    parser : CachedParser
    output : str, optional
        For one file, a CoNLL-U file (standard output by default). For several files, a
        folder, which gets ``NAME.conllu`` for each of them.
    nbest : int
        How many parses of a segment are written at most; those after the first are
        blocks with ``# parse = 2`` and so on (see :mod:`tertium.trees.parses`).
    progress : callable, optional

    Returns
    -------
    int
        The number of segments.

    Raises
    ------
    InputError
        When a file holds trees already, or the output cannot be written.
    """
    targets = _targets(files, output)
    _check_places(list(targets.values()), output)
    columns = [_lines(path) for path in files]
    parses = _parses(list(chain(*columns)), parser, nbest, progress)
    if len(files) > 1 and output is not None and not os.path.isdir(output):
        os.mkdir(output)
    for path, texts in zip(files, columns, strict=True):
        write_conllu(targets[path], _blocks(texts, parses, parser.signature))
    return sum(map(len, columns))


def parse_testset(
    testset: Testset,
    parser: CachedParser,
    *,
    output: str,
    nbest: int = 1,
    progress: Progress | None = None,
) -> int:
    """Parse the references and systems of a test set into a folder of CoNLL-U files.

    The source is left out, as it is in another language.

    Parameters
    ----------
    testset : Testset
    parser : CachedParser
    output : str
        The folder.
    nbest : int
        As in :func:`parse_files`.
    progress : callable, optional

    Returns
    -------
    int
        The number of texts, references and systems together.
    """
    with replace_folder(output) as folder:
        columns = [
            (file, texts)
            for file, role, _, texts in text_columns(testset, folder)
            if role != "source"
        ]
        segments = list(chain(*(texts for _, texts in columns)))
        parses = _parses(segments, parser, nbest, progress)
        for file, texts in columns:
            write_conllu(f"{file}.conllu", _blocks(texts, parses, parser.signature))
    return len(columns)


def _parses(
    texts: list[str], parser: CachedParser, nbest: int, progress: Progress | None
) -> Iterator[Parses]:
    """Yield the parses of texts, which are made at once."""
    if nbest == 1:
        trees = parser.parse(texts, progress=progress)
        return iter([(Parse(tree),) for tree in trees])
    parses = parser.nbest(texts, nbest)
    if progress is not None:
        progress(len(texts))
    return iter(parses)


def _blocks(
    texts: Sequence[str], parses: Iterator[Parses], signature: str
) -> Iterator[Sentence]:
    """Yield the blocks of a file; the first one names the parser."""
    for number, text in enumerate(texts, 1):
        for block in sentences_of(next(parses), text=text, sent_id=str(number)):
            if number == 1 and block.comment("parse") in (None, "1"):
                comments = (f"# parser = {signature}", *block.comments)
                block = replace(block, comments=comments)
            yield block


def _targets(files: Sequence[str], output: str | None) -> dict[str, str]:
    """Return the file to write for each file to read."""
    if len(files) == 1:
        target = "-" if output is None else output
        if os.path.isdir(target):
            target = os.path.join(target, f"{_stem(files[0])}.conllu")
        if os.path.exists(target) and os.path.exists(files[0]):
            _check_different(files[0], target)
        return {files[0]: target}
    if output is None or output.endswith(".conllu"):
        message = f"there are {len(files)} files; give a folder for the trees"
        raise InputError(message, options=("output",))
    sources: dict[str, str] = {}
    for path in files:
        target = os.path.join(output, f"{_stem(path)}.conllu")
        if target in sources:
            message = f"{sources[target]} and {path} would both be {target}; rename one"
            raise InputError(message)
        sources[target] = path
    return {path: target for target, path in sources.items()}


def _check_different(source: str, target: str) -> None:
    if os.path.isfile(source) and os.path.samefile(source, target):
        raise InputError(f"{target} is the input; write to another file")


def _check_places(targets: Sequence[str], output: str | None) -> None:
    """Reject places that cannot be written, before texts are parsed."""
    if output is not None and len(targets) > 1 and not os.path.isdir(output):
        check_place(output)  # The folder will be made.
        if os.path.lexists(output):
            message = f"{output} is a file; give a folder for the trees"
            raise InputError(message, options=("output",))
        return
    for target in targets:
        check_place(target)


def _stem(path: str) -> str:
    return "stdin" if path == "-" else system_name(path)


def _lines(path: str) -> list[str]:
    if extension_of(path) == ".conllu":
        message = (
            f"{path} holds trees already; to parse its words and compare, use "
            "`tertium parse eval`"
        )
        raise InputError(message)
    return list(open_lines(path))
