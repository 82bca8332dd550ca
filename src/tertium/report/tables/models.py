# SPDX-License-Identifier: Apache-2.0
"""Tables of trained metrics: what a model is, its weights, and its agreement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.learn.explanation import ModelExplanation
    from tertium.learn.influence import GroupLoss, Influence
    from tertium.learn.validation import Agreement

__all__ = ["TITLE", "model_tables", "tau_table"]

TITLE = "tau-wmt14 on segments held out"


def tau_table(figures: Sequence[Agreement], title: str, style: Style) -> Table:
    """Return tau of every source and metric, the best metric first."""
    from tertium.learn.validation import averages

    means = averages(figures)
    metrics = sorted(means, key=lambda name: -means[name][0])
    sources = list(dict.fromkeys(each.source for each in figures))
    values = {(each.source, each.metric): each for each in figures}
    rows, pairs = [], []
    for source in sources:
        cells = [values.get((source, metric)) for metric in metrics]
        pairs.append(next(each.pairs for each in cells if each is not None))
        taus = [style.number(None if each is None else each.tau) for each in cells]
        rows.append([source, *taus, f"{pairs[-1]:,}"])
    total = f"{sum(pairs):,}"
    rules = [len(rows)]
    if len(sources) > 1:
        rows.append(
            ["average", *(style.number(means[name][0]) for name in metrics), total]
        )
    rows.append(
        ["accuracy", *(style.number(means[name][1]) for name in metrics), total]
    )
    note = "pairs: those with a human preference; accuracy: share in the right order"
    return Table(
        ["source", *metrics, "pairs"], rows, title=title, note=note, rules=rules
    )


_FEW = 6  # names that a note can list
_COUNTS = {
    "comparisons": "comparisons",
    "pairs": "pairs",
    "rated_texts": "rated texts",
}


def model_tables(explanation: ModelExplanation, style: Style) -> list[Table]:
    """Return what a model is; for programs the one table that was asked for."""
    places = 3 if style.digits is None else style.digits
    tables = [_facts(explanation)]
    if figures := explanation.figures:
        tables.append(tau_table(figures, TITLE, style))
    if explanation.weights is not None:
        groups = _groups(explanation.groups, places)
        tables += [groups, _weights(explanation.weights, places)]
    if explanation.losses is not None:
        tables.append(_losses(explanation.losses, places))
    return tables[-1:] if style.for_programs else tables


def _facts(explanation: ModelExplanation) -> Table:
    model, training = explanation.model, explanation.model.training
    rows = [
        ["profile", model.profile.name],
        ["features", f"{len(model.profile.names)}"],
        ["ranker", model.ranker.kind],
    ]
    recipe = training.get("recipe")
    if isinstance(recipe, Mapping):
        how = (str(recipe.get(key)) for key in ("objective", "learner", "filter"))
        rows.append(["trained by", ", ".join(how)])
    anchor = ", a copy of the reference has 1" if model.scaler.anchor else ""
    rows.append(["scaling", f"{explanation.scaling}{anchor}"])
    rows.append(["a copy is best", _copy_is_best(explanation)])
    probe = training.get("probe")
    if isinstance(probe, Mapping):
        rows.append(["one-word score", _at_most(probe.get("highest_score"))])
    sources = training.get("sources")
    if isinstance(sources, Mapping):
        rows.append(["sources", ", ".join(map(str, sources))])
    for key, name in _COUNTS.items():
        if isinstance(number := training.get(key), int) and number:
            rows.append([name, f"{number:,}"])
    rows += _self_training(training)
    for key in ("sha256", "seed", "tertium"):
        if key in training:
            rows.append([key, str(training[key])])
    rows.append(["licence", model.licence or "not stated"])
    return Table(["model", explanation.name], rows, left=2)


def _at_most(value: object) -> str:
    return f"at most {value:.3f}" if isinstance(value, float | int) else "n/a"


def _copy_is_best(explanation: ModelExplanation) -> str:
    """Return whether raw values of copies are the highest: proved, or on texts."""
    if explanation.model.copy_is_best:
        return "yes"
    if explanation.above_copy is None:
        return "not always"
    above, texts = explanation.above_copy
    which = "probed" if explanation.losses is None else "these"
    if not above:
        return f"on all {texts:,} {which} texts, by raw value; weights do not ensure it"
    return f"no: {above:,} of {texts:,} {which} texts have a higher raw value"


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _self_training(training: Mapping[str, object]) -> list[list[str]]:
    """Return the n-best lists that a model was trained on, and the outcome."""
    lists, fit = training.get("nbest"), training.get("fit")
    rows = []
    for each in lists if isinstance(lists, Sequence) else ():
        if isinstance(each, Mapping):
            sentences, texts = (
                _count(each.get(key)) for key in ("sentences", "candidates")
            )
            size = f"{sentences:,} sentences, {texts:,} texts"
            rows.append(["n-best list", f"{each.get('name')} ({size})"])
    facts = fit.get("self_training") if isinstance(fit, Mapping) else None
    if isinstance(facts, Mapping):
        taus = facts.get("held_out_tau")
        numbers = taus if isinstance(taus, Sequence) else ()
        checked = ", ".join(f"{v:.3f}" for v in numbers if isinstance(v, float | int))
        how = f"{facts.get('mode')}, {facts.get('sampling')}"
        kept = facts.get("kept", facts.get("rounds"))
        how += f"; kept {kept} of {facts.get('rounds')} rounds"
        rows.append(["self-training", how + (f"; tau {checked}" if checked else "")])
    return rows


def _groups(groups: Mapping[str, float], digits: int) -> Table:
    total = sum(groups.values())
    rows = [
        [name, f"{value:.{digits}f}", f"{value / total if total else 0:.0%}"]
        for name, value in groups.items()
    ]
    note = "influence: how far the group can move the raw score at most, in training"
    return Table(
        ["group", "influence", "share"], rows, title="Groups of features", note=note
    )


def _weights(weights: Sequence[Influence], digits: int) -> Table:
    rows = [
        [
            each.name,
            each.group,
            f"{each.weight:+.{digits}f}",
            f"{each.low:.{digits}f}",
            f"{each.high:.{digits}f}",
            f"{each.influence:.{digits}f}",
        ]
        for each in weights
        if each.weight
    ]
    unused = [each.name for each in weights if not each.weight]
    note = "influence: |weight| x (high - low), the range of the feature in training"
    if unused:
        note += f"\nweight 0: {_some(unused)}"
    return Table(
        ["feature", "group", "weight", "low", "high", "influence"],
        rows,
        title="Weights",
        note=note,
        left=2,
    )


def _losses(losses: Sequence[GroupLoss], digits: int) -> Table:
    groups = list(losses[0].lost) if losses else []
    rows = [
        [
            each.system,
            f"{each.score:.{digits}f}",
            *(f"{each.lost[group]:.{digits}f}" for group in groups),
            f"{sum(each.lost.values()):.{digits}f}",
        ]
        for each in losses
    ]
    note = (
        "score: the mean of segments; columns: what a segment loses of the raw score "
        "against a copy of its reference, on average, by group"
    )
    return Table(
        ["system", "score", *groups, "all"],
        rows,
        title="What moves the score on these texts",
        note=note,
    )


def _some(names: Sequence[str]) -> str:
    shown = ", ".join(names[:_FEW])
    return f"{shown} and {len(names) - _FEW} more" if len(names) > _FEW else shown
