# SPDX-License-Identifier: Apache-2.0
"""``tertium train``: a metric from human judgements, in one readable file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from tertium.cli.shared.caching import caching
from tertium.cli.shared.executors import threads_of, working
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit, render
from tertium.cli.train.options import Options, parse
from tertium.errors import InputError
from tertium.report.tables.models import TITLE, tau_table

if TYPE_CHECKING:
    from tertium.learn.trained import Trained

__all__ = ["command"]


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(argv)
    if options.spans:
        from tertium.cli.train.spans import spans_command

        return spans_command(options)
    if options.explain:
        from tertium.cli.train.explain import explain

        return explain(options, options.explain)
    _check_output(options)
    with caching(options):
        trained = _train(options)
    if options.output is not None:
        trained.save(options.output)
    _note(trained)
    _show(options, trained)
    return 0


def _train(options: Options) -> Trained:
    from tertium.learn.train import train

    with working(options), Progress(quiet=options.quiet) as progress:
        return train(
            options.testsets or [],
            options.judgements,
            names=options.names or (),
            langpair=options.langpair,
            only=options.only,
            pairs=options.pairs,
            filter=options.filter,
            gap=options.gap,
            scale=options.scale,
            ratings_by=options.ratings_by,
            empty=options.empty,
            valid=options.valid,
            profile=options.profile,
            objective=options.objective,
            learner=options.learner,
            scaling=options.scaling,
            weights=options.weights,
            anchor=not options.no_anchor,
            regularisation=options.regularisation,
            tune=options.tune,
            restarts=options.restarts,
            bags=options.bags,
            mix=options.mix,
            balance=options.balance,
            nbest=options.nbest or (),
            nbest_references=options.nbest_references or (),
            self_training=options.self_training,
            sampling=options.sampling,
            rounds=options.rounds,
            resource=options.resources,
            licence=options.licence,
            cross_validate=options.cross_validate,
            metrics=options.metrics,
            systems_columns=options.systems_columns,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress.phase,
            log=lambda text: remark(options, text),
            on_note=lambda note: remark_note(options, note),
        )


def _check_output(options: Options) -> None:
    """Reject a model file that could not be written, or is one of the inputs."""
    from tertium._files import check_not_read, check_place

    if options.cross_validate:
        if options.output is not None:
            message = "--cross-validate keeps no model; omit -o, or train without it"
            raise InputError(message)
        return
    if options.output is None:
        message = "no file for the model; name one with -o, such as -o my.json"
        raise InputError(message)
    check_place(options.output)
    if not options.testsets:
        message = (
            "nothing to learn from; give test sets (-t) and judgements (-J); try: "
            "tertium train -t demo -J demo -o my.json"
        )
        raise InputError(message)
    groups = [*options.testsets, *(options.judgements or ()), options.nbest or []]
    check_not_read(options.output, chain.from_iterable(groups))


# ------------------------------------------------------------------------- output


def _note(trained: Trained) -> None:
    """Take note of the result, and of how it was learnt."""
    facts: dict[str, object] = {"profile": trained.profile}
    if trained.model is not None:
        training = trained.model.training
        recipe = training["recipe"]
        if isinstance(recipe, dict):
            facts |= {"objective": recipe["objective"], "methods": [recipe["learner"]]}
        facts["data"] = str(training["sha256"])[:8]
    note_result(trained.to_dict, **facts)


def _show(options: Options, trained: Trained) -> None:
    if options.format == "json":
        out = trained.to_dict()
        if options.output is not None:
            out = {"tertium": out["tertium"], "model": options.output} | out
        emit(json.dumps(out, indent=1, ensure_ascii=False), None)
        return
    if not trained.figures:
        remark(options, f"wrote {options.output}; nothing was held out to test it")
        return
    title = TITLE
    if trained.left_out:
        what = "language pair" if trained.left_out == "language" else "campaign"
        title = f"tau-wmt14 on every {what}, trained without it"
    render([tau_table(trained.figures, title, options.style)], options.format)
    if options.output is not None:
        remark(options, f"wrote {options.output}; try -m beer:model={options.output}")
