# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar attest``: whether a corpus has what a grammar says."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium._version import __version__
from tertium.cli.grammar import inputs
from tertium.cli.shared import flags
from tertium.cli.shared.render import Table, emit, render
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.automata.automaton import Automaton
    from tertium.grammars.attestation import Attested
    from tertium.grammars.template import Template

__all__ = ["attest"]

_ABOUT = """\
Look up in a corpus what a grammar says: every pair of neighbours in the sentences of a
construction is counted in the text. Constructions of which the corpus has least come
first, with pairs that nobody wrote and a sentence that has them. A pair may be right
and rare; a native speaker decides.
"""

_EXAMPLES = """\
  tertium grammar attest weather --corpus news.fi.txt
  tertium grammar attest weather --corpus a.txt.gz b.txt.gz --language Eng --top 50

A corpus is plain text, a sentence or paragraph a line.
The JSON has {"tertium": VERSION, "language", "constructions": [{"template", "name",
"pairs", "found", "least": [{"words", "count", "example"}]}]}.
"""


def attest(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.data.lines import open_lines
    from tertium.grammars.attestation import attest as attested
    from tertium.grammars.attestation import count_pairs

    parser = flags.parser("grammar attest", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "names", nargs="+", metavar="TEMPLATE", help="folders, or names of bundled ones"
    )
    parser.add_argument(
        "--corpus",
        nargs="+",
        required=True,
        metavar="FILE",
        help="text of the language",
    )
    parser.add_argument(
        "--language", metavar="LANG", help="such as Fin (default: the first target)"
    )
    inputs.add_outside(parser)
    parser.add_argument(
        "--top",
        type=flags.number(1),
        default=10,
        metavar="N",
        help="how many pairs of a construction to list (default: %(default)s)",
    )
    flags.add_output(parser)
    args = parser.parse_args(argv)
    templates = inputs.load_templates(args.names, args)
    inputs.check_languages(templates, args.language)
    counts = count_pairs(line for path in args.corpus for line in open_lines(path))
    if not counts:
        raise InputError(f"{', '.join(args.corpus)} has no text; give a corpus")
    found = [
        (own, attested(_constructions(own, args.language or own.targets[0]), counts))
        for own in templates
    ]
    if args.format == "json":
        outline = {
            "tertium": __version__,
            "language": args.language,
            "constructions": [
                _outline(own.id, one, args.top) for own, all_ in found for one in all_
            ],
        }
        emit(json.dumps(outline, ensure_ascii=False, indent=2), args.output)
    else:
        render(list(_tables(found, args.top)), args.format, output=args.output)
    return 0


def _constructions(
    template: Template, language: str
) -> Iterator[tuple[str, Automaton]]:
    for codes in template.grammar.sets(language):
        yield from template.grammar.constructions(language, codes).items()


def _outline(template: str, one: Attested, top: int) -> dict[str, object]:
    return {
        "template": template,
        "name": one.construction,
        "pairs": len(one.pairs),
        "found": one.found,
        "least": [
            {
                "words": pair.words,
                "count": pair.count,
                "example": " ".join(pair.example),
            }
            for pair in one.pairs[:top]
        ],
    }


def _tables(
    found: Sequence[tuple[Template, list[Attested]]], top: int
) -> Iterator[Table]:
    yield Table(
        ["template", "construction", "pairs", "found", "share"],
        [
            [
                own.id,
                one.construction,
                str(len(one.pairs)),
                str(one.found),
                f"{one.found / len(one.pairs):.1%}" if one.pairs else "n/a",
            ]
            for own, all_ in found
            for one in all_
        ],
        title="Pairs of words that the corpus has",
        left=2,
    )
    rows = [
        [own.id, one.construction, " ".join(pair.words), " ".join(pair.example)]
        for own, all_ in found
        for one in all_
        for pair in one.pairs[:top]
        if not pair.count
    ]
    if rows:
        head = ["template", "construction", "pair", "in"]
        yield Table(head, rows, title="Pairs that nobody wrote", left=4)
