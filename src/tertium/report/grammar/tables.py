# SPDX-License-Identifier: Apache-2.0
"""The tables of an error analysis."""

from __future__ import annotations

from collections.abc import Iterator

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.recurring import RecurringEdit
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.analysis.transfer import Transfer
from tertium.grammars.search.edits import UNIT, UNRELIABLE, Kind
from tertium.report.components import (
    Cell,
    Component,
    Details,
    Facts,
    Group,
    Span,
    Table,
    number_cell,
    p_text,
)
from tertium.report.grammar.categories import CATEGORIES, of_kind
from tertium.report.grammar.charts import shown_name
from tertium.report.grammar.components import EditMark, filter_cell
from tertium.report.grammar.correction import edit_words

__all__ = [
    "case_lists",
    "costs_table",
    "differences_table",
    "kept_table",
    "kinds_table",
    "move_table",
    "people_table",
    "recurring_table",
    "repeats_table",
    "taxonomy_table",
    "templates_table",
    "transfer_tables",
]

_TOP = 12  # rows of a table; the rest is for readers who open it


def _name(system: SystemResult) -> Cell:
    return Cell(shown_name(system), system.name)


def _count(count: float) -> Cell:
    shown = f"{count:,}" if isinstance(count, int) else f"{count:.1f}"
    return Cell(shown, count, "number" if count else "number none")


def _shaded(value: float | None, share: float, shown: str) -> Cell:
    """Return a number on a background that is darker for larger shares."""
    if value is None:
        return Cell("–", None, "number none")
    return Cell(shown, value, "number shaded", share=share)


def taxonomy_table(evaluation: Evaluation) -> Table:
    """Return errors by category, with expected counts."""
    rows = []
    for each in CATEGORIES:
        mark = " ~" if each.name in UNRELIABLE else ""
        cells = [Cell(each.name + mark, each.name)]
        for system in evaluation.ranking:
            count, expected = (
                system.taxonomy[each.name],
                system.expected_taxonomy[each.name],
            )
            if count or expected:
                small = Span(f"{expected:.1f}", "small")
                cells.append(Cell([f"{count:,} ", small], count, "number"))
            else:
                cells.append(_count(0))
        rows.append(cells)
    total = [_count(sum(system.errors.values())) for system in evaluation.ranking]
    rows.append([Cell([Span("all errors", "strong")], "~"), *total])
    names = [shown_name(system) for system in evaluation.ranking]
    return Table("Errors by kind", ["error", *names], rows)


def kinds_table(evaluation: Evaluation) -> Table:
    """Return edits by name, with the cost of each."""
    kinds = [kind for kind in Kind if kind]
    rows = [
        [
            Cell(kind.label, kind.label),
            Cell(of_kind(kind).name, of_kind(kind).name),
            Cell(f"{evaluation.costs.of(kind) / UNIT:g}", None, "number"),
            *(_count(system.counts.get(kind, 0)) for system in evaluation.ranking),
        ]
        for kind in kinds
    ]
    names = [shown_name(system) for system in evaluation.ranking]
    return Table("Edits by name", ["edit", "error", "cost", *names], rows)


def differences_table(evaluation: Evaluation) -> Table:
    """Return all system pairs."""
    rows = []
    for pair in evaluation.differences:
        low, high = pair.interval or (None, None)
        p = pair.p_adjusted
        rows.append(
            [
                Cell(pair.a, pair.a),
                Cell(pair.b, pair.b),
                number_cell(pair.difference, 3),
                number_cell(low, 3),
                number_cell(high, 3),
                Cell("n/a" if p is None else p_text(p), p, "number"),
                Cell(
                    f"{pair.wins:,}–{pair.losses:,}–{pair.ties:,}", pair.wins, "number"
                ),
            ]
        )
    head = ["better", "worse", "difference", "from", "to", "p", "wins–losses–ties"]
    return Table("System pairs", head, rows)


