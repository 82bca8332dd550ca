# SPDX-License-Identifier: Apache-2.0
"""Tables of an error analysis for a page; they need no script."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.recurring import RecurringEdit
from tertium.grammars.analysis.systems import SystemResult
from tertium.grammars.analysis.transfer import Transfer
from tertium.grammars.edits import UNIT, UNRELIABLE, Kind
from tertium.report.grammar.categories import CATEGORIES, of_kind
from tertium.report.grammar.charts import shown_name
from tertium.report.grammar.markup import edit_words
from tertium.report.html_tables import Cell, html_table, number_cell, p_text, plain

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

_TOP = 12  # rows of a table that not every reader wants to see further


def _name(own: SystemResult) -> Cell:
    return Cell(plain(shown_name(own)), own.name)


def _count(count: float) -> Cell:
    shown = f"{count:,}" if isinstance(count, int) else f"{count:.1f}"
    return Cell(shown, count, "number" if count else "number none")


def _shaded(value: float | None, share: float, shown: str) -> Cell:
    """Return a number on a ground that is the darker the larger its share is."""
    if value is None:
        return Cell("–", None, "number none")
    html = f'<span class="shade" style="--share:{share:.3f}">{shown}</span>'
    return Cell(html, value, "number shaded")


def taxonomy_table(evaluation: Evaluation) -> str:
    """Return errors by category, with expected counts."""
    rows = []
    for each in CATEGORIES:
        mark = " ~" if each.name in UNRELIABLE else ""
        cells = [Cell(plain(each.name + mark), each.name)]
        for own in evaluation.ranking:
            count, expected = own.taxonomy[each.name], own.expected_taxonomy[each.name]
            if count or expected:
                html = f"{count:,} <small>{expected:.1f}</small>"
                cells.append(Cell(html, count, "number"))
            else:
                cells.append(_count(0))
        rows.append(cells)
    total = [_count(sum(own.errors.values())) for own in evaluation.ranking]
    rows.append([Cell("<b>all errors</b>", "~"), *total])
    names = [shown_name(own) for own in evaluation.ranking]
    return html_table("Errors by kind", ["error", *names], rows)


def kinds_table(evaluation: Evaluation) -> str:
    """Return edits by their own names, with what each costs."""
    kinds = [kind for kind in Kind if kind]
    rows = [
        [
            Cell(kind.label, kind.label),
            Cell(plain(of_kind(kind).name), of_kind(kind).name),
            Cell(f"{evaluation.costs.of(kind) / UNIT:g}", None, "number"),
            *(_count(own.counts.get(kind, 0)) for own in evaluation.ranking),
        ]
        for kind in kinds
    ]
    names = [shown_name(own) for own in evaluation.ranking]
    return html_table("Edits by name", ["edit", "error", "cost", *names], rows)


def differences_table(evaluation: Evaluation) -> str:
    """Return all pairs of systems."""
    rows = []
    for own in evaluation.differences:
        low, high = own.interval or (None, None)
        p = own.p_adjusted
        rows.append(
            [
                Cell(plain(own.a), own.a),
                Cell(plain(own.b), own.b),
                number_cell(own.difference, 3),
                number_cell(low, 3),
                number_cell(high, 3),
                Cell("n/a" if p is None else p_text(p), p, "number"),
                Cell(f"{own.wins:,}–{own.losses:,}–{own.ties:,}", own.wins, "number"),
            ]
        )
    head = ["better", "worse", "difference", "from", "to", "p", "wins–losses–ties"]
    return html_table("Every pair of systems", head, rows)


def templates_table(evaluation: Evaluation) -> str:
    """Return scores by template, the ground darker where a system is worse."""
    parts = {
        own.name: {part.template: part for part in own.templates}
        for own in evaluation.ranking
    }
    names = list(dict.fromkeys(name for own in parts.values() for name in own))
    worst = max((p.score for own in parts.values() for p in own.values()), default=0.0)
    rows = []
    for name in names:
        first = parts[evaluation.ranking[0].name][name]
        prototype = evaluation.templates.get(name, "")
        title = plain(name or "no template")
        if prototype:
            title += f'<small class="under">{plain(prototype)}</small>'
        cells = [
            _shaded(part.score, part.score / (worst or 1), f"{part.score:.3f}")
            for own in evaluation.ranking
            for part in [parts[own.name][name]]
        ]
        rows.append([Cell(title, name), _count(first.segments), *cells])
    head = ["template", "segments", *(shown_name(own) for own in evaluation.ranking)]
    return html_table("Cost a word by template", head, rows, kind=" templates")


def repeats_table(evaluation: Evaluation) -> str:
    """Return how many edits are different ones."""
    rows = []
    for own in evaluation.ranking:
        found = own.recurrence
        ratio = found.ratio
        rows.append(
            [
                _name(own),
                _count(found.distinct),
                _count(found.total),
                Cell("n/a", None, "number none")
                if ratio is None
                else Cell(f"{100 * ratio:.0f} %", ratio, "number"),
            ]
        )
    head = ["system", "different edits", "all edits", "different"]
    return html_table("How much edits repeat", head, rows)


def recurring_table(evaluation: Evaluation) -> str:
    """Return the edits that come again most often, of all systems."""
    found = [
        (own, place, edit)
        for place, own in enumerate(evaluation.ranking)
        for edit in own.recurrence.top
    ]
    found.sort(key=lambda each: -each[2].count)
    rows = [_recurring(own, place, edit) for own, place, edit in found]
    if not rows:
        return ""
    head = ["system", "edit", "times", "of its edits", "comes with", "outputs"]
    shown = html_table("Edits that come again", head, rows[:_TOP], kind=" recurring")
    if len(rows) > _TOP:
        rest = html_table("More of them", head, rows[_TOP:], kind=" recurring")
        shown += f"<details><summary>{len(rows) - _TOP} more</summary>{rest}</details>"
    return shown


def _recurring(own: SystemResult, place: int, edit: RecurringEdit) -> list[Cell]:
    kind = of_kind(edit.kind)
    both = edit.hyp if edit.hyp != edit.ref else ""
    gone = f"<del>{plain(both)}</del>" if both else ""
    come = f"<ins>{plain(edit.ref)}</ins>" if edit.ref else ""
    tag = kind.short
    if edit.kind is Kind.CASESHIFT:
        tag = "→".join(edit.label.split("-")[1:])
    html = (
        f'<span class="e c-{kind.key}">{gone}{come}<small>{plain(tag)}</small></span>'
    )
    words = " ".join(part for part in (edit.hyp, edit.ref) if part)
    look = {
        "system": str(place),
        "kind": str(CATEGORIES.index(kind)),
        "words": edit_words(edit.hyp, edit.ref),
    }
    button = (
        '<button type="button" class="save" hidden '
        f'data-look="{plain(json.dumps(look))}" '
        f'aria-label="Look at outputs with {plain(words)}">look</button>'
    )
    source = Cell("", "", "none")
    if edit.expression:
        source = Cell(
            f"“{plain(edit.expression)}” <small>{edit.with_expression} of "
            f"{edit.expression_segments} with it</small>",
            edit.expression,
        )
    return [
        _name(own),
        Cell(html, words),
        _count(edit.count),
        Cell(f"{100 * edit.share:.0f} %", edit.share, "number"),
        source,
        Cell(button),
    ]


def case_lists(evaluation: Evaluation) -> str:
    """Return the commonest case shifts of every system in words."""
    items = []
    for own in evaluation.ranking:
        found = sorted(
            (
                (-count, place, needed, case)
                for place, (case, line) in enumerate(
                    zip(own.cases.cases, own.cases.counts, strict=True)
                )
                for needed, count in zip(own.cases.cases, line, strict=True)
                if count
            ),
        )
        if found:
            said = ", ".join(
                f"{case} for {needed} {-less:,}" for less, _, needed, case in found[:6]
            )
            rest = len(found) - 6
            said += f" and {rest} more" if rest > 0 else ""
            items.append(f"<dt>{plain(shown_name(own))}</dt><dd>{plain(said)}</dd>")
    return f'<dl class="pairs">{"".join(items)}</dl>' if items else ""


def kept_table(evaluation: Evaluation) -> str:
    """Return how often systems keep the construction of the source."""
    names = list(
        dict.fromkeys(
            each.template for own in evaluation.ranking for each in own.transfers
        )
    )
    rows = []
    for own in evaluation.ranking:
        parts = {each.template: each.share for each in own.transfers}
        shares = [own.kept, *(parts.get(name) for name in names)]
        cells = [
            _shaded(
                share, share or 0.0, "" if share is None else f"{100 * share:.0f} %"
            )
            for share in (shares if len(names) > 1 else shares[:1])
        ]
        rows.append([_name(own), *cells])
    head = ["system", "all", *(names if len(names) > 1 else [])]
    return html_table("Segments that keep their construction", head, rows)


def transfer_tables(evaluation: Evaluation) -> Iterator[tuple[str, str]]:
    """Yield every template, and the matrices of all systems on it."""
    found: dict[str, list[tuple[SystemResult, Transfer]]] = {}
    for own in evaluation.ranking:
        for each in own.transfers:
            found.setdefault(each.template, []).append((own, each))
    for template, matrices in found.items():
        tables = "".join(_matrix(own, each) for own, each in matrices)
        yield template, f'<div class="tables">{tables}</div>'


def _matrix(own: SystemResult, each: Transfer) -> str:
    rows = []
    for source, line in zip(each.sources, each.counts, strict=True):
        whole = sum(line) or 1.0
        cells = [
            _shaded(count if count else None, count / whole, f"{count:g}"[:5])
            for count in line
        ]
        rows.append([Cell(plain(source), source), *cells])
    head = ["source ↓ output →", *each.targets]
    return html_table(shown_name(own), head, rows, kind=" transfer")


def move_table(evaluation: Evaluation) -> str:
    """Return scores and ranks with other costs of a move."""
    rows = []
    for own in evaluation.ranking:
        cells = [
            Cell(
                f"{each.scores[own.name]:.3f} "
                f"<small>#{each.ranking.index(own.name) + 1}</small>",
                each.scores[own.name],
                "number",
            )
            for each in evaluation.sensitivity
        ]
        rows.append([_name(own), *cells])
    head = [f"move costs {each.move / UNIT:g}" for each in evaluation.sensitivity]
    return html_table(
        "Cost a word if a move costs more or less", ["system", *head], rows
    )


def people_table(evaluation: Evaluation) -> str:
    """Return people and systems side by side."""
    rows = []
    for own in evaluation.ranking:
        low, high = own.interval or (None, None)
        rows.append(
            [
                Cell(plain(own.name), own.name),
                Cell("person" if own.human else "system", str(own.human)),
                number_cell(own.score, 3),
                number_cell(low, 3),
                number_cell(high, 3),
                Cell(
                    f"{100 * own.exact / max(1, own.segments):.0f} %",
                    own.exact,
                    "number",
                ),
                Cell(
                    f"{own.recurrence.distinct:,} / {own.recurrence.total:,}",
                    own.recurrence.distinct,
                    "number",
                ),
            ]
        )
    head = [
        "name",
        "who",
        "cost a word",
        "from",
        "to",
        "right",
        "different / all edits",
    ]
    return html_table("People and systems", head, rows)


def costs_table(evaluation: Evaluation) -> str:
    """Return what every kind of error costs, in words."""
    rows = [
        [
            Cell(
                f'<span class="e c-{own.key}"><small>{own.short}</small></span> '
                f"{plain(own.name)}",
                own.name,
            ),
            Cell(plain(own.about), own.about),
            Cell(_prices(evaluation, own.key), None, "number"),
        ]
        for own in CATEGORIES
    ]
    return html_table("Kinds of errors", ["error", "what it is", "cost"], rows)


def _prices(evaluation: Evaluation, key: str) -> str:
    found = {
        evaluation.costs.of(kind) / UNIT
        for kind in Kind
        if kind and of_kind(kind).key == key
    }
    return " or ".join(f"{price:g}" for price in sorted(found))
