# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign new``: files to start from."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tertium._files import replace_file
from tertium.cli.shared import flags
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.campaigns.starting import Overrides
    from tertium.campaigns.tasks import Task

__all__ = ["make_folder", "new"]

_ABOUT = """\
Write files to start from: CONFIG.toml with a comment on every setting, instructions in
Markdown, and the items of an example unless you name your own with --items. Change
them, then load.

With --from the new campaign is like another one: the same settings, texts and items
under a name of its own, with nobody in it and no answers. The same seed draws the same
items; another --seed draws others.
"""
_USUAL = "segranks"


def new(argv: Sequence[str]) -> int:
    """Write the files of a new campaign."""
    args = _parser().parse_args(argv)
    from tertium.campaigns.site.setup import need_django

    need_django()
    from tertium.campaigns.config import read_config
    from tertium.campaigns.starting import reaches_out
    from tertium.campaigns.tasks import get_task

    place = Path(args.config)
    files = _clone(args, place) if args.like else _start(args, place)
    for path in files:
        if os.path.exists(path):
            message = f"{path} is there already; name a folder of its own"
            raise InputError(message)
    make_folder(place.parent)
    for path, text in files.items():
        with replace_file(path) as file:
            file.write(text.encode())
        sys.stdout.write(f"wrote {path}\n")
    config = read_config(place)
    flag = " --allow-outside" if reaches_out(config, get_task(config.task)) else ""
    sys.stdout.write(f"change them, then: tertium campaign load {place}{flag}\n")
    return 0


def make_folder(folder: Path) -> None:
    """Make a folder for the files of a campaign, if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot make the folder {folder}: {error.strerror}"
        raise InputError(f"{message}; name one in a folder you may write to") from None


def _parser() -> argparse.ArgumentParser:
    from tertium.campaigns.tasks.names import TASKS

    examples = (
        "  tertium campaign new news/campaign.toml --task segranks\n"
        '  tertium campaign new my.toml --task direct --name "News in Czech" \\\n'
        "      --items data/news.jsonl --source en --target cs\n"
        "  tertium campaign new study/campaign.toml --task survey\n"
        "  tertium campaign new study/second.toml --from study/campaign.toml \\\n"
        '      --name "Second round" --seed 2\n\ntasks:\n'
        + "".join(f"  {name:<9} {about}\n" for name, about in TASKS.items())
    )
    parser = flags.parser("campaign new", _ABOUT, examples)
    parser.add_argument("config", metavar="CONFIG.toml")
    parser.add_argument(
        "--task",
        choices=list(TASKS),
        metavar="TASK",
        help=f"the kind of question (default: {_USUAL}, or that of --from)",
    )
    parser.add_argument(
        "--name",
        metavar="TEXT",
        help="what people read; the name in addresses is made of it",
    )
    parser.add_argument(
        "--items",
        metavar="FILES",
        help="what is judged; of a survey several, with commas (default: an example)",
    )
    parser.add_argument(
        "--systems",
        metavar="NAMES",
        help="systems wanted, with commas (default: all); for segranks the table of "
        "`tertium segments project --origins`",
    )
    parser.add_argument(
        "--source", metavar="LANG", help="language (default: as the items say)"
    )
    parser.add_argument("--target", metavar="LANG", help="likewise")
    parser.add_argument("--seed", type=int, help="of everything that is drawn")
    parser.add_argument(
        "--from", dest="like", metavar="CONFIG", help="the campaign to be like"
    )
    return parser


def _start(args: argparse.Namespace, place: Path) -> dict[Path, str]:
    from tertium.campaigns.tasks import get_task

    task = get_task(args.task or _USUAL)
    made = task.starter_files(_own(args, task, place))
    return {
        place if name == "campaign.toml" else place.parent / name: text
        for name, text in made.items()
    }


def _clone(args: argparse.Namespace, place: Path) -> dict[Path, str]:
    from tertium.campaigns.config import read_config
    from tertium.campaigns.starting import clone
    from tertium.campaigns.tasks import get_task

    config = read_config(args.like)
    if args.task not in (None, config.task):
        message = f"{args.like} has the task {config.task}; leave --task out"
        raise InputError(message)
    task = get_task(config.task)
    task.options(config)
    own = _own(args, task, place)
    return {place: clone(config, task, place, own)}


def _own(args: argparse.Namespace, task: Task, place: Path) -> Overrides:
    from tertium.campaigns.starting import Overrides, from_here

    source, target = args.source, args.target
    if args.items is not None and not task.systems_file and not (source and target):
        pair = _langpair(args.items)
        source, target = source or pair[0], target or pair[2]
    systems = args.systems
    if systems and task.systems_file:
        systems = from_here(systems, place.parent)
    return Overrides(
        title=args.name,
        items=from_here(args.items, place.parent) if args.items else None,
        systems=systems,
        source=source,
        target=target,
        seed=args.seed,
    )


def _langpair(items: str) -> tuple[str, str, str]:
    """Return what the first test set says of its languages."""
    from tertium.data import read

    first = Path(items.partition(",")[0])
    path = next(iter(sorted(first.parent.glob(first.name))), first)
    return ((path.exists() and read(path).langpair) or "").partition("-")
