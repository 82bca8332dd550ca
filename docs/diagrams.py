# SPDX-License-Identifier: Apache-2.0
"""Diagrams for the pages, made by `tertium.explain` when the pages are built.

A page gets one where it says ``<!-- diagram NAME METRIC -->``, or ``<!-- diagram
automaton PATTERN -->`` for a pattern of the light notation, or ``<!-- diagram tuning
-->`` for the decoder of its guide, or ``<!-- diagram preorder blocks -->`` or ``tree``
for a reordered sentence, or ``<!-- diagram cache -->``, ``cluster``, ``judge``,
``bertscore``, ``resegment`` or ``spans``; metric pages get theirs from the table below.
The sentences and their trees were written for this purpose.
"""

from __future__ import annotations

import html
import json
import re
import shlex
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import tertium
from docs import bertscore_diagram, cluster_diagram, judge_diagram
from docs.cache_diagram import cache_figure
from docs.examples import files
from docs.resegment_diagram import resegment_figure
from docs.span_diagram import span_figure
from tertium.align import AlignerSettings
from tertium.data.annotated import Annotated
from tertium.grammars import Automaton, parse_light
from tertium.metrics import metric_class
from tertium.preorder import Reordering
from tertium.report.draw.automaton import draw_automaton
from tertium.report.draw.palette import dark_rules
from tertium.report.preorder.diagrams import draw_blocks, draw_tree
from tertium.report.tuning.page import run_diagram
from tertium.trees import DependencyTree
from tertium.tuning.decoding.loop import tune_decoder

_PLACE = re.compile(r"<!-- diagram (\w+)(?: (.+?))? -->")

_SHORT = ("at noon we will meet", "we will meet at noon today")
# Straight, inverted and one tangle of four blocks: every kind of node.
_ORDER = (
    "rejected after a debate long the committee the plan last week",
    "the committee rejected the plan after a long debate last week",
)
_WORDS = (
    "last week the committee rejects a plan",
    "the committees rejected the plan last week",
)
# English, and the order of a head-final language.
_REORDERED = ("Emma said that Felix opened the box", (0, 3, 5, 6, 4, 2, 1))
_TREES = (
    DependencyTree(
        ("yesterday", "our", "old", "neighbour", "sold", "the", "car"),
        (5, 4, 4, 5, 0, 7, 5),
        ("advmod", "nmod", "amod", "nsubj", "root", "det", "obj"),
    ),
    DependencyTree(
        ("our", "neighbour", "sold", "his", "old", "car", "yesterday"),
        (2, 3, 0, 6, 6, 3, 3),
        ("nmod", "nsubj", "root", "nmod", "amod", "obj", "advmod"),
    ),
)

#: The diagram and what to look at, by metric.
_BY_METRIC = {
    **dict.fromkeys(
        ("kendall", "sqrt-kendall", "spearman", "hamming", "ulam", "fuzzy"),
        (
            "forest",
            (
                "Lines that cross join pairs of words out of order. The tree above "
                "shows the same order by blocks; this metric does not look at it."
            ),
        ),
    ),
    **dict.fromkeys(
        ("recpef", "pef", "n-pets", "log-pets"),
        (
            "forest",
            (
                "A node with three children or more in order, or all in reverse, "
                "stands for every way to bracket them: that makes the tree a forest."
            ),
        ),
    ),
    **dict.fromkeys(
        (
            "recpet",
            "pet",
            "pet-size",
            "max-op",
            "straight-ratio",
            "inverted-ratio",
            "avg-arity",
        ),
        (
            "tree",
            (
                "The canonical tree. Its nodes are straight, inverted, or a tangle of "
                "four blocks or more that no smaller steps can sort."
            ),
        ),
    ),
    **dict.fromkeys(
        ("lrscore", "link-tau", "aligned-percentage"),
        ("alignment", "Words without a mark are not aligned."),
    ),
    "ter": ("alignment", "A block that moved is one shift; a missing word one edit."),
    "cder": ("alignment", "To go on after another block is one jump."),
    "per": ("alignment", "Every match counts, wherever its words stand."),
    "ribes": (
        "alignment",
        "Equal words that are unique, or that their neighbours make unique.",
    ),
    "meteor": ("alignment", "A chunk is a run of marks down the diagonal."),
    "meteor-chunking": ("alignment", "A chunk is a run of marks down the diagonal."),
    "dted": (
        "dependencies",
        (
            "Blue words are matched, orange ones renamed; red ones are deleted from "
            "the output or inserted from the reference."
        ),
    ),
    "headword-chain": (
        "dependencies",
        "A chain goes up from a word to its head, to the head of that, and so on.",
    ),
    "dependency-f": (
        "dependencies",
        (
            "An arc counts if the reference has one with the same words and label. "
            "Colours are those of the edit script of DTED, not of this metric."
        ),
    ),
    "derp": (
        "derp",
        (
            "The spanning tree of the aligned words; labels give the cost of an edge "
            "and the most it could cost. A word that moved across its head costs one; "
            "a word that hangs elsewhere costs what the labels on its path differ by."
        ),
    ),
}

