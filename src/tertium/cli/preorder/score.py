# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder score``: predicted orders against word links."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.preorder.texts import GoldOptions, add_gold, add_linked_text
from tertium.cli.shared import flags
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark_few
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, Run, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.preorder.results import OrderScores

__all__ = ["score"]

_ABOUT = """\
Score orders that models predict against the gold orders of word links, with bootstrap
intervals, and test which models differ. The source order is scored for comparison.
"""

_EXAMPLES = """\
  tertium preorder score test.orders -s test.en --links test.gdfa
  tertium preorder score test.orders -s test.en --links test.gdfa -f json
  tertium preorder score btg.orders pet=grammar.orders -s test.en --links test.gdfa
  tertium preorder score test.nbest.jsonl -s test.en --links test.gdfa -m tau
  tertium preorder score test.orders -s test.en --links test.gdfa \\
      --baselines identity reverse head-final --trees test.conllu

measures, each 1 for the gold order; corpus scores are means over sentences:
  tau         share of pairs of words in the gold order
  tau-linked  the same over linked words; words at the same target position may come
              in any order, as in Lader and the top-down BTG
  fuzzy       1 - (chunks - 1) / (n - 1) for n words
  frs         fuzzy reordering score with sentence ends, 1 - breaks / (n + 1)
  exact       share of sentences in the gold order
  hamming     share of words in their place
  spearman    Spearman's rho, from 0 to 1
  ulam        longest common subsequence, (length - 1) / (n - 1)

The JSON is {"tertium", "sentences", "settings": {"reduction", "attach", "resamples",
"confidence", "correction", "seed"}, "systems": {NAME: {MEASURE: {"score", "interval":
[LOW, HIGH] | null, "segments": [..] | null}}}, "oracles": {NAME: {"system", "orders":
MEAN}}, "operators": {NAME: {"covered": {"2": SHARE, "5": SHARE}, "arities": {ARITY:
SENTENCES}, "operators": {OPERATOR: COUNT}}}, "pairs": [{"measure", "a", "b", "delta",
"interval", "p", "p_adjusted", "better": NAME | null}]}. Pairs have a paired bootstrap
test, corrected for all pairs under a measure.

A file with several orders per sentence, the JSON of nbest or lattice, is scored twice:
NAME is the first order, or the best path by its weights; NAME oracle is the order with
the highest tau. The operators are those of flat trees of the gold orders and of all
systems; "covered" is the share of sentences whose operators have at most two or five
children.
"""


@frozen
class Options(Output, Run, GoldOptions):
    """The options of the action."""

    orders: list[str]
    measures: Sequence[str]
    baselines: Sequence[str]
    trees: str | None
    segments: bool
    resamples: int
    confidence: float
    correction: str


def score(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    files = [(_system(name), path) for name, path in flags.named_files(options.orders)]
    inputs = [options.source, options.links, options.backward, options.trees]
    check_places([*inputs, *(path for _, path in files)], [options.output])
    names = [name for name, _ in files]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two systems are called {name!r}; name them as NAME=FILE")
    result = _score(options, files)
    remark_few(options, options.resamples, options.confidence, "--resamples")
    note_result(
        result.to_json,
        systems=len(files),
        methods=[f"order-{measure}" for measure in options.measures],
    )
    if options.format == "json":
        emit(result.to_json(), options.output)
        return 0
    from tertium.report.tables.preorder import order_tables

    render(order_tables(result, options.style), options.format, output=options.output)
    return 0


def _system(name: str) -> str:
    """Return the name of a system from that of its file."""
    for suffix in (".orders", ".jsonl", ".json"):
        name = name.removesuffix(suffix)
    return name


def _score(options: Options, files: Sequence[tuple[str, str]]) -> OrderScores:
    from tertium.preorder.candidates import read_candidates
    from tertium.preorder.scoring import score_orders
    from tertium.trees.parses import read_first_parses

    sentences, links = options.read()
    backward, trees = options.backward, options.trees
    with Progress("resamples", quiet=options.quiet) as progress:
        return score_orders(
            {},
            sentences,
            links,
            candidates={name: read_candidates(path, sentences) for name, path in files},
            reduction=options.reduction,
            attach=options.attach,
            backward=None
            if backward is None
            else options.read_links(backward, sentences),
            measures=options.measures,
            baselines=options.baselines,
            trees=None if trees is None else [s.tree for s in read_first_parses(trees)],
            segments=options.segments,
            resamples=options.resamples,
            confidence=options.confidence,
            correction=options.correction,
            seed=options.seed,
            threads=options.threads,
            progress=progress,
        )


def _parser() -> argparse.ArgumentParser:
    from tertium.preorder.baselines import BASELINES
    from tertium.preorder.measures import MEASURES

    parser = flags.parser("preorder score", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "orders",
        nargs="+",
        metavar="[NAME=]FILE",
        help="orders of a model: a line of source positions, counted from 0, per "
        "sentence, as `tertium preorder apply -f orders` writes them, or the JSON of "
        "apply, nbest or lattice",
    )
    add_linked_text(parser)
    add_gold(parser)
    parser.add_argument(
        "-m",
        "--measures",
        nargs="+",
        choices=MEASURES,
        default=MEASURES,
        metavar="NAME",
        help="(default: all)",
    )
    parser.add_argument(
        "--baselines",
        nargs="*",
        choices=BASELINES,
        default=("identity",),
        metavar="NAME",
        help="also score identity (the source order), reverse or head-final (by rules, "
        "needs --trees) (default: identity)",
    )
    parser.add_argument(
        "--trees", metavar="FILE", help="dependency trees of the source, in CoNLL-U"
    )
    parser.add_argument(
        "--segments",
        action="store_true",
        help="also the score of every sentence, in JSON",
    )
    parser.add_argument(
        "--resamples",
        type=flags.number(0, 10**7),
        default=1000,
        metavar="N",
        help="of the bootstrap; 0 for no intervals and tests (default: 1000)",
    )
    parser.add_argument(
        "--confidence",
        type=float,
        default=0.95,
        metavar="P",
        help="of intervals; pairs differ if p is below 1 - P (default: 0.95)",
    )
    parser.add_argument(
        "--correction",
        choices=("holm", "bh", "none"),
        default="holm",
        help="of p-values, for several pairs (default: holm)",
    )
    flags.add_run(parser)
    flags.add_output(parser)
    return parser
