# SPDX-License-Identifier: Apache-2.0
"""The sections of a meta-evaluation page: text, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tertium.meta.families import FAMILIES
from tertium.report.components import (
    Cautions,
    Chart,
    Component,
    Details,
    Facts,
    Group,
    Legend,
    Section,
    Text,
)
from tertium.report.draw.vega import PAGE, spec
from tertium.report.meta.charts import Material
from tertium.report.meta.summary import cautions, conclusions
from tertium.report.meta.tables import (
    averages_table,
    gap_table,
    kappa_table,
    systems_table,
    values_table,
)
from tertium.report.meta.tested_tables import (
    family_table,
    hypothesis_grids,
    matrix_table,
    question_table,
    tally_table,
)
from tertium.report.tables.hypotheses import HYPOTHESES, P_VALUE, cross_summary

__all__ = ["sections"]

_MANY = 12  # rows of a table that not every reader wants
_LETTER = 6.6  # pixels, about, in labels of axes


def sections(material: Material, digits: int) -> list[Section]:
    """Return the sections that have content.

    Parameters
    ----------
    material : Material
    digits : int
        Decimal places in tables.
    """
    writers: list[tuple[str, str, Callable[[Material], Iterator[Component]]]] = [
        ("summary", "Summary", _summary),
        ("values", "Correlations", lambda all_of: _values(all_of, digits)),
        ("scores", "Scores", _scores),
        ("tests", "Significance tests", _tests),
        ("families", "Metric families", _families),
        ("questions", "Questions", _questions),
        ("people", "Human judgements", _human),
        ("gaps", "Interpreting score differences", _gaps),
    ]
    written = [(key, title, list(write(material))) for key, title, write in writers]
    return [Section(key, title, blocks) for key, title, blocks in written if blocks]


def _summary(material: Material) -> Iterator[Component]:
    yield Facts(conclusions(material.grids))
    yield Cautions(
        cautions(
            material.result,
            material.evaluations,
            material.grids,
            material.agreed,
            without=material.without,
        ),
        level=3,
    )


def _values(material: Material, digits: int) -> Iterator[Component]:
    yield from _chart(
        material,
        "values",
        "Correlations with bootstrap intervals, best first. Probes ignore quality; an "
        "arrow marks a probe that is off the scale.",
        panel=_panel(material.result.metrics),
    )
    if len(material.result.langpairs) > 1:
        yield from _chart(
            material,
            "heatmap",
            "Darker is better, from the lowest to the highest value of any metric "
            "with this coefficient; frames mark the best metric of a language pair.",
        )
        views = dict.fromkeys(v for g in material.grids for v in g.averaged.values())
        if len(material.grids) > 1 and views:
            for view in views:
                yield averages_table(material.grids, view=view, digits=digits)
            yield Legend(
                "≀ higher than the value above it, out of sequence with the first "
                "coefficient."
            )
    alpha = None
    if material.p_values:
        alpha = 1 - float(material.result.run.get("confidence") or 0.95)
    yield Group(
        "tables",
        [values_table(grid, digits=digits, alpha=alpha) for grid in material.grids],
    )
    legend = ["★ best of its column"]
    if material.result.clusters:
        legend.append("✓ no metric is significantly better")
    legend.append("± half the width of the interval; n/a: not defined")
    if alpha is not None and any(v.p is not None for v in material.result.values):
        legend.append(
            "p: two-sided test of the correlation against 0, uncorrected; ‡ below "
            f"{alpha:.3g}"
        )
    yield Legend(f"{'; '.join(legend)}. Click a column heading to sort.")


def _scores(material: Material) -> Iterator[Component]:
    yield from _chart(
        material,
        "scatter",
        "System scores by a metric (further right is better; error metrics are "
        "negated) and human scores (higher is better), with intervals; the dashed "
        "line is a least-squares fit.",
        panel=330,
    )
    yield from _chart(
        material,
        "histogram",
        "Distribution of output scores on the segments that were judged; the dashed "
        "line is the mean. Error metrics are negated.",
        panel=310,
    )


def _tests(material: Material) -> Iterator[Component]:
    if not material.result.clusters:
        return
    yield from _chart(
        material,
        "tests",
        "Adjusted p-values. An arrow points to the significantly better metric: ← the "
        "row, ↑ the column. The number before a metric is its cluster; lines separate "
        "clusters.",
    )
    tables = [
        matrix_table(material.result, name, pair)
        for name, clusters in material.result.clusters.items()
        for pair in clusters
    ]
    yield Details(f"All p-values as tables ({len(tables)})", tables)
    tallies = [
        tally_table(
            material.result,
            grid.coefficient.name,
            grid.real,
            without=material.without,
            view=view,
        )
        for grid in material.grids
        for view in grid.views
    ]
    if any(tallies):
        yield from filter(None, tallies)
        excluded = [p for p in material.without if p in material.result.langpairs]
        note = f" Without {', '.join(excluded)}." if excluded else ""
        yield Legend(
            "Wins-losses-draws: the number of language pairs on which the row is "
            "significantly better than the column, significantly worse, or neither."
            + note
        )


def _families(material: Material) -> Iterator[Component]:
    if material.families is None:
        return
    metrics = material.result.metrics
    bars = "family means"
    if material.result.family_by == "variant":
        bars = "means of variants, coloured by metric"
    yield from _chart(
        material,
        "families",
        f"{material.grids[0].coefficient.name}: bars are {bars}, marks are "
        "configurations; a star means that the interval excludes chance level, or the "
        "p-value does where there is no interval.",
        panel=_panel(list(map(FAMILIES[material.result.family_by], metrics))),
    )
    if material.families:
        table: Component = family_table(material.families)
        if (tests := len(material.families)) > _MANY:
            table = Details(
                f"All tests of metric families as a table ({tests})", [table]
            )
        yield table
        yield Legend(
            "Better: its lowest configuration is above the highest of the other. U, p: "
            "Mann-Whitney test; configurations are not a random sample, and with few "
            "of them p cannot be small."
        )
    if tests_of_variants := material.result.hypotheses:
        yield from hypothesis_grids(tests_of_variants)
        kinds = dict.fromkeys(test.kind for test in tests_of_variants)
        words = [f"{kind}: {HYPOTHESES[kind]}" for kind in kinds]
        yield Legend(f"{'; '.join([*words, P_VALUE])}.")


def _questions(material: Material) -> Iterator[Component]:
    tables = material.result.questions
    if not tables:
        return
    yield from _chart(
        material,
        "questions",
        "How often two questions got each pair of scores; a larger circle stands for "
        "more answers.",
        panel=330,
    )
    for table in tables:
        yield question_table(table)
        yield Legend(f"{cross_summary(table)}.")


def _human(material: Material) -> Iterator[Component]:
    if any(material.people.values()):
        kinds = "; ".join(dict.fromkeys(material.result.human.values()))
        systems = [s.system for scores in material.people.values() for s in scores]
        yield from _chart(
            material,
            "systems",
            f"Human scores of systems ({kinds}) with bootstrap intervals.",
            panel=_panel(systems),
        )
        yield Details("Human scores as a table", [systems_table(material.people)])
    if material.agreed:
        yield from _chart(
            material,
            "agreement",
            "How often two judges who both prefer one of two outputs prefer the same "
            "one, with bootstrap intervals over segments. 50 % is chance level.",
        )
        shares = "; ".join(
            f"{pair}: {100 * both.share:.1f} % of {both.compared:,} preference pairs"
            for pair, both in material.agreed.items()
        )
        yield Text(f"Judge agreement: {shares}.")
    if material.kappas:
        yield from _chart(
            material,
            "kappa",
            "Kappa: agreement beyond chance on better, worse and tie, between judges "
            "(inter) and between judgements of the same judge (intra), with bootstrap "
            "intervals over segments. 0 is chance level. tertium agree reports every "
            "judge.",
        )
        yield kappa_table(material.kappas)


def _gaps(material: Material) -> Iterator[Component]:
    if not material.gaps:
        return
    yield from _chart(
        material,
        "gaps",
        "How often human judgements rank two systems in the same order as the metric, "
        "by the size of the score difference, with 95 % intervals; numbers count "
        "system pairs. The dashed line is chance level.",
        panel=480,
    )
    for name, gaps in material.gaps.items():
        yield gap_table(name, gaps)
    yield Legend("System pairs that tie in the human judgements are excluded.")


def _chart(
    material: Material, name: str, caption: str, *, panel: int = 0
) -> Iterator[Chart]:
    """Yield a chart, or nothing if it would be empty."""
    chart = material.chart(name, PAGE)
    if chart is not None:
        yield Chart(name, spec(chart, PAGE), caption, panel=panel)


def _panel(labels: Sequence[str]) -> int:
    """Return the width of a panel with its labels, which charts cut at 190 pixels."""
    longest = max(map(len, labels), default=0)
    return int(min(190, _LETTER * longest)) + 250