#: What the text of `tertium explain` says, by metric.
_SECTIONS = {
    **dict.fromkeys(
        ("bleu", "bleu1", "bleu-nrc", "sentbleu", "sentbleu-plus1", "nist"), "N-grams"
    ),
    "wer": "Word edits",
    "amber": "amber",
    "layered": "layered",
    "semantic-esa": "semantic-esa",
}


def metric_section(name: str) -> list[str]:
    """Return the part of a metric's page that `explain` makes."""
    if name in _BY_METRIC:
        diagram, about = _BY_METRIC[name]
        shown = [figure(diagram, about, metric=name)]
    elif name in _SECTIONS:
        shown = [_excerpt(name, _SECTIONS[name])]
    else:
        return []
    return ["## Explained\n", *shown, ""]


def fill(markdown: str) -> str:
    """Return a page with its diagrams in place."""

    def drawn(place: re.Match[str]) -> str:
        if place[1] == "automaton":
            return automaton(place[2])
        if place[1] == "cache":
            return cache_figure()
        if place[1] == "resegment":
            return resegment_figure()
        if place[1] == "spans":
            return span_figure()
        if place[1] == "tuning":
            return tuning(files(markdown))
        if place[1] == "preorder":
            return reordered(place[2])
        if place[1] == "cluster":
            return cluster()
        if place[1] == "judge":
            return judge()
        if place[1] == "bertscore":
            return bertscore()
        return figure(place[1], metric=place[2] or "pef")

    return _PLACE.sub(drawn, markdown)


def readme_picture() -> str:
    """Return the diagram at the top of the README, docs/explain.svg."""
    return tertium.explain(*_ORDER).to_svg("forest") + "\n"


def automaton(pattern: str) -> str:
    """Return the automaton of a pattern, as HTML."""
    references = Automaton.from_expression(parse_light(pattern))
    canvas = draw_automaton(references, name=pattern)
    return (
        f'<figure class="diagram"><div class="scroll">{canvas.to_svg()}</div>'
        f"<figcaption><code>{html.escape(pattern)}</code></figcaption></figure>\n"
    )


