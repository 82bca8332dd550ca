# SPDX-License-Identifier: Apache-2.0
"""Systems scored from stored judgements, as a self-contained HTML page.

The text, the tables and the first outputs need no script; Vega-Altair charts show the
same figures, and a small script filters outputs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.judgements.reuse.results import Reuse
from tertium.report.components import (
    Cautions,
    Chart,
    Component,
    Download,
    Group,
    Legend,
    Page,
    Section,
    Text,
    download,
)
from tertium.report.draw.vega import PAGE, Drawn, altair, spec
from tertium.report.rendering import render
from tertium.report.reuse.charts import guess_chart, histogram_chart, system_chart
from tertium.report.reuse.outputs import Report, browser
from tertium.report.reuse.words import (
    METHODS,
    cautions,
    column_notes,
    headline,
    lead,
    score_name,
    usual_digits,
)
from tertium.report.tables.page import sortable
from tertium.report.tables.reuse import reuse_tables
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.data.testset import Testset

__all__ = ["reuse_page"]

_PLAIN = 1_000_000  # bytes of JSON that are still worth an uncompressed file


def reuse_page(
    result: Reuse,
    testset: Testset | None = None,
    *,
    digits: int | None = None,
    progress: Report | None = None,
) -> str:
    """Return a page on systems that are scored from stored judgements.

    Parameters
    ----------
    result : Reuse
    testset : Testset, optional
        The sources of the segments.
    digits : int, optional
        Decimal places of scores; by default 3 for ratios of wins, 2 for ratings.
    progress : callable, optional
        Called with ``"segments"``, how many are written, and their total.

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    if digits is None:
        digits = usual_digits(result)
    kicker = "Reused judgements"
    page = Page(
        headline(result, digits),
        kicker=f"{kicker} · {result.langpair}" if result.langpair else kicker,
        lead=lead(result, digits),
        header=[Cautions(cautions(result))],
        sections=list(_sections(result, testset, digits, progress)),
        downloads=[_figures(result)],
        # Outputs first: they can be looked through while charts are drawn.
        scripts=["browser.js", "outputs.js", "tables.js", "printing.js", "charts.js"],
        charts=True,
    )
    return render(page)


def _sections(
    result: Reuse, testset: Testset | None, digits: int, progress: Report | None
) -> Iterator[Section]:
    style = Style("html", digits)
    systems, distances, matrix, *next_tables = reuse_tables(result, style, matrix=True)
    yield Section(
        "systems",
        "Systems",
        [
            _chart(
                "systems",
                system_chart(result, PAGE),
                "Circles: judged. Diamonds: "
                "predicted, with the interval if there is one.",
            ),
            sortable(systems, "Judged and predicted scores"),
            Legend("\n".join(column_notes(result))),
        ],
    )
    yield Section("distance", "Distance", list(_distance(result, distances)))
    if next_tables:
        (table,) = next_tables
        blocks = [sortable(table, "Outputs to annotate"), Legend(table.note)]
        yield Section("next", "Annotate next", blocks)
    yield Section(
        "outputs", "Outputs", list(_outputs(result, testset, digits, progress))
    )
    how = [
        Text(METHODS[result.by]),
        sortable(matrix, "Scores on the outputs used"),
        Legend(matrix.note),
    ]
    yield Section("how", "Method", how)


def _distance(result: Reuse, table: Table) -> Iterator[Component]:
    charts = []
    histogram = histogram_chart(result, PAGE)
    if histogram is not None:
        charts.append(_chart("histogram", histogram, "Outputs by distance."))
    guesses = guess_chart(result, PAGE)
    if guesses is not None:
        caption = "What the nearest judged outputs got, against the judgement."
        charts.append(_chart("guesses", guesses, caption))
    yield Text(
        "The nearer the nearest judged output is, the more a prediction can be trusted."
    )
    if charts:
        yield Group("grid", charts)
    yield sortable(table, "Outputs by distance to the nearest judged one")


def _outputs(
    result: Reuse, testset: Testset | None, digits: int, progress: Report | None
) -> Iterator[Component]:
    got = "their rank (1 is best)" if result.kind == "rankings" else "their score"
    yield Text(
        "A hit (✓) is an output that a judged system produced too. Below "
        f"each output are the nearest judged outputs with {got}; struck out is what "
        "only the judged output has, underlined what only this output has. On the "
        f"right: the prediction ({_unit(result)})."
    )
    yield browser(result, _sources(testset), digits, progress=progress)


def _unit(result: Reuse) -> str:
    if result.kind == "rankings":
        return "share of comparisons won"
    return score_name(result).removeprefix("mean ")


def _sources(testset: Testset | None) -> dict[str, str]:
    """Return the source of every segment by the name that judgements use."""
    if testset is None or testset.sources is None:
        return {}
    if testset.ids is None:
        names = [str(number) for number in range(1, len(testset) + 1)]
    else:
        from tertium.data.segment_ids import full_ids

        names = list(full_ids(testset.ids, testset.docs))
    return dict(zip(names, testset.sources, strict=True))


def _chart(name: str, drawn: Drawn, caption: str) -> Chart:
    return Chart(name, spec(drawn, PAGE), caption)


def _figures(result: Reuse) -> Download:
    return download(
        "all figures as JSON",
        "reuse.json",
        result.to_json(),
        media_type="application/json",
        plain=_PLAIN,
    )
