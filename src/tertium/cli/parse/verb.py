# SPDX-License-Identifier: Apache-2.0
"""``tertium parse``: texts to dependency trees in CoNLL-U."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.inputs import read_testset
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Input
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.trees.cache import CachedParser, TreeCache
    from tertium.trees.conllu import Sentence
    from tertium.trees.parsers.base import ModelParser
    from tertium.trees.tree import DependencyTree

__all__ = ["add_parser", "command", "load"]

_ABOUT = """\
Parse texts into dependency trees, in CoNLL-U. Block k of the output is segment k
of the input (a line of a text file): a segment of several sentences is one block
with several roots, and a segment without words is a block without words. Trees are
kept in a cache, so that a text is parsed once by each model, also by metrics.

Two more verbs: `tertium parse train` makes a model from a treebank, `tertium parse
eval` measures one; both have --help.
"""

_EXAMPLES = """\
  tertium parse -p udpipe --model en.udpipe a.txt -o a.conllu
  tertium parse -p spacy --model en_core_web_sm ref.txt A.txt B.txt -o trees
  tertium parse -p udpipe --model en.udpipe --tokenize 13a demo -o trees
  tertium parse train en_ewt-ud-train.conllu -p udpipe -o en.udpipe
  tertium parse eval en_ewt-ud-test.conllu -p udpipe --model en.udpipe
  tertium score -r ref.txt -i A=A.txt --trees A=trees/A.conllu \\
      --ref-trees trees/ref.conllu -m dted

models: none comes with Tertium. Install the package of a parser, then get a model:
  udpipe  pip install 'tertium[parse-udpipe]'
          {udpipe}
  spacy   pip install 'tertium[parse-spacy]'
          {spacy}
  stanza  pip install 'tertium[parse-stanza]'
          {stanza}
Metrics take the same names: -m dted:parser=udpipe,model=en.udpipe