def tuning(inputs: Mapping[str, str]) -> str:
    """Return the run of a guide's decoder by iteration, as HTML.

    Parameters
    ----------
    inputs : mapping of str to str
        The files of the guide: decoder.py, ref.txt, start.json.
    """
    with tempfile.TemporaryDirectory() as folder:
        decoder = Path(folder, "decoder.py")
        decoder.write_text(inputs["decoder.py"], encoding="utf-8")
        run = tune_decoder(
            f"{shlex.join([sys.executable, str(decoder)])} {{weights}} {{nbest}}",
            inputs["ref.txt"].splitlines(),
            folder=Path(folder, "run"),
            start=json.loads(inputs["start.json"]),
            step=0.3,
            seed=1,
        )
    caption = "The run below, as its page draws it; a ring marks the best iteration."
    return (
        f'<figure class="diagram"><div class="scroll">{run_diagram(run)}</div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def reordered(kind: str) -> str:
    """Return a sentence and its head-final order as blocks or as a tree, as HTML."""
    text, order = _REORDERED
    draw = {"blocks": draw_blocks, "tree": draw_tree}[kind]
    canvas = draw(text.split(), Reordering(order))
    caption = {
        "blocks": "An English sentence and the order of its words in Japanese.",
        "tree": "The same as a permutation tree: an inverted node swaps its parts.",
    }[kind]
    return (
        f'<figure class="diagram"><div class="scroll">{canvas.to_svg()}</div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def cluster() -> str:
    """Return who sends what to whom in a cluster, as HTML."""
    caption = (
        "Where workers see the files, only paths and offsets travel to them; elsewhere "
        "the texts do. Statistics come back, and are added up in order."
    )
    return (
        f'<figure class="diagram"><div class="scroll">{cluster_diagram.draw().to_svg()}'
        f"</div><figcaption>{caption}</figcaption></figure>\n"
    )


def judge() -> str:
    """Return what goes where when a language model judges, as HTML."""
    caption = (
        "Outputs go to a server of your choice; raw answers are kept, and what they "
        "say is stored like the judgements of people."
    )
    return (
        f'<figure class="diagram"><div class="scroll">{judge_diagram.draw().to_svg()}'
        f"</div><figcaption>{caption}</figcaption></figure>\n"
    )


def bertscore() -> str:
    """Return the cosines of the pieces of two texts, as HTML."""
    caption = (
        "Every piece of the output (rows) with every piece of the reference. Precision "
        "is the mean of the best of each row (blue); recall is the mean of the best of "
        "each column (blue, or orange where it is not the best of its row)."
    )
    svg = bertscore_diagram.draw().to_svg()
    return (
        f'<figure class="diagram"><div class="scroll">{svg}</div>'
        f"<figcaption>{caption}</figcaption></figure>\n"
    )


def figure(diagram: str, about: str = "", *, metric: str) -> str:
    """Return a diagram with a caption, as HTML."""
    explanation = _explanation(diagram, metric)
    score, svg = explanation.scores[0], explanation.to_svg(diagram)
    caption = (
        f"Output <em>{html.escape(' '.join(explanation.hyp))}</em>, reference "
        f"<em>{html.escape(' '.join(explanation.ref))}</em>: {html.escape(score.spec)} "
        f"{score.shown}. {html.escape(about)}"
    )
    return (
        f'<figure class="diagram"><div class="scroll">{svg}</div>'
        f"<figcaption>{caption.strip()}</figcaption></figure>\n"
    )


def _explanation(diagram: str, metric: str) -> tertium.Explanation:
    if diagram in ("dependencies", "derp"):
        hyp, ref = (Annotated(" ".join(tree.forms), {"tree": tree}) for tree in _TREES)
        return tertium.explain(hyp, ref, metrics=[metric], variant="c")
    if metric == "ribes":
        settings = AlignerSettings(aligner="context", lowercase=False)
        return tertium.explain(*_ORDER, metrics=[metric], alignment=settings)
    if metric in ("ter", "cder", "per"):
        settings = AlignerSettings(lowercase=metric == "ter")
        return tertium.explain(*_SHORT, metrics=[metric], alignment=settings)
    texts = _WORDS if diagram == "alignment" else _ORDER
    return tertium.explain(*texts, metrics=[metric])


def _excerpt(name: str, title: str) -> str:
    """Return one section of the text that `tertium explain` prints."""
    hyp, ref = _SHORT
    spec = metric_class(name).example or name
    text = tertium.explain(hyp, ref, metrics=[spec]).to_text()
    section = next(part for part in text.split("\n\n") if part.startswith(title))
    command = f'tertium explain --hyp "{hyp}" --ref "{ref}" -m {spec}'
    return (
        f"`{command}` prints, among other things:\n\n```text\n{section.rstrip()}\n```\n"
    )


def style() -> str:
    """Return the colours of diagrams on dark pages."""
    return "\n".join(
        [
            *dark_rules('[data-md-color-scheme="slate"] .diagram svg'),
            # Last, and as specific: diagrams stand on the page itself.
            "[data-md-color-scheme] .diagram svg .paper{fill:none}",
            (
                "[data-md-color-scheme] .diagram svg .veil"
                "{fill:var(--md-default-bg-color)}"
            ),
        ]
    )
