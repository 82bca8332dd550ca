# SPDX-License-Identifier: Apache-2.0
"""``tertium segments``: short segments of sentences, and their translations."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.segments.counts import on_stdout, show_extraction, show_projection
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.align import Links
    from tertium.trees import ConstituencyTree, DependencyTree

__all__ = ["command"]

_ACTIONS = {
    "extract": "cut sentences into short segments by their trees",
    "project": "find what every system made of every segment",
}

_COUNTS = """\
Counts go to stdout where -o names a file, and to stderr otherwise; -q leaves them out.
"""

_EXTRACT = f"""\
Cut source sentences into short segments that people can judge. Trees are constituents
in Penn brackets, or dependencies in CoNLL-U (a file with .conllu in its name). From
the root downwards, the first node with at most --max words is a segment if it has
--min words. From dependencies come subtrees, and heads with their short neighbours.
Words are those of the trees; give -s to have them as they stand in the text.

{_COUNTS}"""

_EXTRACT_EXAMPLES = """\
  tertium segments extract src.trees -s src.txt -o segments.jsonl
  tertium segments extract src.conllu --min 2 --max 5 -o segments.jsonl
  tertium parse -p udpipe --model en.udpipe --tokenize none src.txt -o src.conllu
  cat trees.mrg | tertium segments extract - -s src.txt -f json > segments.jsonl

Written is a line of JSON a sentence: {"sentence": "1", "source": TEXT, "segments":
[{"indices": [0, 1, 2], "text": TEXT}]}; sentences are named by their number, words are
counted from 0 and cut at white space.

The JSON of counts is {"tertium": VERSION, "min_length": N, "max_length": N,
"sentences": N, "words": N, "segments": N, "segments_per_sentence": X or null,
"covered_words": N, "coverage": X or null, "without_segments": N, "lengths":
{LENGTH: N}}; without_segments are sentences.
"""

_PROJECT = f"""\
Find the translation of every segment in every output: the words that links lead to.
Equal translations of a segment are merged into one candidate. Judges see the file of
candidates, which names no system; --origins writes who wrote which.

{_COUNTS}"""

_PROJECT_EXAMPLES = """\
  tertium segments project segments.jsonl -i A=a.txt B=b.txt -a A=a.links B=b.links \\
      -r ref.txt -o candidates.jsonl --origins systems.tsv
  tertium segments project segments.jsonl -i a.txt -a a.links --one-based --fill
  tertium segments project segments.jsonl -i a.txt b.txt -a a.links b.links \\
      -r ref.txt --tsv --skip-single -o project.tsv

Links are in Pharaoh's format, a line a sentence; `tertium align --bilingual` makes
them. Written is a line of JSON a sentence: {"sentence": "1", "source": TEXT,
"reference": TEXT or null, "segments": [{"indices": [0, 1, 2], "text": TEXT,
"candidates": [TEXT]}]}, candidates in the order of their characters, segments without
any left out. --tsv writes a line a candidate instead: sentence, source, reference,
segment, candidate, indices.
--origins writes TSV with a header: segment (the sentence), part (its segment),
system, text, part_indices, indices (in the output), gaps (yes or no);
`tertium judgements import --systems` reads it.

The JSON of counts is {"tertium": VERSION, "sentences": N, "segments": N,
"translations": N, "missing": N, "with_gaps": N, "candidates": N, "left": X or null,
"candidates_per_segment": X or null, "single": N, "without_candidates": N, "systems":
{NAME: {"found": N, "missing": N, "with_gaps": N, "shared": N}}}; left is the share of
candidates among translations.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    if not argv:
        sys.stdout.write(_help())
        return 2
    if argv[0] in ("-h", "--help"):
        sys.stdout.write(_help())
        raise SystemExit(0)
    action, rest = argv[0], argv[1:]
    if action not in _ACTIONS:
        raise UnknownNameError("action of tertium segments", action, _ACTIONS)
    return _extract(rest) if action == "extract" else _project(rest)