The cache is {cache}
unless --cache or the variable TERTIUM_CACHE names another file (or `off`). It may be
deleted at any time. Ctrl-C keeps there what was parsed; the next run goes on from it.
"""


#: What has a parser of its own.
ACTIONS = ("train", "eval")


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if argv and argv[0] in ACTIONS:
        from tertium.cli.parse import models as parse_models

        return parse_models.command(argv)
    args = _parse(argv)
    parser = _cached_parser(args)
    if _is_testset(args.files):
        return _parse_testset(args, parser)
    pairs = _outputs(args.files, args.output)
    _check_places(pairs, args.output)
    columns = [_lines(path) for path, _ in pairs]
    trees = iter(_trees(args, parser, list(chain(*columns))))
    from tertium.trees.conllu import write_conllu

    if len(pairs) > 1 and not os.path.isdir(args.output):
        os.mkdir(args.output)
    for (_, target), texts in zip(pairs, columns, strict=True):
        write_conllu(target, _sentences(texts, trees, parser.signature))
    total = count(sum(map(len, columns)), "segment")
    if args.output is not None:
        remark(args, f"wrote {total} to {args.output}")
    return 0


def add_parser(parser: argparse.ArgumentParser, *, required: bool = True) -> None:
    """Add the options that name a parser and its model."""
    parser.add_argument(
        "-p",
        "--parser",
        required=required,
        metavar="PARSER",
        help="udpipe, spacy or stanza",
    )
    parser.add_argument(
        "--model",
        default="",
        metavar="MODEL",
        help="the model of the parser: a path, or for spacy and stanza the name of an "
        "installed model; `tertium parse --help` says how to get one",
    )


def load(name: str, model: str, *, tokenize: str) -> ModelParser:
    """Return the parser of the options that `add_parser` adds."""
    from tertium.trees.parsers import PARSERS, load_parser
    from tertium.trees.parsers.models import HOW_TO_GET_A_MODEL

    if name in PARSERS and not model:
        hint = HOW_TO_GET_A_MODEL[name]
        message = f"the parser {name} needs a model; give --model MODEL ({hint})"
        raise InputError(message)
    return load_parser(name, model, tokenize=tokenize)


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    from tertium.trees.cache import default_path
    from tertium.trees.parsers.models import HOW_TO_GET_A_MODEL

    hints = {
        name: how.replace("; tree", "\n          tree").replace(
            " or t", "\n          or t"
        )
        for name, how in HOW_TO_GET_A_MODEL.items()
    }
    examples = _EXAMPLES.format(cache=default_path() or "off", **hints)
    parser = flags.parser("parse", _ABOUT, examples)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="texts, one segment a line (also .gz .xz .bz2 .zst; - is stdin); or one "
        "test set (.jsonl .tsv .parquet .xml, a folder, `demo`), whose references and "
        "systems are parsed",
    )
    add_parser(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="a CoNLL-U file (stdout by default; .gz compresses); for several files or "
        "a test set a folder, which gets NAME.conllu for every text",
    )
    parser.add_argument(
        "--tokenize",
        default="own",
        metavar="NAME",
        help="who cuts texts into words: own (the model; white space if it cannot), "
        "none (words are separated already), 13a, intl, zh ... (default: own)",
    )
    parser.add_argument(
        "-j",
        "--processes",
        type=flags.number(1, 1024),
        metavar="N",
        help="processes that parse, each with the model in memory (default: all cores)",
    )
    cache = parser.add_mutually_exclusive_group()
    cache.add_argument(
        "--cache", metavar="FILE", help="keep trees there (default: see below)"
    )
    cache.add_argument(
        "--no-cache", action="store_true", help="parse everything, keep nothing"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    return parser.parse_args(argv)


def _cached_parser(args: argparse.Namespace) -> CachedParser:
    """Load the parser, before anything is read."""
    from tertium.trees.cache import CachedParser
    from tertium.trees.parsers.pool import batches_in

    parser = load(args.parser, args.model, tokenize=args.tokenize)
    if parser.tokenize == "own" and parser.words == "none":
        remark(
            args,
            "the model has no tokeniser, so words are cut at white space; for plain "
            "text, --tokenize 13a or intl may be better",
        )
    processes = args.processes or os.cpu_count() or 1
    return CachedParser(parser, _cache(args), batches=batches_in(parser, processes))


def _cache(args: argparse.Namespace) -> TreeCache | None:
    from tertium.trees.cache import TreeCache, default_cache

    if args.no_cache:
        return None
    return default_cache() if args.cache is None else TreeCache(args.cache)


def _trees(
    args: argparse.Namespace, parser: CachedParser, texts: list[str]
) -> list[DependencyTree]:
    with Progress("segments", quiet=args.quiet) as progress:
        return parser.parse(texts, progress=progress)


def _sentences(
    texts: Sequence[str], trees: Iterator[DependencyTree], signature: str
) -> Iterator[Sentence]:
    """Yield the blocks of a file; the first one names the parser."""
    from dataclasses import replace

    from tertium.trees.conllu import Sentence

    for number, text in enumerate(texts, 1):
        block = Sentence.from_tree(next(trees), text=text, sent_id=str(number))
        if number == 1:
            block = replace(
                block, comments=(f"# parser = {signature}", *block.comments)
            )
        yield block


def _outputs(files: Sequence[str], output: str | None) -> list[tuple[str, str]]:
    """Return every input with its output."""
    if len(files) == 1:
        target = "-" if output is None else output
        if os.path.isdir(target):
            target = os.path.join(target, f"{_stem(files[0])}.conllu")
        if os.path.exists(target) and os.path.exists(files[0]):
            _refuse_same(files[0], target)
        return [(files[0], target)]
    if output is None or output.endswith(".conllu"):
        message = f"there are {len(files)} files; give a folder for the trees with -o"
        raise InputError(message)
    found: dict[str, str] = {}
    for path in files:
        target = os.path.join(output, f"{_stem(path)}.conllu")
        if target in found:
            message = f"{found[target]} and {path} would both be {target}; rename one"
            raise InputError(message)
        found[target] = path
    return [(path, target) for target, path in found.items()]


def _check_places(pairs: Sequence[tuple[str, str]], output: str | None) -> None:
    """Refuse places that cannot be written, before texts are parsed."""
    from tertium._files import check_place

    if output is not None and len(pairs) > 1 and not os.path.isdir(output):
        check_place(output)  # The folder will be made.
        if os.path.lexists(output):
            raise InputError(f"{output} is a file; give a folder for the trees with -o")
        return
    for _, target in pairs:
        check_place(target)


def _refuse_same(source: str, target: str) -> None:
    if os.path.isfile(source) and os.path.samefile(source, target):
        message = f"{target} is the input; write to another file"
        raise InputError(message)


def _stem(path: str) -> str:
    from tertium.data import system_name

    return "stdin" if path == "-" else system_name(path)


def _lines(path: str) -> list[str]:
    from tertium.data import open_lines
    from tertium.data.formats import extension_of

    if extension_of(path) == ".conllu":
        message = (
            f"{path} holds trees already; to parse its words and compare, use "
            "`tertium parse eval`"
        )
        raise InputError(message)
    return list(open_lines(path))


def _is_testset(files: Sequence[str]) -> bool:
    """Tell whether the input is a test set; refuse one among other files."""
    from tertium.data.formats import FOLDERS, format_of

    whole = [
        path
        for path in files
        if os.path.isdir(path)
        or format_of(path) not in (None, *FOLDERS)
        or (path == "demo" and not os.path.exists(path))
    ]
    if whole and len(files) > 1:
        message = f"{whole[0]} holds a whole test set; give it as the only file"
        raise InputError(message)
    sgml = [path for path in files if format_of(path) == "sgml"]
    if sgml:
        message = f"{sgml[0]}: SGML is not parsed directly; convert it to text first"
        raise InputError(f"{message} (tertium convert)")
    return bool(whole)


def _parse_testset(args: argparse.Namespace, parser: CachedParser) -> int:
    """Parse references and systems of a test set into a folder."""
    from tertium._files import replace_folder
    from tertium.data.formats.plain import text_columns
    from tertium.trees.conllu import write_conllu

    if args.output is None:
        message = (
            f"{args.files[0]} holds several texts; give a folder for trees with -o"
        )
        raise InputError(message)
    testset = _testset(args.files[0], quiet=args.quiet)
    with replace_folder(args.output) as folder:
        columns = [
            (file, texts)
            for file, role, _, texts in text_columns(testset, folder)
            if role != "source"  # It is in another language.
        ]
        trees = iter(_trees(args, parser, list(chain(*(c for _, c in columns)))))
        for file, texts in columns:
            blocks = _sentences(texts, trees, parser.signature)
            write_conllu(f"{file}.conllu", blocks)
    remark(
        args,
        f"wrote {count(len(testset), 'segment')} of "
        f"{count(len(columns), 'text')} to {args.output}",
    )
    return 0


def _testset(path: str, *, quiet: bool) -> Testset:
    return read_testset(Input(quiet=quiet, testset=path))
