# SPDX-License-Identifier: Apache-2.0
"""Meta-evaluation in words: the setting, the conclusions, the cautions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tertium.meta.evaluation import Evaluation
from tertium.meta.results import Correlations
from tertium.report.meta.people import Agreed
from tertium.report.meta.tables import Grid

__all__ = ["cautions", "conclusions", "setting"]

# Fewer systems than WMT's tables usually had: one of them decides a correlation.
_FEW_SYSTEMS = 8
_POOR = 0.6  # share of equal preferences of two judges; 0.5 is chance
_NAMED = 6


def setting(result: Correlations, evaluations: Sequence[Evaluation]) -> list[str]:
    """Return sentences on the data, the intervals and the tests."""
    probes = {value.metric for value in result.values if value.probe}
    real = [metric for metric in result.metrics if metric not in probes]
    with_probes = f" and {_count(len(probes), 'probe')}" if probes else ""
    pairs = result.langpairs
    where = f"on {_count(len(pairs), 'language pair')}: {_list(pairs, most=12)}"
    if len(pairs) == 1:
        where = "on all texts" if pairs == ["all"] else f"on {pairs[0]}"
    kinds = dict.fromkeys(result.human.values())
    judgements = f"Human scores: {_list(list(kinds), most=3)}."
    systems = [len(both.human.systems) for both in evaluations]
    low, high = min(systems), max(systems)
    number = str(low) if low == high else f"{low} to {high}"
    sentences = [
        f"{_count(len(real), 'metric')}{with_probes} {where}.",
        f"{judgements} {number} systems{'' if len(pairs) == 1 else ' per pair'}.",
    ]
    if result.data:
        sentences.append(f"Test set: {result.data_names}.")
    resamples, confidence = result.run.get("resamples"), result.run.get("confidence")
    if resamples and isinstance(confidence, float):
        sentences.append(
            f"Intervals contain {100 * confidence:g} % of {resamples:,} bootstrap "
            f"samples of {_resampled(result)}."
        )
    if result.run.get("test"):
        correction = result.run.get("correction")
        corrected = (
            "without correction"
            if correction in (None, "none")
            else f"corrected for the number of pairs ({correction})"
        )
        sentences.append(
            f"Differences between metrics were tested ({result.run['test']}), "
            f"{corrected}."
        )
    return sentences


def _resampled(result: Correlations) -> str:
    units = sorted({value.over for value in result.values if value.over is not None})
    if "systems" in units:
        return "systems"
    return f"{' or '.join(units) or 'judgements or segments'}, not of systems"


def conclusions(grids: Sequence[Grid]) -> list[tuple[str, str]]:
    """Return the name of every coefficient and its conclusion."""
    return [(grid.coefficient.name, _conclusion(grid)) for grid in grids]


def _conclusion(grid: Grid) -> str:
    view = next((v for v, means in grid.by_view.items() if means == grid.averages), "")
    first = grid.views.get(view, [])
    pairs = len(first)
    ranked = [metric for metric in grid.real if grid.averages[metric] is not None]
    if not ranked:
        text = "no metric has a value for every language pair."
    else:
        top = grid.averages[ranked[0]]
        best = [metric for metric in ranked if grid.averages[metric] == top]
        verb = "correlates" if len(best) == 1 else "correlate"
        average = " on average" if pairs > 1 else ""
        if len(grid.views) > 1:
            average += f" for {first[0] if pairs == 1 else view or 'items'}"
        text = f"{_list(best)} {verb} best with human judgements{average} ({top:.3f}"
        if pairs == 1:
            interval = grid.values[first[0], best[0]].interval
            if interval is not None:
                text += f", interval {interval[0]:.3f} to {interval[1]:.3f}"
        text += ")."
    if not grid.winners:
        return text
    unbeaten = {
        metric: sum((pair, metric) in grid.winners for pair in grid.pairs)
        for metric in grid.real
    }
    tested = len({pair for pair, _ in grid.winners})
    everywhere = [metric for metric, count in unbeaten.items() if count == tested]
    if tested == 1:
        return f"{text} In the winning cluster: {_list(everywhere)}."
    if everywhere:
        text += f" In the winning cluster of all {tested} pairs: {_list(everywhere)}."
    partly = {m: c for m, c in unbeaten.items() if 0 < c < tested}
    if partly:
        some = _list([f"{m} ({c})" for m, c in partly.items()])
        text += f" In the winning cluster of some of the {tested} pairs: {some}."
    return text


def cautions(
    result: Correlations,
    evaluations: Sequence[Evaluation],
    grids: Sequence[Grid],
    agreed: Mapping[str, Agreed],
    *,
    without: Sequence[str] = (),
) -> list[str]:
    """Return what readers should know before they trust the correlations."""
    out = []
    few = {
        str(both.human.langpair or "all"): len(both.human.systems)
        for both in evaluations
        if len(both.human.systems) < _FEW_SYSTEMS
    }
    if few and any(grid.coefficient.level == "system" for grid in grids):
        named = _list([f"{pair} ({count})" for pair, count in few.items()])
        out.append(
            f"Few systems: {named}. System-level coefficients rest on few points "
            "there; one system can decide them."
        )
    for grid in grids:
        out += _fooled(grid)
    for grid in grids:
        lacking = [m for m in grid.real if m in grid.incomplete]
        partly = [
            f"{value.metric} ({value.langpair}: {value.n:,} of {value.of:,})"
            for value in grid.values.values()
            if not value.complete and not value.probe
        ]
        if partly:
            out.append(
                f"{grid.coefficient.name} is incomplete for {_list(partly)}: what was "
                "not scored may be the hard part, so they come last and are never best."
            )
        lacking = [
            m for m in lacking if any(grid.value(p, m) is None for p in grid.pairs)
        ]
        if lacking:
            out.append(
                f"{grid.coefficient.name} is not defined everywhere for "
                f"{_list(lacking)}: averages are over the rest."
            )
    poor = [pair for pair, both in agreed.items() if both.share < _POOR]
    if poor:
        out.append(
            f"Judges hardly agree with each other in {_list(poor)}: no metric can "
            "agree well with all of them."
        )
    if not result.run.get("test"):
        out.append(
            "Differences between metrics were not tested; overlapping intervals are "
            "not a significance test. Use --test."
        )
    if not result.run.get("resamples"):
        out.append("There are no intervals; use --resamples.")
    left_out = [pair for pair in without if pair in result.langpairs]
    if left_out:
        out.append(f"Averages exclude {_list(left_out)}.")
    for pair, notes in result.notes.items():
        out += [f"{pair}: {note}." for note in notes]
    return out


def _fooled(grid: Grid) -> list[str]:
    """Return which probes do better than metrics, and where."""
    beaten: dict[str, dict[str, int]] = {}
    for pair in grid.pairs:
        for probe in grid.probes:
            probed = grid.value(pair, probe)
            if probed is None:
                continue
            for metric in grid.real:
                value = grid.value(pair, metric)
                if value is not None and probed >= value:
                    counts = beaten.setdefault(probe, {})
                    counts[metric] = counts.get(metric, 0) + 1
    out = []
    for probe in sorted(beaten):
        counts = beaten[probe]
        named = [
            metric if len(grid.pairs) == 1 else f"{metric} ({count})"
            for metric, count in counts.items()
        ]
        pairs = len(grid.pairs)
        where = "" if pairs == 1 else f" (number of the {pairs} language pairs)"
        out.append(
            f"{grid.coefficient.name}: {probe}, which ignores quality, does as well "
            f"as, or better than, {_list(named)}{where}."
        )
    return out


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _list(items: Sequence[str], *, most: int = _NAMED) -> str:
    """Return a list of items; after the first `most`, how many more there are."""
    if not items:
        return "none"
    shown = list(items[:most])
    if len(items) > most:
        shown.append(f"{len(items) - most} more")
    if len(shown) == 1:
        return shown[0]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