def templates_table(evaluation: Evaluation) -> Table:
    """Return scores by template; worse scores have a darker background."""
    parts = {
        system.name: {part.template: part for part in system.templates}
        for system in evaluation.ranking
    }
    names = list(dict.fromkeys(name for scores in parts.values() for name in scores))
    worst = max(
        (p.score for scores in parts.values() for p in scores.values()), default=0.0
    )
    rows = []
    for name in names:
        first = parts[evaluation.ranking[0].name][name]
        prototype = evaluation.templates.get(name, "")
        title: list[str | Component] = [name or "no template"]
        if prototype:
            title.append(Span(prototype, "under"))
        cells = [
            _shaded(part.score, part.score / (worst or 1), f"{part.score:.3f}")
            for system in evaluation.ranking
            for part in [parts[system.name][name]]
        ]
        rows.append([Cell(title, name), _count(first.segments), *cells])
    head = [
        "template",
        "segments",
        *(shown_name(system) for system in evaluation.ranking),
    ]
    return Table("Cost per word by template", head, rows, look="sortable templates")


def repeats_table(evaluation: Evaluation) -> Table:
    """Return how many edits are distinct."""
    rows = []
    for system in evaluation.ranking:
        recurrence = system.recurrence
        ratio = recurrence.ratio
        rows.append(
            [
                _name(system),
                _count(recurrence.distinct),
                _count(recurrence.total),
                Cell("n/a", None, "number none")
                if ratio is None
                else Cell(f"{100 * ratio:.0f} %", ratio, "number"),
            ]
        )
    head = ["system", "distinct edits", "all edits", "distinct"]
    return Table("Repeated edits", head, rows)


def recurring_table(evaluation: Evaluation) -> list[Component]:
    """Return the most frequent recurring edits of all systems."""
    edits = [
        (system, place, edit)
        for place, system in enumerate(evaluation.ranking)
        for edit in system.recurrence.top
    ]
    edits.sort(key=lambda each: -each[2].count)
    rows = [_recurring(system, place, edit) for system, place, edit in edits]
    if not rows:
        return []
    head = ["system", "edit", "count", "of its edits", "associated with", "outputs"]
    tables: list[Component] = [Table("Recurring edits", head, rows[:_TOP])]
    if len(rows) > _TOP:
        rest = Table("Further recurring edits", head, rows[_TOP:])
        tables.append(Details(f"{len(rows) - _TOP} more", [rest]))
    return tables


def _recurring(system: SystemResult, place: int, edit: RecurringEdit) -> list[Cell]:
    kind = of_kind(edit.kind)
    label = kind.short
    if edit.kind is Kind.CASESHIFT:
        label = "→".join(edit.label.split("-")[1:])
    removed = edit.hyp if edit.hyp != edit.ref else ""
    mark = EditMark(kind.key, label, removed, edit.ref)
    words = " ".join(part for part in (edit.hyp, edit.ref) if part)
    filters = {
        "system": str(place),
        "kind": str(CATEGORIES.index(kind)),
        "words": edit_words(edit.hyp, edit.ref),
    }
    source = Cell("", "", "none")
    if edit.expression:
        share = f"{edit.with_expression} of {edit.expression_segments} with it"
        source = Cell([f"“{edit.expression}” ", Span(share, "small")], edit.expression)
    return [
        _name(system),
        Cell([mark], words),
        _count(edit.count),
        Cell(f"{100 * edit.share:.0f} %", edit.share, "number"),
        source,
        filter_cell(words, filters),
    ]


def case_lists(evaluation: Evaluation) -> Facts:
    """Return the most frequent case shifts of every system."""
    items = []
    for system in evaluation.ranking:
        shifts = sorted(
            (
                (-count, place, needed, case)
                for place, (case, line) in enumerate(
                    zip(system.cases.cases, system.cases.counts, strict=True)
                )
                for needed, count in zip(system.cases.cases, line, strict=True)
                if count
            ),
        )
        if shifts:
            text = ", ".join(
                f"{case} for {needed} {-less:,}" for less, _, needed, case in shifts[:6]
            )
            rest = len(shifts) - 6
            text += f" and {rest} more" if rest > 0 else ""
            items.append((shown_name(system), text))
    return Facts(items)


