# SPDX-License-Identifier: Apache-2.0
"""``tertium parts project``: the translations of parts in all outputs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium._messages import count
from tertium.cli.parts.counts import ABOUT_COUNTS, Counts, add_counts, on_stdout
from tertium.cli.parts.counts import show as show_counts
from tertium.cli.shared import flags, values
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import frozen
from tertium.errors import InputError
from tertium.report.tables.parts import projection_tables

if TYPE_CHECKING:
    from tertium.judgements.parts import Projection

__all__ = ["command"]

_ABOUT = f"""\
Find the translation of each part in each output: the words that its links lead to.
Equal translations of a part are merged into one candidate. Annotators see the file of
candidates, which names no system; --origins writes which system wrote which.

{ABOUT_COUNTS}"""

_EXAMPLES = """\
  tertium parts project parts.jsonl -i A=a.txt B=b.txt -a A=a.links B=b.links \\
      -r ref.txt -o candidates.jsonl --origins systems.tsv
  tertium parts project parts.jsonl -i a.txt -a a.links --one-based --fill
  tertium parts project parts.jsonl -i a.txt b.txt -a a.links b.links \\
      -r ref.txt --tsv --skip-single -o project.tsv

Links are in Pharaoh's format, one line per sentence; `tertium align --bilingual` makes
them. The output has one line of JSON per sentence: {"sentence": "1", "source": TEXT,
"reference": TEXT or null, "segments": [{"indices": [0, 1, 2], "text": TEXT,
"candidates": [TEXT]}]}. Its segments are the parts that have candidates; candidates
are sorted as strings. --tsv writes one line per candidate instead: sentence, source,
reference, part, candidate, indices.
--origins writes TSV with a header: segment (the sentence), part, system, text,
part_indices, indices (in the output), gaps (yes or no); `tertium judgements import
--systems` reads it.

The JSON of counts is {"tertium": VERSION, "sentences": N, "segments": N,
"translations": N, "missing": N, "with_gaps": N, "candidates": N, "left": X or null,
"candidates_per_segment": X or null, "single": N, "without_candidates": N, "systems":
{NAME: {"found": N, "missing": N, "with_gaps": N, "shared": N}}}; segments are parts,
and left is the number of candidates per translation.
"""


@frozen
class Options(Counts):
    """The options of the action."""

    parts: str
    systems: list[str]
    alignments: list[str]
    references: str | None
    one_based: bool
    output_first: bool
    sure_only: bool
    fill: bool
    skip_single: bool
    tsv: bool
    origins: str | None


def command(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.judgements.parts import ProjectionCounts, project_parts

    options = _parse(argv)
    if options.tsv and options.references is None:
        raise InputError("--tsv writes references too; give them with -r")
    systems = flags.named_files(options.systems)
    alignments = flags.named_files(options.alignments)
    check_places(
        [options.parts, options.references, *(p for _, p in [*systems, *alignments])],
        [options.output or "-", options.origins],
    )
    projection = project_parts(
        options.parts,
        systems=systems,
        alignments=alignments,
        one_based=options.one_based,
        output_first=options.output_first,
        sure_only=options.sure_only,
        fill=options.fill,
    )
    _write(options, projection)
    counts = ProjectionCounts.of(projection)
    show_counts(options, counts.to_dict(), projection_tables(counts))
    # JSON counts on stderr are for programs, so nothing else may be written there.
    if projection.missing and (options.format == "table" or not on_stdout(options)):
        sentence, indices, system = projection.missing[0]
        remark(
            options,
            f"{count(counts.missing, 'translation')} missing, as no word of the part "
            f"has a link; the first is that of system {system}, sentence {sentence}, "
            f"words {' '.join(map(str, indices))}",
        )
    return 0


def _parse(argv: Sequence[str]) -> Options:
    parser = flags.parser("parts project", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "parts", metavar="PARTS", help="the output of `tertium parts extract`"
    )
    for short, name, what in (
        ("-i", "systems", "outputs, tokenised, named after their files or by NAME"),
        ("-a", "alignments", "links between source and output, by the same names"),
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
        "-r", "--references", metavar="FILE", help="the reference, shown to annotators"
    )
    _add_choices(parser)
    parser.add_argument(
        "--origins", metavar="FILE", help="write the systems of the candidates there"
    )
    add_counts(parser)
    return values.parse(parser, argv, Options)


def _add_choices(parser: argparse.ArgumentParser) -> None:
    for name, what in (
        ("one-based", "links count words from 1, not 0"),
        ("output-first", "links name the word of the output first, not the source's"),
        ("sure-only", "leave out possible links"),
        ("fill", "include the words in gaps of a translation"),
        ("skip-single", "leave out parts with one candidate: there is nothing to rank"),
        ("tsv", "write TSV as SegRanks reads it; needs -r"),
    ):
        parser.add_argument(f"--{name}", action="store_true", help=what)


def _write(options: Options, projection: Projection) -> None:
    from tertium.data import open_lines
    from tertium.judgements.parts import (
        write_candidates,
        write_candidates_tsv,
        write_origins,
    )

    references = None
    if options.references is not None:
        references = list(open_lines(options.references))
    place = options.output or "-"
    fewest = 2 if options.skip_single else 1
    if options.tsv and references is not None:
        write_candidates_tsv(place, projection, references, min_candidates=fewest)
    else:
        write_candidates(place, projection, references, min_candidates=fewest)
    if options.origins is not None:
        write_origins(options.origins, projection.origins)
