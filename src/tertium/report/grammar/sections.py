# SPDX-License-Identifier: Apache-2.0
"""The sections of an error analysis: text, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.search.edits import UNIT
from tertium.report.components import (
    Bar,
    Board,
    Chart,
    Component,
    Details,
    Facts,
    Group,
    Heading,
    Legend,
    Section,
    Text,
)
from tertium.report.draw.vega import PAGE, spec
from tertium.report.grammar import tables
from tertium.report.grammar.categories import CATEGORIES
from tertium.report.grammar.charts import (
    CELL,
    case_chart,
    shown_name,
    taxonomy_chart,
)
from tertium.report.grammar.components import EditMark, Swatches
from tertium.report.grammar.doubts import ambiguity_chart, move_chart
from tertium.report.grammar.scatter import SCATTERS, scatter_chart
from tertium.report.grammar.segments import browser
from tertium.report.grammar.summary import main_fault, people

__all__ = ["board", "sections"]

_LETTER = 6.8  # pixels, about, in labels of axes


def board(evaluation: Evaluation) -> Board:
    """Return the ranking as bars, which need no script."""
    bars = []
    for system in evaluation.ranking:
        notes = [f"{100 * system.exact / max(1, system.segments):.0f} % correct"]
        if fault := main_fault(system):
            rate = sum(system.errors.values()) / max(1, system.segments)
            notes.append(f"{rate:.2g} errors per output")
            notes.append(f"mostly {fault[0]} ({fault[1]})")
        bars.append(
            Bar(
                system.name,
                system.score,
                f"{system.score:.3f}",
                system.interval,
                "; ".join(notes),
                system.human,
            )
        )
    legend = (
        "Cost of the cheapest correction per word of the reference: 0 is perfect, "
        "lower is better."
    )
    if any(system.interval for system in evaluation.ranking):
        legend += (
            f" Lines are {100 * evaluation.bootstrap.confidence:.0f} % bootstrap "
            "intervals over templates and segments."
        )
    return Board(bars, legend)


def sections(evaluation: Evaluation) -> list[Section]:
    """Return the sections that have content."""
    writers: list[tuple[str, str, Callable[[Evaluation], Iterator[Component]]]] = [
        ("errors", "What goes wrong", _errors),
        ("cases", "Case confusions", _cases),
        ("recurring", "Recurring edits", _recurring),
        ("transfer", "Construction transfer", _transfer),
        ("templates", "Scores by template", _templates),
        ("people", "Humans and systems", _people),
        ("sure", "Reliability", _reliability),
        ("outputs", "Corrected outputs", _outputs),
        ("how", "Method", _method),
    ]
    written = [(key, title, list(write(evaluation))) for key, title, write in writers]
    return [Section(key, title, blocks) for key, title, blocks in written if blocks]


def _errors(evaluation: Evaluation) -> Iterator[Component]:
    yield Text(
        "Every edit in a correction indicates a kind of error. Kinds marked ~ are the "
        "least reliable: they are what fits no other kind, halves of a "
        "mistranslation, or words that the lexicon lacks."
    )
    chart = taxonomy_chart(evaluation)
    if chart is None:
        yield Text("No output needs an edit.")
        return
    longest = max(len(shown_name(system)) for system in evaluation.systems)
    yield Chart(
        "taxonomy",
        spec(chart, PAGE),
        "Errors per 100 words of the references. The vertical line counts all "
        "corrections that cost nearly as little, weighted by cost: where it is far "
        "from the end of the bar, the kind of error is uncertain.",
        panel=300,
        labels=int(min(190, _LETTER * longest)) + 16,
    )
    yield tables.taxonomy_table(evaluation)
    yield Legend(
        "Error counts; small figures count all corrections that cost nearly as little. "
        "A compound written as several words is one error, but one edit for every "
        "token that is joined."
    )
    yield Details("Edits by name, with their costs", [tables.kinds_table(evaluation)])
    if len(evaluation.systems) > 1:
        yield Heading("Systems by two kinds of errors")
        yield Group(
            "grid",
            [
                Chart(
                    f"scatter-{number + 1}",
                    spec(scatter_chart(evaluation, number), PAGE),
                    title=title,
                )
                for number, (title, *_) in enumerate(SCATTERS)
            ],
        )
        yield Legend(
            "Closer to the lower left is better. Circles are systems, triangles humans."
        )


def _cases(evaluation: Evaluation) -> Iterator[Component]:
    chart = case_chart(evaluation)
    if chart is None:
        return
    size = len(evaluation.systems[0].cases.cases)
    yield Text(
        "The right word was in the case of the row where the case of the column was "
        "needed. All systems share one colour scale."
    )
    caption = "Counts of case shifts; systems without any are omitted."
    yield Chart("cases", spec(chart, PAGE), caption, panel=CELL * size + 80)
    yield Heading("Most frequent case shifts")
    yield tables.case_lists(evaluation)


def _recurring(evaluation: Evaluation) -> Iterator[Component]:
    if not any(system.recurrence.total for system in evaluation.systems):
        return
    yield Text(
        "A systematic error appears in every sentence that triggers it. Repeated "
        "errors are not discounted: each occurrence counts in full. “Associated with” "
        "names the source words that occur most regularly with an edit."
    )
    yield from tables.recurring_table(evaluation)
    yield tables.repeats_table(evaluation)


def _transfer(evaluation: Evaluation) -> Iterator[Component]:
    if not any(system.transfers for system in evaluation.systems):
        return
    yield Text(
        "How often the closest reference has the same construction as the source "
        "sentence. Neither is better: a language may prefer another construction."
    )
    yield tables.kept_table(evaluation)
    for template, matrices in tables.transfer_tables(evaluation):
        summary = f"{template or 'no template'}: source and output constructions"
        yield Details(summary, [matrices])


def _templates(evaluation: Evaluation) -> Iterator[Component]:
    if evaluation.templates:
        yield tables.templates_table(evaluation)


def _people(evaluation: Evaluation) -> Iterator[Component]:
    if not any(system.human for system in evaluation.systems):
        return
    if text := people(evaluation):
        yield Text(text)
    yield tables.people_table(evaluation)
    yield Legend(
        "Humans tend to repeat a few edits, which are gaps in the references; machines "
        "err in many ways."
    )


def _reliability(evaluation: Evaluation) -> Iterator[Component]:
    yield Text(
        "The more errors an output has, the more corrections cost nearly the same, and "
        "the less any one of them means. What a move should cost is a matter of "
        "judgement: do not rely on the ranking if it depends on that."
    )
    charts = []
    if (close := ambiguity_chart(evaluation)) is not None:
        caption = (
            "Number of distinct costs close to that of the cheapest correction, "
            f"including it; mean over all outputs.{_bounds(evaluation)}"
        )
        charts.append(
            Chart("ambiguity", spec(close, PAGE), caption, "Close corrections")
        )
    if (move := move_chart(evaluation)) is not None:
        title = "If a move costs more or less"
        charts.append(Chart("moves", spec(move, PAGE), title=title))
    if charts:
        yield Group("grid", charts)
    if len(evaluation.sensitivity) > 1:
        yield tables.move_table(evaluation)
    if evaluation.differences:
        legend = (
            "Difference in cost per word, with its interval; p: two-sided bootstrap "
            "test with Holm correction for all pairs; wins, losses and ties count "
            "segments."
        )
        yield Details(
            f"All system pairs ({len(evaluation.differences)})",
            [tables.differences_table(evaluation), Legend(legend)],
        )


def _bounds(evaluation: Evaluation) -> str:
    """Return how many counts of close corrections are lower bounds, if any."""
    every = [s.ambiguity for s in evaluation.systems if s.ambiguity]
    least = sum(ambiguity.least for ambiguity in every)
    if not least:
        return ""
    total = sum(ambiguity.segments for ambiguity in every)
    return (
        f" The search ended early for {least:,} of {total:,} outputs: their counts, "
        "and therefore the means, are lower bounds."
    )


def _outputs(evaluation: Evaluation) -> Iterator[Component]:
    used = {
        name
        for system in evaluation.systems
        for name, errors in system.taxonomy.items()
        if errors
    }
    yield Text(
        "Every output is shown as its cheapest correction: struck-out words are "
        "removed, bold words are inserted. An arrow shows how far a word was moved."
    )
    yield Swatches(
        [
            (EditMark(category.key, category.short), category.about)
            for category in CATEGORIES
            if category.name in used
        ]
    )
    yield browser(evaluation)


def _method(evaluation: Evaluation) -> Iterator[Component]:
    costs, near = evaluation.costs, evaluation.near
    yield Text(
        "For every output we search for the cheapest way to turn it into one of the "
        "sentences that are accepted as translations. The score is the total cost of "
        "all corrections divided by the number of words in the sentences reached. "
        "Punctuation and capitalisation are ignored."
    )
    moves = f"up to {costs.moves} words may move, each up to {costs.window} places"
    expected = (
        f"over up to {near.count} corrections that cost at most {near.delta:g} more "
        f"than the cheapest, each weighted by exp(−difference / {near.tau:g})"
    )
    facts = [
        ("Word analyser", evaluation.analyser),
        ("Costs", f"profile {costs.profile}; {moves}"),
        ("Expected counts", expected),
    ]
    if evaluation.bootstrap.resamples:
        intervals = (
            f"{evaluation.bootstrap.resamples:,} test sets sampled with seed "
            f"{evaluation.bootstrap.seed}: templates first, then segments within them; "
            "segments without a template are sampled on their own"
        )
        facts.append(("Intervals", intervals))
    yield Facts(facts)
    yield tables.costs_table(evaluation)
    yield Legend(
        f"A move costs {costs.move / UNIT:g} in addition to any other edit of the word."
    )
