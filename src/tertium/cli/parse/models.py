# SPDX-License-Identifier: Apache-2.0
"""``tertium parse train`` and ``tertium parse eval``: models from treebanks."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.parse.verb import add_parser, load
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.trees.conllu import Sentence
    from tertium.trees.scores import Attachment

__all__ = ["command"]

_TRAIN = """\
Train a parser on a treebank in CoNLL-U and test it on sentences it has not seen:
those of --dev, or a tenth of the treebank. UDPipe learns on one core, some minutes
for a thousand sentences; spaCy needs a few minutes for a small model. Equal input
and seed give an equal model.
"""

_TRAIN_EXAMPLES = """\
  tertium parse train en_ewt-ud-train.conllu -p udpipe -o en.udpipe
  tertium parse train train.conllu.gz --dev dev.conllu -p spacy --language en -o en
  tertium parse train train.conllu -p udpipe --detail parser=iterations=5 -o en.udpipe

Treebanks of a hundred languages: https://universaldependencies.org. Mind their
licences: a model of a treebank for research alone is for research alone.
"""

_EVAL = """\
Measure a parser against the trees of a treebank, on the treebank's own words: UAS
is the share of words with the right head, LAS with the right relation as well,
LAS* the same without subtypes (nsubj for nsubj:pass), as the CoNLL tasks count.
"""

_EVAL_EXAMPLES = """\
  tertium parse eval en_ewt-ud-test.conllu -p udpipe --model en.udpipe
  tertium parse eval gold.conllu --trees mine.conllu

