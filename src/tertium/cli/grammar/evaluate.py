# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar evaluate``: correct outputs, compare systems."""

from __future__ import annotations

import argparse
import json
import os
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.grammar.material import Material, add_material, read_material
from tertium.cli.shared import flags
from tertium.cli.shared.hopeless import hopeless_note
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import Table, as_text, emit, render

if TYPE_CHECKING:
    from tertium.grammars.analysis import Evaluation

__all__ = ["add_report", "evaluate", "run", "write"]

_ABOUT = """\
Find for every output the cheapest correction into the references of its segment, name
the errors, and compare systems: scores (cost per word, 0 is perfect, lower is better)
with bootstrap intervals over templates, kinds of errors, case shifts, edits that
recur, constructions kept. References come from templates, or from files of the light
notation and of networks (--references). The HTML page shows all of it.
"""

_EXAMPLES = """\
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt B=b.jsonl
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt HT=ann.txt \\
      --human HT -f html -o report.html
  tertium grammar evaluate --references segments.refs -i a.txt --segments
  tertium grammar evaluate weather -t run/testset.jsonl -i A=a.txt \\
      --analyser voikko --costs default,move=0.5 -f tsv --segments -o a.tsv

Text shows systems, differences and what to beware of, with --segments also every
correction; TSV has one table, that of systems or with --segments that of outputs.
The JSON has {"tertium": VERSION, "analyser", "costs", "near", "bootstrap",
"segments", "taxonomy", "templates", "ranking", "systems": [..], "differences": [..],
"sensitivity": [..]}, with --segments also "records", one object an output: id, system,
template, set, source, hyp, edits, ref, cost, ref_len, score, close, counts and more.
--save writes these two as system.json and segments.jsonl.
"""

_FORMATS = ("text", "json", "tsv", "html")


