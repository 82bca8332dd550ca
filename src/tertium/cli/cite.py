# SPDX-License-Identifier: Apache-2.0
"""``tertium cite``: a recorded run as a paragraph for a paper, with BibTeX."""

from __future__ import annotations

import os
from collections.abc import Sequence

from tertium.cli.shared import flags, values
from tertium.cli.shared.render import emit, emit_json
from tertium.cli.shared.values import OptionGroup, frozen

__all__ = ["command"]

_ABOUT = """\
Describe a recorded run for the methods section of a paper: metrics with signatures,
sizes, tests, versions; and BibTeX for Tertium and for everything that is mentioned.
"""

_EXAMPLES = """\
  tertium compare demo -m bleu chrf --data-hash --record run.json
  tertium cite run.json
  tertium cite run.json -f bibtex -o tertium.bib

The JSON is {"tertium": VERSION, "text": TEXT, "bibtex": {KEY: ENTRY}}.
"""


@frozen
class Options(OptionGroup):
    """The options of the verb."""

    file: str
    format: str
    output: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("cite", _ABOUT, _EXAMPLES)
    parser.add_argument("file", metavar="RUN.json", help="what --record wrote")
    parser.add_argument(
        "-f",
        "--format",
        choices=("all", "text", "bibtex", "json"),
        default="all",
        help="the paragraph (text), the entries (bibtex), or both (default: all)",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not stdout"
    )
    options = values.parse(parser, argv, Options)
    from tertium.records.citing import cite
    from tertium.records.run import read_run

    citation = cite(read_run(options.file), name=os.path.basename(options.file))
    if options.format == "json":
        emit_json(citation.to_dict(), options.output)
        return 0
    parts = []
    if options.format in ("all", "text"):
        parts.append(_wrapped(citation.text))
    if options.format in ("all", "bibtex"):
        parts += citation.bibtex.values()
    emit("\n\n".join(parts), options.output)
    return 0


def _wrapped(text: str) -> str:
    """Return a paragraph in lines of 80 characters; signatures stay whole."""
    import textwrap

    return textwrap.fill(text, 80, break_long_words=False, break_on_hyphens=False)
