# SPDX-License-Identifier: Apache-2.0
"""Error analysis by sets of references, as an HTML page that needs nothing but itself.

The ranking, words, tables and the first outputs need no script; charts by Vega-Altair
show the same figures, and a small script filters outputs. A content policy forbids the
page to load anything.
"""

from __future__ import annotations

import base64
import gzip
import json

from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.tables import segments_tsv, systems_tsv
from tertium.report.draw.vega import altair, bundle
from tertium.report.grammar.script import BROWSER
from tertium.report.grammar.sections import board, sections
from tertium.report.grammar.style import grammar_style
from tertium.report.grammar.summary import cautions, headline, lead
from tertium.report.meta.page import LICENCE
from tertium.report.meta.style import SCRIPT
from tertium.report.shell import contents, masthead, page_shell, warnings

__all__ = ["grammar_page"]

_WITHOUT_SCRIPT = (
    "<noscript><style>figure.vega, .grid { display: none; }</style></noscript>"
)
_PLAIN = 200_000  # characters that are worth a file one can read at once


def grammar_page(evaluation: Evaluation, *, title: str = "") -> str:
    """Return a page on what systems get wrong.

    Parameters
    ----------
    evaluation : Evaluation
    title : str, optional
        The name of the test set, such as "English to Finnish".

    Raises
    ------
    MissingExtraError
        If Altair is not installed.
    """
    altair()
    found = list(sections(evaluation))
    line = headline(evaluation)
    kicker = f"Error analysis · {title}" if title else "Error analysis"
    header = [
        masthead(kicker, line, " ".join(lead(evaluation))),
        board(evaluation),
        warnings("Beware", cautions(evaluation)),
        contents(found),
        f'<p class="legend">Files: {_downloads(evaluation)}.</p>',
        (
            "<noscript><p>Charts and filters need JavaScript; words and tables hold "
            "the same figures.</p></noscript>"
        ),
    ]
    return page_shell(
        line,
        style=grammar_style(),
        head=_WITHOUT_SCRIPT,
        header=header,
        sections=found,
        scripts=[
            # Before the charts, so that outputs can be looked through at once.
            f"<script>{BROWSER}</script>",
            LICENCE,
            f"<script>{bundle()}</script>",
            f"<script>{SCRIPT}</script>",
        ],
    )


def _downloads(evaluation: Evaluation) -> str:
    """Return links that hold all figures and all outputs."""
    whole = json.dumps(evaluation.to_json(), ensure_ascii=True, separators=(",", ":"))
    files = (
        ("all figures as JSON", "systems.json", "application/json", whole),
        ("systems as a table", "systems.tsv", "text/tab-separated-values",
         systems_tsv(evaluation)),
        ("outputs as a table", "segments.tsv", "text/tab-separated-values",
         segments_tsv(evaluation.segments)),
    )  # fmt: skip
    return ", ".join(_download(*file) for file in files)


def _download(words: str, name: str, kind: str, text: str) -> str:
    data = text.encode("utf-8", "surrogatepass")
    if len(data) > _PLAIN:
        data, name = gzip.compress(data, 6, mtime=0), f"{name}.gz"
        kind = "application/gzip"
    link = f"data:{kind};base64,{base64.b64encode(data).decode()}"
    return f'<a download="{name}" href="{link}">{words}</a>'
