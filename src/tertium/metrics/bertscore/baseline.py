# SPDX-License-Identifier: Apache-2.0
"""Baselines of BERTScore: the mean score of sentences that have nothing in common.

A file has one line per layer, after a head, as in bert-score: ``LAYER,P,R,F``. Make one
from a text with one sentence per line, in the language that is scored:

    python -m tertium.metrics.bertscore.baseline CORPUS -o FILE
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tertium._files import replace_file
from tertium._seed import SEED
from tertium.data.lines import open_lines
from tertium.encoders.models import DEFAULT, find_model
from tertium.errors import FormatError, InputError, TertiumError
from tertium.metrics.bertscore.matcher import Matcher

__all__ = ["Baseline", "find_baseline", "make_baseline", "read_baseline"]

_HEAD = ["LAYER", "P", "R", "F"]
_MEASURES = {"precision": 0, "recall": 1, "f1": 2}
_FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "baselines")
_PLACES = 6


@dataclass(frozen=True)
class Baseline:
    """What unrelated sentences score in every layer.

    Parameters
    ----------
    layers : mapping of int to (float, float, float)
        Precision, recall and F1 of every layer.
    name : str
        Of the file, for messages.
    """

    layers: Mapping[int, tuple[float, float, float]]
    name: str = ""

    @property
    def checksum(self) -> str:
        """What identifies the numbers: eight hexadecimal digits."""
        return f"{zlib.crc32(self.to_text().encode()):08x}"

    def rescaled(self, value: float, measure: str, layer: int | None) -> float:
        """Return a score with the baseline as 0, and 1 as 1.

        Raises
        ------
        InputError
            If there is no baseline of the layer.
        """
        layer = max(self.layers, default=-1) if layer is None else layer
        if layer not in self.layers:
            message = (
                f"{self.name} has no line for layer {layer}, but for "
                f"{', '.join(map(str, sorted(self.layers)))}; change the layer"
            )
            raise InputError(message)
        low = self.layers[layer][_MEASURES[measure]]
        return (value - low) / (1 - low)

    def to_text(self) -> str:
        """Return the lines of a file."""
        lines = [
            ",".join([str(layer), *(f"{value:.{_PLACES}f}" for value in values)])
            for layer, values in sorted(self.layers.items())
        ]
        return "\n".join([",".join(_HEAD), *lines]) + "\n"


def find_baseline(path: str, *, name: str = DEFAULT) -> Baseline:
    """Return the baseline of a file, or the one of the default model for English."""
    return read_baseline(path or os.path.join(_FOLDER, f"{name}.en.tsv"))


def read_baseline(path: str) -> Baseline:
    """Return the baseline of a file.

    Raises
    ------
    FormatError
        If it cannot be read, or a line is wrong.
    """
    layers: dict[int, tuple[float, float, float]] = {}
    number = 0
    for number, row in enumerate(csv.reader(open_lines(path)), start=1):
        if number == 1 and row == _HEAD:
            continue
        try:
            layer, *values = row
            p, r, f1 = map(float, values)
            if number == 1 or not all(-1 <= value < 1 for value in (p, r, f1)):
                raise ValueError
            layers[int(layer)] = (p, r, f1)
        except ValueError:
            what = "expected LAYER,P,R,F and a line such as 4,0.31,0.31,0.30"
            raise FormatError(what, path=path, line=number) from None
    if not layers:
        what = "has no layer; write LAYER,P,R,F and one line per layer"
        raise FormatError(what, path=path)
    return Baseline(layers, os.path.basename(path))


def make_baseline(
    texts: Sequence[str],
    *,
    model: str = "",
    pairs: int = 1000,
    seed: int = SEED,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Baseline:
    """Return the mean scores of random pairs of different sentences, for every layer.

    Parameters
    ----------
    texts : sequence of str
        Sentences in the language that is scored, which have nothing to do with each
        other.
    model : str
        As in ``bertscore:model=PATH``. A graph that gives its last layer alone has a
        baseline of that layer alone.
    pairs : int
        How many pairs are sampled.
    seed : int
    threads : int, optional
    progress : callable, optional
        Called with the layer that is next.

    Raises
    ------
    InputError
        If there are not two different sentences.
    """
    distinct = sorted({text.strip() for text in texts} - {""})
    if len(distinct) < 2 or pairs < 1:
        message = "a baseline needs at least one pair of different sentences"
        raise InputError(f"{message}; give a corpus with one sentence per line")
    chance = random.Random(seed)  # noqa: S311 (not a secret)
    chosen = [chance.sample(range(len(distinct)), 2) for _ in range(pairs)]
    where = find_model(model)
    wanted: list[int | None] = [None]
    if where.layers is not None:
        wanted = list(range(where.layers + 1))
    layers = {}
    for layer in wanted:
        encoder = where.encoder(layer)
        if progress:
            progress(encoder.layer)
        matcher = Matcher(encoder, where.longest)
        numbers = [
            (matcher.numbers(distinct[a]), matcher.numbers(distinct[b]))
            for a, b in chosen
        ]
        matches = matcher.all(numbers, None, threads=threads or os.cpu_count() or 1)
        columns = zip(*(matches[pair] for pair in numbers), strict=True)
        p, r, f1 = (round(sum(column) / pairs, _PLACES) for column in columns)
        layers[max(encoder.layer, 0)] = (p, r, f1)
    return Baseline(layers, where.name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(
        prog="python -m tertium.metrics.bertscore.baseline",
        description="Make a baseline for bertscore:rescale=yes,baseline=FILE.",
    )
    parser.add_argument("corpus", help="a text, one sentence per line, maybe packed")
    parser.add_argument("-o", "--output", metavar="FILE", required=True)
    parser.add_argument(
        "--model", default="", metavar="PATH", help=f"(default: {DEFAULT})"
    )
    parser.add_argument("--pairs", type=int, default=1000, metavar="N")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N")
    options = parser.parse_args(arguments)

    def progress(layer: int) -> None:
        sys.stderr.write(f"layer {layer}\n")

    try:
        text = make_baseline(
            list(open_lines(options.corpus)),
            model=options.model,
            pairs=options.pairs,
            seed=options.seed,
            progress=progress,
        ).to_text()
        with replace_file(options.output) as file:
            file.write(text.encode())
    except TertiumError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