The JSON has one object: {"tertium": VERSION, "parser": SIGNATURE, "words",
"sentences", "uas", "las", "las_base"}.
"""


def command(argv: Sequence[str]) -> int:
    """Run one of the two verbs and return its exit code."""
    return _train(argv[1:]) if argv[0] == "train" else _eval(argv[1:])


def _train(argv: Sequence[str]) -> int:
    args = _train_options(argv)
    from tertium.trees.training import split_treebank, train_spacy, train_udpipe

    if args.parser not in ("udpipe", "spacy"):
        message = (
            f"parser {args.parser!r} cannot be trained here; choose udpipe or spacy"
        )
        raise InputError(message)
    if args.parser == "udpipe" and args.language:
        raise InputError("--language is for spaCy; leave it out with udpipe")
    if args.parser == "spacy" and args.detail:
        message = "--detail is for udpipe; spaCy takes --epochs and --language"
        raise InputError(message)
    train = _read(args.treebanks)
    if args.dev:
        dev = _read(args.dev)
    else:
        train, dev = split_treebank(train, seed=args.seed)
    remark(
        args,
        f"training {args.parser} on {count(len(train), 'sentence')}, testing "
        f"on {count(len(dev), 'sentence')}",
    )
    if args.parser == "udpipe":
        details = dict(_detail(item) for item in args.detail or ())
        with _silence(args.quiet):
            train_udpipe(
                args.output,
                train,
                dev,
                epochs=args.epochs,
                details=details,
                apart=True,
            )
    else:
        train_spacy(
            args.output,
            train,
            dev,
            language=args.language or _language(args.treebanks[0]),
            epochs=args.epochs,
            seed=args.seed,
            log=None if args.quiet else sys.stderr,
        )
    signature, found = _measure(args.parser, args.output, dev)
    _show(signature, found, args)
    return 0


def _train_options(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("parse train", _TRAIN, _TRAIN_EXAMPLES)
    _add_treebanks(parser, "to learn from")
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
        help="to test on, and to stop by (default: a tenth of "
        "the treebank, drawn by --seed)",
    )
    parser.add_argument(
        "--epochs",
        type=flags.number(1, 10_000),
        metavar="N",
        help="rounds over the treebank (default: 10 for udpipe's parser; spacy stops "
        "when nothing improves)",
    )
    parser.add_argument(
        "--language",
        metavar="LANG",
        help="spaCy's language, for its tokeniser (default: as the treebank is named, "
        "en for en_ewt; else xx)",
    )
    parser.add_argument(
        "--detail",
        nargs="+",
        action="extend",
        metavar="PART=SETTINGS",
        help="for udpipe: settings of tokenizer, tagger or parser in its own words, "
        "such as parser=iterations=5;hidden_layer=100; tokenizer=none trains none, "
        "which is the default if the treebank does not mark spaces",
    )
    parser.add_argument(
        "--seed", type=flags.number(0), default=SEED, metavar="N",
        help=f"for the tenth to test on, and for spaCy (default: {SEED})",
    )  # fmt: skip
    parser.add_argument(
        "-f", "--format", choices=flags.FORMATS, default="table",
        help="of the scores (default: table)",
    )  # fmt: skip
    parser.add_argument("-q", "--quiet", action="store_true", help="scores alone")
    return parser.parse_args(argv)


def _add_treebanks(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "treebanks",
        nargs="+",
        metavar="TREEBANK",
        help=f"files in CoNLL-U, perhaps compressed, {what}",
    )


def _eval(argv: Sequence[str]) -> int:
    parser = flags.parser("parse eval", _EVAL, _EVAL_EXAMPLES)
    _add_treebanks(parser, "whose trees are right")
    add_parser(parser, required=False)
    parser.add_argument(
        "--trees",
        metavar="FILE",
        help="measure these trees, of the same sentences, instead of a parser",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    if (args.parser is None) == (args.trees is None) or (args.trees and args.model):
        message = "give a parser with -p and --model, or trees with --trees"
        raise InputError(message)
    if args.trees is None:
        signature, found = _measure(args.parser, args.model, _read(args.treebanks))
    else:
        signature, found = "given", _compare(_read(args.treebanks), args.trees)
    _show(signature, found, args)
    return 0


def _measure(name: str, model: str, gold: Sequence[Sentence]) -> tuple[str, Attachment]:
    from tertium.trees.scores import attachment

    parser = load(name, model, tokenize="none")
    filled = [sentence.tree for sentence in gold if len(sentence.tree)]
    trees = parser.parse_words([tree.forms for tree in filled])
    return parser.signature, attachment(zip(trees, filled, strict=True))


def _compare(gold: Sequence[Sentence], path: str) -> Attachment:
    from tertium.trees.scores import attachment

    ours = _read([path])
    if len(ours) != len(gold):
        message = (
            f"{path} has {len(ours)} sentences, the treebank {len(gold)}; give trees "
            "of the same sentences"
        )
        raise InputError(message)
    return attachment((a.tree, b.tree) for a, b in zip(ours, gold, strict=True))


def _show(signature: str, found: Attachment, args: argparse.Namespace) -> None:
    # Of `train`, -o is the model: its scores go to stdout.
    output = args.output if "model" in args else None
    if args.format == "json":
        facts = {"tertium": __version__, "parser": signature, **asdict(found)}
        emit(json.dumps(facts, ensure_ascii=False, indent=2), output)
        return
    digits = getattr(args, "digits", None)
    figures = [f"{x:.{2 if digits is None else digits}f}"
               for x in (found.uas, found.las, found.las_base)]  # fmt: skip
    row = [signature, f"{found.sentences}", f"{found.words}", *figures]
    head = ["parser", "sentences", "words", "UAS", "LAS", "LAS*"]
    render([Table(head, [row])], args.format, output=output)


def _read(paths: Sequence[str]) -> list[Sentence]:
    from tertium.trees.conllu import read_conllu

    return [sentence for path in paths for sentence in read_conllu(path)]


def _detail(item: str) -> tuple[str, str]:
    part, equals, settings = item.partition("=")
    if not equals:
        message = f"--detail {item} is no setting; write parser=iterations=5"
        raise InputError(message)
    return part, settings


def _language(path: str) -> str:
    found = re.match(r"([a-z]{2,3})_", os.path.basename(path))
    return found[1] if found else "xx"


@contextmanager
def _silence(quiet: bool) -> Iterator[None]:
    """Keep UDPipe's progress, which C++ writes to standard error, off the screen."""
    if not quiet:
        yield
        return
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
