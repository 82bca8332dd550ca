# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar show``, ``sample`` and ``count``: sentences of sets."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from itertools import islice, zip_longest
from typing import TYPE_CHECKING

from tertium._seed import SEED
from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.grammars.gf.variables import VariableSet
    from tertium.grammars.template import Template

__all__ = ["count", "sample", "show"]

_SHOW = """\
Print the sentences of constructions (the functions that make a whole sentence), the
languages of a template side by side. A construction that a language lacks has no
sentence there.
"""

_SHOW_EXAMPLES = """\
  tertium grammar show weather
  tertium grammar show weather --construction ItRains --set 1a,2b --limit 100
  tertium grammar show weather --language Eng Fin -f json

The JSON has {"tertium": VERSION, "template", "set", "constructions": {NAME: {LANG:
{"count", "sentences": [..]}}}}.
"""

_SAMPLE = """\
Print sentences of templates or of files of references, drawn uniformly, none twice.
A larger sample with the same seed begins with the smaller one.
"""

_SAMPLE_EXAMPLES = """\
  tertium grammar sample weather -n 5
  tertium grammar sample weather --language Fin --set 1a,2b -n 100 -f tsv
  tertium grammar sample segments.refs -n 3
"""

_COUNT = """\
Count the sentences of templates or of files of references: every variable set or
segment, exactly, whatever the size.
"""

_COUNT_EXAMPLES = """\
  tertium grammar count weather
  tertium grammar count weather --language Fin -f tsv
  tertium grammar count segments.refs network.fst.txt

The JSON has {"tertium": VERSION, "sets": [{"template", "set", "language",
"sentences", "states", "arcs"}], "total": {LANG: sentences}}.
"""


# ---------------------------------------------------------------------------- show