def kept_table(evaluation: Evaluation) -> Table:
    """Return how often systems keep the construction of the source."""
    names = list(
        dict.fromkeys(
            each.template for system in evaluation.ranking for each in system.transfers
        )
    )
    rows = []
    for system in evaluation.ranking:
        parts = {each.template: each.share for each in system.transfers}
        shares = [system.kept, *(parts.get(name) for name in names)]
        cells = [
            _shaded(
                share, share or 0.0, "" if share is None else f"{100 * share:.0f} %"
            )
            for share in (shares if len(names) > 1 else shares[:1])
        ]
        rows.append([_name(system), *cells])
    head = ["system", "all", *(names if len(names) > 1 else [])]
    return Table("Segments that keep the source construction", head, rows)


def transfer_tables(evaluation: Evaluation) -> Iterator[tuple[str, Group]]:
    """Yield every template with the matrices of all systems."""
    transfers: dict[str, list[tuple[SystemResult, Transfer]]] = {}
    for system in evaluation.ranking:
        for each in system.transfers:
            transfers.setdefault(each.template, []).append((system, each))
    for template, matrices in transfers.items():
        yield (
            template,
            Group("tables", [_matrix(system, each) for system, each in matrices]),
        )


def _matrix(system: SystemResult, transfer: Transfer) -> Table:
    rows = []
    for source, line in zip(transfer.sources, transfer.counts, strict=True):
        whole = sum(line) or 1.0
        cells = [
            _shaded(count if count else None, count / whole, f"{count:g}"[:5])
            for count in line
        ]
        rows.append([Cell(source, source), *cells])
    head = ["source ↓ output →", *transfer.targets]
    return Table(shown_name(system), head, rows, look="sortable transfer")


def move_table(evaluation: Evaluation) -> Table:
    """Return scores and ranks for other costs of a move."""
    rows = []
    for system in evaluation.ranking:
        cells = [
            Cell(
                [
                    f"{each.scores[system.name]:.3f} ",
                    Span(f"#{each.ranking.index(system.name) + 1}", "small"),
                ],
                each.scores[system.name],
                "number",
            )
            for each in evaluation.sensitivity
        ]
        rows.append([_name(system), *cells])
    head = [f"move costs {each.move / UNIT:g}" for each in evaluation.sensitivity]
    return Table("Cost per word if a move costs more or less", ["system", *head], rows)


def people_table(evaluation: Evaluation) -> Table:
    """Return humans and systems side by side."""
    rows = []
    for system in evaluation.ranking:
        low, high = system.interval or (None, None)
        rows.append(
            [
                Cell(system.name, system.name),
                Cell("human" if system.human else "system", str(system.human)),
                number_cell(system.score, 3),
                number_cell(low, 3),
                number_cell(high, 3),
                Cell(
                    f"{100 * system.exact / max(1, system.segments):.0f} %",
                    system.exact,
                    "number",
                ),
                Cell(
                    f"{system.recurrence.distinct:,} / {system.recurrence.total:,}",
                    system.recurrence.distinct,
                    "number",
                ),
            ]
        )
    head = [
        "name",
        "who",
        "cost per word",
        "from",
        "to",
        "correct",
        "distinct / all edits",
    ]
    return Table("Humans and systems", head, rows)


def costs_table(evaluation: Evaluation) -> Table:
    """Return every kind of error with its cost."""
    rows = [
        [
            Cell(
                [EditMark(category.key, category.short), f" {category.name}"],
                category.name,
            ),
            Cell(category.about, category.about),
            Cell(_prices(evaluation, category.key), None, "number"),
        ]
        for category in CATEGORIES
    ]
    return Table("Kinds of errors", ["error", "description", "cost"], rows)


def _prices(evaluation: Evaluation, key: str) -> str:
    prices = {
        evaluation.costs.of(kind) / UNIT
        for kind in Kind
        if kind and of_kind(kind).key == key
    }
    return " or ".join(f"{price:g}" for price in sorted(prices))
