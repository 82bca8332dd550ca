# SPDX-License-Identifier: Apache-2.0
"""The book of reproductions: a page per document, from what was printed and came out.

``python -m bench book`` computes the results in bench/published/results and has these
pages written; nothing in them is typed but what documents/*.toml of
`tertium.reproductions` say.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tertium.report.reproductions import (
    claims_table,
    comparison_tables,
    documents_table,
    draw_comparison,
)
from tertium.report.reproductions.tables import verdict_of
from tertium.report.tables.table import Table, as_text
from tertium.reproductions import (
    Document,
    Exhibit,
    Outcome,
    Verdict,
    documents,
    read_outcomes,
)

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench" / "published" / "results"
FOLDER = ROOT / "docs" / "reproductions"

_VERDICTS = {
    Verdict.EQUAL: "on the same data, the published figures lie within the 95 % "
    "intervals of ours (without an interval: all printed digits are equal)",
    Verdict.PATTERN: "what the document concludes from it holds here too",
    Verdict.DIFFERS: "at least one of its conclusions does not hold here",
    Verdict.IMPOSSIBLE: "the data are not public, or it is a picture without figures",
}
_INDEX = """\
# Reproductions

Tertium was built from research, and this book holds it to account: every table and
figure of the documents it came from, computed again beside what was printed.

{counts}

{verdicts}

Verdicts are computed, not written: the claims under a table are tested, and intervals
come from a bootstrap over segments. `make reproductions` computes all results and
writes these pages; `tertium reproduce NAME --data DIR` repeats one of them on your copy
of the data.

{documents}
"""


def stored() -> dict[str, Outcome]:
    """Return the stored outcomes of all documents by the names of exhibits."""
    outcomes: dict[str, Outcome] = {}
    for path in sorted(RESULTS.glob("*.json")):
        outcomes |= read_outcomes(path)
    return outcomes


def files() -> dict[str, str]:
    """Return the text of every page and chart by its name in the folder."""
    outcomes = stored()
    made = {"index.md": index(outcomes)}
    for document in documents():
        made[f"{document.name}.md"] = page(document, outcomes)
        for exhibit in document.exhibits:
            outcome = outcomes.get(exhibit.name)
            if outcome and (chart := draw_comparison(exhibit, outcome)):
                made[_chart(exhibit)] = chart
    return made


def write() -> None:
    """Write all pages and charts, and remove those of exhibits that are gone."""
    made = files()
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def index(outcomes: Mapping[str, Outcome]) -> str:
    """Return the first page: what there is, and how it came out."""
    table = as_text([documents_table(documents(), outcomes)], "md")
    verdicts = "\n".join(f"- *{v.value}*: {text}." for v, text in _VERDICTS.items())
    listed = "\n\n".join(
        f"**[{document.title}]({document.name}.md)**, {document.authors} "
        f"{document.year}. {document.conclusion}"
        for document in documents()
    )
    return _INDEX.format(counts=table.strip(), verdicts=verdicts, documents=listed)


def page(document: Document, outcomes: Mapping[str, Outcome]) -> str:
    """Return the page of a document."""
    guides = ", ".join(
        f"[{_title(guide)}](../guides/{guide}.md)" for guide in document.guides
    )
    parts = [
        f"# {document.title}",
        document.conclusion,
        f"{document.authors} {document.year}, {document.venue}. Guides: {guides}.",
        _summary(document, outcomes),
    ]
    parts += [
        section(exhibit, outcomes.get(exhibit.name)) for exhibit in document.exhibits
    ]
    return "\n\n".join(parts) + "\n"


def section(exhibit: Exhibit, outcome: Outcome | None) -> str:
    """Return the part of a page about one table or figure."""
    verdict = verdict_of(exhibit, outcome)
    shown = "not run" if verdict is None else verdict.value
    parts = [f"## {exhibit.label}: {shown}", f"{exhibit.about} ({exhibit.page})"]
    facts = [f"*Published on*: {exhibit.data}."]
    if exhibit.here:
        facts.append(f"*Here*: {exhibit.here}.")
    if outcome is None:
        return "\n\n".join([*parts, " ".join(facts), exhibit.why])
    needs = " --data DIR" if exhibit.needs_data else ""
    facts.append(f"*Command*: `tertium reproduce {exhibit.name}{needs}`.")
    parts.append(" ".join(facts))
    for table in comparison_tables(exhibit, outcome):
        title = f"**{table.title[:1].upper()}{table.title[1:]}**" if table.title else ""
        # Zensical drops an empty first cell of a head.
        head = [table.head[0] or "&nbsp;", *table.head[1:]]
        body = as_text([Table(head, table.rows)], "md").strip()
        parts += [part for part in (title, body, table.note) if part]
    if outcome.claims:
        parts.append(as_text([claims_table(outcome)], "md").strip())
    parts.append(f"*Why*: {exhibit.why}")
    if draw_comparison(exhibit, outcome):
        parts.append(f"![{exhibit.label}, published and ours]({_chart(exhibit)})")
    return "\n\n".join(parts)


def _summary(document: Document, outcomes: Mapping[str, Outcome]) -> str:
    lines = ["| exhibit | verdict | what it claims |", "| --- | --- | --- |"]
    for exhibit in document.exhibits:
        verdict = verdict_of(exhibit, outcomes.get(exhibit.name))
        shown = "not run" if verdict is None else verdict.value
        # As Markdown makes it of the heading: Table 3.1 is table-31.
        plain = re.sub(r"[^\w\s-]", "", f"{exhibit.label}: {shown}".lower())
        anchor = re.sub(r"\s+", "-", plain)
        about = exhibit.about.replace("|", "\\|")
        lines.append(f"| [{exhibit.label}](#{anchor}) | {shown} | {about} |")
    return "\n".join(lines)


def _chart(exhibit: Exhibit) -> str:
    return f"{exhibit.name.replace('/', '-')}.svg"


def _title(guide: str) -> str:
    text = (ROOT / "docs" / "guides" / f"{guide}.md").read_text(encoding="utf-8")
    return text.partition("\n")[0].removeprefix("# ")
