# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium align``, and refusals of those that do not go together."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium.cli.shared import flags
from tertium.errors import InputError

__all__ = ["SETTINGS", "SYMMETRISE", "parse"]

_ABOUT = """\
Align words and write links, a line a segment: `0-0 2-1` links the first words of
both texts, and the third of the first text with the second of the other. Words
are cut at white space unless --tokenize says otherwise.

Four ways to links:
  -i OUTPUTS -r REFERENCES        texts of one language, by equal or similar words
  --bilingual -s TEXT -t TEXT     a text and its translation; learns from the texts,
                                  so give many segments (thousands)
  --pivot SRC-SYS SRC-REF         outputs and references, from their links with the
                                  source
  --links FILE [FILE]             links that are there, to convert, symmetrise or
                                  judge them
"""

_EXAMPLES = """\
  tertium align -i out.txt -r ref.txt -o out.links
  tertium align -i out.txt -r ref.txt --match exact+stem --language de
  tertium align --bilingual -s src.txt -t tgt.txt --symmetrise intersection
  tertium align --bilingual -s src.txt -t tgt.txt --gold gold.txt --one-based gold
  tertium align --bilingual -s src.txt -t tgt.txt --command "fast_align -i {input} -dov"
  tertium align --pivot src-out.links src-ref.links -o out-ref.links
  tertium align --links forward.links backward.links --symmetrise grow-diag
  tertium align --links gold.naacl --input-format naacl -f pharaoh

`tertium score --alignments NAME=out.links` scores with them. The JSON has one
object: {"tertium": VERSION, "links": [[{"hyp", "ref", "weight", "sure"}, ..], ..]},
words counted from 0; of --gold: {"tertium", "quality": {"links", "sure",
"possible", "precision", "recall", "f1", "aer"}}.
"""

