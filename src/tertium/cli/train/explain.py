# SPDX-License-Identifier: Apache-2.0
"""``tertium train --explain MODEL``: where a model comes from and what moves it."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render
from tertium.cli.train.inputs import equipped
from tertium.cli.train.tables import TITLE, remembered, tau_table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.learn.influence import GroupLoss, Influence
    from tertium.learn.model import Model

__all__ = ["explain"]

_FEW = 6  # names that a note can list


def explain(args: argparse.Namespace) -> int:
    """Print a model and return the exit code."""
    from tertium.learn.influence import group_losses, influences
    from tertium.learn.model import load_model

    model = load_model(args.explain)
    model = replace(model, profile=equipped(args, model.profile))
    testset = _texts(args)
    weights = influences(model)
    losses = None
    if testset is not None:
        if weights is None:
            message = (
                f"{args.explain} has a {model.ranker.kind} ranker, whose features have "
                "no shares of a score; explain a linear model on texts"
            )
            raise InputError(message)
        losses = group_losses(model, testset, threads=args.threads)
    if args.format == "json":
        emit(_as_json(args, model, weights, losses), None)
        return 0
    digits = 3 if args.digits is None else args.digits
    tables = [_facts(args, model, losses)]
    if figures := remembered(model.validation):
        tables.append(tau_table(figures, TITLE, digits=args.digits))
    if weights is not None:
        tables += [_groups(weights, digits), _weights(weights, digits)]
    if losses is not None:
        tables.append(_losses(losses, digits))
    if flags.for_programs(args):
        tables = tables[-1:]  # one table for programs, the one that was asked for
    render(tables, args.format)
    return 0


def _texts(args: argparse.Namespace) -> Testset | None:
    """Return the texts to explain the model on, if some are named."""
    from tertium.cli.correlate.inputs import read_testset
    from tertium.data import read

    if args.testsets:
        paths = [path for group in args.testsets for path in group]
        if len(paths) > 1 or args.references or args.systems:
            message = "--explain takes one test set; give -t once, or -r and -i"
            raise InputError(message)
        return read_testset(paths[0], args)
    if not args.references and not args.systems:
        return None
    if not args.references or not args.systems:
        raise InputError("--explain on texts needs references (-r) and systems (-i)")
    return read(references=args.references, systems=flags.named_files(args.systems))


# ------------------------------------------------------------------------- tables


def _facts(
    args: argparse.Namespace, model: Model, losses: Sequence[GroupLoss] | None
) -> Table:
    training = model.training
    recipe = training.get("recipe")
    rows = [
        ["profile", model.profile.name],
        ["features", f"{len(model.profile.names)}"],
        ["ranker", model.ranker.kind],
    ]
    if isinstance(recipe, Mapping):
        how = (str(recipe.get(key)) for key in ("objective", "learner", "filter"))
        rows.append(["trained by", ", ".join(how)])
    anchor = ", a copy of the reference has 1" if model.scaler.anchor else ""
    rows.append(["scaling", f"{_scaling(model)}{anchor}"])
    rows.append(["a copy is best", _copy_is_best(model, losses)])
    probe = training.get("probe")
    if isinstance(probe, Mapping):
        rows.append(["one-word score", _at_most(probe.get("highest_score"))])
    sources = training.get("sources")
    if isinstance(sources, Mapping):
        rows.append(["sources", ", ".join(map(str, sources))])
    for key, name in (
        ("comparisons", "comparisons"),
        ("pairs", "pairs"),
        ("rated_texts", "rated texts"),
    ):
        if isinstance(number := training.get(key), int) and number:
            rows.append([name, f"{number:,}"])
    rows += _self_training(training)
    for key in ("sha256", "seed", "tertium"):
        if key in training:
            rows.append([key, str(training[key])])
    rows.append(["licence", model.licence or "not stated"])
    return Table(["model", args.explain], rows, left=2)


def _scaling(model: Model) -> str:
    """Return the kind of the scaler, by the name that it was asked for."""
    recipe = model.training.get("recipe")
    asked = recipe.get("scaling") if isinstance(recipe, Mapping) else None
    if asked in ("linear", "platt") and model.scaler.kind == "isotonic":
        return f"{asked}, bent at its low end"
    return model.scaler.kind


def _at_most(value: object) -> str:
    return f"at most {value:.3f}" if isinstance(value, float | int) else "n/a"


def _copy_is_best(model: Model, losses: Sequence[GroupLoss] | None) -> str:
    """Return whether raw values of copies are the highest: proved, or on texts."""
    if model.copy_is_best:
        return "yes"
    probe = model.training.get("probe")
    if losses is not None:
        texts = sum(each.texts for each in losses)
        above = sum(each.above_copy for each in losses)
        which = "these"
    elif isinstance(probe, Mapping):
        texts, above = _count(probe.get("texts")), _count(probe.get("above_copy"))
        which = "probed"
    else:
        return "not always"
    if not above:
        return f"on all {texts:,} {which} texts, by raw value; weights do not ensure it"
    return f"no: {above:,} of {texts:,} {which} texts have a higher raw value"


def _count(value: object) -> int:
    return value if isinstance(value, int) else 0


def _self_training(training: Mapping[str, object]) -> list[list[str]]:
    """Return the n-best lists that a model learnt from, and how that went."""
    lists, fit = training.get("nbest"), training.get("fit")
    rows = []
    for own in lists if isinstance(lists, Sequence) else ():
        if isinstance(own, Mapping):
            sentences, texts = (
                _count(own.get(key)) for key in ("sentences", "candidates")
            )
            size = f"{sentences:,} sentences, {texts:,} texts"
            rows.append(["n-best list", f"{own.get('name')} ({size})"])
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


def _groups(weights: Sequence[Influence], digits: int) -> Table:
    total = sum(each.influence for each in weights)
    groups: dict[str, float] = {}
    for each in weights:
        groups[each.group] = groups.get(each.group, 0.0) + each.influence
    rows = [
        [name, f"{value:.{digits}f}", f"{_share(value, total):.0%}"]
        for name, value in sorted(groups.items(), key=lambda item: -item[1])
    ]
    note = "influence: the most that the group can move the raw score in training"
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


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def _as_json(
    args: argparse.Namespace,
    model: Model,
    weights: Sequence[Influence] | None,
    losses: Sequence[GroupLoss] | None,
) -> str:
    import json
    from dataclasses import asdict

    from tertium._version import __version__

    found: dict[str, object] = {
        "tertium": __version__,
        "model": args.explain,
        "profile": model.profile.name,
        "licence": model.licence,
        "scaler": model.scaler.to_json(),
        "copy_is_best": model.copy_is_best,
        "training": model.training,
        "validation": model.validation,
    }
    if weights is not None:
        found["weights"] = [asdict(each) for each in weights]
    if losses is not None:
        found["systems"] = [asdict(each) for each in losses]
    return json.dumps(found, indent=1, ensure_ascii=False)