def _help() -> str:
    width = max(map(len, _ACTIONS))
    listed = "".join(f"  {name:<{width}}  {what}\n" for name, what in _ACTIONS.items())
    return (
        "usage: tertium segments ACTION ...\n\n"
        "Prepare short segments of sentences for people to rank.\n\n"
        f"actions:\n{listed}\nexamples:\n"
        "  tertium segments extract src.trees -s src.txt -o segments.jsonl\n"
        "  tertium segments project segments.jsonl -i A=a.txt -a A=a.links\n"
        "  tertium segments ACTION --help           every action has examples\n"
    )


# ---------------------------------------------------------------------- extract


def _extract(argv: Sequence[str]) -> int:
    from tertium.judgements.parts import (
        MAX_LENGTH,
        MIN_LENGTH,
        ExtractionCounts,
        segmented,
        write_segmented,
    )

    parser = flags.parser("segments extract", _EXTRACT, _EXTRACT_EXAMPLES)
    parser.add_argument(
        "trees", metavar="TREES", help="a tree a sentence, also .gz; - is stdin"
    )
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument(
        "--brackets", action="store_true", help="the trees are in Penn brackets"
    )
    kind.add_argument("--conllu", action="store_true", help="the trees are in CoNLL-U")
    parser.add_argument(
        "-s", "--source", metavar="FILE", help="the sentences, a line each, tokenised"
    )
    for name, default in (("min", MIN_LENGTH), ("max", MAX_LENGTH)):
        least = "fewest" if name == "min" else "most"
        parser.add_argument(
            f"--{name}",
            type=flags.number(1),
            default=default,
            metavar="N",
            help=f"the {least} words of a segment (default: {default})",
        )
    _add_output(parser)
    args = parser.parse_args(argv)
    _check_places(args, [args.trees, args.source])
    found = list(
        segmented(
            _trees(args),
            None if args.source is None else _lines(args.source),
            min_length=args.min,
            max_length=args.max,
        )
    )
    write_segmented(args.output or "-", found)
    show_extraction(args, ExtractionCounts.of(found))
    return 0


def _trees(args: argparse.Namespace) -> Iterator[ConstituencyTree | DependencyTree]:
    from tertium.trees import read_brackets, read_conllu

    if args.conllu or (".conllu" in args.trees and not args.brackets):
        from tertium.judgements.parts import token_tree

        return map(token_tree, read_conllu(args.trees))
    return iter(read_brackets(args.trees))


# ---------------------------------------------------------------------- project


def _project(argv: Sequence[str]) -> int:
    from tertium.judgements.parts import (
        ProjectionCounts,
        project,
        read_segmented,
        write_candidates,
        write_candidates_tsv,
        write_origins,
    )

    args = _project_arguments(argv)
    outputs = dict(flags.named_files(args.systems))
    if len(outputs) < len(args.systems):
        raise InputError("two systems have one name; give each its own: -i NAME=FILE")
    places = _link_files(args, list(outputs))
    paths = [args.segments, args.references, *outputs.values(), *places.values()]
    _check_places(args, paths)
    sentences = list(read_segmented(args.segments))
    sources = [sentence.source for sentence in sentences]
    texts = {name: list(_lines(path)) for name, path in outputs.items()}
    found = project(
        sentences,
        texts,
        {
            name: _links(args, path, sources, texts[name])
            for name, path in places.items()
        },
        fill=args.fill,
    )
    references = None if args.references is None else list(_lines(args.references))
    place = args.output or "-"
    fewest = 2 if args.skip_single else 1
    if args.tsv and references is not None:
        write_candidates_tsv(place, found, references, min_candidates=fewest)
    else:
        write_candidates(place, found, references, min_candidates=fewest)
    if args.origins is not None:
        write_origins(args.origins, found.origins)
    counts = ProjectionCounts.of(found)
    show_projection(args, counts)
    # Counts in JSON on stderr are for programs: nothing else may stand there.
    if found.missing and (args.format == "table" or not on_stdout(args)):
        sentence, indices, system = found.missing[0]
        remark(
            args,
            f"{count(counts.missing, 'translation')} missing, since no link "
            f"leads from the segment; the first is of system {system}, sentence "
            f"{sentence}, words {' '.join(map(str, indices))}",
        )
    return 0


