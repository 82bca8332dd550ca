# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar show``, ``sample`` and ``count``: sentences of sets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import frozen

if TYPE_CHECKING:
    from tertium.grammars.sets.sentence_sets import SentenceSets

__all__ = ["count", "read_sets", "sample", "show"]

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
Print sentences of templates or reference files, sampled uniformly, none twice.
A larger sample with the same seed begins with the smaller one.
"""

_SAMPLE_EXAMPLES = """\
  tertium grammar sample weather -n 5
  tertium grammar sample weather --language Fin --set 1a,2b -n 100 -f tsv
  tertium grammar sample segments.refs -n 3
"""

_COUNT = """\
Count the sentences of templates or reference files: every variable set or segment,
exactly, however many there are.
"""

_COUNT_EXAMPLES = """\
  tertium grammar count weather
  tertium grammar count weather --language Fin -f tsv
  tertium grammar count segments.refs network.fst.txt

The JSON has {"tertium": VERSION, "sets": [{"template", "set", "language",
"sentences", "states", "arcs"}], "total": {LANG: sentences}}.
"""


# ---------------------------------------------------------------------------- show


@frozen
class ShowOptions(inputs.Outside, values.Output):
    """The options of ``show``."""

    name: str
    construction: str | None
    set: str | None
    language: list[str] | None
    limit: int


def show(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.authoring.constructions import show_constructions

    parser = flags.parser("grammar show", _SHOW, _SHOW_EXAMPLES)
    parser.add_argument("name", metavar="TEMPLATE")
    inputs.add_outside(parser)
    parser.add_argument(
        "--construction", metavar="FUNCTION", help="only this one (default: all)"
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
    options = values.parse(parser, argv, ShowOptions)
    result = show_constructions(
        options.name,
        construction=options.construction,
        set=options.set,
        language=options.language,
        limit=options.limit,
        allow_outside=options.allow_outside,
    )
    from tertium.report.tables.grammars import construction_tables

    write_result(
        options, result.to_json, lambda: construction_tables(result, options.style)
    )
    return 0


# ------------------------------------------------------------------- sample, count


@frozen
class SampleOptions(inputs.SetChoice, values.Output):
    """The options of ``sample``."""

    size: int
    seed: int


@frozen
class CountOptions(inputs.SetChoice, values.Output):
    """The options of ``count``."""


def read_sets(options: inputs.SetChoice) -> SentenceSets:
    """Return the chosen sentence sets, with remarks on files that have more."""
    from tertium.grammars.sets.sentence_sets import read_sentence_sets

    sets = read_sentence_sets(
        options.names,
        set=options.set,
        language=options.language,
        input_format=options.input_format,
        allow_outside=options.allow_outside,
    )
    inputs.remark_notes(options, sets.notes)
    return sets


def sample(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar sample", _SAMPLE, _SAMPLE_EXAMPLES)
    inputs.add_choice(parser, "what to sample from")
    parser.add_argument(
        "-n",
        "--size",
        type=flags.number(1),
        default=3,
        metavar="N",
        help="how many sentences of each set (default: %(default)s)",
    )
    inputs.add_seed(parser)
    flags.add_output(parser)
    options = values.parse(parser, argv, SampleOptions)
    result = read_sets(options).sample(options.size, seed=options.seed)
    from tertium.report.tables.grammars import sample_table

    write_result(options, result.to_json, lambda: [sample_table(result, options.style)])
    return 0


def count(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    parser = flags.parser("grammar count", _COUNT, _COUNT_EXAMPLES)
    inputs.add_choice(parser, "what to count")
    flags.add_output(parser)
    options = values.parse(parser, argv, CountOptions)
    result = read_sets(options).count()
    from tertium.report.tables.grammars import count_table

    write_result(options, result.to_json, lambda: [count_table(result, options.style)])
    return 0
