# SPDX-License-Identifier: Apache-2.0
"""``tertium functionwords``: the frequent words of a language, from any text."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from tertium._messages import count
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit

__all__ = ["command"]

_ABOUT = """\
Make a list of function words from plain text: the words above a relative frequency
(METEOR's rule), or the N most frequent ones. One word a line, most frequent first.
"""

_EXAMPLES = """\
  tertium functionwords news.en.gz -o function.en
  tertium functionwords a.txt b.txt.zst -n 100 --tokenize 13a
  cat corpus | tertium functionwords - --threshold 0.002 -f json

The JSON is {"tertium": VERSION, "words": N, "types": N, "threshold": SHARE or null,
"number": N or null, "tokenize": NAME, "lowercase": true or false, "function_words":
{WORD: COUNT}}, most frequent first.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium.text.functionwords import THRESHOLD, count_words, function_words
    from tertium.text.tokenizers import TOKENIZERS

    parser = flags.parser("functionwords", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="plain text, also .gz .xz .bz2 .zst; - is stdin",
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument(
        "-n", "--number", type=flags.number(1), metavar="N", help="so many words"
    )
    which.add_argument(
        "--threshold",
        type=_share,
        default=THRESHOLD,
        metavar="SHARE",
        help=f"words with a larger share of all words (default: {THRESHOLD})",
    )
    case = parser.add_mutually_exclusive_group()
    case.add_argument(
        "--lowercase",
        action="store_true",
        default=True,
        help="ignore case (the default)",
    )
    case.add_argument(
        "--cased", dest="lowercase", action="store_false", help="heed case"
    )
    parser.add_argument(
        "--tokenize",
        choices=TOKENIZERS,
        default="none",
        metavar="NAME",
        help=f"the tokeniser: {' '.join(TOKENIZERS)} (default: none)",
    )
    parser.add_argument(
        "-f", "--format", choices=("text", "json"), default="text", help="text or json"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    args = parser.parse_args(argv)
    with Progress("lines", quiet=args.quiet) as progress:
        counts = count_words(
            _lines(args.files),
            lowercase=args.lowercase,
            tokenize=args.tokenize,
            progress=progress,
        )
    words = function_words(counts, threshold=args.threshold, number=args.number)
    if args.format == "text":
        # Line by line: a list without words is empty, not a line without a word.
        emit("".join(f"{word}\n" for word in words), args.output)
    else:
        emit(_json(args, {word: counts[word] for word in words}, counts), args.output)
    remark(
        args,
        f"{count(len(words), 'function word')} among "
        f"{count(len(counts), 'type')} of "
        f"{count(sum(counts.values()), 'word')}"
        f"{'' if words else '; give more text, or a lower --threshold'}",
    )
    return 0


def _lines(files: Sequence[str]) -> Iterator[str]:
    from tertium.data import open_lines

    for file in files:
        yield from open_lines(file)


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        message = f"{text!r} is no share; give a number from 0 to 1"
        raise argparse.ArgumentTypeError(message)
    return share


def _json(
    args: argparse.Namespace, found: dict[str, int], counts: dict[str, int]
) -> str:
    import json

    from tertium._version import __version__

    facts = {
        "tertium": __version__,
        "words": sum(counts.values()),
        "types": len(counts),
        "threshold": None if args.number else args.threshold,
        "number": args.number,
        "tokenize": args.tokenize,
        "lowercase": args.lowercase,
        "function_words": found,
    }
    return json.dumps(facts, ensure_ascii=False, indent=2)
