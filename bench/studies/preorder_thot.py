# SPDX-License-Identifier: Apache-2.0
"""Translation from a reordered source: Thot on plain, gold and predicted orders.

    python -m bench preorder_thot --python THOT_PYTHON [--folder FOLDER] [--write]

English-Japanese. One Thot is trained on plain English, one on English in gold order,
which follows from the links of the training data. Lines held back from everything are
then translated in the order that each model predicts, by a decoder that may move
phrases and by a monotone one. THOT_PYTHON is a Python with ``sil-thot`` and
``sil-machine``. All steps are kept in the folder; with --write the report goes to
bench/PREORDER_MT.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies.beer_report import table
from bench.studies.thot_decoder import COMPONENTS
from tertium.align.links import Links
from tertium.align.pharaoh import read_pharaoh
from tertium.data.formats.nbest import read_nbest
from tertium.engine.comparison import Comparison
from tertium.preorder import gold_orders, load, train

DECODER = Path(__file__).with_name("thot_decoder.py")
REPORT = ROOT / "bench" / "PREORDER_MT.md"
METRICS = ("bleu:tokenize=none", "ribes", "ter")
#: Lines for Thot (the first), for the preordering models (all but the last), to test.
TRANSLATED, TESTED = 5000, 500
MODELS = ("grammar", "btg", "combined")
JUMP = 2  # positions that a phrase may jump; 0 is monotone
RESAMPLES = 1000
#: Stanojević (2017), table 3.2: BLEU, TER, RIBES.
PUBLISHED = {
    "plain": (27.8, 59.2, 68.29),
    "grammar": (32.0, 55.7, 75.62),
    "btg": (31.1, 56.0, 74.29),
}

HEAD = f"""\
# Translation from a reordered source

Written by `python -m bench preorder_thot --write`.

