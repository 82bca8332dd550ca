# SPDX-License-Identifier: Apache-2.0
"""``tertium functionwords``: the frequent words of a language, from any text."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from tertium._messages import count
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, emit_json
from tertium.cli.shared.values import frozen

__all__ = ["command"]

_ABOUT = """\
Make a list of function words from plain text: the words above a relative frequency
(METEOR's rule), or the N most frequent ones. One word per line, most frequent first.
"""

_EXAMPLES = """\
  tertium functionwords news.en.gz -o function.en
  tertium functionwords a.txt b.txt.zst -n 100 --tokenize 13a
  cat corpus | tertium functionwords - --threshold 0.002 -f json

The JSON is {"tertium": VERSION, "words": N, "types": N, "threshold": SHARE or null,
"number": N or null, "tokenize": NAME, "lowercase": true or false, "function_words":
{WORD: COUNT}}, most frequent first.
"""


@frozen
class Options(values.Remarks):
    """The options of the verb."""

    files: list[str]
    number: int | None
    threshold: float
    lowercase: bool
    tokenize: str
    format: str
    output: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium._version import __version__
    from tertium.data import open_lines
    from tertium.text.functionwords import find_function_words

    with Progress("lines", quiet=options.quiet) as progress:
        words = find_function_words(
            (line for file in options.files for line in open_lines(file)),
            threshold=options.threshold,
            number=options.number,
            lowercase=options.lowercase,
            tokenize=options.tokenize,
            progress=progress,
        )
    if options.format == "text":
        # Without words the output is empty, not an empty line.
        emit("".join(f"{word}\n" for word in words.counts), options.output)
    else:
        facts = {"tertium": __version__, **words.to_dict()}
        emit_json(facts, options.output)
    remark(
        options,
        f"{count(len(words.counts), 'function word')} among "
        f"{count(words.types, 'type')} of {count(words.words, 'word')}"
        f"{'' if words.counts else '; give more text, or a lower --threshold'}",
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    from tertium.text.functionwords import THRESHOLD
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
        "-n", "--number", type=flags.number(1), metavar="N", help="list N words"
    )
    which.add_argument(
        "--threshold",
        type=_share,
        default=THRESHOLD,
        metavar="SHARE",
        help=f"list words with a larger relative frequency (default: {THRESHOLD})",
    )
    case = parser.add_mutually_exclusive_group()
    case.add_argument(
        "--lowercase",
        action="store_true",
        default=True,
        help="ignore case (the default)",
    )
    case.add_argument(
        "--cased", dest="lowercase", action="store_false", help="distinguish case"
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
        "-o", "--output", metavar="FILE", help="write there, not to stdout"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    return parser


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        message = f"{text!r} is not a number from 0 to 1"
        raise argparse.ArgumentTypeError(message)
    return share
