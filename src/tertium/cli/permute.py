# SPDX-License-Identifier: Apache-2.0
"""``tertium permute``: sentences with errors of a known kind and size."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._seed import SEED
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.order.damage import Permuted, Source, Truecaser

__all__ = ["command"]

_ABOUT = """\
Damage sentences by a known amount: move, exchange or replace as many words as the
degree says (McCaffery 2017). Punctuation stays where it was as far as possible.
Every sentence is tried with every kind and degree; where it has too few words, there
is no result. The same seed gives the same results, whatever other sentences,
kinds and degrees there are.

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

Line k of the files of -o, --permutations, --sources and --log are about one result.
A permutation has, for every word of the result, its number in the source; punctuation
is not counted. A line of the log is {"segment": N from 1, "punctuation": thesis or
wide, "kind": KIND, "degree": N, "seed": N, "source": TEXT, "text": TEXT,
"permutation": [N], "edits": [EDIT]}. An EDIT is
{"op": OP, "at": PLACE, "to": PLACE, "words": [N], "forms": [WORD]}: OP is move,
swap or phrase; places are those of the moment, words have their numbers in the source.
OP replace and case (a letter corrected by the truecaser) have "new": WORD, not "to".
"""

_LARGEST = 1000


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = _parse(argv)
    from tertium.data.lines import write_lines
    from tertium.order.damage import generate

    targets = _targets(args)
    sources = list(_sources(args.file, args))
    hyps = None if args.hyp is None else list(_sources(args.hyp, args))
    if hyps is not None and len(hyps) != len(sources):
        message = (
            f"{args.file} has {len(sources)} sentences, {args.hyp} has {len(hyps)}; "
            "give a hypothesis for every sentence"
        )
        raise InputError(message)
    _check_layers(args, sources, hyps)
    made: list[tuple[int, Permuted]] = []
    with Progress("sentences", quiet=args.quiet) as progress:
        for one in generate(
            sources,
            kinds=args.kinds,
            degrees=args.degrees,
            seed=args.seed,
            hyps=hyps,
            truecaser=_truecaser(args, sources),
        ):
            made.append(one)
            progress(one[0])
    for name, path in targets.items():
        write_lines(path, (_line(name, *one, args.punctuation) for one in made))
    tried = len(sources) * len(args.kinds) * len(args.degrees)
    missing = tried - len(made)
    text = f"{count(len(made), 'result')} from {count(len(sources), 'sentence')}"
    if missing:
        text += f"; {missing:,} of {tried:,} not possible, for lack of words"
    remark(args, text)
    return 0


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    from tertium.order.damage import KINDS, PUNCTUATION

    parser = flags.parser("permute", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "file",
        metavar="FILE",
        help="sentences: text, one a line (- is stdin), or .conllu; also .gz .xz .bz2 "
        ".zst",
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
        "--hyp", metavar="FILE", help="a translation of every sentence, as .conllu"
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
        help="text whose use of capitals is to be followed (default: FILE itself; name "
        "one if results must not depend on other sentences)",
    )
    case.add_argument(
        "--no-truecase", action="store_true", help="leave capitals as they are"
    )
    parser.add_argument(
        "--punctuation",
        choices=tuple(PUNCTUATION),
        default="thesis",
        help="what counts as such: the characters of the thesis, or of more scripts "
        "(default: thesis)",
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
        "--sources", metavar="FILE", help="write the sentence of every result there"
    )
    parser.add_argument("--log", metavar="FILE", help="write the edits there, as JSONL")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    args.kinds = list(dict.fromkeys(args.kinds))
    args.degrees = sorted({degree for some in args.degrees for degree in some})
    return args


def _degrees(text: str) -> range:
    low, dash, high = text.partition("-")
    read = flags.number(1, _LARGEST)
    first = read(low)
    last = read(high) if dash else first
    if last < first:
        message = f"{text!r} runs backwards; give the lower degree first"
        raise argparse.ArgumentTypeError(message)
    return range(first, last + 1)


def _targets(args: argparse.Namespace) -> dict[str, str]:
    """Return the files to write, by what they hold."""
    from tertium._files import check_place

    names = ("output", "permutations", "sources", "log")
    targets = {name: getattr(args, name) for name in names}
    targets = {name: path for name, path in targets.items() if path is not None}
    places = [
        path if path == "-" else os.path.realpath(path) for path in targets.values()
    ]
    for place in places:
        if places.count(place) > 1 and place != os.devnull:
            message = f"two outputs go to {place}; give each a file of its own"
            raise InputError(message)
    for path in targets.values():
        check_place(path)
    return targets


def _sources(path: str, args: argparse.Namespace) -> Iterator[Source]:
    """Yield the sentences of a text or of trees."""
    from tertium.data import open_lines
    from tertium.data.formats import extension_of
    from tertium.order.damage import Source

    if extension_of(path) != ".conllu":
        for line in open_lines(path):
            yield Source.parse(line, punctuation=args.punctuation)
        return
    from tertium.trees.conllu import read_conllu

    for sentence in read_conllu(path):
        tree = sentence.tree
        tags = tree.upos if args.tags == "upos" else tree.xpos
        yield Source.from_parse(
            sentence.tokens,
            heads=tree.heads,
            tags=() if set(tags) <= {"_"} else tags,
            puncts={i for i in range(1, len(tree) + 1) if tree.is_punct(i)},
            punctuation=args.punctuation,
        )


def _check_layers(
    args: argparse.Namespace, sources: Sequence[Source], hyps: Sequence[Source] | None
) -> None:
    """Refuse, before any work, what the kinds cannot do without."""
    tagged = [kind for kind in args.kinds if kind in ("swap", "choice", "both")]
    chosen = [kind for kind in args.kinds if kind in ("choice", "both")]
    if chosen and hyps is None:
        message = (
            f"{chosen[0]} takes words from a translation; give --hyp FILE.conllu with "
            "one for every sentence"
        )
        raise InputError(message)
    if hyps is not None and not chosen:
        message = "--hyp is for the kinds choice and both; leave it out, or give -k"
        raise InputError(message)
    for path, own in ((args.file, sources), (args.hyp, hyps or ())):
        for number, source in enumerate(own, 1):
            if not source.words:
                continue
            if "phrase" in args.kinds and own is sources and not source.heads:
                what, kind = "trees", "phrase"
            elif tagged and not source.tags:
                what, kind = "parts of speech", tagged[0]
            else:
                continue
            where = "<stdin>" if path == "-" else path
            cure = "give a .conllu file with them; `tertium parse` makes one"
            if source.heads:
                cure = f"fill the column {args.tags.upper()}, or choose --tags"
            message = f"{where}: sentence {number} has no {what}, which {kind} needs"
            raise InputError(f"{message}; {cure}")


def _truecaser(args: argparse.Namespace, sources: Sequence[Source]) -> Truecaser | None:
    from tertium.order.damage import Truecaser

    if args.no_truecase:
        return None
    texts: Iterable[Source] = sources
    if args.truecase:
        texts = (source for path in args.truecase for source in _sources(path, args))
    return Truecaser.train(
        (source.text for source in texts), punctuation=args.punctuation
    )


def _line(name: str, number: int, made: Permuted, punctuation: str) -> str:
    if name == "output":
        return made.text
    if name == "permutations":
        return str(made.permutation)
    if name == "sources":
        return made.source
    # Replaying needs to know how words were cut.
    record = {"segment": number, "punctuation": punctuation, **made.record()}
    return json.dumps(record, ensure_ascii=False)
