# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium align``."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._files import check_places
from tertium.align.job import DEFAULT_SYMMETRISATION, AlignmentJob
from tertium.align.job_checks import BILINGUAL_ALIGNERS
from tertium.cli.shared import flags, values
from tertium.cli.shared.caching import add_cache
from tertium.cli.shared.values import Caching, frozen
from tertium.errors import InputError

__all__ = ["Options", "parse"]

_ABOUT = """\
Align words and write links, one line per segment: `0-0 2-1` links the first words of
both texts, and the third word of the first text with the second word of the other.
Texts are split at white space unless --tokenize says otherwise.

There are four ways to make links:
  -i OUTPUTS -r REFERENCES        texts of one language, by equal or similar words
  --bilingual -s TEXT -t TEXT     a text and its translation; learns from the texts,
                                  so thousands of segments are better than hundreds
  --pivot SRC-SYS SRC-REF         outputs and references, by their links with the
                                  source
  --links FILE [FILE]             existing links, to convert, symmetrise or evaluate
"""

_EXAMPLES = """\
  tertium align -i out.txt -r ref.txt -o out.links
  tertium align -i out.txt -r ref.txt --match exact+stem --language de
  tertium align -i out.txt -r ref.txt --tokenize 13a -o out.13a.links
  tertium align --bilingual -s src.txt -t tgt.txt --symmetrise intersection
  tertium align --bilingual -s src.txt -t tgt.txt --gold gold.txt --one-based gold
  tertium align --bilingual -s src.txt -t tgt.txt --save-model src-tgt.model -q
  tertium align --bilingual -s new.src -t new.tgt --model src-tgt.model --soft 0.1
  tertium align --bilingual -s src.txt -t tgt.txt --aligner eflomal
  tertium align --bilingual -s src.txt -t tgt.txt --command "fast_align -i {input} -dov"
  tertium align --pivot src-out.links src-ref.links -o out-ref.links
  tertium align --links forward.links backward.links --symmetrise grow-diag
  tertium align --links gold.naacl --input-format naacl -f pharaoh

`tertium score --alignments NAME=out.links` uses such links; those made with --tokenize
13a need the same tokeniser on metrics, -m kendall:tokenize=13a. The JSON is one object:
{"tertium": VERSION, "links": [[{"hyp", "ref", "weight", "sure"}, ..], ..]}, with
words counted from 0. With --gold it is {"tertium", "quality": {"links", "sure",
"possible", "precision", "recall", "f1", "aer"}}.
"""


@frozen
class Options(Caching, AlignmentJob):
    """The options of the verb: those of an alignment job, and the output."""

    format: str
    output: str | None
    threads: int | None


def parse(argv: Sequence[str]) -> Options:
    """Return the options after checking the files they name."""
    options = values.parse(_parser(), argv, Options)
    if "output" in (options.one_based or ()) and options.format != "pharaoh":
        raise InputError(
            "--one-based output has an effect on Pharaoh files only; omit it with -f "
            f"{options.format}"
        )
    check_places(options.inputs, [options.output, *options.outputs])
    return options


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("align", _ABOUT, _EXAMPLES)
    _add_texts(parser)
    _add_ways(parser)
    parser.add_argument(
        "--gold",
        metavar="FILE",
        help="manual links: print precision, recall, F1 and alignment error rate "
        "(links are written only with -o)",
    )
    parser.add_argument(
        "--input-format",
        choices=("pharaoh", "naacl"),
        help="format of the link files that are read: --links, --pivot, --gold "
        "(default: pharaoh); naacl has one link per line: sentence source target "
        "[S|P] [probability]",
    )
    parser.add_argument(
        "--one-based",
        nargs="*",
        choices=("links", "gold", "output"),
        metavar="FILES",
        help="Pharaoh files that count words from 1: links (those read), gold, output; "
        "all of them if none is named",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("pharaoh", "json", "naacl"),
        default="pharaoh",
        help="format of the links that are written (default: pharaoh, one line per "
        "segment such as `0-0 2p1:0.5`: possible links have p for -, weights follow a "
        "colon)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write links there, not stdout"
    )
    parser.add_argument(
        "-j",
        "--threads",
        type=flags.number(1, 1024),
        metavar="N",
        help="threads that align -i with -r, or -s with -t by the built-in aligner "
        "(default: all cores)",
    )
    flags.add_switch(parser, "-q", "--quiet", help="no progress and no remarks")
    add_cache(parser, "links that --bilingual learns", always=True)
    return parser


