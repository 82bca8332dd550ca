# SPDX-License-Identifier: Apache-2.0
"""Tables of n-best lists: what they are like, and their oracles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.tuning.description import Description
    from tertium.tuning.oracle import Oracle

__all__ = ["description_tables", "oracle_table"]


def description_tables(result: Description, style: Style) -> list[Table]:
    """Return the tables of a description: figures, features, the oracle.

    Programs get the figures only, as one table.
    """
    tables = [Table(["figure", "value"], _figures(result, style))]
    if style.for_programs:
        return tables
    if result.features:
        tables.append(_features(result, style))
    if result.oracle is not None:
        tables.append(oracle_table(result.oracle, style))
    return tables


def _figures(result: Description, style: Style) -> list[list[str]]:
    number = style.number
    whole = str if style.for_programs else "{:,}".format
    rows = [
        ["lists", whole(result.lists)],
        ["hypotheses", whole(result.hypotheses)],
        ["distinct texts", whole(result.distinct)],
        ["duplicates (text and features)", whole(result.duplicates)],
        ["smallest list", whole(result.size_min)],
        ["median list", number(result.size_median, 1)],
        ["mean list", number(result.size_mean, 1)],
        ["largest list", whole(result.size_max)],
        ["words per hypothesis", number(result.words, 1)],
        ["lists with references", whole(result.references)],
        ["lists with scores", whole(result.scored)],
        ["length ratio, all hypotheses", number(result.length_ratio)],
        ["length ratio, first hypotheses", number(result.first_length_ratio)],
    ]
    for order, share in enumerate(result.distinct_ngrams, start=1):
        rows.append([f"distinct {order}-grams", number(share)])
    name = f"similarity (chrF of {result.pairs:,} pairs, seed {result.seed})"
    return [*rows, [name, number(result.similarity, 1)]]


def _features(result: Description, style: Style) -> Table:
    head = ["feature", "mean", "deviation", "low", "high", "varying"]
    rows = [
        [each.name]
        + [
            style.number(value)
            for value in (each.mean, each.deviation, each.low, each.high)
        ]
        + [style.number(each.varying, 2)]
        for each in result.features
    ]
    note = "varying: share of lists in which the feature tells hypotheses apart."
    return Table(head, rows, title="Features", note=note)


def oracle_table(result: Oracle, style: Style) -> Table:
    """Return the table of an oracle."""
    digits = 2 if abs(result.best.score) > 2 else 4
    rows = [
        [name, style.number(each.score, digits), bound]
        for name, each, bound in (
            ("first", result.first, "" if style.for_programs else "-"),
            ("best", result.best, style.number(result.best.bound, digits)),
            ("worst", result.worst, style.number(result.worst.bound, digits)),
        )
    ]
    loss = style.number(result.loss, digits)
    search = (
        "The search is exact."
        if result.search == "exact"
        else "The search is greedy: the bound is what no selection can pass."
    )
    title = f"{result.metric}: {result.lists:,} lists, {result.hypotheses:,} hypotheses"
    note = (
        f"First hypotheses lose {loss} against the best. {search}\n{result.signature}"
    )
    return Table(["selection", "score", "bound"], rows, title=title, note=note)
