# SPDX-License-Identifier: Apache-2.0
"""``tertium judge``: outputs judged by a language model."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.judge.options import Options, add_options, read_options
from tertium.cli.judgements.reading import read
from tertium.cli.shared import flags
from tertium.cli.shared.inputs import keep_testset
from tertium.cli.shared.parsers import note_result
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.render import emit_json, render
from tertium.cli.shared.values import parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.testset import Testset
    from tertium.judgements import Judgements
    from tertium.llm import JudgeSettings, Judging

__all__ = ["command"]

_ABOUT = """\
Have a language model judge the outputs of a test set: errors and scores as in ESA,
errors as in MQM, or scores as in direct assessment. Its judgements go into a store,
with the model as judge, for `tertium agree`, `rank` and `correlate`. Raw answers are
kept, and an interrupted run goes on where it stopped.
"""

_EXAMPLES = """\
  tertium judge demo --url http://localhost:8000/v1 --model NAME --dry-run
  tertium judge demo -o judged --url http://localhost:8000/v1 --model NAME
  tertium judge set.jsonl -o judged --settings judge.toml --prompt mqm --sample 100
  tertium judge demo -o judged --url https://api.example.com/v1 --model NAME \\
      --key-variable EXAMPLE_KEY --price-in 2 --price-out 8 --limit-cost 5
  tertium judge demo -o judged --settings judge.toml --prompt da --like demo
  tertium agree demo judged --scale DA

Outputs that are equal, of the same source, are asked about once. Answers that cannot be
read are counted and listed; they are not in the store. The exit code is 1 if outputs
have no answer, because of --limit-cost or a failing server.

The JSON is {"tertium", "judge", "prompt", "scale", "outputs", "judged", "left",
"systems": [{"system", "outputs", "judged", "mean"}], "unparsable": [{"system",
"segment", "reason", "answer"}], "failed": [{"system", "segment", "message"}],
"unlocated": errors that quote no text of the output or source, "requests": {"asked",
"kept", "retried": {CAUSE: N}, "tokens_in", "tokens_out", "cost"}}; with --dry-run
{"tertium", "outputs", "requests", "kept", "tokens_in", "tokens_out", "cost",
"largest_cost", "example": [{"role", "content"}]}. Unknown values are null.
"""


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    options = parse(_parser(), argv, Options)
    if options.output is None and not options.dry_run:
        raise InputError("no place for the judgements; give -o STORE, or --dry-run")
    settings, answers = read_options(options)
    if options.output is not None and not options.dry_run:
        from tertium.judgements.store import check_store_place

        check_store_place(options.output)
    testset = keep_testset(options)
    like = None if options.like is None else read(options.like, options)
    if options.dry_run:
        _plan(options, settings, testset, like, answers)
        return 0
    return _judge(options, settings, testset, like, answers or "")


def _plan(
    options: Options,
    settings: JudgeSettings,
    testset: Testset,
    like: Judgements | None,
    answers: str | None,
) -> None:
    from tertium.llm import plan_judging

    plan = plan_judging(
        testset,
        settings,
        answers=answers,
        systems=options.only_systems,
        sample=options.sample,
        seed=options.seed,
        like=like,
    )
    note_result(plan.to_dict)
    if options.format == "json":
        emit_json(plan.to_dict(), None)
        return
    from tertium.report.tables.llm import plan_tables

    render(plan_tables(plan, options.style), options.format)


def _judge(
    options: Options,
    settings: JudgeSettings,
    testset: Testset,
    like: Judgements | None,
    answers: str,
) -> int:
    from tertium.judgements import write_store
    from tertium.llm import judge_outputs
    from tertium.llm.asking import InterruptedAsking

    try:
        with Progress("requests", quiet=options.quiet) as progress:
            judging = judge_outputs(
                testset,
                settings,
                answers=answers,
                judge=options.judge,
                systems=options.only_systems,
                sample=options.sample,
                seed=options.seed,
                like=like,
                campaign=options.campaign,
                scale=options.scale,
                ask_again=options.ask_again,
                progress=progress,
            )
    except InterruptedAsking as interrupted:
        remark(
            options,
            f"interrupted; {count(interrupted.answered, 'new answer')} kept in "
            f"{answers}, {interrupted.left:,} left; the same command goes on from "
            "there",
        )
        return 130
    for note in judging.notes:
        remark_note(options, note)
    is_written = judging.is_complete or options.partial
    if is_written and options.output is not None:
        write_store(judging.judgements, options.output)
    _show(options, judging)
    _remark(options, judging, answers, is_written=is_written)
    return 0 if judging.is_complete else 1


def _show(options: Options, judging: Judging) -> None:
    note_result(judging.to_dict)
    if options.format == "json":
        emit_json(judging.to_dict(), None)
        return
    from tertium.report.tables.llm import judging_tables

    render(judging_tables(judging, options.style), options.format)


def _remark(
    options: Options, judging: Judging, answers: str, *, is_written: bool
) -> None:
    """Say what was written, and what is left to do."""
    if is_written:
        from tertium.judgements.summary import describe

        shown = describe(judging.judgements)
        remark(options, f"wrote {shown} to {options.output}; answers: {answers}")
    if judging.is_complete:
        return
    parts = []
    if judging.left:
        parts.append(f"{count(judging.left, 'output')} left at the limit of costs")
    if judging.failed:
        message = judging.failed[0][2]
        parts.append(
            f"{count(len(judging.failed), 'output')} without answer: {message}"
        )
    cure = "run the same command again to go on"
    if not is_written:
        cure += ", or with --partial to write what there is"
    remark(options, f"{'; '.join(parts)}; answers are kept in {answers}; {cure}")


def _parser() -> argparse.ArgumentParser:
    parser = flags.parser("judge", _ABOUT, _EXAMPLES)
    add_options(parser)
    return parser
