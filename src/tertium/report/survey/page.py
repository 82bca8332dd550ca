# SPDX-License-Identifier: Apache-2.0
"""A survey with simulated judges as a self-contained HTML page.

Each section is a function of the results, so that other pages can use it. Diagrams are
SVG and need no script.
"""

from __future__ import annotations

import json

from tertium._messages import count
from tertium.report.components import (
    Cautions,
    Cell,
    Diagram,
    Legend,
    Page,
    Section,
    Table,
    Text,
    download,
    number_cell,
    p_text,
)
from tertium.report.draw.lettering import minus
from tertium.report.rendering import render
from tertium.report.survey.diagrams import (
    correlation_diagram,
    curve_diagram,
    effect_diagram,
    severity_diagram,
)
from tertium.report.survey.results import MetricCorrelation, Recovered, SurveyResults

__all__ = [
    "adjustment_section",
    "correlation_section",
    "curve_section",
    "effect_section",
    "kind_section",
    "survey_page",
]

_PLAIN = 1_000_000  # bytes of JSON that are still worth an uncompressed file


def survey_page(results: SurveyResults) -> str:
    """Return a page on a survey whose judges were simulated.

    Parameters
    ----------
    results : SurveyResults
    """
    inside, effects = results.recovered()
    figures = download(
        "all figures as JSON",
        "survey.json",
        json.dumps(results.to_dict(), separators=(",", ":")),
        media_type="application/json",
        plain=_PLAIN,
    )
    page = Page(
        f"{inside} of {effects} known effects recovered within their 95 % intervals",
        kicker="Word-order survey with simulated judges",
        lead=_lead(results),
        header=[Cautions(_cautions(results))],
        sections=[
            effect_section(results),
            curve_section(results),
            adjustment_section(results),
            correlation_section(results),
            kind_section(results),
            _method(results),
        ],
        downloads=[figures],
        footer=f"; seed {results.seed}",
    )
    return render(page)


def _lead(results: SurveyResults) -> str:
    ratings = sum(one.ratings for one in results.recoveries)
    kinds = ", ".join(f"{number} {kind}" for kind, number in results.kinds.items())
    return (
        f"{count(results.judges, 'simulated judge')} gave {ratings:,} answers to "
        f"{count(sum(results.kinds.values()), 'item')} ({kinds}), made from "
        f"{results.references}. Nobody was asked: the judges' habits are known, and "
        "the page shows how well the analysis of a survey recovers them."
    )


def _cautions(results: SurveyResults) -> list[str]:
    caution = (
        "These are not human judgements. The correlations say how metrics follow the "
        "effects that were put into the simulation, not how they follow people."
    )
    return [caution, *results.notes]


# ------------------------------------------------------------------------- sections


def effect_section(results: SurveyResults) -> Section:
    """Return known effects beside estimates with intervals."""
    blocks: list[Diagram | Table | Text | Legend] = [
        Text(
            "Scores go from 0 to 1. A slope is the change of the score for each moved "
            "or replaced word; for a hypothesis, from chrF 1 to chrF 0. About one in "
            "twenty 95 % intervals should miss the known value."
        )
    ]
    for one in results.recoveries:
        blocks.append(
            Diagram(
                f"effects-{one.question}",
                effect_diagram(one),
                f"Slopes of the question on {one.question}: known and estimated.",
            )
        )
        caption = (
            f"Effects on {one.question}: {one.ratings:,} answers to {one.items} items"
        )
        blocks.append(_effects(caption, one.effects))
    return Section("effects", "Known and recovered effects", blocks)


def _effects(caption: str, effects: tuple[Recovered, ...]) -> Table:
    head = ("effect", "known", "estimate", "95 % interval", "recovered")
    rows = [
        [
            Cell(one.name, one.name),
            number_cell(one.known, 4),
            number_cell(one.estimate.value, 4),
            Cell(_interval(one), None, "number"),
            Cell("yes" if one.inside else "no", "yes" if one.inside else "no"),
        ]
        for one in effects
    ]
    return Table(caption, head, rows)


def _interval(one: Recovered, digits: int = 4) -> str:
    low, high = one.estimate.low, one.estimate.high
    if low is None or high is None:
        return "–"
    return minus(f"{low:.{digits}f} to {high:.{digits}f}")


def curve_section(results: SurveyResults) -> Section:
    """Return mean scores by degree."""
    blocks = [
        Diagram(
            f"curves-{question}",
            curve_diagram(
                question, [c for c in results.curves if c.question == question]
            ),
            f"Mean score of {question} by degree.",
        )
        for question in dict.fromkeys(curve.question for curve in results.curves)
    ]
    return Section("degrees", "Scores by degree", blocks)


