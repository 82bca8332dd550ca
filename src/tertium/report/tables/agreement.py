# SPDX-License-Identifier: Apache-2.0
"""Tables of agreement: groups, scales, judges and pairs of judges."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tertium.report.tables.agreement_values import value_table
from tertium.report.tables.judge_time import time_table
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.judgements.agreement.icc import IntraclassCorrelations
    from tertium.judgements.agreement.ratings import RatingAgreement
    from tertium.judgements.agreement.report import Adjusted, AgreementReport
    from tertium.judgements.estimates import Estimate

__all__ = ["agreement_tables"]

_NOTE = """\
κ: pooled over the n comparisons of two candidates that were made twice, by one judge
(intra) or by two (inter). P(E): agreement by chance, from P(=), the share of ties.
α: Krippendorff's, with outcomes as categories. Fleiss: Fleiss' kappa of the same."""

_UNITS = """\
units: outputs that two judges rated. intra α: for the n outputs that a judge rated
again."""
_ALPHA = "α: Krippendorff's, by level of measurement."
_UNSHARED = "No output was rated by two judges, so their agreement cannot be measured."

_JUDGE_NOTE = "s: median seconds per judgement, without those of 600 s and more."


def agreement_tables(
    report: AgreementReport,
    style: Style = Style(),  # noqa: B008 - frozen
    *,
    pairs: bool = False,
) -> list[Table]:
    """Return all tables of a report; for programs the one that was asked for.

    Parameters
    ----------
    report : AgreementReport
    style : Style
    pairs : bool
        Whether to show every two judges.
    """
    if style.for_programs:
        return [value_table(report, style, pairs=pairs)]
    digits = 3 if style.digits is None else style.digits
    return [
        *_ranking_tables(report, digits),
        *_rating_tables(report, digits),
        *(_adjustment(one, report, digits) for one in report.adjusted.values()),
        *_judge_tables(report, digits),
        *([time_table(report, digits)] if report.time else ()),
        *(_pair_tables(report, digits) if pairs else ()),
    ]


# ------------------------------------------------------------------------ figures


def _number(value: float | None, digits: int) -> str:
    return "n/a" if value is None else f"{value:.{digits}f}"


def _probability(p: float | None) -> str:
    if p is None:
        return "n/a"
    return f"= {p:.4f}" if p >= 0.00005 else "< 0.0001"


def _spread(
    value: float | None, interval: tuple[float, float] | None, digits: int
) -> str:
    """Return a number with its interval, if it has one."""
    return "n/a" if value is None else _with_interval(value, interval, digits)


def _figure(one: Estimate | None, digits: int) -> str:
    """Return a figure with its interval."""
    if one is None or one.value is None:
        return "n/a"
    return _with_interval(one.value, one.interval, digits)


def _with_interval(
    value: float, interval: tuple[float, float] | None, digits: int
) -> str:
    shown = _number(value, digits)
    if interval is None:
        return shown
    low, high = (_number(x, digits) for x in interval)
    return f"{shown} [{low}, {high}]"


def _ranking_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    """Yield agreement on rankings, one row per group."""
    groups = [(g, g.rankings) for g in report.groups if g.rankings is not None]
    if not groups:
        return
    head = [_group_head(report), "rankings", "P(=)", "P(E)"]
    head += ["intra κ", "n", "inter κ", "n", "band", "α", "Fleiss"]
    rows = []
    why = set()
    for group, agreement in groups:
        rows.append(
            [
                group.name,
                f"{agreement.rankings:,}",
                _spread(agreement.ties, agreement.ties_interval, digits),
                _spread(agreement.expected, agreement.expected_interval, digits),
                _figure(agreement.intra, digits),
                f"{agreement.intra.compared:,}",
                _figure(agreement.inter, digits),
                f"{agreement.inter.compared:,}",
                agreement.inter.band or "n/a",
                *(_figure(group.outcomes.get(k), digits) for k in ("alpha", "fleiss")),
            ]
        )
        for name, one in (("intra", agreement.intra), ("inter", agreement.inter)):
            if one.reason:
                why.add(f"{name} κ is n/a where {one.reason}.")
    note = "\n".join([_NOTE, *sorted(why), *_interval_note(report)])
    yield Table(head, rows, title="Agreement on rankings", note=note)


def _group_head(report: AgreementReport) -> str:
    return report.by if report.by in ("langpair", "campaign", "time") else ""


def _interval_note(report: AgreementReport) -> list[str]:
    run = report.bootstrap
    if run is None:
        return []
    text = (
        f"[low, high]: {100 * run.confidence:g} % interval, {run.resamples:,} "
        f"bootstrap resamples of segments (seed {run.seed})."
    )
    return [text]


def _rating_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    """Yield agreement on ratings, one table per scale."""
    for scale in report.whole.ratings:
        groups = [
            (group.name, group.ratings[scale])
            for group in report.groups
            if scale in group.ratings
        ]
        # Where nobody shares an output, every coefficient between judges is n/a.
        shared = any(one.units for _, one in groups)
        first = report.whole.ratings[scale]
        names = [name for name, _ in _coefficients(first, shared=shared)]
        head = [_group_head(report), "ratings", "units", "judges"]
        head += ["intra α", "intra n", *names]
        rows = []
        why: dict[str, dict[str, None]] = {}  # names of coefficients, by reason
        for group, one in groups:
            coefficients = dict(_coefficients(one, shared=shared))
            cells = [coefficients.get(name) for name in names]
            counts = [f"{count:,}" for count in (one.ratings, one.units, one.judges)]
            intra = [_figure(one.intra, digits), f"{one.repeated:,}"]
            rows.append([group, *counts, *intra, *(_figure(x, digits) for x in cells)])
            for name, figure in {"intra α": one.intra, **coefficients}.items():
                if figure.reason:
                    family = name if name == "intra α" else re.split("[ (]", name)[0]
                    why.setdefault(figure.reason, {})[family] = None
        lines = [_UNITS, *([_between(first.icc)] if shared else [_UNSHARED])]
        lines += sorted(
            f"{', '.join(names)} n/a: {text}." for text, names in why.items()
        )
        note = "\n".join([*lines, *_interval_note(report)])
        title = f"Agreement on ratings: {scale}"
        yield _upright(Table(head, rows, title=title, note=note))


def _coefficients(
    one: RatingAgreement, *, shared: bool
) -> Iterator[tuple[str, Estimate]]:
    """Yield the coefficients between judges by name, if there can be any."""
    if not shared:
        return
    for level, alpha in one.alpha.items():
        yield f"α {level}", alpha
    if one.fleiss is not None:
        yield "Fleiss", one.fleiss
    yield from one.icc.values.items()


def _between(icc: IntraclassCorrelations) -> str:
    """Return the note on coefficients between judges."""
    text = f"{_ALPHA}\nICC: Shrout and Fleiss (1979)"
    if icc.k:
        k = icc.k
        text += (
            f"; k is {k:.0f}" if k == int(k) else f"; k is {k:.2f}, for unequal numbers"
        )
    if icc.method == "mixed model":
        text += "; (2) and (3) by a mixed model, as judgements are missing"
    return f"{text}."


def _upright(table: Table) -> Table:
    """Return a wide table with few rows transposed: one row per coefficient."""
    head = ["", *(row[0] for row in table.rows)]
    rows = [
        [name, *(row[i] for row in table.rows)]
        for i, name in enumerate(table.head)
        if i
    ]
    return Table(head, rows, title=table.title, note=table.note)


def _adjustment(one: Adjusted, report: AgreementReport, digits: int) -> Table:
    adjustment = one.adjustment
    title = f"Adjustment of ratings: {one.scale}, {adjustment.method}"
    if adjustment.reason is not None:
        note = f"Nothing was adjusted: {adjustment.reason}."
        return Table(["judge", "effect"], [], title=title, note=note)
    intervals = one.intervals

    def of(value: float, low_high: tuple[float, float] | None) -> str:
        return _with_interval(value, low_high, digits)

    rows = [
        [name, of(effect, intervals.effects[name] if intervals else None)]
        + (
            [
                of(
                    adjustment.spreads[name],
                    intervals.spreads[name] if intervals else None,
                )
            ]
            if adjustment.spreads
            else []
        )
        for name, effect in adjustment.effects.items()
    ]
    head = ["judge", "mean", "sd"] if adjustment.spreads else ["judge", "effect"]
    notes = []
    if adjustment.fit is not None:
        parts = dict(
            zip(adjustment.method.split("+"), adjustment.fit.variances, strict=True)
        )
        parts["residual"] = adjustment.fit.residual
        shown = [
            f"{name} {of(v, intervals.variances[name] if intervals else None)}"
            for name, v in parts.items()
        ]
        notes.append(f"variances (REML): {', '.join(shown)}.")
    if (test := adjustment.test) is not None:
        spans = intervals.test if intervals else {}
        shift = of(test.mean_shift, spans.get("mean_shift"))
        distance = of(test.distance, spans.get("distance"))
        notes.append(
            f"adjusted against raw: mean shift {shift}, paired t-test p "
            f"{_probability(test.p)}; distance of the distributions {distance}, "
            f"Kolmogorov-Smirnov p {_probability(test.p_distribution)}."
        )
    before, after = _figure(one.before, digits), _figure(one.after, digits)
    change = _figure(one.change, digits)
    notes.append(f"α (interval) before: {before}, after: {after}, change: {change}.")
    if intervals is not None:
        notes.append(_resampling_note(one, report))
    notes += [f"left out: {name}, {why}." for name, why in adjustment.left_out.items()]
    return Table(head, rows, title=title, note="\n".join(notes))


def _resampling_note(one: Adjusted, report: AgreementReport) -> str:
    """Return how the intervals of an adjustment were computed."""
    run, intervals = report.bootstrap, one.intervals
    if run is None or intervals is None:
        return ""
    text = (
        f"[low, high]: {100 * run.confidence:g} % interval, {intervals.resamples:,} "
        f"resamples of segments (seed {run.seed}), each adjusted separately"
    )
    if "judge" in intervals.variances:
        text += "; for the variance of judges, as many resamples of judges"
    return f"{text}."


# ------------------------------------------------------------------------- judges


def _judge_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    """Yield the judges, and what stands out about them."""
    ranked = any(p.rankings for p in report.judges)
    scales = [
        s for s in report.whole.ratings if any(s in p.usage for p in report.judges)
    ]
    # Nobody shares an output with others where nobody has a correlation.
    correlated = any(
        use.correlation.value is not None
        for p in report.judges
        for use in p.usage.values()
    )
    head = ["judge"]
    if ranked:
        head += ["rankings", "ties", "intra κ", "inter κ", "band"]
    for scale in scales:
        tail = f" {scale}" if len(scales) > 1 else ""
        head += [f"ratings{tail}", f"mean{tail}", f"sd{tail}"]
        head += [f"r{tail}"] * correlated
    checked = any(p.checks for p in report.judges)
    head += ["s", *(["checks"] if checked else []), "flags"]
    rows = []
    for p in report.judges:
        row = [p.judge]
        if ranked:
            band = p.inter.band if p.inter is not None else None
            row += [f"{p.rankings:,}", _figure(p.ties, 2)]
            row += [_figure(p.intra, digits), _figure(p.inter, digits), band or "n/a"]
        for scale in scales:
            use = p.usage.get(scale)
            if use is None:
                row += ["0", "n/a", "n/a", *["n/a"] * correlated]
                continue
            mean = _spread(use.mean, use.intervals.get("mean"), digits)
            sd = _spread(use.sd, use.intervals.get("sd"), digits)
            row += [f"{use.ratings:,}", mean, sd]
            row += [_figure(use.correlation, digits)] * correlated
        row.append(_figure(p.speed.median, 1))
        if checked:
            row.append(f"{p.checks.passed}/{p.checks.total}" if p.checks else "n/a")
        row.append(", ".join(f.kind for f in p.flags) or "-")
        rows.append(row)
    note = _JUDGE_NOTE
    if checked:
        note += "\nchecks: spoilt outputs with a lower score than their originals."
    if correlated:
        note += "\nr: correlation with the mean of the other judges."
    yield Table(head, rows, title="Judges", note=note)
    flagged = [
        [p.judge, flag.kind, flag.reason] for p in report.judges for flag in p.flags
    ]
    if flagged:
        head = ["judge", "flag", "reason"]
        yield Table(head, flagged, title="Flagged", left=3)


def _pair_tables(report: AgreementReport, digits: int) -> Iterator[Table]:
    """Yield kappa of every two judges."""
    agreement = report.whole.rankings
    if agreement is None:
        return
    rows = [
        [a, b, _figure(kappa, digits), f"{kappa.compared:,}", kappa.band or "n/a"]
        for (a, b), kappa in agreement.pairs.items()
    ]
    yield Table(["a", "b", "κ", "n", "band"], rows, title="Pairs of judges", left=2)
