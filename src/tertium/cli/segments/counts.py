# SPDX-License-Identifier: Apache-2.0
"""The counts that ``tertium segments`` shows, for people and for programs."""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.shared.render import Table, as_text, emit

if TYPE_CHECKING:
    from tertium.judgements.parts import ExtractionCounts, ProjectionCounts

__all__ = ["on_stdout", "show_extraction", "show_projection"]

_FACTS = (
    "sentences",
    "segments",
    "translations",
    "missing",
    "with_gaps",
    "candidates",
    "left",
    "candidates_per_segment",
    "single",
    "without_candidates",
)


def show_extraction(args: argparse.Namespace, counts: ExtractionCounts) -> None:
    """Show what was cut out of sentences."""
    facts = {
        "sentences": counts.sentences,
        "words": counts.words,
        "segments": counts.segments,
        "segments_per_sentence": counts.segments_per_sentence,
        "covered_words": counts.covered_words,
        "coverage": counts.coverage,
        "without_segments": counts.without_segments,
    }
    if args.format == "json":
        bounds = {"min_length": args.min, "max_length": args.max}
        _say(args, _json({**bounds, **facts, "lengths": counts.lengths}))
        return
    rows = [
        ["sentences", f"{counts.sentences:,}"],
        ["  without segments", f"{counts.without_segments:,}"],
        ["words", f"{counts.words:,}"],
        ["  in segments", _percent(counts.coverage)],
        ["segments", f"{counts.segments:,}"],
        ["  per sentence", _mean(counts.segments_per_sentence)],
    ]
    for length, number in counts.lengths.items():
        rows.append([f"  of {count(length, 'word')}", f"{number:,}"])
    _say(args, as_text([Table(["", "number"], rows)], args.format))


def show_projection(args: argparse.Namespace, counts: ProjectionCounts) -> None:
    """Show what systems made of segments."""
    if args.format == "json":
        facts = {name: getattr(counts, name) for name in _FACTS}
        facts["systems"] = {
            own.system: {
                "found": own.found,
                "missing": own.missing,
                "with_gaps": own.with_gaps,
                "shared": own.shared,
            }
            for own in counts.systems
        }
        _say(args, _json(facts))
        return
    rows = [
        ["segments", f"{counts.segments:,}"],
        ["  with one candidate", f"{counts.single:,}"],
        ["  with none", f"{counts.without_candidates:,}"],
        ["translations", f"{counts.translations:,}"],
        ["  with gaps", f"{counts.with_gaps:,}"],
        ["  missing", f"{counts.missing:,}"],
        ["candidates", f"{counts.candidates:,}"],
        ["  of translations", _percent(counts.left)],
        ["  per segment", _mean(counts.candidates_per_segment)],
    ]
    systems = [
        [own.system]
        + [f"{n:,}" for n in (own.found, own.missing, own.with_gaps, own.shared)]
        for own in counts.systems
    ]
    head = ["system", "found", "missing", "with gaps", "shared"]
    tables = [Table(["", "number"], rows), Table(head, systems)]
    _say(args, as_text(tables, args.format))


def on_stdout(args: argparse.Namespace) -> bool:
    """Tell whether the data go to standard output."""
    return args.output in (None, "-", "/dev/stdout")


def _say(args: argparse.Namespace, text: str) -> None:
    """Show counts: on stdout, unless that holds the data."""
    if args.quiet:
        return
    if on_stdout(args):
        sys.stderr.write(text if text.endswith("\n") else f"{text}\n")
    else:
        emit(text, None)


def _percent(share: float | None) -> str:
    return "n/a" if share is None else f"{100 * share:.1f}%"


def _mean(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _json(content: dict[str, object]) -> str:
    from tertium._version import __version__

    return json.dumps({"tertium": __version__, **content}, ensure_ascii=False)
