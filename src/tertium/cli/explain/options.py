# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium explain``, and refusals of those that do not fit."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.shared import flags
from tertium.cli.shared.layers import add_layers, check_links_options
from tertium.errors import InputError

__all__ = ["DRAWINGS", "METRICS", "alignment", "parse"]

_ABOUT = """\
Show why a segment has its score: findings in plain sentences, the alignment matrix,
the permutation with its trees, both dependency trees with what DTED mapped, DERP's
spanning tree, n-gram hits and word edits. As text, drawings, a page or JSON.
"""

_EXAMPLES = """\
  tertium explain demo --system order --segment 3
  tertium explain --hyp "at noon we meet" --ref "we meet at noon"
  tertium explain --permutation "2 4 5 6 1 3" -m recpef:beta=0.3 kendall
  tertium explain -r ref.txt -i a.txt --segments 3,7,10-12 -f html -o page.html
  tertium explain demo --system order --segment 3 -f svg -o drawings
  tertium explain demo --system order --segment 3 -f svg --draw forest > forest.svg
  tertium explain -r ref.txt -i a.txt --segment 3 --trees a.conllu --ref-trees r.conllu
  tertium explain -r ref.txt -i a.txt --segment 3 -p udpipe --model english.udpipe
  tertium score demo -m bleu --worst 5 -f tsv | tertium explain demo --list - -f html

The JSON has one object: {"tertium": VERSION, "segments": [{"hyp", "ref", "findings":
[{"kind", "text", ...}], "scores", "matches", "order": {"permutation", "forest", "tree",
"trees", "scores"}, "dependencies", "paths", "ngrams", "edits", "others": [{"view",
"metric", ...}], ...}]}. Words count from 0, segments from 1; trees are lists of nodes,
parents first; a path between words of more than 100 labels is null. "others" are views
of further metrics of one kind: with two variants of dted, both are drawn.
"""

