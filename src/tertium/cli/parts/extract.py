# SPDX-License-Identifier: Apache-2.0
"""``tertium parts extract``: sentences cut into short parts."""

from __future__ import annotations

from collections.abc import Sequence

from tertium._files import check_places
from tertium.cli.parts.counts import ABOUT_COUNTS, Counts, add_counts
from tertium.cli.parts.counts import show as show_counts
from tertium.cli.shared import flags, values
from tertium.cli.shared.values import frozen
from tertium.report.tables.parts import extraction_table

__all__ = ["command"]

_ABOUT = f"""\
Cut source sentences into short parts for annotators to judge. Trees are constituents
in Penn brackets, or dependencies in CoNLL-U (if the file name contains .conllu). From
the root downwards, the first node with at most --max words is a part if it has at least
--min words. Dependency trees give subtrees, and heads with their short neighbours.
Words are those of the trees; give -s to use those of the text.

{ABOUT_COUNTS}"""

_EXAMPLES = """\
  tertium parts extract src.trees -s src.txt -o parts.jsonl
  tertium parts extract src.conllu --min 2 --max 5 -o parts.jsonl
  tertium parse -p udpipe --model en.udpipe --tokenize none src.txt -o src.conllu
  cat trees.mrg | tertium parts extract - -s src.txt -f json > parts.jsonl

The output has one line of JSON per sentence: {"sentence": "1", "source": TEXT,
"segments": [{"indices": [0, 1, 2], "text": TEXT}]}. Its segments are the parts.
Sentences are named by their number; words are counted from 0 and cut at white space.

The JSON of counts is {"tertium": VERSION, "min_length": N, "max_length": N,
"sentences": N, "words": N, "segments": N, "segments_per_sentence": X or null,
"covered_words": N, "coverage": X or null, "without_segments": N, "lengths":
{LENGTH: N}}; without_segments counts sentences.
"""


@frozen
class Options(Counts):
    """The options of the action."""

    trees: str
    source: str | None
    brackets: bool
    conllu: bool
    min: int
    max: int


def command(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.data.kept import Kept
    from tertium.judgements.parts import extract_parts, write_parts

    options = _parse(argv)
    check_places([options.trees, options.source], [options.output])
    extraction = extract_parts(
        options.trees,
        source=options.source,
        brackets=options.brackets,
        conllu=options.conllu,
        min=options.min,
        max=options.max,
        hold=Kept,
    )
    write_parts(options.output or "-", extraction.sentences)
    show_counts(options, extraction.to_dict(), [extraction_table(extraction.counts)])
    return 0


def _parse(argv: Sequence[str]) -> Options:
    from tertium.judgements.parts import MAX_LENGTH, MIN_LENGTH

    parser = flags.parser("parts extract", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "trees", metavar="TREES", help="one tree per sentence, also .gz; - is stdin"
    )
    kind = parser.add_mutually_exclusive_group()
    flags.add_switch(kind, "--brackets", help="the trees are in Penn brackets")
    kind.add_argument("--conllu", action="store_true", help="the trees are in CoNLL-U")
    parser.add_argument(
        "-s", "--source", metavar="FILE", help="the sentences, one per line, tokenised"
    )
    for name, default in (("min", MIN_LENGTH), ("max", MAX_LENGTH)):
        parser.add_argument(
            f"--{name}",
            type=flags.number(1),
            default=default,
            metavar="N",
            help=f"{name}imum number of words in a part (default: {default})",
        )
    add_counts(parser)
    return values.parse(parser, argv, Options)
