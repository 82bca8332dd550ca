# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar new``: a template to start from."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from tertium.cli.grammar.inputs import in_folder
from tertium.cli.shared import flags
from tertium.cli.shared.render import emit
from tertium.errors import InputError

__all__ = ["new"]

_ABOUT = """\
Write a small template with comments into a new folder: template.toml, an abstract
grammar, one concrete grammar a language, and samples. It passes `tertium grammar
check`; change it from there. With --light write one file of the light notation, for
references without a grammar.
"""

_EXAMPLES = """\
  tertium grammar new weather
  tertium grammar new weather --source Eng --target Fin Ger Cze
  tertium grammar new weather --target Swe           words are English, to replace
  tertium grammar new segments.refs --light
"""


def new(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.starter import light_starter, template_starter

    parser = flags.parser("grammar new", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "name", metavar="FOLDER", help="a new folder, or with --light a new file"
    )
    parser.add_argument(
        "--source",
        metavar="LANG",
        default="Eng",
        help="the language translated from (default: %(default)s)",
    )
    parser.add_argument(
        "--target",
        nargs="+",
        metavar="LANG",
        default=["Fin"],
        help="those translated into; there are words for Eng, Fin, Ger and Cze "
        "(default: Fin)",
    )
    parser.add_argument("--light", action="store_true", help="the light notation")
    args = parser.parse_args(argv)
    if not args.name.strip():
        message = "no name for what is new; give one, such as tertium grammar new nap"
        raise InputError(message)
    place = Path(args.name)
    if args.light:
        folder, made = place.parent, {place.name: light_starter()}
    else:
        folder = place
        made = template_starter(
            place.resolve().name, source=args.source, targets=args.target
        )
    for name in made:
        if (folder / name).exists():
            message = f"{folder / name} is there already; name another place"
            raise InputError(message)
    in_folder(str(folder))
    for name, text in made.items():
        emit(text, str(folder / name))
        sys.stdout.write(f"wrote {folder / name}\n")
    sys.stdout.write(f"change them, then: tertium grammar check {args.name}\n")
    return 0