def evaluate(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar evaluate", _ABOUT, _EXAMPLES)
    add_material(parser)
    inputs.add_outputs(parser, "outputs of systems and of people")
    parser.add_argument(
        "--human",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME",
        help="which of them are people",
    )
    inputs.add_analyser(parser)
    add_report(parser)
    args = parser.parse_args(argv)
    material = read_material(args)
    found = run(args, material, inputs.read_systems(args, material.segments))
    write(found, args)
    return 0


def add_report(parser: argparse.ArgumentParser) -> None:
    """Add the options of a run and of its report."""
    parser.add_argument(
        "--resamples",
        type=flags.number(0, 10**6),
        metavar="N",
        help="of the bootstrap; 0 for no intervals (default: 1000, and more for many "
        "systems: so many that p-values after correction can be 0.01)",
    )
    parser.add_argument(
        "--top",
        type=flags.number(1),
        default=20,
        metavar="N",
        help="how many recurring edits to keep (default: %(default)s)",
    )
    parser.add_argument(
        "--segments", action="store_true", help="also every output with its correction"
    )
    parser.add_argument(
        "--save",
        metavar="FOLDER",
        help="also write segments.jsonl and system.json there",
    )
    parser.add_argument("--title", metavar="TEXT", default="", help="of the HTML page")
    parser.add_argument(
        "-f", "--format", choices=_FORMATS, default="text", help="(default: text)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    flags.add_run(parser)


def run(
    args: argparse.Namespace,
    material: Material,
    systems: dict[str, list[str]],
) -> Evaluation:
    """Return what was found for the outputs of systems."""
    from tertium.grammars.analysis import evaluate_outputs

    with Progress("outputs", quiet=args.quiet) as progress:
        return evaluate_outputs(
            material.segments,
            systems,
            material.references,
            analyser=inputs.analyser_of(args, material.templates),
            costs=inputs.costs_of(args),
            human=args.human,
            resamples=args.resamples,
            seed=args.seed,
            top=args.top,
            threads=args.threads,
            progress=progress,
        )


# ------------------------------------------------------------------------- writing


def write(found: Evaluation, args: argparse.Namespace) -> None:
    """Write an evaluation in the format asked for."""
    _remark_hopeless(found, args)
    if args.save is not None:
        _save(found, args)
    if args.format == "html":
        from tertium.report.grammar.page import grammar_page

        emit(grammar_page(found, title=args.title), args.output)
        if args.output is not None:
            remark(args, f"the report is in {args.output}")
    elif args.format == "json":
        emit(_json(found, args), args.output)
    elif args.format == "tsv":
        from tertium.grammars.analysis import segments_tsv, systems_tsv

        own = segments_tsv(found.segments) if args.segments else systems_tsv(found)
        emit(own, args.output)
    else:
        _write_text(found, args)


def _remark_hopeless(found: Evaluation, args: argparse.Namespace) -> None:
    hopeless = found.hopeless()
    if hopeless is not None:
        note = hopeless_note(hopeless, unit="segment", flag="--resamples")
        remark(args, note)


def _json(found: Evaluation, args: argparse.Namespace) -> str:
    from tertium.grammars.analysis.record_files import record_outline

    whole = found.to_json()
    if args.segments:
        whole["records"] = [record_outline(own) for own in found.segments]
    return json.dumps(whole, ensure_ascii=False, indent=2)


def _save(found: Evaluation, args: argparse.Namespace) -> None:
    from tertium.grammars.analysis import write_records

    inputs.in_folder(args.save)
    write_records(found.segments, os.path.join(args.save, "segments.jsonl"))
    text = json.dumps(found.to_json(), ensure_ascii=False, indent=2)
    emit(text, os.path.join(args.save, "system.json"))
    remark(args, f"wrote segments.jsonl and system.json to {args.save}")


def _write_text(found: Evaluation, args: argparse.Namespace) -> None:
    tables = [_systems(found), _errors(found)]
    if found.differences:
        tables.append(_differences(found))
    outputs = f"\n{_outputs(found)}" if args.segments else ""
    if args.output is None:
        render(tables, "table")
        emit(outputs, None)
    else:
        emit(as_text(tables, "table") + outputs, args.output)


def _systems(found: Evaluation) -> Table:
    from tertium.report.grammar.summary import cautions, headline, people

    rows = []
    for own in found.ranking:
        low_high = "-"
        if own.interval is not None:
            low, high = own.interval
            low_high = f"{low:.3f} - {high:.3f}"
        rows.append(
            [
                f"{own.name} (human)" if own.human else own.name,
                f"{own.score:.3f}",
                low_high,
                f"{own.exact:,} of {own.segments:,}",
                f"{own.recurrence.distinct:,}/{own.edits:,}",
                "-" if own.kept is None else f"{100 * own.kept:.0f} %",
            ]
        )
    lines = ["score: cost of corrections per word of the references; lower is better"]
    lines += ["edits: different ones / all; kept: the source's construction is kept"]
    lines.append(f"analyser {found.analyser}, costs {found.costs.profile}")
    if said := people(found):
        lines += _wrapped(said)
    for text in cautions(found):
        lines += _wrapped(f"beware: {text}")
    level = f"{100 * found.bootstrap.confidence:g} %"
    head = ["system", "score ↓", level, "exact", "edits", "kept"]
    return Table(head, rows, title=headline(found), note="\n".join(lines))


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 88, subsequent_indent="  ", break_on_hyphens=False)


def _errors(found: Evaluation) -> Table:
    from tertium.grammars.edits import TAXONOMY, UNRELIABLE

    names = [own.name for own in found.ranking]
    rows = [
        [
            f"{kind} (unreliable)" if kind in UNRELIABLE else kind,
            *(f"{own.taxonomy[kind]:,}" for own in found.ranking),
        ]
        for kind in TAXONOMY
        if any(own.taxonomy[kind] for own in found.ranking)
    ]
    return Table(["errors", *names], rows, title="Kinds of errors")


def _differences(found: Evaluation) -> Table:
    rows = []
    for own in found.differences:
        low_high, p = "-", "-"
        if own.interval is not None:
            low, high = own.interval
            low_high = f"{low:.3f} to {high:.3f}"
        if own.p_adjusted is not None:
            p = f"{own.p_adjusted:.4f}"
        counts = f"{own.wins}/{own.ties}/{own.losses}"
        rows.append([own.a, own.b, f"{own.difference:.3f}", low_high, p, counts])
    note = "p: bootstrap over templates and their segments, after Holm's correction"
    head = ["better", "worse", "by", "interval", "adj. p", "wins/ties/losses"]
    return Table(head, rows, title="Differences", note=note, left=2)


def _outputs(found: Evaluation) -> str:
    """Return every output with its correction, as figure 7 of the thesis shows it."""
    widest = max(len(own.name) for own in found.systems)
    lines = ["Outputs"]
    last = ""
    for own in found.segments:
        if own.id != last:
            lines.append(f"{own.id}  {own.source}".rstrip())
        last = own.id
        made = f"  ({', '.join(own.constructions)})" if own.constructions else ""
        unproven = "" if own.proven else "  (not proven to be the cheapest)"
        lines.append(
            f"  {own.system:<{widest}}  {own.score:.3f}  {own.best}{made}{unproven}"
        )
    return "\n".join(lines) + "\n"
