# SPDX-License-Identifier: Apache-2.0
"""``tertium train``: a metric from human judgements, in one file that can be read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit, render
from tertium.cli.train.options import parse
from tertium.cli.train.tables import TITLE, tau_table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.learn.data import Source
    from tertium.learn.model import Model
    from tertium.learn.validation import Agreement

__all__ = ["command"]


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    args = parse(argv)
    if args.explain:
        from tertium.cli.train.explain import explain

        return explain(args)
    from tertium.cli.train.inputs import held_out, training_sources

    if args.output is None and not args.cross_validate:
        message = "the model has no place; name its file with -o, such as -o my.json"
        raise InputError(message)
    if args.output is not None:
        if args.cross_validate:
            message = "--cross-validate keeps no model; leave out -o, or train without"
            raise InputError(message)
        _check_place(args)
    sources = training_sources(args)
    if args.cross_validate:
        return _cross_validate(args, sources)
    train, valid = held_out(args, sources)
    model = _fit(args, train)
    figures = _measure(args, model, valid)
    from dataclasses import replace

    from tertium.learn.validation import summary

    model = replace(model, validation=summary(figures))
    model.save(args.output)
    _show(args, model, figures)
    return 0


def _check_place(args: argparse.Namespace) -> None:
    """Refuse an output that could not be written, or is one of the inputs."""
    from tertium._files import check_place

    check_place(args.output)
    groups = [*(args.testsets or ()), *(args.judgements or ()), *[args.nbest or ()]]
    for path in (path for group in groups for path in group):
        if flags.same_file(args.output, path):
            message = f"{args.output} is one of the inputs; write to another file"
            raise InputError(message)


def _fit(args: argparse.Namespace, sources: Sequence[Source]) -> Model:
    from tertium.cli.train.inputs import equipped_profile, self_training
    from tertium.learn.recipes import recipe_of
    from tertium.learn.training import train_model

    profile = equipped_profile(args)
    recipe = recipe_of(
        profile.name,
        objective=args.objective,
        learner=args.learner,
        scaling=args.scaling,
        filter=args.filter,
        nonnegative=None if args.weights is None else args.weights == "rising",
        anchor=not args.no_anchor,
        regularisation=args.regularisation,
        restarts=args.restarts,
        bags=args.bags,
        mix=args.mix,
        rated=any(source.ratings is not None for source in sources),
    )
    with Progress(quiet=args.quiet) as progress:
        return train_model(
            sources,
            profile=profile,
            recipe=recipe,
            tuning=args.tune,
            self_training=self_training(args),
            kind=args.pairs,
            gap=args.gap,
            licence=args.licence,
            seed=args.seed,
            threads=args.threads,
            progress=lambda text: remark(args, text),
            steps=progress.phase,
        )


def _measure(
    args: argparse.Namespace, model: Model, valid: Sequence[Source]
) -> list[Agreement]:
    from tertium.learn.validation import validate

    return validate(
        valid,
        model,
        metrics=args.metrics,
        kind=args.pairs,
        gap=args.gap,
        threads=args.threads,
    )


def _cross_validate(args: argparse.Namespace, sources: Sequence[Source]) -> int:
    from tertium.learn.validation import leave_one_out, summary

    found = leave_one_out(
        sources,
        lambda rest: _fit(args, rest),
        by=args.cross_validate,
        metrics=args.metrics,
        kind=args.pairs,
        gap=args.gap,
        threads=args.threads,
        progress=lambda name: remark(args, f"without {name}:"),
    )
    if args.format == "json":
        _emit_json(
            {
                "profile": args.profile,
                "left_out": found.by,
                "validation": summary(found.figures),
            }
        )
    else:
        what = "language pair" if found.by == "language" else "campaign"
        title = f"tau-wmt14 on every {what}, trained without it"
        render([tau_table(found.figures, title, digits=args.digits)], args.format)
    return 0


# ------------------------------------------------------------------------ output


def _show(args: argparse.Namespace, model: Model, figures: Sequence[Agreement]) -> None:
    if args.format == "json":
        _emit_json(
            {
                "model": args.output,
                "profile": model.profile.name,
                "training": model.training,
                "validation": model.validation,
            }
        )
        return
    if not figures:
        remark(args, f"wrote {args.output}; nothing was held out to test it")
        return
    render([tau_table(figures, TITLE, digits=args.digits)], args.format)
    remark(args, f"wrote {args.output}; try -m beer:model={args.output}")


def _emit_json(found: dict[str, object]) -> None:
    import json

    from tertium._version import __version__

    text = json.dumps({"tertium": __version__, **found}, indent=1, ensure_ascii=False)
    emit(text, None)
