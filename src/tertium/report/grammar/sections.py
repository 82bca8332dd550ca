# SPDX-License-Identifier: Apache-2.0
"""The sections of the page of an error analysis: words, charts and tables."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.edits import UNIT
from tertium.report.draw.vega import PAGE, Drawn, spec
from tertium.report.grammar import tables
from tertium.report.grammar.categories import CATEGORIES
from tertium.report.grammar.charts import (
    CELL,
    case_chart,
    shown_name,
    taxonomy_chart,
)
from tertium.report.grammar.doubts import ambiguity_chart, move_chart
from tertium.report.grammar.scatter import SCATTERS, scatter_chart
from tertium.report.grammar.segments import browser
from tertium.report.grammar.summary import main_fault, people
from tertium.report.html_tables import plain
from tertium.report.systems.board import Bar, bars

__all__ = ["board", "sections"]

_LETTER = 6.8  # pixels, about, in labels of axes


def board(evaluation: Evaluation) -> str:
    """Return the ranking as bars, which need no script."""
    shown = []
    for own in evaluation.ranking:
        notes = [f"{100 * own.exact / max(1, own.segments):.0f} % right"]
        if fault := main_fault(own):
            rate = sum(own.errors.values()) / max(1, own.segments)
            notes.append(f"{rate:.2g} errors per output")
            notes.append(f"mostly {fault[0]} ({fault[1]})")
        shown.append(
            Bar(
                own.name,
                own.score,
                f"{own.score:.3f}",
                own.interval,
                "; ".join(notes),
                own.human,
            )
        )
    legend = (
        "Cost of the cheapest correction per word of the reference: 0 is perfect, "
        "lower is better."
    )
    if any(own.interval for own in evaluation.ranking):
        legend += (
            f" Lines are {100 * evaluation.bootstrap.confidence:.0f} % intervals, by "
            "drawing templates and segments again."
        )
    return bars(shown, legend)


def sections(evaluation: Evaluation) -> Iterator[tuple[str, str, str]]:
    """Yield the key, the title and the body of every section that has something."""
    yield "errors", "What goes wrong", "\n".join(_errors(evaluation))
    cases = "\n".join(_cases(evaluation))
    if cases:
        yield "cases", "Which cases are mixed up", cases
    if any(own.recurrence.total for own in evaluation.systems):
        yield "recurring", "What comes again and again", "\n".join(_again(evaluation))
    if any(own.transfers for own in evaluation.systems):
        yield "transfer", "Is the construction kept?", "\n".join(_transfer(evaluation))
    if evaluation.templates:
        yield "templates", "Template by template", tables.templates_table(evaluation)
    if any(own.human for own in evaluation.systems):
        yield "people", "People and machines", "\n".join(_people(evaluation))
    yield "sure", "How sure is this?", "\n".join(_sure(evaluation))
    yield "outputs", "Every output, corrected", "\n".join(_outputs(evaluation))
    yield "how", "How this was made", "\n".join(_how(evaluation))


def _errors(evaluation: Evaluation) -> Iterator[str]:
    yield (
        "<p>Every edit that a correction needs shows a kind of error. Kinds with ~ are "
        "the least reliable: they are what fits nothing else, halves of a "
        "mistranslation, or words that the lexicon lacks.</p>"
    )
    chart = taxonomy_chart(evaluation)
    if chart is None:
        yield "<p>No output needs an edit.</p>"
        return
    longest = max(len(shown_name(own)) for own in evaluation.systems)
    yield _figure(
        "taxonomy",
        chart,
        "Errors per 100 words of the references. The upright line counts all "
        "corrections that cost nearly as little, the cheaper the more: where it is far "
        "from the end of the bar, the kind of error is doubtful.",
        panel=300,
        labels=int(min(190, _LETTER * longest)) + 16,
    )
    yield tables.taxonomy_table(evaluation)
    yield (
        '<p class="legend">Counts of errors; small figures count all corrections that '
        "cost nearly as little. A compound written apart is one error, and an edit for "
        "every token that is joined.</p><details><summary>Edits by name, with their "
        f"costs</summary>{tables.kinds_table(evaluation)}</details>"
    )
    if len(evaluation.systems) > 1:
        yield "<h3>Systems by two kinds of errors</h3>"
        yield '<div class="grid two">'
        for number, (title, *_) in enumerate(SCATTERS):
            yield _figure(
                f"scatter-{number + 1}", scatter_chart(evaluation, number), "", title
            )
        yield "</div>"
        yield (
            '<p class="legend">Nearer to the lower left is better. Circles are '
            "systems, triangles people.</p>"
        )


def _cases(evaluation: Evaluation) -> Iterator[str]:
    chart = case_chart(evaluation)
    if chart is None:
        return
    size = len(evaluation.systems[0].cases.cases)
    yield (
        "<p>The right word stood in the case of the row where the case of the column "
        "was needed. All systems share one scale of colour.</p>"
    )
    yield _figure(
        "cases", chart, "Counts of case shifts; systems without any are left out.",
        panel=CELL * size + 80,
    )  # fmt: skip
    yield f"<h3>The commonest</h3>{tables.case_lists(evaluation)}"


def _again(evaluation: Evaluation) -> Iterator[str]:
    yield (
        "<p>A habit of a system shows in every sentence that calls for it. Nothing is "
        "weighed down for that: repeating an error does not make it smaller. “Comes "
        "with” names the words of the source that go with an edit most regularly.</p>"
    )
    yield tables.recurring_table(evaluation)
    yield tables.repeats_table(evaluation)


def _transfer(evaluation: Evaluation) -> Iterator[str]:
    yield (
        "<p>A source sentence is built in some way; here is how often the nearest "
        "reference of its translation is built in the same way. Neither is better: a "
        "language may prefer another construction.</p>"
    )
    yield tables.kept_table(evaluation)
    for template, matrices in tables.transfer_tables(evaluation):
        yield (
            f"<details><summary>{plain(template or 'no template')}: from which "
            f"construction into which</summary>{matrices}</details>"
        )


def _people(evaluation: Evaluation) -> Iterator[str]:
    if said := people(evaluation):
        yield f"<p>{plain(said)}</p>"
    yield tables.people_table(evaluation)
    yield (
        '<p class="legend">People tend to repeat a few edits, which are gaps of the '
        "references; machines err in many ways.</p>"
    )


def _sure(evaluation: Evaluation) -> Iterator[str]:
    yield (
        "<p>The more errors an output has, the more corrections cost nearly the same, "
        "and the less a single one of them says. And what a move should cost is a "
        "matter of taste: if that changes the ranking, do not lean on it.</p>"
    )
    close, move = ambiguity_chart(evaluation), move_chart(evaluation)
    yield '<div class="grid two">'
    if close is not None:
        yield _figure(
            "ambiguity",
            close,
            "Different costs of corrections that are close to the cheapest, itself "
            f"included; mean over all outputs.{_bounds(evaluation)}",
            "Close corrections",
        )
    if move is not None:
        yield _figure("moves", move, "", "If a move costs more or less")
    yield "</div>"
    if len(evaluation.sensitivity) > 1:
        yield tables.move_table(evaluation)
    if evaluation.differences:
        table = tables.differences_table(evaluation)
        yield (
            f"<details><summary>Every pair of systems ({len(evaluation.differences)})"
            f'</summary>{table}<p class="legend">Difference of the costs a word, with '
            "its interval; p: two-sided, of the bootstrap, adjusted by Holm for all "
            "pairs; wins, losses and ties are segments.</p></details>"
        )


def _bounds(evaluation: Evaluation) -> str:
    """Return how many counts of close corrections are lower bounds, if any."""
    every = [own.ambiguity for own in evaluation.systems if own.ambiguity]
    least, whole = sum(own.least for own in every), sum(own.segments for own in every)
    if not least:
        return ""
    return (
        f" The search ended early for {least:,} of {whole:,} outputs: their counts, "
        "and means with them, are at least what is shown."
    )


def _outputs(evaluation: Evaluation) -> Iterator[str]:
    used = {name for own in evaluation.systems for name, n in own.taxonomy.items() if n}
    key = "".join(
        f'<li><span class="e c-{own.key}"><small>{own.short}</small></span> '
        f"{plain(own.about)}</li>"
        for own in CATEGORIES
        if own.name in used
    )
    yield (
        "<p>Each output is shown as its cheapest correction: what is struck out has to "
        "go, what is bold has to come. An arrow says how far a word was moved.</p>"
        f'<ul class="key">{key}</ul>'
    )
    yield browser(evaluation)


def _how(evaluation: Evaluation) -> Iterator[str]:
    costs = evaluation.costs
    yield (
        "<p>For every output the cheapest way was searched to turn it into one of the "
        "sentences that are accepted for its meaning. The score is what all "
        "corrections cost together, over the words of all sentences reached. "
        "Punctuation and capitals do not count.</p>"
    )
    facts = [
        ("Analyser of words", evaluation.analyser),
        (
            "Costs",
            (
                f"profile {costs.profile}; up to {costs.moves} words may move, each "
                f"up to {costs.window} places"
            ),
        ),
        (
            "Expected counts",
            (
                f"over up to {evaluation.near.count} corrections that cost at most "
                f"{evaluation.near.delta:g} more than the cheapest, each with the "
                f"weight exp(−more / {evaluation.near.tau:g})"
            ),
        ),
    ]
    if evaluation.bootstrap.resamples:
        facts.append(
            (
                "Intervals",
                (
                    f"{evaluation.bootstrap.resamples:,} test sets drawn with seed "
                    f"{evaluation.bootstrap.seed}: templates first, then segments "
                    "within them; segments without a template stand alone"
                ),
            )
        )
    items = "".join(f"<dt>{plain(a)}</dt><dd>{plain(b)}</dd>" for a, b in facts)
    yield f'<dl class="pairs">{items}</dl>'
    yield tables.costs_table(evaluation)
    yield (
        f'<p class="legend">A move costs {costs.move / UNIT:g}, whatever else a word '
        "needs.</p>"
    )


def _figure(
    name: str,
    drawn: Drawn,
    caption: str,
    title: str = "",
    *,
    panel: int = 0,
    labels: int = 0,
) -> str:
    """Return a figure with its chart as JSON, for the script to draw."""
    data = json.dumps(spec(drawn, PAGE), separators=(",", ":")).replace("<", "\\u003c")
    heading = f"<h3>{plain(title)}</h3>" if title else ""
    label = f"Chart: {title or name}"
    fill = f' data-labels="{labels}"' if labels else ""
    return (
        f'<figure class="vega" id="chart-{name}" data-panel="{panel}"{fill}>{heading}'
        '<div class="controls"></div>'
        f'<div class="scroll" tabindex="0" role="region" aria-label="{plain(label)}">'
        '<div class="chart"></div></div>'
        f"<figcaption>{plain(caption)} "
        '<button type="button" class="save" hidden>Save as SVG</button></figcaption>'
        f'<script type="application/json">{data}</script></figure>'
    )
