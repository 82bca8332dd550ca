# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar attest``: whether a corpus attests what a grammar makes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.cli.grammar import inputs
from tertium.cli.shared import flags, values
from tertium.cli.shared.render import write_result
from tertium.cli.shared.values import frozen

if TYPE_CHECKING:
    pass

__all__ = ["attest"]

_ABOUT = """\
Look up in a corpus what a grammar makes: every pair of adjacent words in the sentences
of a construction is counted in the text. The least attested constructions come first,
with unattested pairs and a sentence that has them. A pair may be correct and rare; a
native speaker decides.
"""

_EXAMPLES = """\
  tertium grammar attest weather --corpus news.fi.txt
  tertium grammar attest weather --corpus a.txt.gz b.txt.gz --language Eng --top 50

A corpus is plain text, one sentence or paragraph per line.
The JSON has {"tertium": VERSION, "language", "constructions": [{"template", "name",
"pairs", "found", "least": [{"words", "count", "example"}]}]}.
"""


@frozen
class Options(inputs.Outside, values.Output):
    """The options of the action."""

    names: list[str]
    corpus: list[str]
    language: str | None
    top: int


def attest(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    from tertium.grammars.authoring.attestation import attest_templates

    parser = flags.parser("grammar attest", _ABOUT, _EXAMPLES)
    parser.add_argument(
        "names", nargs="+", metavar="TEMPLATE", help="folders, or bundled templates"
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
        help="how many pairs per construction to list (default: %(default)s)",
    )
    flags.add_output(parser)
    options = values.parse(parser, argv, Options)
    attestation = attest_templates(
        options.names,
        options.corpus,
        language=options.language,
        allow_outside=options.allow_outside,
    )
    from tertium.report.tables.grammars import attestation_tables

    write_result(
        options,
        lambda: attestation.to_json(options.top),
        lambda: list(attestation_tables(attestation, options.top)),
    )
    return 0
