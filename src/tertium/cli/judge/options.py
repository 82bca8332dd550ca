# SPDX-License-Identifier: Apache-2.0
"""The options of ``tertium judge``, and the settings that they stand for."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.shared import flags
from tertium.cli.shared.inputs import add_input
from tertium.cli.shared.values import Input, Output, frozen
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.llm import JudgeSettings

__all__ = ["Options", "add_options", "read_options"]

_SETTINGS = (
    "url",
    "model",
    "prompt",
    "key_variable",
    "timeout",
    "retries",
    "concurrency",
    "price_in",
    "price_out",
    "limit_cost",
)


@frozen
class Options(Input, Output):
    """The options of the verb."""

    settings: str | None
    url: str | None
    model: str | None
    prompt: str | None
    key_variable: str | None
    show_reference: bool
    parameter: Sequence[str] | None
    timeout: float | None
    retries: int | None
    concurrency: int | None
    price_in: float | None
    price_out: float | None
    limit_cost: float | None
    answers: str | None
    ask_again: bool
    only_systems: Sequence[str] | None
    sample: int | None
    seed: int
    like: Sequence[str] | None
    campaign: str | None
    scale: str | None
    judge: str | None
    partial: bool
    dry_run: bool


def read_options(options: Options) -> tuple[JudgeSettings, str | None]:
    """Return the settings, and where answers are kept; flags overrule the file.

    Raises
    ------
    InputError
        When there is no server or no model, or a value is wrong.
    """
    from tertium.llm.settings import JudgeSettings, read_settings

    changes: dict[str, object] = {
        name: getattr(options, name)
        for name in _SETTINGS
        if getattr(options, name) is not None
    }
    if options.show_reference:
        changes["show_reference"] = True
    beside = f"{options.output.rstrip('/')}.answers.jsonl" if options.output else None
    if options.settings is not None:
        settings, place = read_settings(
            options.settings, parameters=_parameters(options), **changes
        )
        return settings, options.answers or place
    if options.url is None or options.model is None:
        raise InputError("no model to ask; give --url and --model, or --settings FILE")
    changes["parameters"] = _parameters(options)
    settings = JudgeSettings(**changes)  # type: ignore[arg-type]
    return settings, options.answers or beside


def _parameters(options: Options) -> dict[str, object]:
    """Return the values of ``--parameter``: JSON where it is, texts where not."""
    parameters: dict[str, object] = {}
    for item in options.parameter or ():
        name, equals, text = item.partition("=")
        if not equals or not name:
            raise InputError(f"{item!r} is not KEY=VALUE, such as temperature=0.7")
        try:
            parameters[name] = json.loads(text)
        except ValueError:
            parameters[name] = text
    return parameters


def _amount(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 on")
    return value


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of the verb."""
    add_input(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="STORE",
        help="the store to write: a folder, or a file that ends in .sqlite",
    )
    _add_model(parser)
    _add_cost(parser)
    _add_choice(parser)
    parser.add_argument(
        "-f",
        "--format",
        choices=flags.FORMATS,
        default="table",
        help="of the summary (default: table)",
    )
    parser.add_argument(
        "-w", "--digits", type=flags.number(0, 30), metavar="N", help="decimal places"
    )
    parser.add_argument(
        "-q", "--quiet", action="store_true", help="no progress and no remarks"
    )


def _add_model(parser: argparse.ArgumentParser) -> None:
    from tertium.llm.prompts import PROMPTS

    group = parser.add_argument_group("model")
    group.add_argument(
        "--settings",
        metavar="FILE",
        help="settings in TOML, with the names of the flags below; flags overrule it",
    )
    group.add_argument(
        "--url",
        help="the server, such as http://localhost:8000/v1: any that speaks OpenAI's "
        "protocol; `demo` answers by a rule, without a model",
    )
    group.add_argument("--model", metavar="NAME", help="as the server calls it")
    group.add_argument(
        "--prompt",
        metavar="NAME|FILE",
        help=f"{', '.join(PROMPTS)}, or a TOML file (default: {PROMPTS[0]})",
    )
    group.add_argument(
        "--key-variable",
        metavar="NAME",
        help="the environment variable that holds the key (default: no key is sent); "
        "the key itself is never written anywhere",
    )
    flags.add_switch(
        group, "--show-reference", help="show the model the first reference too"
    )
    group.add_argument(
        "--parameter",
        nargs="+",
        action="extend",
        metavar="KEY=VALUE",
        help="what else is sent (default: temperature=0 max_tokens=1024); null removes "
        "one",
    )
    group.add_argument(
        "--timeout",
        type=_amount,
        metavar="SECONDS",
        help="to wait for an answer (default: 120)",
    )
    group.add_argument(
        "--retries",
        type=flags.number(0, 1000),
        metavar="N",
        help="attempts after the first one (default: 5)",
    )
    group.add_argument(
        "--concurrency",
        type=flags.number(1, 1024),
        metavar="N",
        help="requests at the same time (default: 8)",
    )
    group.add_argument(
        "--answers",
        metavar="FILE",
        help="where raw answers are kept and found again (default: "
        "STORE.answers.jsonl; with --settings, beside that file)",
    )
    flags.add_switch(
        group, "--ask-again", help="ask again where the answer kept has no value"
    )


def _add_cost(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("cost")
    flags.add_switch(
        group,
        "--dry-run",
        help="send nothing; estimate tokens and cost, and show the first request",
    )
    group.add_argument(
        "--price-in", type=_amount, metavar="X", help="of a million input tokens"
    )
    group.add_argument(
        "--price-out", type=_amount, metavar="X", help="of a million output tokens"
    )
    group.add_argument(
        "--limit-cost",
        type=_amount,
        metavar="X",
        help="stop before this run could cost more",
    )
    flags.add_switch(
        group,
        "--partial",
        help="write the store even if some outputs have no answer (default: only the "
        "answers are kept, and the same command goes on from there)",
    )


def _add_choice(parser: argparse.ArgumentParser) -> None:
    from tertium._seed import SEED

    group = parser.add_argument_group("what is judged")
    group.add_argument(
        "--only-systems", nargs="+", metavar="NAME", help="only these systems"
    )
    group.add_argument(
        "--sample",
        type=flags.number(1),
        metavar="N",
        help="only N segments, chosen at random, the same for all systems",
    )
    group.add_argument(
        "--seed",
        type=flags.number(0),
        default=SEED,
        metavar="N",
        help=f"of the sample (default: {SEED})",
    )
    group.add_argument(
        "--like",
        nargs="+",
        metavar="STORE|FILE",
        help="judge the outputs that these judgements are about, and name campaign, "
        "document and segment as they do: needed to measure agreement with them",
    )
    group.add_argument("--campaign", metavar="NAME", help="of all judgements")
    group.add_argument(
        "--scale", metavar="NAME", help="of the ratings (default: the prompt's)"
    )
    group.add_argument(
        "--judge", metavar="NAME", help="the judge's name (default: the model's)"
    )
