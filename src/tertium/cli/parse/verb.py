# SPDX-License-Identifier: Apache-2.0
"""``tertium parse``: texts to dependency trees in CoNLL-U."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_notes
from tertium.cli.shared.values import frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.trees.cache import CachedParser

__all__ = ["ACTIONS", "add_parser", "command"]

_ABOUT = """\
Parse texts into dependency trees, in CoNLL-U. Block k of the output is segment k
of the input (one line of a text file): a segment of several sentences is one block
with several roots, and a segment without words is a block without words. Trees are
cached, so that each model parses a text only once, metrics included.

`tertium parse train` trains a model on a treebank, and `tertium parse eval` evaluates
one; both have --help.
"""

_EXAMPLES = """\
  tertium parse -p udpipe --model en.udpipe a.txt -o a.conllu
  tertium parse -p spacy --model en_core_web_sm ref.txt A.txt B.txt -o trees
  tertium parse -p udpipe --model en.udpipe --tokenize 13a demo -o trees
  tertium parse -p spacy --model en_core_web_sm --nbest 5 a.txt -o a.conllu
  tertium parse train en_ewt-ud-train.conllu -p udpipe -o en.udpipe
  tertium parse eval en_ewt-ud-test.conllu -p udpipe --model en.udpipe
  tertium score -r ref.txt -i A=A.txt --trees A=trees/A.conllu \\
      --ref-trees trees/ref.conllu -m dted
  tertium score -r ref.txt -i A=A.txt --ref-trees trees/ref.conllu \\
      -m dted:structure=projected

models: Tertium includes none. Install the package of a parser, then get a model:
  udpipe  pip install 'tertium[parse-udpipe]'
          {udpipe}
  spacy   pip install 'tertium[parse-spacy]'
          {spacy}
  stanza  pip install 'tertium[parse-stanza]'
          {stanza}
Metrics take the same names: -m dted:parser=udpipe,model=en.udpipe

The cache is {cache}
unless --cache or the variable TERTIUM_CACHE names another folder (or `off`). It may be
deleted at any time (`tertium cache --help`). After Ctrl-C, the next run continues with
the trees in it.
"""

#: Actions with options of their own.
ACTIONS = ("train", "eval")


@frozen
class Options(values.Remarks):
    """The options of the verb."""

    files: list[str]
    parser: str
    model: str
    output: str | None
    tokenize: str
    nbest: int
    processes: int | None
    cache: str | None
    no_cache: bool


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if argv and argv[0] in ACTIONS:
        action = import_module(f"tertium.cli.parse.{argv[0]}")
        return int(action.command(argv[1:]))
    options = values.parse(_parser(), argv, Options)
    from tertium.trees.parsing import (
        cached_parser,
        is_testset,
        lacks_tokenizer,
        parse_files,
    )

    parser = cached_parser(
        options.parser,
        options.model,
        tokenize=options.tokenize,
        processes=options.processes,
        cache=options.cache,
        no_cache=options.no_cache,
    )
    if lacks_tokenizer(parser):
        remark(
            options,
            "the model has no tokeniser, so texts are split at white space; for plain "
            "text, --tokenize 13a or intl may be better",
        )
    if is_testset(options.files):
        written = _parse_testset(options, parser)
    else:
        with Progress("segments", quiet=options.quiet) as progress:
            segments = parse_files(
                options.files,
                parser,
                output=options.output,
                nbest=options.nbest,
                progress=progress,
            )
        written = count(segments, "segment")
    if parser.cache is not None:
        remark_notes(options, parser.cache)
    if options.output is not None:
        remark(options, f"wrote {written} to {options.output}")
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
        help="the parser's model: a path, or for spacy and stanza the name of an "
        "installed model; `tertium parse --help` explains how to get one",
    )


def _parser() -> argparse.ArgumentParser:
    from tertium.cache.places import default_folder
    from tertium.trees.parsers.models import HOW_TO_GET_A_MODEL

    hints = {
        name: how.replace("; tree", "\n          tree").replace(
            " or t", "\n          or t"
        )
        for name, how in HOW_TO_GET_A_MODEL.items()
    }
    examples = _EXAMPLES.format(cache=default_folder() or "off", **hints)
    parser = flags.parser("parse", _ABOUT, examples)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="texts, one segment per line (also .gz .xz .bz2 .zst; - is stdin); or one "
        "test set (.jsonl .tsv .parquet .xml, a folder, `demo`), whose references and "
        "systems are parsed",
    )
    add_parser(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="PATH",
        help="a CoNLL-U file (stdout by default; .gz compresses); for several files or "
        "a test set a folder, which gets NAME.conllu for each text",
    )
    parser.add_argument(
        "--tokenize",
        default="own",
        metavar="NAME",
        help="tokeniser: own (that of the model; white space if it has none), none "
        "(texts are tokenised already), 13a, intl, zh ... (default: own)",
    )
    parser.add_argument(
        "--nbest",
        type=flags.number(1, 64),
        default=1,
        metavar="N",
        help="write up to N parses of each segment, the most probable first, for "
        "metrics with parses=best or parses=mean (spacy only, by beam search in one "
        "process, not cached; default: 1)",
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
        "--cache", metavar="DIR", help="the folder of the cache (default: see below)"
    )
    flags.add_switch(cache, "--no-cache", help="parse everything, keep nothing")
    flags.add_switch(parser, "-q", "--quiet", help="no progress and no remarks")
    return parser


def _parse_testset(options: Options, parser: CachedParser) -> str:
    """Parse references and systems of a test set, and return what was written."""
    from tertium.data import read
    from tertium.trees.parsing import parse_testset

    if options.output is None:
        message = f"{options.files[0]} holds several texts; give a folder for the trees"
        raise InputError(f"{message} with -o")
    testset = read(options.files[0])
    remark_notes(options, testset)
    with Progress("segments", quiet=options.quiet) as progress:
        texts = parse_testset(
            testset,
            parser,
            output=options.output,
            nbest=options.nbest,
            progress=progress,
        )
    return f"{count(len(testset), 'segment')} of {count(texts, 'text')}"
