# SPDX-License-Identifier: Apache-2.0
"""Scores of order metrics against the number of damaged words, in several languages.

    python -m bench degree [--sentences 60] [--languages en de cs fi zh]
    python -m bench degree --parser spacy --model ../shared/models/en_ewt_spacy --write

References with gold trees are those of the parallel treebanks (PUD), of 15 to 40 words.
Their words are moved, swapped, moved as phrases, replaced, or replaced and moved
(McCaffery 2017, 6.2.3); words to replace with come from the next sentence. With
--parser, references of WMT15 de-en are added, whose trees the parser makes, whose
replacements come from a system's output, and which structured metrics score. With
--write the tables go to bench/DEGREE.md and the curves to bench/degree-*.svg.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from bench import wmt
from bench.measure import ROOT
from tertium.engine.degrees import DegreeStudy, degree_study
from tertium.order.damage import KINDS, Source
from tertium.order.damage.files import read_sources
from tertium.report.draw.lines import Line, Panel, draw_panels

FLAT = {
    "Kendall": "kendall:tokenize=13a",
    "Spearman": "spearman:tokenize=13a",
    "Ulam": "ulam:tokenize=13a",
    "Hamming": "hamming:tokenize=13a",
    "fuzzy": "fuzzy:tokenize=13a",
    "PET": "pet:tokenize=13a",
    "PEF": "pef:tokenize=13a",
    "RECPEF": "recpef:tokenize=13a",
    "fb DTED": "dted:variant=b,flat=yes,tokenize=13a",
    "fc DTED": "dted:variant=c,flat=yes,tokenize=13a",
    "fco DTED": "dted:variant=co,flat=yes,tokenize=13a",
    "fcl DTED": "dted:variant=cl,flat=yes,tokenize=13a",
    "fDERP": "derp:flat=yes,tokenize=13a",
    "Meteor chunks": "meteor-chunking",
    "sentence BLEU": "sentbleu",
    "chrF": "chrf",
}
TREES = {
    "b DTED": "dted:variant=b",
    "c DTED": "dted:variant=c",
    "co DTED": "dted:variant=co",
    "cl DTED": "dted:variant=cl",
    "DERP": "derp",
}
#: Scores of these go from 0 to 100.
HUNDRED = ("sentence BLEU", "chrF")
#: Damaged sentences whose fb score is not 0.5 (McCaffery 2017, 7.3.3), in percent.
PUBLISHED = {"order": 58.0, "phrase": 13.0, "choice": 6.8}
WORDS = range(15, 41)
DEGREES = (1, 2, 3, 4, 6, 8, 10, 12, 15, 18)
DRAWN = ("Kendall", "Ulam", "Hamming", "fuzzy", "PEF", "fc DTED", "fDERP", "fb DTED")

ABOUT_NEUTRAL = """\
fb is 0.5 for texts of equal length, so only punctuation that was lost, or that the
tokeniser cuts otherwise, moves it. Damaged sentences in percent; the thesis has other
sentences, another tokeniser and other numbers of sentences per degree:"""
HEAD = """\
# Scores and the number of damaged words

Printed by

    python -m bench degree --sentences {sentences} --parser spacy \\
        --model ../shared/models/en_ewt_spacy --write

{sentences} references of 15 to 40 words per language, with gold trees (PUD), damaged
by every kind and by {degrees} words;
`en WMT15` are references of de-en, parsed by the model, with a system's words as
replacements. Not every sentence admits every degree, so large degrees rest on fewer
and longer sentences. Scores go from 0 to 1.

*unchanged*: damaged sentences that have exactly the score of the undamaged reference,
in percent: the metric does not see the damage. Words are cut as 13a does, for the
structured metrics as the parser does. ρ: Spearman's correlation of score and
degree over all damaged sentences of a kind; -1 if each further word lowers the score.

