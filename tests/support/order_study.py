# SPDX-License-Identifier: Apache-2.0
"""A small study of word order: texts, trees, word links and ratings of two systems."""

from __future__ import annotations

from itertools import product
from pathlib import Path

__all__ = ["JUDGES", "SCALES", "write_study"]

REFS = (
    "she reads long books",
    "the old dog sleeps",
    "we saw him yesterday",
    "rain fell all night",
    "nobody answered the phone",
    "trains stop here",
)
OUTPUTS = {
    "A": (
        "she reads long books",
        "the dog old sleeps",
        "we saw yesterday him",
        "rain fell all night",
        "nobody the phone answered",
        "rails",
    ),
    "B": (
        "books she long reads",
        "old the sleeps dog",
        "him saw we yesterday",
        "all night fell rain",
        "the nobody phone answered",
        "here stop trains",
    ),
}
HEADS = {3: (2, 0, 2), 4: (2, 0, 4, 2), 1: (0,)}
JUDGES = ("kim", "lee", "max")
#: The scales of ratings, with the boxes of A and B, one digit per segment.
SCALES = {
    "order": {"A": "545522", "B": "211133"},
    "adequacy": {"A": "544531", "B": "322132"},
}
STRICT = {"kim": 0, "lee": -1, "max": 1}


def write_study(folder: Path) -> None:
    """Write ``de-en.tsv``, trees, links and ``ratings.tsv`` to a folder."""
    lines = ["seg\treference\tA\tB"]
    for number, texts in enumerate(zip(REFS, *OUTPUTS.values(), strict=True), start=1):
        lines.append("\t".join([str(number), *texts]))
    _write(folder / "de-en.tsv", lines)
    _write(folder / "ref.conllu", _trees(REFS))
    for name, texts in OUTPUTS.items():
        _write(folder / f"{name}.conllu", _trees(texts))
        pairs = zip(texts, REFS, strict=True)
        _write(folder / f"{name}.links", [_links(hyp, ref) for hyp, ref in pairs])
    _write(folder / "ratings.tsv", _ratings())


def _ratings() -> list[str]:
    rows = ["system\tsegment\tjudge\tlangpair\torder\tadequacy"]
    for place, name, judge in product(range(len(REFS)), OUTPUTS, JUDGES):
        if (place, judge) == (0, "max"):
            continue  # judges need not rate everything
        boxes = [int(boxes[name][place]) + STRICT[judge] for boxes in SCALES.values()]
        shown = [str(min(5, max(1, box))) for box in boxes]
        rows.append("\t".join([name, str(place + 1), judge, "de-en", *shown]))
    return rows


def _trees(texts: tuple[str, ...]) -> list[str]:
    lines = []
    for text in texts:
        words = text.split()
        for place, word in enumerate(words):
            head = HEADS[len(words)][place]
            label = "dep" if head else "root"
            lines.append(f"{place + 1}\t{word}\t_\t_\t_\t_\t{head}\t{label}\t_\t_")
        lines.append("")
    return lines


def _links(hyp: str, ref: str) -> str:
    """Return links of equal words, which no sentence has twice."""
    places = ref.split()
    return " ".join(
        f"{i}-{places.index(word)}"
        for i, word in enumerate(hyp.split())
        if word in places
    )


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