#: Those of :func:`tertium.explain`.
METRICS = ("pef", "sentbleu", "chrf", "ter")
DRAWINGS = ("alignment", "tree", "forest", "dependencies", "derp")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options, which go together."""
    args = _parse(argv)
    _check(args)
    return args


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("explain", _ABOUT, _EXAMPLES)
    flags.add_input(parser)
    parser.add_argument("--hyp", metavar="TEXT", help="an output given here")
    parser.add_argument(
        "--ref", metavar="TEXT", nargs="+", help="its reference or references"
    )
    parser.add_argument(
        "--permutation", metavar="VALUES", help='an order alone, such as "2 4 1 3"'
    )
    parser.add_argument(
        "--permutations",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="files of orders, one a line",
    )
    parser.add_argument(
        "--zero-based", action="store_true", help="values of permutations begin at 0"
    )
    choice = parser.add_argument_group("which segments")
    choice.add_argument(
        "--segments",
        "--segment",
        metavar="LIST",
        help="segments by number, counted from 1, such as 3,7,10-12",
    )
    choice.add_argument(
        "--system", nargs="+", metavar="NAME", help="systems (default: all)"
    )
    choice.add_argument(
        "--list",
        "--worst",
        metavar="FILE",
        help="segments that `tertium score --worst N -f tsv` (or json) listed; - is "
        "stdin",
    )
    choice.add_argument(
        "--reference",
        type=flags.number(1),
        metavar="N",
        help="which of several references (default: the best under the first metric)",
    )
    flags.add_metrics(parser, METRICS)
    _add_alignment(parser)
    add_layers(parser)
    _add_trees(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=("text", "svg", "html", "json"),
        default="text",
        help="(default: text)",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write there, not stdout; a folder for several drawings",
    )
    parser.add_argument(
        "--draw",
        nargs="+",
        choices=DRAWINGS,
        metavar="NAME",
        help=f"only these drawings: {' '.join(DRAWINGS)}",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="all findings, not only the most important (JSON always has all)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    args = parser.parse_args(argv)
    if args.metrics is parser.get_default("metrics"):
        # Not asked for: a list of segments or the tokeniser may say otherwise.
        args.metrics = []
    return args


def _add_alignment(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "alignment", "as each metric that aligns words does, unless given here"
    )
    group.add_argument(
        "--tokenize", metavar="NAME", help="the tokeniser (words, 13a, none, ...)"
    )
    group.add_argument(
        "--match", metavar="NAMES", help="matchers such as exact+stem (default: exact)"
    )
    group.add_argument("--language", metavar="CODE", help="the language of stems")
    group.add_argument("--synonyms", metavar="FOLDER", help="WordNet's files")
    group.add_argument("--paraphrases", metavar="FILE", help="a table of paraphrases")
    group.add_argument(
        "--cased", action="store_true", help="words of different case do not match"
    )


def _add_trees(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group(
        "parsers", "without trees or a parser, trees are flattened"
    )
    group.add_argument("-p", "--parser", metavar="NAME", help="udpipe, spacy or stanza")
    group.add_argument("--model", metavar="PATH", help="the parser's model")
    group.add_argument(
        "--variant", metavar="NAME", help="of DTED: b, c, co or cl (default: cl)"
    )


def _check(args: argparse.Namespace) -> None:
    given = [
        args.permutation is not None,
        args.hyp is not None or args.ref is not None,
        args.permutations is not None,
        any((args.testset, args.references, args.systems, args.trees)),
    ]
    if sum(given) > 1:
        message = (
            "give a test set, --hyp with --ref, --permutation or --permutations; only "
            "one of them"
        )
        raise InputError(message)
    if (args.hyp is None) != (args.ref is None):
        message = "an output and its reference belong together; give --hyp and --ref"
        raise InputError(message)
    if not any(given):
        message = (
            "nothing to explain; give a test set before the options (try: demo), "
            "references with -r and systems with -i, --hyp with --ref, or --permutation"
        )
        raise InputError(message)
    if args.permutation is not None or args.hyp is not None:
        _check_alone(args)
    if args.permutation is not None or args.permutations is not None:
        _check_orders(args)
    if args.zero_based and args.permutation is None and args.permutations is None:
        message = (
            "--zero-based is about --permutation and --permutations; give one, or "
            "leave it out"
        )
        raise InputError(message)
    if args.all and args.format == "svg":
        message = "--all is about findings, and drawings have none; leave it out"
        raise InputError(message)
    check_links_options(args)
    if args.model and not args.parser:
        message = f"--model {args.model} needs the name of its parser; add -p udpipe"
        raise InputError(message)
    if args.list is not None and args.segments is not None:
        message = "--list and --segments both choose segments; give one of them"
        raise InputError(message)


def _check_alone(args: argparse.Namespace) -> None:
    """Refuse options about test sets where the segment is on the command line."""
    what = "--hyp" if args.hyp is not None else "--permutation"
    names = ("segments", "system", "list", "source", "docs", "alignments", "ref_trees")
    for name in names:
        if getattr(args, name) is not None:
            message = (
                f"--{name.replace('_', '-')} is about a test set, and {what} gives one "
                "segment here; leave it out"
            )
            raise InputError(message)


def _check_orders(args: argparse.Namespace) -> None:
    """Refuse options about texts where there are only permutations."""
    names = ("parser", "model", "variant", "reference")
    given = [*alignment(args), *(name for name in names if getattr(args, name))]
    for name in given:
        option = "cased" if name == "lowercase" else name
        message = (
            f"--{option} is about texts, and there are only permutations; leave it out"
        )
        raise InputError(message)


def alignment(args: argparse.Namespace) -> dict[str, str | bool]:
    """Return the settings of the aligner that were given."""
    names = ("tokenize", "match", "language", "synonyms", "paraphrases")
    given: dict[str, str | bool] = {
        name: getattr(args, name) for name in names if getattr(args, name) is not None
    }
    if args.cased:
        given["lowercase"] = False
    return given
