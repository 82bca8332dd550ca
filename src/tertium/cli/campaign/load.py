# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign load``: a configuration into the database."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium._messages import count
from tertium.cli.campaign import database
from tertium.cli.campaign.asking import asking
from tertium.cli.campaign.links import LinkAddress, add_url, link_line
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark, remark_note
from tertium.cli.shared.values import frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.campaigns.config import CampaignConfig
    from tertium.campaigns.loading import Checked, Loaded

__all__ = ["load"]

_ABOUT = """\
Check a configuration and put the campaign with its items into the database: all of
it, or nothing. Loading again adds new items; existing items stay as people saw them.
The command prints one link for annotators and one for managers.

Where `prefilled` in [task] is a language model (llm:config=FILE), --ask-model has it
mark the outputs first; limit_cost of its settings holds per run. Its marks are kept
beside CONFIG.toml, and answers that were kept before cost nothing.
"""
_EXAMPLES = """\
  tertium campaign load news/campaign.toml
  tertium campaign load news/campaign.toml --check
  tertium campaign load news/campaign.toml --ask-model
  tertium campaign load news/campaign.toml --url https://mt.example.org
  tertium campaign load news/campaign.toml --database postgresql://me@db/mt
"""


@frozen
class Options(LinkAddress, database.Database):
    """The options of the action."""

    config: str
    check: bool
    allow_outside: bool
    ask_model: bool


def load(argv: Sequence[str]) -> int:
    """Put a campaign into the database, or only check its configuration."""
    parser = flags.parser("campaign load", _ABOUT, _EXAMPLES)
    parser.add_argument("config", metavar="CONFIG.toml")
    flags.add_switch(
        parser, "--check", help="read and check everything, change nothing"
    )
    flags.add_switch(
        parser,
        "--allow-outside",
        help="also read files outside the folder of CONFIG.toml",
    )
    flags.add_switch(
        parser, "--ask-model", help="ask the language model that prefilled names"
    )
    add_url(parser)
    database.add_database(parser)
    options = parse(parser, argv, Options)
    from tertium.campaigns.config import read_config
    from tertium.campaigns.site.addresses import public_url

    url = public_url(options.url, port=options.port)
    config = read_config(options.config, allow_outside=options.allow_outside)
    if options.check and options.ask_model:
        message = "--check changes nothing, and --ask-model writes a file; omit one"
        raise InputError(message)
    if options.check:
        return _check(options, config)
    database.start(options)
    if options.ask_model:
        _ask(options, config)
    from tertium.campaigns.loading import load as load_campaign

    loaded = load_campaign(config)
    _remark_notes(options, loaded)
    what = "created" if loaded.new else "brought up to date"
    known = f", {loaded.known} already there" if loaded.known else ""
    more = f", {' and '.join(others)} among them" if (others := _more(loaded)) else ""
    sys.stdout.write(
        f"{loaded.report}campaign {config.name} was {what}: "
        f"{count(loaded.added, 'item')} added{more}{known}\n"
    )
    if loaded.new:
        for role, most in (("annotator", None), ("manager", 1)):
            sys.stdout.write(link_line(loaded.campaign, role, url, most=most))
        text = (
            f"the links work while `tertium campaign serve` is reached at {url}; for "
            "another address give --port or --url, or set TERTIUM_URL"
        )
        remark(options, text)
    return 0


def _ask(options: Options, config: CampaignConfig) -> None:
    """Have the language model of a configuration mark outputs."""
    from tertium.campaigns.judges import judge_named
    from tertium.campaigns.tasks import get_task

    if judge_named(str(config.options.get("prefilled", ""))) is None:
        message = (
            f"{config.path} names no language model; omit --ask-model, or set "
            'prefilled = "llm:config=FILE" in [task]'
        )
        raise InputError(message)
    with asking(options, config.path) as progress:
        notes = get_task(config.task).ask_model(config, progress=progress)
    for note in notes:
        remark_note(options, note)


def _check(options: Options, config: CampaignConfig) -> int:
    from tertium.campaigns.site.setup import start

    start(options.database, secret_file=options.secret_file)
    from tertium.campaigns.loading import check

    checked = check(config)
    _remark_notes(options, checked)
    work = f"{count(checked.work, 'item')} to judge"
    sys.stdout.write(
        f"{checked.report}{options.config}: {' and '.join([work, *_more(checked)])}; "
        "nothing changed\n"
    )
    return 0


def _remark_notes(options: Options, result: Checked | Loaded) -> None:
    from tertium.cli.shared.advice import note_text

    for note in result.notes:
        remark(options, note_text(note, config=options.config))


def _more(result: Checked | Loaded) -> list[str]:
    """Return how many items are there for something else than work."""
    kinds = {"attention check": result.checks, "training item": result.training}
    return [count(number, what) for what, number in kinds.items() if number]
