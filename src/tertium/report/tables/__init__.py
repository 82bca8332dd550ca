# SPDX-License-Identifier: Apache-2.0
"""Results as tables: for people, for papers (Markdown, LaTeX), for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.engine.comparison import Comparison
    from tertium.engine.results import ScoreTable
    from tertium.grammars.analysis import Evaluation
    from tertium.judgements.agreement.report import AgreementReport
    from tertium.judgements.ranking.rankings import Rankings
    from tertium.judgements.reuse.results import Reuse
    from tertium.meta.results import Correlations
    from tertium.report.tables.table import Table

    Result = (
        AgreementReport
        | Comparison
        | Correlations
        | Evaluation
        | Rankings
        | Reuse
        | ScoreTable
    )

__all__ = ["FORMATS", "tabulate"]

FORMATS = ("table", "tsv", "csv", "md", "latex", "html", "fragment")


def tabulate(
    result: Result, format: str = "table", *, digits: int | None = None
) -> str:
    """Return a result as the tables that the command line prints.

    Parameters
    ----------
    result : ScoreTable, Comparison, Correlations, AgreementReport, Rankings, ...
        What :func:`score`, :func:`compare`, :func:`correlate`, :func:`agree`,
        :func:`rank`, :func:`reuse` or :func:`evaluate` returned.
    format : {"table", "tsv", "csv", "md", "latex", "html", "fragment"}
        TSV and CSV have one table, with all digits. A fragment of HTML is what
        notebooks show.
    digits : int, optional
        Decimal places, instead of those usual for every figure.

    Examples
    --------
    >>> import tertium
    >>> table = tertium.score(["a b d"], ["a b c"], metrics=["wer"])
    >>> print(tertium.tabulate(table, "csv", digits=2))
    system,wer
    system,0.33
    """
    from tertium.report.tables.table import as_text

    if format not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}, not {format!r}")
    if format == "fragment" and isinstance(shown := _fragment(result), str):
        return shown
    return as_text(_tables(result, format, digits), format).rstrip("\n")


def _fragment(result: object) -> str | None:
    """Return a fragment of what has no tables of its own, or None."""
    from tertium.engine.base import Result as AnyResult
    from tertium.engine.comparison import Comparison
    from tertium.engine.results import ScoreTable
    from tertium.meta.results import Correlations
    from tertium.report.explain.explained import Explanation
    from tertium.report.tables.fragment import record_table, tables_fragment

    if isinstance(result, Explanation):
        from tertium.report.explain.fragment import explanation_fragment

        return explanation_fragment(result)
    if isinstance(result, Comparison | Correlations | ScoreTable):
        return None
    if not isinstance(result, AnyResult):
        return None
    comparison = getattr(result, "comparison", None)
    if isinstance(comparison, Comparison):  # a report
        tables = _tables(comparison, "fragment", None)
        more = "This is the comparison; to_html() has the whole report."
        return tables_fragment(tables, footer=more)
    table = record_table(result.records(), title=type(result).__name__)
    return tables_fragment([table])


def _tables(result: Result, format: str, digits: int | None) -> list[Table]:
    from tertium.engine.comparison import Comparison
    from tertium.engine.results import ScoreTable
    from tertium.grammars.analysis import Evaluation
    from tertium.judgements.agreement.report import AgreementReport
    from tertium.judgements.ranking.rankings import Rankings
    from tertium.judgements.reuse.results import Reuse
    from tertium.meta.results import Correlations
    from tertium.report.tables.agreement import agreement_tables
    from tertium.report.tables.comparison import comparison_tables
    from tertium.report.tables.correlations import correlation_tables
    from tertium.report.tables.evaluation import evaluation_tables
    from tertium.report.tables.rankings import ranking_tables
    from tertium.report.tables.reuse import reuse_tables
    from tertium.report.tables.scores import score_tables
    from tertium.report.tables.style import Style

    style = Style(format, digits)
    if isinstance(result, ScoreTable):
        return score_tables(result, style)
    if isinstance(result, Comparison):
        return comparison_tables(result, style)
    if isinstance(result, Correlations):
        return correlation_tables(result, style)
    if isinstance(result, AgreementReport):
        return agreement_tables(result, style)
    if isinstance(result, Rankings):
        return ranking_tables(result, style)
    if isinstance(result, Reuse):
        return reuse_tables(result, style)
    if isinstance(result, Evaluation):
        return evaluation_tables(result)
    message = f"tabulate takes the result of score, compare, ..., not {type(result)}"
    raise InputError(message)
