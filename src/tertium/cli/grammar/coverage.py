# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar coverage``: what people say and the grammar rejects."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.grammar.material import (
    ANY,
    Material,
    add_material,
    from_templates,
    read_material,
)
from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.grammars.coverage import Coverage, Rejected, Share, Translation

__all__ = ["coverage"]

_ABOUT = """\
Read right translations by people who have not seen the grammar, and list what it
rejects: grouped by the edit that leads to the nearest sentence it accepts, with that
sentence and a proposal. First come edits that alone keep out the most translations.
The share accepted estimates how much of what is right the grammar has (recall). Whether
to add something, or the translation is wrong, you decide.
"""

_EXAMPLES = """\
  tertium grammar coverage weather -t run/testset.jsonl -i Ann=ann.txt Bob=bob.jsonl
  tertium grammar coverage weather --sentences heard.txt
  tertium grammar coverage --references segments.refs -i ann.txt --analyser voikko

--sentences takes one sentence a line, for one template; before it may stand the
variable set and a tab. Without, the nearest set counts.
The JSON has {"tertium": VERSION, "analyser", "total": {"accepted", "total", "share"},
"templates": {ID: ..}, "people": {NAME: ..}, "causes": [{"template", "kind", "hyp",
"ref", "alone", "proposal", "rejected": [place in "rejected"]}], "rejected": [{"by",
"id", "template", "set", "text", "nearest", "correction", "cost", "constructions"}]}.
"""


def coverage(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.coverage import cover

    parser = flags.parser("grammar coverage", _ABOUT, _EXAMPLES)
    add_material(parser)
    parser.add_argument(
        "-i",
        "--systems",
        nargs="+",
        action="extend",
        metavar="[NAME=]FILE",
        help="translations by people: a line a segment, or JSON lines by id (.jsonl)",
    )
    parser.add_argument(
        "--sentences", metavar="FILE", help="instead of -t and -i: a list of sentences"
    )
    inputs.add_analyser(parser)
    parser.add_argument(
        "--top",
        type=flags.number(1),
        default=20,
        metavar="N",
        help="how many causes to list (default: %(default)s)",
    )
    flags.add_run(parser)
    flags.add_output(parser)
    args = parser.parse_args(argv)
    material, translations = _read(args)
    with Progress("translations", quiet=args.quiet) as progress:
        found = cover(
            translations,
            material.automaton,
            analyser=inputs.analyser_of(args, material.templates),
            costs=inputs.costs_of(args),
            constructions=material.constructions,
            threads=args.threads,
            progress=progress,
        )
    if args.format == "json":
        out = json.dumps(_outline(found), ensure_ascii=False, indent=2)
        emit(out, args.output)
    else:
        render(_tables(found, args), args.format, output=args.output)
    return 0


def _read(args: argparse.Namespace) -> tuple[Material, list[Translation]]:
    from tertium.grammars.coverage import Translation

    if bool(args.sentences) == bool(args.systems):
        message = "give translations with -i, or a list with --sentences, one of them"
        raise InputError(message)
    if args.sentences:
        return _sentences(args)
    material = read_material(args)
    people = inputs.read_systems(args, material.segments)
    translations = [
        Translation(text, own.template, own.set, name, own.id)
        for name, texts in people.items()
        for own, text in zip(material.segments, texts, strict=True)
    ]
    return material, translations


def _sentences(args: argparse.Namespace) -> tuple[Material, list[Translation]]:
    from tertium.grammars.coverage import Translation
    from tertium.grammars.gf.variables import show_set
    from tertium.grammars.samples import read_samples

    if args.references or args.testset:
        message = "--sentences are about a template; leave out --references and -t"
        raise InputError(message)
    templates = inputs.load_templates(args.names, args)
    if len(templates) != 1:
        message = f"--sentences are about one template, not {len(templates)}; name one"
        raise InputError(message)
    material = from_templates([], templates, args.target)
    samples = read_samples(Path(args.sentences))
    if not samples:
        raise InputError(f"{args.sentences} has no sentence; write one a line")
    return material, [
        Translation(
            own.sentence,
            templates[0].id,
            ANY if own.codes is None else show_set(own.codes),
            Path(own.path).stem,
            f"{own.path}:{own.line}",
        )
        for own in samples
    ]


# ------------------------------------------------------------------------- writing


def _tables(found: Coverage, args: argparse.Namespace) -> list[Table]:
    plain = flags.for_programs(args)
    shares = [*found.shares, *([found.total] if len(found.shares) > 1 else [])]
    rows = [_share_row(own, own.template or "(none)") for own in shares]
    if len(found.people) > 1:
        rows += [_share_row(own, f"by {own.template}") for own in found.people]
    tables = [Table(["template", "accepted", "of", "share"], rows, title="Coverage")]
    head = ["template", "edit", "said", "accepted", "alone", "in"]
    head += ["proposal", "example", "nearest"]
    rows = []
    for cause in found.causes if plain else found.causes[: args.top]:
        first = cause.rejected[0]
        rows.append(
            [
                cause.template,
                cause.kind,
                cause.hyp,
                cause.ref,
                str(cause.alone),
                str(len(cause.rejected)),
                cause.proposal,
                first.translation.text,
                " ".join(first.correction.reference),
            ]
        )
    left = len(found.causes) - len(rows)
    note = (
        "alone: translations that would be accepted if only this were; in: those it "
        "occurs in"
    )
    if left > 0:
        note += f"\n{count(left, 'more cause')}; --top shows more"
    causes = Table(head, rows, title="What is rejected", note=note, left=len(head))
    if plain:
        return [causes]
    return [*tables, causes] if rows else tables


def _share_row(own: Share, name: str) -> list[str]:
    return [name, f"{own.accepted:,}", f"{own.total:,}", f"{100 * own.share:.1f} %"]


def _outline(found: Coverage) -> dict[str, object]:
    places = {id(own): place for place, own in enumerate(found.rejected)}
    return {
        "tertium": __version__,
        "analyser": found.analyser,
        "total": _share(found.total),
        "templates": {own.template: _share(own) for own in found.shares},
        "people": {own.template: _share(own) for own in found.people},
        "causes": [
            {
                "template": own.template,
                "kind": own.kind,
                "hyp": own.hyp,
                "ref": own.ref,
                "alone": own.alone,
                "proposal": own.proposal,
                "rejected": [places[id(one)] for one in own.rejected],
            }
            for own in found.causes
        ],
        "rejected": [_rejected(own) for own in found.rejected],
    }


def _share(own: Share) -> dict[str, object]:
    return {"accepted": own.accepted, "total": own.total, "share": own.share}


def _rejected(own: Rejected) -> dict[str, object]:
    from tertium.grammars.edits import UNIT

    said = own.translation
    return {
        "by": said.by,
        "id": said.id,
        "template": said.template,
        "set": said.set,
        "text": said.text,
        "nearest": " ".join(own.correction.reference),
        "correction": str(own.correction),
        "cost": own.correction.cost / UNIT,
        "constructions": list(own.constructions),
    }
