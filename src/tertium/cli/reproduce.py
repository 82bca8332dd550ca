# SPDX-License-Identifier: Apache-2.0
"""``tertium reproduce``: published tables and figures, computed again."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium.cli.shared import flags, values
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.shared.values import Output, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.report.tables.table import Table
    from tertium.reproductions import Exhibit, Outcome

__all__ = ["command"]

_ABOUT = """\
Compute a published table or figure again and show ours beside the printed figures: what
it claims, whether that holds, and why figures differ.
"""

_EXAMPLES = """\
  tertium reproduce list                                  what there is
  tertium reproduce list forests                          of one document
  tertium reproduce forests/figure-3                      one figure; needs no data
  tertium reproduce forests/table-3 --data ~/wmt          one table, on your data
  tertium reproduce forests --data ~/wmt -f json -o forests.json
  tertium reproduce forests/table-2 --data ~/wmt --chart table-2.svg

DIR has a folder per year (wmt12, wmt14, wmt15, wmt16) with, for each language pair,
PAIR.tsv.gz (seg, source, reference, a column per system) and PAIR.pairs.tsv.gz (seg,
better, worse). Some exhibits read more folders; a missing one is named. In brackets
stand the published figure and the difference from it. The results of all of them are in
the documentation, under Reproductions.
"""


@frozen
class Options(Output, values.Remarks):
    """The options of the verb."""

    names: list[str]
    data: str | None
    chart: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    from tertium._files import check_places
    from tertium.reproductions import Data, find_exhibits, reproduce, write_outcomes

    options = values.parse(_parser(), argv, Options)
    if options.names[0] == "list":
        render(_list(options.names[1:]), options.format, output=options.output)
        return 0
    exhibits = find_exhibits(options.names)
    if options.chart and len(exhibits) > 1:
        raise InputError("--chart draws one table or figure; name one")
    places = [place for place in (options.output, options.chart) if place]
    check_places([], places)
    outcomes = {}
    with Progress("sets", quiet=options.quiet) as progress:
        data = Data(Path(options.data) if options.data else None, progress)
        for exhibit in exhibits:
            if not exhibit.recipe and len(exhibits) > 1:
                remark(options, f"{exhibit.name} cannot be repeated: {exhibit.why}")
                continue
            outcomes[exhibit.name] = reproduce(exhibit, data)
    if options.chart:
        _draw(exhibits, outcomes, options.chart)
    if options.format == "json":
        emit(write_outcomes(outcomes), options.output)
    else:
        tables = [
            table
            for exhibit in exhibits
            if exhibit.name in outcomes
            for table in _tables(exhibit, outcomes[exhibit.name], options.digits)
        ]
        render(tables, options.format, output=options.output)
    return 0


def _list(names: Sequence[str]) -> list[Table]:
    """Return what there is, of all documents or of some."""
    from tertium.errors import UnknownNameError
    from tertium.report.reproductions import exhibits_table
    from tertium.reproductions import documents

    known = {document.name: document for document in documents()}
    for name in names:
        if name not in known:
            raise UnknownNameError("document", name, known)
    return [exhibits_table(known[name]) for name in names or known]


def _tables(exhibit: Exhibit, outcome: Outcome, digits: int | None) -> list[Table]:
    from dataclasses import replace

    from tertium.report.reproductions import claims_table, comparison_tables

    verdict = outcome.verdict(exhibit).value
    tables = comparison_tables(exhibit, outcome, digits)
    if outcome.claims:
        tables.append(claims_table(outcome))
    first = f"{exhibit.name}: {verdict}. {exhibit.about}"
    if part := tables[0].title:
        first += f" Here {part}."
    tables[0] = replace(tables[0], title=first)
    notes = " ".join(part for part in (tables[-1].note, exhibit.why) if part)
    tables[-1] = replace(tables[-1], note=notes)
    return tables


def _draw(exhibits: Sequence[Exhibit], outcomes: dict[str, Outcome], path: str) -> None:
    from tertium._files import replace_file
    from tertium.report.reproductions import draw_comparison

    chart = draw_comparison(exhibits[0], outcomes[exhibits[0].name])
    if chart is None:
        raise InputError(
            f"{exhibits[0].name} has no figures to draw; leave --chart out"
        )
    with replace_file(path) as file:
        file.write(chart.encode())


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("reproduce", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "names",
        nargs="+",
        metavar="NAME",
        help="a document, one of its tables or figures, or list",
    )
    parser.add_argument(
        "--data",
        metavar="DIR",
        help="the folder of data (default: the environment's TERTIUM_DATA)",
    )
    parser.add_argument("--chart", metavar="FILE.svg", help="draw published and ours")
    flags.add_output(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    return parser
