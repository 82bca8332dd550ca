# SPDX-License-Identifier: Apache-2.0
"""Tables of hypotheses on metric variants, and of answers to two questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, fields

from tertium.meta.hypotheses import Hypothesis
from tertium.meta.questions import CrossTable
from tertium.report.tables.table import Table

__all__ = [
    "HEAD",
    "HYPOTHESES",
    "P_VALUE",
    "by_place",
    "cross_counts",
    "cross_summary",
    "hypothesis_tables",
    "range_text",
    "row_texts",
]

#: What holds for a variant where a hypothesis does.
HYPOTHESES = {
    "EVAL": "its lowest configuration is above the highest of all other metrics, of "
    "which b comes closest",
    "STRUC": "its lowest configuration is above the highest of b, its flattened "
    "variant",
    "CONF": "its configurations differ by no more than the threshold, a standard "
    "deviation of all values of DTED and DERP with structure",
    "ORD": "it predicts the first question of b at least as well as the second: its "
    "highest value for one is not below its lowest for the other",
}

HEAD = ["hypothesis", "a", "b", "range of a", "range of b", "margin", "holds", "pairs"]
HEAD += ["p"]
P_VALUE = (
    "p: sign-flip test of the differences between configurations that fit each other, "
    "two-sided; the range decides"
)


def hypothesis_tables(
    tests: Sequence[Hypothesis], *, for_programs: bool = False
) -> list[Table]:
    """Return which hypotheses on variants hold.

    Parameters
    ----------
    tests : sequence of Hypothesis
    for_programs : bool
        Whether to return one table with all digits; otherwise there is one per language
        pair and coefficient.
    """
    if for_programs:
        rows = [[_plain(value) for value in asdict(test).values()] for test in tests]
        return [Table([each.name for each in fields(Hypothesis)], rows)]
    tables = []
    for (langpair, coefficient), members in by_place(tests).items():
        kinds = dict.fromkeys(test.kind for test in members)
        about = [
            f"{kind}: {HYPOTHESES[kind]}; {_holds(kind, members)}" for kind in kinds
        ]
        tables.append(
            Table(
                HEAD,
                [row_texts(test) for test in members],
                title=f"{langpair}, {coefficient}: hypotheses on variants",
                note="\n".join([*about, P_VALUE]),
                left=3,
            )
        )
    return tables


def by_place(
    tests: Sequence[Hypothesis],
) -> dict[tuple[str, str], list[Hypothesis]]:
    """Return hypotheses by language pair and coefficient."""
    groups: dict[tuple[str, str], list[Hypothesis]] = {}
    for test in tests:
        groups.setdefault((test.langpair, test.coefficient), []).append(test)
    return groups


def row_texts(test: Hypothesis) -> list[str]:
    """Return the cells of a hypothesis, as `HEAD` names them."""
    threshold = "" if test.threshold is None else f"threshold {test.threshold:.3f}"
    return [
        test.kind,
        test.a,
        test.b or threshold,
        range_text(test.a_range),
        "-" if test.b_range is None else range_text(test.b_range),
        f"{test.margin:+.3f}",
        "yes" if test.holds else "no",
        str(test.pairs) if test.b else "-",
        "-" if test.p is None else f"{test.p:.3f}",
    ]


def _plain(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return " ".join(map(repr, value))
    return repr(value) if isinstance(value, float) else str(value)


def _holds(kind: str, tests: Sequence[Hypothesis]) -> str:
    """Return how often a hypothesis holds."""
    rows = [test.holds for test in tests if test.kind == kind]
    return f"holds for {sum(rows)} of {len(rows)}"


def range_text(values: tuple[float, float]) -> str:
    """Return the ends of a range; one number if they are equal.

    Examples
    --------
    >>> range_text((0.25, 0.5)), range_text((0.5, 0.5))
    ('0.250 to 0.500', '0.500')
    """
    low, high = (f"{value:.3f}" for value in values)
    return low if low == high else f"{low} to {high}"


def cross_counts(table: CrossTable) -> Table:
    """Return how often two questions got each pair of scores."""
    rows = [
        [level, *map(str, counts)]
        for level, counts in zip(table.a_levels, table.counts, strict=True)
    ]
    return Table(
        [table.a, *table.b_levels],
        rows,
        title=f"{table.langpair}: {table.a} (rows) and {table.b} (columns)",
        note=cross_summary(table),
    )


def cross_summary(table: CrossTable) -> str:
    """Return the correlation of two questions in words."""
    unit = "judgements" if table.unit == "judgement" else "outputs"

    def shown(value: float | None) -> str:
        return "n/a" if value is None else f"{value:.3f}"

    p = "n/a" if table.p is None else "<0.001" if table.p < 0.0005 else f"{table.p:.3f}"
    return (
        f"{table.n:,} {unit} with both; Pearson {shown(table.pearson)} (p {p}), "
        f"Spearman {shown(table.spearman)}; scores as judges gave them"
    )
