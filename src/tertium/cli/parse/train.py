# SPDX-License-Identifier: Apache-2.0
"""``tertium parse train``: a parser's model from a treebank."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tertium._messages import count
from tertium._seed import SEED
from tertium.cli.parse.scores import add_treebanks, show
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen

__all__ = ["command"]

_ABOUT = """\
Train a parser on a treebank in CoNLL-U and test it on other sentences: those of
--dev, or a tenth of the treebank. UDPipe trains on one core and takes minutes for a
thousand sentences; spaCy needs a few minutes for a small model. The same input and
seed give the same model.
"""

_EXAMPLES = """\
  tertium parse train en_ewt-ud-train.conllu -p udpipe -o en.udpipe
  tertium parse train train.conllu.gz --dev dev.conllu -p spacy --language en -o en
  tertium parse train train.conllu -p udpipe --detail parser=iterations=5 -o en.udpipe

Treebanks for a hundred languages: https://universaldependencies.org. Mind their
licences: a model trained on a treebank for research only is for research only.
"""


@frozen
class Options(values.Remarks):
    """The options of the action."""

    treebanks: list[str]
    parser: str
    output: str
    dev: list[str] | None
    epochs: int | None
    language: str | None
    detail: list[str] | None
    seed: int
    format: str


def command(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.trees.treebanks import (
        check_training,
        split_treebanks,
        train_parser,
        treebank_language,
    )

    check_training(options.parser, language=options.language, detail=options.detail)
    train, dev = split_treebanks(options.treebanks, dev=options.dev, seed=options.seed)
    remark(
        options,
        f"training {options.parser} on {count(len(train), 'sentence')}, testing "
        f"on {count(len(dev), 'sentence')}",
    )
    language = options.language
    if options.parser == "spacy" and not language:
        language = treebank_language(options.treebanks[0])
    with _silence(options.quiet and options.parser == "udpipe"):
        scores = train_parser(
            train,
            dev,
            parser=options.parser,
            output=options.output,
            epochs=options.epochs,
            language=language,
            detail=options.detail,
            seed=options.seed,
            log=None if options.quiet else sys.stderr,
        )
    show(scores, options.format)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("parse train", _ABOUT, _EXAMPLES)
    add_treebanks(parser, "to train on")
    parser.add_argument(
        "-p", "--parser", required=True, metavar="PARSER", help="udpipe or spacy"
    )
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="MODEL",
        help="the model: a file for udpipe, a folder for spacy",
    )
    parser.add_argument(
        "--dev",
        nargs="+",
        metavar="TREEBANK",
        help="to test on, and for early stopping (default: a tenth of the treebank, "
        "sampled with --seed)",
    )
    parser.add_argument(
        "--epochs",
        type=flags.number(1, 10_000),
        metavar="N",
        help="passes over the treebank (default: 10 for udpipe's parser; spacy stops "
        "when nothing improves)",
    )
    parser.add_argument(
        "--language",
        metavar="LANG",
        help="spaCy's language, for its tokeniser (default: from the name of the "
        "treebank, en for en_ewt; else xx)",
    )
    parser.add_argument(
        "--detail",
        nargs="+",
        action="extend",
        metavar="PART=SETTINGS",
        help="for udpipe: settings of its tokenizer, tagger or parser, such as "
        "parser=iterations=5;hidden_layer=100; tokenizer=none trains none, which is "
        "the default if the treebank does not mark spaces",
    )
    parser.add_argument(
        "--seed", type=flags.number(0), default=SEED, metavar="N",
        help=f"for sampling the test sentences, and for spaCy (default: {SEED})",
    )  # fmt: skip
    parser.add_argument(
        "-f", "--format", choices=flags.FORMATS, default="table",
        help="format of the scores (default: table)",
    )  # fmt: skip
    flags.add_switch(parser, "-q", "--quiet", help="print the scores only")
    return parser


@contextmanager
def _silence(quiet: bool) -> Iterator[None]:
    """Keep UDPipe's progress, which C++ writes to standard error, off the screen."""
    if not quiet:
        yield
        return
    sys.stderr.flush()
    stderr = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(stderr, 2)
        os.close(stderr)
        os.close(nowhere)