def show(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar show", _SHOW, _SHOW_EXAMPLES)
    parser.add_argument("name", metavar="TEMPLATE")
    inputs.add_outside(parser)
    parser.add_argument(
        "--construction",
        metavar="FUNCTION",
        help="only this one (default: all)",
    )
    parser.add_argument(
        "--set", metavar="CODES", help="the variable set (default: the first)"
    )
    parser.add_argument(
        "--language",
        nargs="+",
        metavar="LANG",
        help="which languages (default: source and targets)",
    )
    parser.add_argument(
        "--limit",
        type=flags.number(1),
        default=20,
        metavar="N",
        help="how many sentences of each (default: %(default)s)",
    )
    flags.add_output(parser)
    args = parser.parse_args(argv)
    (template, *others) = inputs.load_templates([args.name], args)
    if others:
        known = ", ".join(own.id for own in (template, *others))
        message = f"{args.name} has several templates ({known}); name one of them"
        raise InputError(message)
    languages = _languages(template, args.language)
    codes = _set(template, args.set)
    found = _constructions(template, codes, languages, args.construction)
    _write_show(template, codes, found, args)
    return 0


def _languages(template: Template, wanted: Sequence[str] | None) -> list[str]:
    for language in wanted or ():
        inputs.check_languages([template], language)
    return list(wanted or template.languages)


def _set(template: Template, wanted: str | None) -> VariableSet:
    from tertium.grammars.exchange import set_label

    sets = dict.fromkeys(
        codes for one in template.languages for codes in template.grammar.sets(one)
    )
    if wanted is None:
        return next(iter(sets))
    codes = inputs.codes_of(wanted)
    if codes not in sets:
        raise UnknownNameError("variable set", wanted, map(set_label, sets), most=8)
    return codes


def _constructions(
    template: Template,
    codes: VariableSet,
    languages: Sequence[str],
    wanted: str | None,
) -> dict[str, dict[str, Automaton | None]]:
    grammar = template.grammar
    own = {
        language: grammar.constructions(language, codes)
        if codes in grammar.sets(language)
        else {}
        for language in languages
    }
    names = dict.fromkeys(name for some in own.values() for name in some)
    if wanted is not None and wanted not in names:
        raise UnknownNameError("construction of this set", wanted, names)
    return {
        name: {language: own[language].get(name) for language in languages}
        for name in names
        if wanted in (None, name)
    }


def _write_show(
    template: Template,
    codes: VariableSet,
    found: dict[str, dict[str, Automaton | None]],
    args: argparse.Namespace,
) -> None:
    from tertium.grammars.exchange import set_label

    if args.format == "json":
        out = {
            "tertium": __version__,
            "template": template.id,
            "set": set_label(codes),
            "constructions": {
                name: {
                    language: {
                        "count": 0 if one is None else one.count,
                        "sentences": _sentences(one, args.limit),
                    }
                    for language, one in own.items()
                }
                for name, own in found.items()
            },
        }
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return
    tables = []
    for name, own in found.items():
        columns = [_sentences(one, args.limit) for one in own.values()]
        rows = [
            [cell or "" for cell in row] for row in zip_longest(*columns, fillvalue="")
        ]
        counts = ", ".join(
            f"{language} has no such construction"
            if one is None
            else f"{language} {one.count:,}"
            for language, one in own.items()
        )
        title = f"{name} {{{set_label(codes)}}}: {counts}"
        tables.append(Table(list(own), rows, title=title, left=len(own)))
    if flags.for_programs(args):
        head = ["construction", *next(iter(found.values()))]
        every = [
            [name, *row]
            for name, table in zip(found, tables, strict=True)
            for row in table.rows
        ]
        tables = [Table(head, every, left=len(head))]
    render(tables, args.format, output=args.output)


def _sentences(automaton: Automaton | None, limit: int) -> list[str]:
    return [] if automaton is None else [" ".join(t) for t in islice(automaton, limit)]


# -------------------------------------------------------------------------- sample


def sample(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar sample", _SAMPLE, _SAMPLE_EXAMPLES)
    inputs.add_choice(parser, "what to draw from")
    parser.add_argument(
        "-n",
        "--size",
        type=flags.number(1),
        default=3,
        metavar="N",
        help="how many sentences of each set (default: %(default)s)",
    )
    parser.add_argument(
        "--seed", type=flags.number(0), default=SEED, help=f"(default: {SEED})"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    drawn = [
        (piece, " ".join(tokens))
        for piece in inputs.pieces(args)
        for tokens in piece.automaton.sample(args.size, args.seed)
    ]
    if args.format == "json":
        rows = [{**_named(piece), "sentence": text} for piece, text in drawn]
        out = {"tertium": __version__, "seed": args.seed, "sample": rows}
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return 0
    keys = _keys([piece for piece, _ in drawn], args)
    cells = [[*(_named(piece)[key] for key in keys), text] for piece, text in drawn]
    head = [*keys, "sentence"]
    render([Table(head, cells, left=len(head))], args.format, output=args.output)
    return 0


def _named(piece: inputs.Piece) -> dict[str, str]:
    return {
        "template": piece.template,
        "set": piece.set,
        "language": piece.language,
    }


def _keys(pieces: Sequence[inputs.Piece], args: argparse.Namespace) -> list[str]:
    """Return the columns that say something; programs get them all."""
    keys = ["template", "set", "language"]
    if flags.for_programs(args):
        return keys
    return [key for key in keys if any(_named(piece)[key] for piece in pieces)]


# --------------------------------------------------------------------------- count


def count(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar count", _COUNT, _COUNT_EXAMPLES)
    inputs.add_choice(parser, "what to count")
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    flags.add_output(parser)
    args = parser.parse_args(argv)
    found = list(inputs.pieces(args))
    totals: dict[str, int] = {}
    for piece in found:
        key = piece.language or "references"
        totals[key] = totals.get(key, 0) + piece.automaton.count
    if args.format == "json":
        sets = [
            {
                **_named(piece),
                "sentences": piece.automaton.count,
                "states": len(piece.automaton),
                "arcs": piece.automaton.arc_count,
            }
            for piece in found
        ]
        out = {"tertium": __version__, "sets": sets, "total": totals}
        emit(json.dumps(out, ensure_ascii=False, indent=2), args.output)
        return 0
    plain = flags.for_programs(args)
    keys = _keys(found, args)
    rows = []
    for piece in found:
        own = piece.automaton
        numbers = (own.count, len(own), own.arc_count)
        rows.append(
            [_named(piece)[key] for key in keys]
            + [str(number) if plain else f"{number:,}" for number in numbers]
        )
    head = [*keys, "sentences", "states", "arcs"]
    note = "all together: " + ", ".join(f"{key} {n:,}" for key, n in totals.items())
    render(
        [Table(head, rows, note=note, left=len(keys))], args.format, output=args.output
    )
    return 0
