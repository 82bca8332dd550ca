# SPDX-License-Identifier: Apache-2.0
"""``tertium train --explain MODEL``: where a model comes from and what moves it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark_note
from tertium.cli.shared.render import emit, render
from tertium.cli.train.options import Options
from tertium.cli.train.tables import TITLE, tau_table
from tertium.errors import InputError
from tertium.report.tables.style import Style
from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.learn.explanation import ModelExplanation
    from tertium.learn.influence import GroupLoss, Influence

__all__ = ["explain"]

_FEW = 6  # names that a note can list
_COUNTS = {
    "comparisons": "comparisons",
    "pairs": "pairs",
    "rated_texts": "rated texts",
}


def explain(options: Options, model: str) -> int:
    """Print a model and return the exit code."""
    from tertium.learn.explanation import explain_model

    explanation = explain_model(
        model, _texts(options), resource=options.resources, threads=options.threads
    )
    if options.format == "json":
        emit(explanation.to_json(indent=1), None)
        return 0
    tables = _tables(explanation, options.style)
    if options.style.for_programs:
        tables = tables[-1:]  # one table for programs, the one that was asked for
    render(tables, options.format)
    return 0


def _texts(options: Options) -> Testset | None:
    """Return the texts to explain the model on, if there are any."""
    from tertium.data import read
    from tertium.meta.inputs.testsets import read_testset

    if options.testsets:
        paths = [path for group in options.testsets for path in group]
        if len(paths) > 1 or options.references or options.systems:
            message = "--explain takes one test set; give -t once, or -r and -i"
            raise InputError(message)
        testset = read_testset(paths[0], systems_columns=options.systems_columns)
        for note in testset.notes:
            remark_note(options, note)
        return testset
    if not options.references and not options.systems:
        return None
    if not options.references or not options.systems:
        raise InputError("--explain on texts needs references (-r) and systems (-i)")
    systems = flags.named_files(options.systems)
    return read(references=options.references, systems=systems)


# ------------------------------------------------------------------------- tables


def _tables(explanation: ModelExplanation, style: Style) -> list[Table]:
    places = 3 if style.digits is None else style.digits
    tables = [_facts(explanation)]
    if figures := explanation.figures:
        tables.append(tau_table(figures, TITLE, style))
    if explanation.weights is not None:
        groups = _groups(explanation.groups, places)
        tables += [groups, _weights(explanation.weights, places)]
    if explanation.losses is not None:
        tables.append(_losses(explanation.losses, places))
    return tables


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