def adjustment_section(results: SurveyResults) -> Section:
    """Return severities of judges, and what the adjustment does to item scores."""
    inside, judges = results.recovered(severities=True)
    head = (
        "question",
        "error of raw means",
        "error of adjusted means",
        "p (paired t-test)",
    )
    rows = [
        [
            Cell(one.question, one.question),
            number_cell(one.raw_error, 4),
            number_cell(one.adjusted_error, 4),
            Cell(
                "–" if one.t_test is None else p_text(one.t_test), one.t_test, "number"
            ),
        ]
        for one in results.adjusted
    ]
    blocks = [
        Text(
            f"Prediction intervals contain {inside} of {judges} known judge effects. "
            "Judges above 0 are lenient."
        ),
        *(
            Diagram(
                f"judges-{one.question}",
                severity_diagram(one),
                f"Judges, on {one.question}: known effects and predictions.",
            )
            for one in results.recoveries
        ),
        Table("Item means before and after the adjustment", head, rows),
        Legend(
            "error: root mean square difference of item means from the known scores\n"
            "adjusted: score ~ 1 + (1 | judge) + (1 | item), effect of the judge "
            "subtracted"
        ),
    ]
    return Section("judges", "Judges and their adjustment", blocks)


def correlation_section(results: SurveyResults) -> Section:
    """Return the correlations of metrics with item means, over all items."""
    blocks: list[Diagram | Table | Legend] = []
    for question in dict.fromkeys(one.question for one in results.correlations):
        rows = [
            one
            for one in results.correlations
            if one.question == question and one.part == "all"
        ]
        rows.sort(key=lambda one: -(one.adjusted.value if one.adjusted else -2))
        blocks.append(
            Diagram(
                f"correlations-{question}",
                correlation_diagram(question, rows),
                f"Spearman's ρ with {question}, {rows[0].items} items.",
            )
        )
        blocks.append(_correlations(question, rows))
    blocks.append(
        Legend(
            "raw, adjusted: means of answers; known: the score without judges and noise"
        )
    )
    return Section("correlations", "Correlation of metrics with scores", blocks)


def _correlations(question: str, rows: list[MetricCorrelation]) -> Table:
    head = ("metric", "items", "raw", "interval", "adjusted", "interval", "known")
    cells = []
    for one in rows:
        row = [Cell(one.metric, one.metric), number_cell(one.items, 0)]
        for effect in (one.raw, one.adjusted):
            row.append(number_cell(effect.value if effect else None, 3))
            text = "–"
            if effect and effect.low is not None and effect.high is not None:
                text = minus(f"{effect.low:.3f} to {effect.high:.3f}")
            row.append(Cell(text, None, "number"))
        row.append(number_cell(one.known, 3))
        cells.append(row)
    return Table(f"Spearman's ρ with {question}, all items", head, cells)


def kind_section(results: SurveyResults) -> Section:
    """Return correlations by kind of item."""
    blocks = []
    for question in dict.fromkeys(one.question for one in results.correlations):
        some = [
            one
            for one in results.correlations
            if one.question == question and one.part != "all"
        ]
        parts = list(dict.fromkeys(one.part for one in some))
        if not parts:
            continue
        sizes = {one.part: one.items for one in some}
        head = ("metric", *(f"{part} ({sizes[part]})" for part in parts))
        values = {(one.metric, one.part): one.adjusted for one in some}
        rows = [
            [
                Cell(metric, metric),
                *(
                    number_cell(effect.value if effect else None, 3)
                    for effect in (values.get((metric, part)) for part in parts)
                ),
            ]
            for metric in dict.fromkeys(one.metric for one in some)
        ]
        blocks.append(
            Table(f"Spearman's ρ with adjusted {question}, by kind", head, rows)
        )
    note = Legend("– where all scores are equal; in brackets: items")
    return Section("kinds", "Correlation by kind of damage", [*blocks, note])


def _method(results: SurveyResults) -> Section:
    text = (
        "The mean score of an item is intercept + slope × damage + judge + item; "
        "judges and items are normal, cut at two standard deviations. A judge's "
        "answer is one of five boxes whose mean is exactly this score. Judges took "
        "part in the real application: consent, background, items in the order of "
        "their questionnaire. Effects were estimated by REML, with crossed effects "
        f"of judges and items, from the export of the campaign {results.name!r}. The "
        "same seed gives the same answers."
    )
    return Section("method", "Method", [Text(text)])
