# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign new``: files to start from."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict

from tertium.cli.campaign.asking import asking
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark_notes
from tertium.cli.shared.values import Remarks, frozen, parse

__all__ = ["new"]

_ABOUT = """\
Write files to start from: CONFIG.toml with a comment on every setting, instructions in
Markdown, and the items of an example unless you name your own with --items. Change
them, then load.

With --from the new campaign is like another one: the same settings, texts and items
under a new name, without people and judgements. The same seed samples the same items;
another --seed samples others.

--from also takes a campaign of another tool: batches of Appraise or a campaign of
Pearmut, in JSON, recognised by content. Documents, systems, tutorials, attention
checks, pre-filled error spans and images beside the file are kept, and what is not is
listed on stderr.

Annotators may start from error spans (esa, mqm, cesa): --prefilled names a file of
judgements, or a language model by its settings, as for `tertium judge --settings`. The
model is asked now; limit_cost of its settings holds per run. What it marks is kept
beside CONFIG.toml, so that loading needs no model.
"""
_EXAMPLES = """\
  tertium campaign new news/campaign.toml --task segranks
  tertium campaign new my.toml --task direct --name "News in Czech" \\
      --items data/news.jsonl --source en --target cs
  tertium campaign new study/campaign.toml --task survey
  tertium campaign new study/second.toml --from study/campaign.toml \\
      --name "Second round" --seed 2
  tertium campaign new wmt23 --from appraise-batches.json.gz
  tertium campaign new wmt25 --from pearmut.json --source en --target cs
  tertium campaign new ai --task esa --items set.jsonl \
      --prefilled llm:config=judge.toml

tasks:
"""


@frozen
class Options(Remarks):
    """The options of the action."""

    config: str
    task: str | None
    name: str | None
    items: str | None
    systems: str | None
    source: str | None
    target: str | None
    seed: int | None
    like: str | None
    prefilled: str | None


def new(argv: Sequence[str]) -> int:
    """Write the files of a new campaign."""
    options = _options(argv)
    from tertium.campaigns.site.setup import need_django

    need_django()
    from tertium.campaigns.config import read_config
    from tertium.campaigns.creating import config_place, create_campaign
    from tertium.campaigns.starting import load_command

    values = asdict(options)
    del values["quiet"]
    with asking(options, config_place(options.config)) as progress:
        created = create_campaign(**values, progress=progress)
    remark_notes(options, created)
    for path in created.files:
        sys.stdout.write(f"wrote {path}\n")
    config = read_config(created.config, allow_outside=True)
    command = load_command(config, ask=created.asks)
    sys.stdout.write(f"change them, then: {command}\n")
    return 0


def _options(argv: Sequence[str]) -> Options:
    from tertium.campaigns.tasks.names import TASKS

    tasks = "".join(f"  {name:<9} {about}\n" for name, about in TASKS.items())
    parser = flags.parser("campaign new", _ABOUT, _EXAMPLES + tasks)
    parser.add_argument(
        "config", metavar="CONFIG.toml", help="a folder if it does not end with .toml"
    )
    parser.add_argument(
        "--task",
        choices=list(TASKS),
        metavar="TASK",
        help="the kind of question (default: segranks, or that of --from)",
    )
    parser.add_argument(
        "--name",
        metavar="TEXT",
        help="the title that people read; the name in addresses is made from it",
    )
    parser.add_argument(
        "--items",
        metavar="FILES",
        help="what is judged; for a survey several, separated by commas (default: an "
        "example)",
    )
    parser.add_argument(
        "--systems",
        metavar="NAMES",
        help="systems wanted, separated by commas (default: all); for segranks the "
        "table of `tertium parts project --origins`",
    )
    parser.add_argument(
        "--source", metavar="LANG", help="language (default: that of the items)"
    )
    parser.add_argument("--target", metavar="LANG", help="likewise")
    parser.add_argument("--seed", type=int, help="for everything that is sampled")
    parser.add_argument(
        "--from",
        dest="like",
        metavar="FILE",
        help="the campaign to be like, or that of another tool",
    )
    parser.add_argument(
        "--prefilled",
        metavar="FILE",
        help="error spans that annotators start from, or llm:config=FILE",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    return parse(parser, argv, Options)
