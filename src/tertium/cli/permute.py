# SPDX-License-Identifier: Apache-2.0
"""``tertium permute``: sentences with errors of a known kind and size."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice, starmap
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium._messages import count
from tertium._seed import SEED
from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen

if TYPE_CHECKING:
    from tertium.order.damage import Permuted, PermutedStream

__all__ = ["command"]

_ABOUT = """\
Damage sentences by a known amount: move, exchange or replace as many words as the
degree says (McCaffery 2017). Punctuation stays in place as far as possible. Every
sentence is combined with every kind and degree; a sentence with too few words has no
result. The same seed gives the same results, regardless of other sentences, kinds
and degrees.

kinds:
  order   move a word by DEGREE places, another by one less, ... the last by one
  swap    exchange DEGREE / 2 pairs of words with the same part of speech
  phrase  move subtrees, DEGREE words in all, to the edges of other subtrees
  choice  replace DEGREE words by words of --hyp with the same part of speech
  both    choice, then order
All but order need CoNLL-U, which `tertium parse` writes.
"""

_EXAMPLES = """\
  tertium permute ref.txt -d 1 4 9 -o damaged.txt --sources ref-of-damaged.txt
  tertium permute ref.txt -d 5 --permutations 5.perm -o 5.txt
  tertium score --permutations 5.perm -m kendall recpef
  tertium permute ref.conllu -k order swap phrase -d 1-18 --log log.jsonl -o out.txt
  tertium permute ref.conllu -k choice --hyp system.conllu -d 3 --truecase news.txt

Lines k of the files of -o, --permutations, --sources and --log belong to the same
result. A permutation has the number in the source of each word of the result;
punctuation is not counted. A line of the log is {"segment": N from 1, "punctuation":
thesis or wide, "kind": KIND, "degree": N, "seed": N, "source": TEXT, "text": TEXT,
"permutation": [N], "edits": [EDIT]}. An EDIT is
{"op": OP, "at": PLACE, "to": PLACE, "words": [N], "forms": [WORD]}: OP is move,
swap or phrase; places are those before the edit, words have their source numbers.
OP replace and case (a letter corrected by the truecaser) have "new": WORD, not "to".
"""

_LARGEST = 1000
_BLOCK = 1000  # results that are written together


@frozen
class Options(values.Remarks):
    """The options of the verb."""

    file: str
    kinds: list[str]
    degrees: list[range]
    hyp: str | None
    tags: str
    truecase: list[str] | None
    no_truecase: bool
    punctuation: str
    seed: int
    output: str
    permutations: str | None
    sources: str | None
    log: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = values.parse(_parser(), argv, Options)
    from tertium.order.damage import stream_permuted

    outputs = [options.output, options.permutations, options.sources, options.log]
    check_places([], outputs)
    # The outer one writes to standard output, once no progress is shown there.
    with ExitStack() as stack, Progress("sentences", quiet=options.quiet) as progress:
        stream = stream_permuted(
            options.file,
            kinds=list(dict.fromkeys(options.kinds)),
            degrees=sorted({degree for some in options.degrees for degree in some}),
            hyp=options.hyp,
            tags=options.tags,
            truecase=options.truecase,
            no_truecase=options.no_truecase,
            punctuation=options.punctuation,
            seed=options.seed,
            progress=progress,
        )
        results = _write(options, stream, stack)
    text = f"{count(results, 'result')} from {count(stream.sentences, 'sentence')}"
    missing = stream.attempts - results
    if missing:
        text += f"; {missing:,} of {stream.attempts:,} not possible, for lack of words"
    remark(options, text)
    return 0


def _write(options: Options, stream: PermutedStream, stack: ExitStack) -> int:
    """Write results as they are made, and return how many there are.

    The files appear when the stack is closed, or not at all.
    """
    encode = json.JSONEncoder(ensure_ascii=False).encode
    columns: list[tuple[str | None, Callable[[int, Permuted], str]]] = [
        (options.output, lambda _, result: result.text),
        (options.permutations, lambda _, result: str(result.permutation)),
        (options.sources, lambda _, result: result.source),
        (options.log, lambda *numbered: encode(stream.record(*numbered))),
    ]
    writers = [
        (stack.enter_context(_line_writer(path)), line)
        for path, line in reversed(columns)  # the first is closed first
        if path is not None
    ]
    pending, number = iter(stream.results), 0
    while block := list(islice(pending, _BLOCK)):
        number += len(block)
        for write, line in writers:
            write(starmap(line, block))
    return number


@contextmanager
def _line_writer(path: str) -> Iterator[Callable[[Iterable[str]], None]]:
    """Open an output; what is not a file gets lines at the end, when all are there.

    A pipe cannot be taken back, and whoever reads several reads them in their order.
    """
    from tertium.data.kept import Kept
    from tertium.data.lines import line_writer, write_lines

    if path not in ("-", "/dev/stdout") and (
        os.path.isfile(path) or not os.path.exists(path)
    ):
        with line_writer(path) as write:
            yield write
        return
    lines = Kept[str]()
    yield lines.extend
    write_lines(path, lines)


def _parser() -> argparse.ArgumentParser:
    from tertium.order.damage import KINDS, PUNCTUATION

    parser = flags.parser("permute", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="sentences: one per line (- is stdin), or .conllu; also .gz .xz .bz2 .zst",
    )
    parser.add_argument(
        "-k",
        "--kinds",
        nargs="+",
        choices=tuple(KINDS),
        default=["order"],
        metavar="KIND",
        help=f"{' '.join(KINDS)} (default: order)",
    )
    parser.add_argument(
        "-d",
        "--degrees",
        nargs="+",
        type=_degrees,
        default=[range(1, 19)],
        metavar="DEGREE",
        help="numbers or ranges such as 1-9 (default: 1-18)",
    )
    parser.add_argument(
        "--hyp", metavar="FILE", help="a translation of each sentence, as .conllu"
    )
    parser.add_argument(
        "--tags",
        choices=("upos", "xpos"),
        default="upos",
        help="the column with the part of speech (default: upos)",
    )
    case = parser.add_mutually_exclusive_group()
    case.add_argument(
        "--truecase",
        nargs="+",
        metavar="FILE",
        help="texts to learn the use of capitals from (default: FILE itself; give one "
        "if results must not depend on other sentences)",
    )
    flags.add_switch(case, "--no-truecase", help="leave capitals as they are")
    parser.add_argument(
        "--punctuation",
        choices=tuple(PUNCTUATION),
        default="thesis",
        help="punctuation marks: those of the thesis, or of more scripts (default: "
        "thesis)",
    )
    parser.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"(default: {SEED})",
    )
    parser.add_argument(
        "-o",
        "--output",
        default="-",
        metavar="FILE",
        help="write the sentences there, not to stdout",
    )
    parser.add_argument(
        "--permutations", metavar="FILE", help="write their permutations there"
    )
    parser.add_argument(
        "--sources",
        metavar="FILE",
        help="write the source sentence of each result there",
    )
    parser.add_argument("--log", metavar="FILE", help="write the edits there, as JSONL")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parser


def _degrees(text: str) -> range:
    low, dash, high = text.partition("-")
    read = flags.number(1, _LARGEST)
    first = read(low)
    last = read(high) if dash else first
    if last < first:
        message = f"{text!r} is not a range; give the lower degree first"
        raise argparse.ArgumentTypeError(message)
    return range(first, last + 1)