def _add_texts(parser: argparse.ArgumentParser) -> None:
    from tertium.align.aligner import ALIGNERS

    group = parser.add_argument_group("texts (plain or SGML, perhaps compressed)")
    checks = "with --links{}, links are checked against it"
    for short, long, what in (
        ("-i", "--systems", f"outputs of one system; {checks.format(' and --pivot')}"),
        ("-r", "--references", "their references; likewise"),
        ("-s", "--source", f"sources; {checks.format(' and --pivot')}"),
        ("-t", "--target", f"translations of -s; {checks.format('')}"),
    ):
        group.add_argument(short, long, metavar="FILE", help=what)
    group = parser.add_argument_group("aligning outputs with references")
    group.add_argument(
        "--tokenize",
        metavar="NAME",
        help="tokeniser: none (white space), words, 13a, intl, zh, char (default: "
        "none)",
    )
    group.add_argument(
        "--case",
        action="store_true",
        default=None,
        help="match case (default: the and The match)",
    )
    group.add_argument(
        "--match",
        metavar="NAMES",
        help="matchers joined by plus signs, the most trusted first: exact, stem, "
        "synonym, paraphrase (default: exact)",
    )
    group.add_argument(
        "--language",
        metavar="CODE",
        help="language of the matchers stem and synonym: en, de, french ... (default: "
        "en)",
    )
    group.add_argument(
        "--synonyms",
        metavar="PATH",
        help="for the matcher synonym: a WordNet folder or file; auto, the default for "
        "English, looks in the usual places",
    )
    group.add_argument(
        "--paraphrases",
        metavar="FILE",
        help="for the matcher paraphrase: a table in METEOR's format",
    )
    group.add_argument(
        "--aligner",
        choices=(*ALIGNERS, *BILINGUAL_ALIGNERS),
        metavar="NAME",
        help="beam: most words, fewest chunks, least displacement; context: equal "
        "words that are unique, alone or with their neighbours; meteor: as Meteor 1.5 "
        "(default: beam); with --bilingual builtin or eflomal, see there",
    )


def _add_ways(parser: argparse.ArgumentParser) -> None:
    from tertium.align.pivot import COMBINE
    from tertium.align.symmetrisation import METHODS

    group = parser.add_argument_group("other ways to make links")
    flags.add_switch(
        group,
        "--bilingual",
        help="align -s with -t by the built-in aligner, or with --aligner eflomal by "
        "that program (pip install 'tertium[align]'), which has no seed: two runs "
        "differ in a few links",
    )
    group.add_argument(
        "--pivot",
        nargs=2,
        metavar=("SRC-SYS", "SRC-REF"),
        help="compose two link files: source with output, source with reference",
    )
    group.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        help="existing links: one file, or forward and backward links to symmetrise, "
        "with the same text first in both",
    )
    group.add_argument(
        "--symmetrise",
        choices=METHODS,
        metavar="METHOD",
        help="how to join links of both directions, for --bilingual and two files of "
        f"--links: {', '.join(METHODS)} (default: {DEFAULT_SYMMETRISATION})",
    )
    group.add_argument(
        "--combine",
        choices=COMBINE,
        help="weights of --pivot: that of the best path (max, default), or their sum",
    )
    group.add_argument(
        "--command",
        metavar="TEXT",
        help="a program for --bilingual: reads `source ||| target` lines from the "
        "file {input}, or else from standard input, and prints links",
    )
    group.add_argument(
        "--priors",
        metavar="FILE",
        help="for --bilingual by eflomal: priors from eflomal-makepriors",
    )
    group.add_argument(
        "--save-model",
        metavar="FILE",
        help="for --bilingual: write what the built-in aligner has learnt",
    )
    group.add_argument(
        "--model",
        metavar="FILE",
        help="for --bilingual: align by such a file, and learn nothing",
    )
    group.add_argument(
        "--soft",
        type=float,
        metavar="P",
        help="for --bilingual by the built-in aligner: all links with a probability of "
        "at least P, as weights, instead of the best ones",
    )
