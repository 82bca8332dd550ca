# SPDX-License-Identifier: Apache-2.0
"""Alignment error and time of the bilingual aligners on four gold sets.

    python -m bench bilingual [--systran PYTHON] [--sets roen zhen ...]

Prints precision, recall, alignment error rate, wall and CPU time of the built-in
aligner, of eflomal and of fast_align (systran-align), all trained on the same pairs:
the gold texts alone, and for Japanese-English also with the 50,000 pairs of the
preordering corpus (jaen+50k). Links of both directions are joined by
grow-diag-final-and. A peer that is not installed is left out; --systran names a Python
that has systran-align.
"eflomal, stems" gets texts cut to the stems that the built-in aligner uses.

The settings of the built-in aligner were chosen on roen and zhen. jaen and enfr are for
the report alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.measure import ROOT
from tertium.align import (
    BilingualAligner,
    Eflomal,
    HmmAligner,
    Links,
    alignment_quality,
    as_links,
    read_pharaoh,
    symmetrise_all,
)
from tertium.errors import MissingExtraError

DATA = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
SETS = ("roen", "zhen", "jaen", "jaen+50k", "enfr")

Texts = Sequence[str]

_SYSTRAN = """
import json, os, sys, systran_align
folder = sys.argv[1]
place = lambda name: os.path.join(folder, name)
systran_align.generate_alignment_probabilities(
    place("input"), place("forward"), place("backward"), favor_diagonal=True,
    optimize_tension=True, variational_bayes=True)
aligner = systran_align.Aligner(place("forward"), place("backward"))
with open(place("input"), encoding="utf-8") as lines:
    pairs = [[side.split() for side in line.split("|||")] for line in lines]
found = aligner.align_batch(*map(list, zip(*pairs)))
with open(place("links"), "w") as out:
    json.dump([one["alignments"] for one in found], out)
"""


def texts(name: str) -> tuple[list[str], list[str], int]:
    """Return sources, targets, and how many of them have manual links."""
    pair, _, more = name.partition("+")
    rows = [row.split(" ||| ") for row in _lines(DATA / "align" / f"{pair}.src-tgt.gz")]
    # The ideographic space is a word of the Japanese texts.
    left, right = (
        [" ".join(row[side].replace("\u3000", "_").split()) for row in rows]
        for side in (0, 1)
    )
    if more:
        corpus = _lines(DATA / "preorder" / "enja.train.tsv.gz")
        for english, japanese in (line.split("\t") for line in corpus):
            left.append(japanese)
            right.append(english)
    return left, right, len(rows)


def both_ways(make: Callable[[], BilingualAligner]) -> Callable[[Texts, Texts], object]:
    """Return a job that aligns in both directions and symmetrises."""

    def job(sources: Texts, targets: Texts) -> list[Links]:
        return symmetrise_all(*make().align(sources, targets))

    return job


def eflomal_stems(sources: Texts, targets: Texts) -> list[Links]:
    """Align stems by eflomal."""
    length = HmmAligner().stem_length
    left, right = (
        [" ".join(word.lower()[:length] for word in text.split()) for text in side]
        for side in (sources, targets)
    )
    return symmetrise_all(*Eflomal().align(left, right))


def systran(python: str, sources: Texts, targets: Texts) -> list[Links]:
    """Align by fast_align, which symmetrises by itself."""
    with tempfile.TemporaryDirectory() as folder:
        lines = [f"{s} ||| {t}\n" for s, t in zip(sources, targets, strict=True)]
        Path(folder, "input").write_text("".join(lines), encoding="utf-8")
        command = [python, "-c", _SYSTRAN, folder]
        subprocess.run(command, check=True, capture_output=True)
        segments = json.loads(Path(folder, "links").read_text(encoding="utf-8"))
    return [as_links(segment) for segment in segments]


def measure(name: str, jobs: dict[str, Callable[[Texts, Texts], object]]) -> None:
    """Print one row per aligner."""
    sources, targets, size = texts(name)
    gold = read_pharaoh(DATA / "align" / f"{name.partition('+')[0]}.gold.gz", base=1)
    for label, job in jobs.items():
        before, start = os.times(), time.perf_counter()
        try:
            links = job(sources, targets)
        except (MissingExtraError, subprocess.CalledProcessError):
            print(f"{name:9} {label:16} not installed", flush=True)
            continue
        wall, after = time.perf_counter() - start, os.times()
        cpu = sum(after[:4]) - sum(before[:4])
        quality = alignment_quality(links[:size], gold)
        figures = (quality.precision, quality.recall, quality.aer)
        print(
            f"{name:9} {label:16}",
            *(f"{figure:9.4f}" for figure in figures),
            f"{wall:8.1f} {cpu:8.1f}",
            flush=True,
        )


def _lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        return [line.rstrip("\n") for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--systran", metavar="PYTHON", default=sys.executable)
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    options = parser.parse_args()
    jobs: dict[str, Callable[[Texts, Texts], object]] = {
        "tertium": both_ways(HmmAligner),
        "eflomal": both_ways(Eflomal),
        "eflomal, stems": eflomal_stems,
        "fast_align": lambda *pair: systran(options.systran, *pair),
    }
    print(f"{'set':9} {'aligner':16} precision    recall       AER  wall (s)  CPU (s)")
    for name in options.sets:
        measure(name, jobs)


if __name__ == "__main__":
    main()