def _project_arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = flags.parser("segments project", _PROJECT, _PROJECT_EXAMPLES)
    parser.add_argument(
        "segments", metavar="SEGMENTS", help="what `tertium segments extract` wrote"
    )
    for short, name, what in (
        ("-i", "systems", "outputs, tokenised, named after their files or by NAME"),
        ("-a", "alignments", "links of the source with each output, by the same names"),
    ):
        parser.add_argument(
            short,
            f"--{name}",
            nargs="+",
            action="extend",
            required=True,
            metavar="[NAME=]FILE",
            help=what,
        )
    parser.add_argument(
        "-r", "--references", metavar="FILE", help="the reference, to show to judges"
    )
    parser.add_argument(
        "--one-based", action="store_true", help="links count words from 1, not 0"
    )
    parser.add_argument(
        "--output-first",
        action="store_true",
        help="links name the word of the output first, not that of the source",
    )
    parser.add_argument(
        "--sure-only", action="store_true", help="leave out links that are possible"
    )
    parser.add_argument(
        "--fill",
        action="store_true",
        help="take the words in gaps of a translation too",
    )
    parser.add_argument(
        "--skip-single",
        action="store_true",
        help="leave out segments with one candidate: there is nothing to rank",
    )
    parser.add_argument(
        "--tsv", action="store_true", help="write TSV as SegRanks reads it; needs -r"
    )
    parser.add_argument(
        "--origins", metavar="FILE", help="write who produced which candidate"
    )
    _add_output(parser)
    args = parser.parse_args(argv)
    if args.tsv and args.references is None:
        raise InputError("--tsv writes references too; give them with -r")
    return args


def _link_files(args: argparse.Namespace, systems: Sequence[str]) -> dict[str, str]:
    """Return the file of links of every system."""
    given = flags.named_files(args.alignments)
    if len(given) == len(systems) == 1:
        return {systems[0]: given[0][1]}  # There is nothing to mix up.
    given = [(_system(name, systems), path) for name, path in given]
    places = dict(given)
    if len(places) < len(given):
        raise InputError("a system has two files of links; give -a one for each")
    for name in systems:
        if name not in places:
            raise InputError(f"system {name} has no links; add -a {name}=FILE")
    return places


def _system(name: str, systems: Sequence[str]) -> str:
    """Return the system that links belong to: A for A, A.links and so on."""
    for each in (name, os.path.splitext(name)[0]):
        if each in systems:
            return each
    raise UnknownNameError("system of -a", name, systems)


def _links(
    args: argparse.Namespace, path: str, sources: list[str], outputs: list[str]
) -> list[Links]:
    from tertium.align import read_pharaoh, reverse

    left, right = (outputs, sources) if args.output_first else (sources, outputs)
    found = read_pharaoh(path, base=int(args.one_based), hyps=left, refs=right)
    if args.output_first:
        found = [reverse(links) for links in found]
    if args.sure_only:
        found = [tuple(link for link in links if link.sure) for links in found]
    return found


# ----------------------------------------------------------------- what both share


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not to stdout"
    )
    parser.add_argument(
        "-f",
        "--format",
        choices=("table", "json"),
        default="table",
        help="of the counts (default: table)",
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no counts and no remarks"
    )


def _check_places(args: argparse.Namespace, paths: Sequence[str | None]) -> None:
    """Refuse to read standard input twice, or to write where one cannot."""
    from tertium._files import check_place

    read = [path for path in paths if path is not None]
    if read.count("-") > 1:
        message = "standard input (-) is given more than once; use files for the others"
        raise InputError(message)
    written = [args.output, getattr(args, "origins", None)]
    for path in read:
        for output in written:
            if output is not None and flags.same_file(output, path):
                raise InputError(
                    f"{output} is one of the inputs; write to another file"
                )
    for output in written:
        if output is not None:
            check_place(output)
    if written[1] is not None and written[1] == (written[0] or "-"):
        message = "candidates and --origins cannot go to one place; give another file"
        raise InputError(message)


def _lines(path: str) -> Iterator[str]:
    from tertium.data import open_lines

    return open_lines(path)
