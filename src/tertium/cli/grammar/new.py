# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar new``: a template to start from."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.values import OptionGroup, frozen

__all__ = ["new"]

_ABOUT = """\
Write a small template with comments into a new folder: template.toml, an abstract
grammar, one concrete grammar per language, and samples. It passes `tertium grammar
check`; change it from there. With --light write one file of the light notation, for
references without a grammar.
"""

_EXAMPLES = """\
  tertium grammar new weather
  tertium grammar new weather --source Eng --target Fin Ger Cze
  tertium grammar new weather --target Swe           words are English, to replace
  tertium grammar new segments.refs --light
"""


@frozen
class Options(OptionGroup):
    """The options of the action."""

    name: str
    source: str
    target: list[str]
    light: bool


def new(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.authoring.starter import write_starter

    parser = flags.parser("grammar new", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "name", metavar="FOLDER", help="a new folder, or with --light a new file"
    )
    parser.add_argument(
        "--source",
        metavar="LANG",
        default="Eng",
        help="the source language (default: %(default)s)",
    )
    parser.add_argument(
        "--target",
        nargs="+",
        metavar="LANG",
        default=["Fin"],
        help="the target languages; there are words for Eng, Fin, Ger and Cze "
        "(default: Fin)",
    )
    parser.add_argument("--light", action="store_true", help="the light notation")
    options = values.parse(parser, argv, Options)
    paths = write_starter(
        options.name, source=options.source, target=options.target, light=options.light
    )
    for path in paths:
        sys.stdout.write(f"wrote {path}\n")
    sys.stdout.write(f"change them, then: tertium grammar check {options.name}\n")
    return 0