Thot (sil-thot, phrase-based, equal weights, not tuned), English-Japanese, trained on
{TRANSLATED:,} pairs of the Tanaka corpus, tested on {TESTED} other lines. *plain*
is a Thot trained on plain English; all others use one trained on English in gold order,
and differ in the order of the test lines: predicted by a model that learnt from
all pairs but these lines, or *gold*, which only the links of the test lines know.
Differences from plain English have 95 % intervals of a paired bootstrap,
{RESAMPLES:,} resamples. Published: Stanojević (2017), table 3.2, on patents with a
tuned Moses; only the direction compares.
"""
Words = list[str]


@dataclass(frozen=True)
class Study:
    """The data and where everything is kept."""

    folder: Path
    python: str

    @cached_property
    def pairs(self) -> list[tuple[Words, str]]:
        """All pairs: English words, and the Japanese text."""
        with gzip.open(wmt.folder() / "preorder" / "enja.train.tsv.gz", "rt") as file:
            columns = (line.rstrip("\n").split("\t") for line in file)
            return [(english.split(), japanese) for english, japanese in columns]

    @cached_property
    def links(self) -> list[Links]:
        """The links of all pairs."""
        return read_pharaoh(wmt.folder() / "preorder" / "enja.train.gdfa.gz")

    @property
    def tested(self) -> slice:
        """The lines held back."""
        return slice(len(self.pairs) - TESTED, None)

    def gold(self, lines: slice) -> list[Words]:
        """Return lines of English in gold order."""
        sentences = self.plain(lines)
        golds = gold_orders(sentences, self.links[lines])
        return [
            [words[i] for i in gold.order]
            for words, gold in zip(sentences, golds, strict=True)
        ]

    def plain(self, lines: slice) -> list[Words]:
        """Return lines of English as they are."""
        return [words for words, _ in self.pairs[lines]]

    def predicted(self, kind: str) -> list[Words]:
        """Return the lines held back in the order of a model, trained on the others."""
        path = self.folder / kind
        if not path.exists():
            say(f"training the {kind}")
            end = len(self.pairs) - TESTED
            model = train(self.plain(slice(end)), self.links[:end], model=kind)
            model.save(path)
        sentences = self.plain(self.tested)
        orders = load(path).apply(sentences)
        return [o.reorder(words) for o, words in zip(orders, sentences, strict=True)]

    def thot(self, *words: object) -> None:
        """Run Thot."""
        subprocess.run([self.python, DECODER, *map(str, words)], check=True)

    def trained(self, name: str, source: Callable[[slice], list[Words]]) -> Path:
        """Return the folder of a Thot that learnt from a source, trained if missing."""
        folder, part = self.folder / f"thot-{name}", self.folder / f"thot-{name}.part"
        if not folder.exists():
            say(f"training Thot on {name} English")
            lines = slice(TRANSLATED)
            japanese = [text for _, text in self.pairs[lines]]
            text = "".join(
                f"{' '.join(words)}\t{target}\n"
                for words, target in zip(source(lines), japanese, strict=True)
            )
            path = self.folder / f"{name}.tsv"
            path.write_text(text, encoding="utf-8")
            self.thot("train", path, part)
            part.rename(folder)
        return folder

    def outputs(self, model: Path, name: str, source: list[Words], jump: int) -> Words:
        """Return the translations of a source, decoded if they are missing."""
        path = self.folder / f"{name}.{jump}.nbest"
        if not path.exists():
            say(f"decoding {name}, jumps of at most {jump}")
            text, weights = self.folder / f"{name}.en", self.folder / "weights.json"
            lines = "".join(f"{' '.join(words)}\n" for words in source)
            text.write_text(lines, encoding="utf-8")
            weights.write_text(json.dumps(dict.fromkeys(COMPONENTS, 1.0)))
            part = path.with_suffix(".part")
            self.thot("decode", model, text, weights, part, "--size", 1, "--jump", jump)
            part.rename(path)
        return [hyps[0] for hyps in read_nbest(path)]


def report(study: Study) -> str:
    """Run everything and return the report."""
    study.folder.mkdir(parents=True, exist_ok=True)
    plain = study.trained("plain", study.plain)
    gold = study.trained("gold", study.gold)
    sources = {"plain": (plain, study.plain(study.tested))}
    sources |= {kind: (gold, study.predicted(kind)) for kind in MODELS}
    sources["gold"] = (gold, study.gold(study.tested))
    references = [text for _, text in study.pairs[study.tested]]
    systems, moved = {}, 0
    for name, (model, source) in sources.items():
        systems[name] = study.outputs(model, name, source, JUMP)
        monotone = study.outputs(model, name, source, 0)
        moved += sum(a != b for a, b in zip(systems[name], monotone, strict=True))
    return (
        f"{HEAD}\n{figures(systems, references)}\nPhrases may jump over {JUMP} others; "
        f"monotone decoding changes {moved} of {len(systems) * TESTED:,} outputs.\n"
    )


def figures(systems: dict[str, list[str]], references: list[str]) -> str:
    """Return a table of all metrics with the difference from plain English."""
    compared = tertium.compare(
        systems, references, metrics=list(METRICS), resamples=RESAMPLES
    )
    rows = []
    for name in systems:
        cells = [name]
        for metric in METRICS:
            scale = 100 if metric == "ribes" else 1
            cells.append(f"{scale * compared.scores[name][metric].score:.2f}")
            cells.append("" if name == "plain" else difference(compared, name, metric))
        published = PUBLISHED.get(name)
        rows.append([*cells, " / ".join(map(str, published)) if published else ""])
    head = ["source order"]
    for label in ("BLEU", "RIBES", "TER"):
        head += [label, "against plain"]
    return table([*head, "published BLEU / TER / RIBES"], rows)


def difference(compared: Comparison, name: str, metric: str) -> str:
    """Return a difference from plain English with its 95 % interval."""
    pair = compared.pair(name, "plain", metric)
    pair = pair if pair.a == name else pair.turned()
    scale = 100 if metric == "ribes" else 1
    delta, low, high = (scale * x for x in (pair.delta, *pair.interval))
    return f"{delta:+.2f} [{low:+.2f}, {high:+.2f}]"


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "preorder_thot")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = report(Study(options.folder, options.python))
    print(text)
    if options.write:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