"""


def treebank(language: str, most: int) -> tuple[list[Source], list[Source]]:
    """Return sentences of a treebank with trees, and the next ones."""
    path = wmt.folder() / "ud" / f"{language}_pud.conllu.gz"
    sources = list(read_sources(path, punctuation="wide"))
    return chosen(sources, [*sources[1:], sources[0]], most)


def chosen(
    sources: Sequence[Source], hyps: Sequence[Source], most: int
) -> tuple[list[Source], list[Source]]:
    """Return sentences of a fit length, evenly spread over the file."""
    places = [i for i, one in enumerate(sources) if len(one.words) in WORDS]
    step = max(1, len(places) // most)
    places = places[::step][:most]
    return [sources[i] for i in places], [hyps[i] for i in places]


def translated(parser: str, model: str, most: int) -> tuple[list[Source], list[Source]]:
    """Return references of WMT15 de-en and a system's outputs, parsed."""
    from tertium.trees.conllu import Sentence, write_conllu
    from tertium.trees.parsing import cached_parser

    with gzip.open(
        wmt.folder() / "wmt15" / "de-en.tsv.gz", "rt", encoding="utf-8"
    ) as f:
        rows = [line.rstrip("\n").split("\t") for line in f]
    head, rows = rows[0], [row for row in rows[1:] if len(row[2].split()) in WORDS]
    rows = rows[:: max(1, len(rows) // (2 * most))]
    loaded = cached_parser(parser, model, processes=1)
    columns = []
    with tempfile.TemporaryDirectory() as folder:
        for column in (2, 3):
            texts = [
                " ".join(row[column].replace("\ufeff", "").split()) for row in rows
            ]
            path = Path(folder) / f"{head[column]}.conllu"
            trees = zip(loaded.parse(texts), texts, strict=True)
            write_conllu(str(path), (Sentence.from_tree(t, text=x) for t, x in trees))
            columns.append(list(read_sources(path)))
    return chosen(columns[0], columns[1], most)


def study(
    sources: Sequence[Source], hyps: Sequence[Source], metrics: dict[str, str]
) -> dict[str, DegreeStudy]:
    """Return the study of each metric, by its name in the report."""
    return {
        name: degree_study(
            sources,
            metrics=[spec],
            kinds=list(KINDS),
            degrees=DEGREES,
            hyps=hyps,
            threads=1,
        )
        for name, spec in metrics.items()
    }


def summaries(label: str, results: dict[str, DegreeStudy]) -> list[str]:
    """Return a table: metrics by kinds."""
    head = " | ".join(f"{kind}: mean, unchanged, ρ" for kind in KINDS)
    rows = [f"## {label}", "", f"| metric | {head} |", "|---" * (len(KINDS) + 1) + "|"]
    counts = {}
    for name, result in results.items():
        cells = []
        for one in result.summaries:
            counts[one.kind] = max(counts.get(one.kind, 0), one.sentences)
            if one.mean is None:
                cells.append("–")
                continue
            mean = one.mean / (100 if name in HUNDRED else 1)
            rho = "–" if one.rho is None else f"{one.rho:.2f}"
            cells.append(f"{mean:.2f}, {100 * one.unchanged:.1f} %, {rho}")
        rows.append(f"| {name} | {' | '.join(cells)} |")
    sizes = ", ".join(f"{kind} {number:,}" for kind, number in counts.items())
    return [*rows, "", f"Damaged sentences: {sizes}.", ""]


def curves(label: str, results: dict[str, DegreeStudy]) -> list[str]:
    """Return a table: mean scores by degree of moved words."""
    head = " | ".join(map(str, DEGREES))
    rows = [
        f"### {label}: mean score by degree, kind `order`",
        "",
        f"| metric | {head} |",
        "|---" * (len(DEGREES) + 1) + "|",
    ]
    for name, result in results.items():
        spec = result.points[0].metric
        curve = result.curve(spec, "order")
        scale = 100 if name in HUNDRED else 1
        cells = [f"{curve[d] / scale:.2f}" if d in curve else "–" for d in DEGREES]
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return [*rows, ""]


def neutral(results: dict[str, dict[str, DegreeStudy]]) -> list[str]:
    """Return how often the flattened b variant is not neutral, beside the thesis."""
    rows = [
        "## fb DTED away from 0.5",
        "",
        ABOUT_NEUTRAL,
        "",
        "| data | " + " | ".join(KINDS) + " |",
        "|---" * (len(KINDS) + 1) + "|",
    ]
    cells = [f"{PUBLISHED[k]:g} %" if k in PUBLISHED else "–" for k in KINDS]
    rows.append(f"| McCaffery 2017, 7.3.3 | {' | '.join(cells)} |")
    for label, one in results.items():
        cells = [
            "–" if s.unchanged is None else f"{100 * (1 - s.unchanged):.1f} %"
            for s in one["fb DTED"].summaries
        ]
        rows.append(f"| {label} | {' | '.join(cells)} |")
    head = " | ".join(map(str, DEGREES))
    rows += ["", "The share grows with the degree, in percent:", ""]
    rows += [f"| data, kind | {head} |", "|---" * (len(DEGREES) + 1) + "|"]
    for label, one in results.items():
        for kind in ("order", "phrase"):
            shares = {
                p.degree: p.unchanged
                for p in one["fb DTED"].points
                if p.kind == kind and p.unchanged is not None
            }
            cells = [
                f"{100 * (1 - shares[d]):.0f}" if d in shares else "–" for d in DEGREES
            ]
            rows.append(f"| {label}, {kind} | {' | '.join(cells)} |")
    return [*rows, ""]


def draw(label: str, results: dict[str, DegreeStudy]) -> str:
    """Return curves: one panel per kind."""
    names = [name for name in (*DRAWN, "c DTED", "DERP") if name in results]
    panels = []
    for kind in KINDS:
        lines = []
        for name in names:
            curve = results[name].curve(results[name].points[0].metric, kind)
            if curve:
                values = [curve.get(step) for step in range(DEGREES[-1] + 1)]
                lines.append(Line(name, values))
        if lines:
            panels.append(Panel(kind, lines))
    return draw_panels(
        f"Mean score by degree, {label}", panels, step="moved or replaced words"
    )


def main() -> None:
    """Run the study and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sentences", type=int, default=60)
    parser.add_argument(
        "--languages", nargs="+", default=["en", "de", "cs", "fi", "zh"]
    )
    parser.add_argument("--parser", default="")
    parser.add_argument("--model", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    results = {}
    for language in options.languages:
        start = time.time()
        data = treebank(language, options.sentences)
        results[f"{language} PUD"] = study(*data, FLAT)
        sys.stderr.write(f"{language}: {time.time() - start:.0f} s\n")
    if options.parser:
        start = time.time()
        data = translated(options.parser, options.model, options.sentences)
        how = f"parser={options.parser},model={options.model}"
        trees = {
            name: f"{spec}{',' if ':' in spec else ':'}{how}"
            for name, spec in TREES.items()
        }
        results["en WMT15"] = study(*data, FLAT | trees)
        sys.stderr.write(f"en WMT15: {time.time() - start:.0f} s\n")
    lines = neutral(results)
    for label, one in results.items():
        lines += summaries(label, one) + curves(label, one)
    text = "\n".join(lines).rstrip() + "\n"
    sys.stdout.write(text)
    if options.write:
        head = HEAD.format(
            sentences=options.sentences, degrees=", ".join(map(str, DEGREES))
        )
        pictures = []
        for label, one in results.items():
            name = f"degree-{label.lower().replace(' ', '-')}.svg"
            (ROOT / "bench" / name).write_text(draw(label, one), encoding="utf-8")
            pictures.append(f"![Mean score by degree, {label}]({name})\n")
        text = f"{head}{text}\n## Curves\n\n" + "\n".join(pictures)
        (ROOT / "bench" / "DEGREE.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
