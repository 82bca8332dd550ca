# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium report``."""

from __future__ import annotations

from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.caching import add_cache
from tertium.cli.shared.inputs import add_input, add_layers, add_mtme
from tertium.cli.shared.values import Caching, Layers, Mtme, Run, Scored, frozen

__all__ = ["Options", "parse"]

_ABOUT = """\
Write one page on which system is better, how sure that is, where systems differ
and what they do differently, down to single segments. The page is one HTML file
that loads nothing: it can be sent, kept and read without a network.
"""

_EXAMPLES = """\
  tertium report demo -o report.html
  tertium report -r ref.txt -s src.txt -i A=a.txt B=b.txt -l en-de -o report.html
  tertium report newstest.jsonl -m chrf bleu ter --focus A B -o report.html --open
  tertium report newstest.jsonl --tags domain.txt --training train.de -o report.html
  tertium report demo -f json -o report.json

--focus names the two systems whose differences are looked at (default: the two that
are best by the first metric). The JSON is that of `tertium compare`, with the scores
of segments, "headline", "cautions", "language" (of stems), "focus", "checks" (findings
of `tertium check`), "buckets" (scores of groups of segments), "words", "ngrams",
"errors" (with "segments": how many every output has), "gaps" (how often judges agreed
with such a difference), "length_ratios", "habits" and "agreement" (of metrics).
"""


@frozen
class Options(Scored, Mtme, Layers, Caching, Run):
    """The options of ``tertium report``."""

    focus: list[str] | None
    tags: list[str] | None
    training: str | None
    language: str | None
    resamples: int | None
    alpha: float
    by_document: bool
    title: str | None
    format: str
    output: str | None
    open: bool


def parse(argv: Sequence[str]) -> Options:
    """Return the options on a command line."""
    parser = flags.parser("report", _ABOUT, _EXAMPLES)
    add_input(parser)
    add_mtme(parser)
    flags.add_metrics(parser, ("bleu", "chrf", "ter"))
    flags.add_scores(parser)
    parser.add_argument(
        "--focus",
        nargs=2,
        metavar=("A", "B"),
        help="the two systems whose differences are looked at",
    )
    parser.add_argument(
        "--tags",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="group segments by these as well: a text file with one tag per segment, "
        "or a .tsv or .csv file with a header, one column per kind of tag",
    )
    parser.add_argument(
        "--training",
        metavar="FILE",
        help="the target side of the training corpus: words are rare or unseen there, "
        "not in the references",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        help="of outputs and references, such as de, so that inflected forms are "
        "recognised (default: the target of the language pair)",
    )
    parser.add_argument(
        "--resamples",
        type=flags.number(1, 10**7),
        metavar="N",
        help="of the bootstrap (default: 1000, and more for many pairs)",
    )
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="(default: 0.05)"
    )
    flags.add_switch(parser, "--by-document", help="resample whole documents")
    flags.add_run(parser)
    add_cache(parser, "statistics of segments, and trees of parsers,")
    parser.add_argument(
        "--title", metavar="TEXT", help="on the page (default: the test set's name)"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("html", "json"),
        default="html",
        help="(default: html)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_switch(parser, "--open", help="show the page in a browser")
    add_layers(parser)
    return values.parse(parser, argv, Options)