_COUNTED = ("links", "gold", "output")
SYMMETRISE = "grow-diag-final-and"
_BARE = {"exact", "paraphrase"}  # Matchers that know no language.
#: The settings of the aligner of outputs and references.
SETTINGS: dict[str, str | bool] = {
    "tokenize": "none",
    "case": False,
    "match": "exact",
    "language": "en",
    "synonyms": "",
    "paraphrases": "",
    "aligner": "beam",
}


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Return the options, with the defaults of settings that were not given."""
    args = _parse(argv)
    _check(args)
    for name, default in SETTINGS.items():
        if getattr(args, name) is None:
            setattr(args, name, default)
    return args


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("align", _ABOUT, _EXAMPLES)
    _add_texts(parser)
    _add_ways(parser)
    parser.add_argument(
        "--gold",
        metavar="FILE",
        help="links made by hand: print precision, recall, F1 and alignment error rate "
        "(links are written only with -o)",
    )
    parser.add_argument(
        "--input-format",
        choices=("pharaoh", "naacl"),
        help="of files of links that are read: --links, --pivot, --gold (default: "
        "pharaoh); naacl has a link a line: sentence source target [S|P] [probability]",
    )
    parser.add_argument(
        "--one-based",
        nargs="*",
        choices=_COUNTED,
        metavar="FILES",
        help="Pharaoh files that count words from 1: links (those read), gold, output; "
        "all of them if none is named",
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("pharaoh", "json", "naacl"),
        default="pharaoh",
        help="of the links that are written (default: pharaoh, a line a segment such "
        "as `0-0 2p1:0.5`: possible links have p for -, weights follow a colon)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write links there, not stdout"
    )
    parser.add_argument(
        "-j",
        "--threads",
        type=flags.number(1, 1024),
        metavar="N",
        help="threads that align -i with -r (default: all cores)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )
    return parser.parse_args(argv)


def _add_texts(parser: argparse.ArgumentParser) -> None:
    from tertium.align.aligner import ALIGNERS

    group = parser.add_argument_group("texts (plain or SGML, perhaps compressed)")
    checks = "with --links{}, links are checked by it"
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
        help="how texts are cut into words: none (at white space), words, 13a, "
        "intl, zh, char (default: none)",
    )
    group.add_argument(
        "--case",
        action="store_true",
        default=None,
        help="tell upper from lower case (default: the and The match)",
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
        help="of the matchers stem and synonym: en, de, french ... (default: en)",
    )
    group.add_argument(
        "--synonyms",
        metavar="PATH",
        help="of the matcher synonym: a WordNet folder or file; auto, the default for "
        "English, looks where systems put it",
    )
    group.add_argument(
        "--paraphrases",
        metavar="FILE",
        help="of the matcher paraphrase: a table in METEOR's format",
    )
    group.add_argument(
        "--aligner",
        choices=ALIGNERS,
        help="beam: most words, fewest chunks, least displacement; context: equal "
        "words that are unique or that neighbours make so; meteor: as Meteor 1.5 "
        "(default: beam)",
    )


def _add_ways(parser: argparse.ArgumentParser) -> None:
    from tertium.align.pivot import COMBINE
    from tertium.align.symmetrisation import METHODS

    group = parser.add_argument_group("other ways to links")
    group.add_argument(
        "--bilingual",
        action="store_true",
        help="align -s with -t by eflomal (pip install 'tertium[align]'), which takes "
        "no seed: two runs differ in a few links",
    )
    group.add_argument(
        "--pivot",
        nargs=2,
        metavar=("SRC-SYS", "SRC-REF"),
        help="compose two files of links: source with output, source with reference",
    )
    group.add_argument(
        "--links",
        nargs="+",
        metavar="FILE",
        help="links that are there: one file, or two to be symmetrised, forward and "
        "backward, the same text first in both",
    )
    group.add_argument(
        "--symmetrise",
        choices=METHODS,
        metavar="METHOD",
        help="how links of both directions become one set, for --bilingual and two "
        f"files of --links: {', '.join(METHODS)} (default: {SYMMETRISE})",
    )
    group.add_argument(
        "--combine",
        choices=COMBINE,
        help="weights of --pivot: of the best path (max, default), or their sum",
    )
    group.add_argument(
        "--command",
        metavar="TEXT",
        help="a program instead of eflomal: reads `source ||| target` lines from the "
        "file {input}, or else from standard input, and prints links",
    )
    group.add_argument(
        "--priors", metavar="FILE", help="priors made by eflomal-makepriors"
    )


def _check(args: argparse.Namespace) -> None:
    ways = {"--bilingual": args.bilingual, "--pivot": args.pivot, "--links": args.links}
    chosen = [option for option, value in ways.items() if value]
    if len(chosen) > 1:
        raise InputError("give one of --bilingual, --pivot and --links")
    _check_texts(args, *chosen)
    _check_settings(args, *chosen)
    _check_links(args)
    _check_files(args)


def _check_texts(args: argparse.Namespace, way: str = "") -> None:
    """Refuse texts that are missing, and such as would not be read."""
    if args.bilingual and (args.source is None or args.target is None):
        raise InputError("--bilingual needs two texts; give -s FILE and -t FILE")
    if not way and (args.systems is None or args.references is None):
        raise InputError(
            "nothing to align; give outputs and references with -i and -r, or one of "
            "--bilingual, --pivot and --links"
        )
    if not way and (args.source or args.target):
        raise InputError(
            "-s and -t go with --bilingual, --pivot and --links; say which"
        )
    if args.bilingual and (args.systems or args.references):
        raise InputError("--bilingual aligns -s with -t; leave out -i and -r")
    if args.pivot and args.target:
        raise InputError("--pivot checks links by -s, -i and -r; leave out -t")
    if args.links:
        for one, other in (("source", "systems"), ("target", "references")):
            if getattr(args, one) and getattr(args, other):
                raise InputError(f"give --{one} or --{other} to check links by")


def _check_settings(args: argparse.Namespace, way: str = "") -> None:
    """Refuse settings of aligners that are not at work."""
    given = [f"--{name}" for name in SETTINGS if getattr(args, name) is not None]
    if way and given:
        raise InputError(
            f"{', '.join(given)}: for aligning outputs with references (-i, -r), which "
            f"{way} does not do; leave out"
        )
    if args.language and set((args.match or "exact").split("+")) <= _BARE:
        raise InputError(
            "--language is read by the matchers stem and synonym; leave it out, or "
            "name them, as --match exact+stem"
        )
    if args.links is not None and len(args.links) > 2:
        raise InputError("--links takes one file, or forward and backward links")
    if not args.bilingual and (args.command or args.priors):
        raise InputError("--command and --priors go with --bilingual; add it")
    if args.symmetrise and not args.bilingual and len(args.links or ()) < 2:
        raise InputError(
            "--symmetrise joins links of both directions, and there is only one; leave "
            "it out, or give --bilingual or two files of --links"
        )
    if args.combine and args.pivot is None:
        raise InputError("--combine goes with --pivot; leave it out")
    if args.command and args.priors:
        raise InputError("--priors are eflomal's; leave them or --command out")


def _check_links(args: argparse.Namespace) -> None:
    """Refuse what is said of files of links that are not there."""
    files = {"links": args.links or args.pivot, "gold": args.gold, "output": True}
    if args.input_format is not None and not (files["links"] or files["gold"]):
        raise InputError(
            "--input-format is about files of links, and none is read; leave it out, "
            "or write with -f"
        )
    for role in args.one_based or ():
        if not files[role]:
            raise InputError(f"--one-based {role}: there is no such file; leave it out")
    if "output" in (args.one_based or ()) and args.format != "pharaoh":
        raise InputError(
            f"--one-based output is about Pharaoh files; leave it out with -f "
            f"{args.format}"
        )


def _check_files(args: argparse.Namespace) -> None:
    """Refuse files that would be read or written twice."""
    named = [args.systems, args.references, args.source, args.target, args.gold]
    named += [*(args.pivot or ()), *(args.links or ()), args.priors]
    given = [path for path in named if path is not None]
    if given.count("-") > 1:
        raise InputError(
            "standard input (-) is given more than once; use files for the others"
        )
    if args.output is not None and any(
        flags.same_file(args.output, path) for path in given
    ):
        raise InputError(f"{args.output} is one of the inputs; write to another file")
