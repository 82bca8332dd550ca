# SPDX-License-Identifier: Apache-2.0
"""A real decoder tuned for BLEU, for plain BEER and for self-trained BEER.

    python -m bench tuning_thot --python THOT_PYTHON [--folder FOLDER] [--write]

Japanese-English: Thot, a phrase-based decoder, learns from pairs of the preordering
data, is tuned on other lines with `tertium.tuning.decoding`, and is measured on lines
that nothing was chosen on. THOT_PYTHON is a Python with ``sil-thot`` and
``sil-machine``. All steps are kept in the folder, and a second call goes on there; with
--write the report goes to bench/TUNING.md.

The English side is tokenised and in lower case in the data; BLEU uses it as it is
(tokenize=none).
"""

from __future__ import annotations

import argparse
import gzip
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tertium
from bench import wmt
from bench.measure import ROOT
from bench.studies import beer_data
from bench.studies.beer_cache import drawn
from bench.studies.beer_length import plain_profile
from bench.studies.beer_report import table
from tertium.data.formats.nbest import read_nbest
from tertium.learn.training import Recipe, SelfTraining, train_model
from tertium.reproductions.recipes.beer import thot
from tertium.reproductions.recipes.beer.thot import COMPONENTS
from tertium.tuning.decoding.loop import tune_decoder
from tertium.tuning.decoding.results import DecoderRun

DECODER = Path(thot.__file__)
REPORT = ROOT / "bench" / "TUNING.md"
BLEU = "bleu:tokenize=none"
SEEDS = (1, 2, 3)
#: Lines of the data: those to learn from come first, the others are its last ones.
TRAINED, TUNED, TESTED, LISTED = 3000, 100, 200, 100
ITERATIONS = 4
STEP = 0.25  # lists of such a small model are short, weights jump
SEARCH = {"restarts": 5, "directions": 2}
SIZE = 100
COMPARISONS = 12_000  # of WMT12, for BEER
STRENGTH = 2.0**-11 * 120_000 / COMPARISONS  # C of the SVM, as in beer_length
#: Stanojević (2017), table 6.4: length in percent, BLEU.
PUBLISHED = {
    "BLEU": ("103.0", "18.2"),
    "plain BEER": ("115.7", "16.4"),
    "self-trained BEER": ("99.7", "18.0"),
}


@dataclass(frozen=True)
class Bench:
    """Where everything is."""

    folder: Path
    python: str

    def path(self, name: str) -> Path:
        """Return the path of a file."""
        return self.folder / name

    def lines(self, name: str) -> list[str]:
        """Return the lines of a file."""
        return self.path(name).read_text(encoding="utf-8").splitlines()

    def thot(self, *words: object) -> None:
        """Run Thot."""
        subprocess.run([self.python, DECODER, *map(str, words)], check=True)

    def start_list(self) -> Path:
        """Return the n-best list of the tuning lines under the start weights."""
        return self.decoded("dev", start_weights(), "start.nbest", SIZE)

    def decoded(
        self, lines: str, weights: dict[str, float], name: str, size: int
    ) -> Path:
        """Return the list of some lines under weights, decoded if it is not there."""
        path, part = self.path(name), self.path(f"{name}.part")
        if not path.exists():
            used = self.path(f"{name}.weights")
            used.write_text(json.dumps(weights), encoding="utf-8")
            source = self.path(f"{lines}.ja")
            self.thot("decode", self.path("model"), source, used, part, "--size", size)
            part.rename(path)
        return path

    def outputs(self, weights: dict[str, float], name: str) -> list[str]:
        """Return the translations of the held-back lines under weights."""
        path = self.decoded("test", weights, f"{name}.test", 1)
        return [hyps[0] for hyps in read_nbest(path)]


def prepare(bench: Bench) -> None:
    """Write the slices of the data and train Thot on the first of them."""
    with gzip.open(wmt.folder() / "preorder" / "enja.train.tsv.gz", "rt") as file:
        pairs = [line.rstrip("\n").split("\t") for line in file]
    learnt = {source for _, source in pairs[:TRAINED]}
    # What Thot has learnt by heart says nothing.
    unseen = [pair for pair in pairs[TRAINED:] if pair[1] not in learnt]
    ends = {"dev": TUNED, "test": TESTED, "lists": LISTED}
    bench.folder.mkdir(parents=True, exist_ok=True)
    start = 0
    for name, size in ends.items():
        chosen = unseen[start : start + size]
        for column, language in enumerate(("en", "ja")):
            text = "".join(f"{pair[column]}\n" for pair in chosen)
            bench.path(f"{name}.{language}").write_text(text, encoding="utf-8")
        start += size
    if not bench.path("model").exists():
        _say("training Thot")
        text = "".join(f"{ja}\t{en}\n" for en, ja in pairs[:TRAINED])
        bench.path("train.tsv").write_text(text, encoding="utf-8")
        bench.thot("train", bench.path("train.tsv"), bench.path("model.part"))
        bench.path("model.part").rename(bench.path("model"))


def beer_models(bench: Bench) -> dict[str, str]:
    """Return the specs of the two BEER models, trained on WMT12 rankings.

    The self-trained one also learns from pairs of Thot's own lists, labelled by the
    first model (one round, with the human pairs), on lines of their own.
    """
    lists = bench.decoded("lists", start_weights(), "lists.nbest", SIZE)
    itself = SelfTraining([(read_nbest(lists), bench.lines("lists.en"))], rounds=1)
    recipe = Recipe(learner="svm", nonnegative=False, regularisation=STRENGTH)
    specs = {}
    for name, training in (("plain", None), ("self-trained", itself)):
        path = bench.path(f"beer-{name}.json")
        if not path.exists():
            _say(f"training {name} BEER")
            sources = drawn(
                beer_data.sources(("2012",), target="en"), COMPARISONS, seed=1
            )
            train_model(
                sources, profile=plain_profile(), recipe=recipe, self_training=training
            ).save(path)
        specs[f"{name} BEER"] = f"beer:model={path}"
    return specs


def start_weights() -> dict[str, float]:
    """Return equal weights."""
    return dict.fromkeys(COMPONENTS, 1.0)


def runs(bench: Bench, metric: str, name: str) -> list[DecoderRun]:
    """Return the runs of all seeds for a metric."""
    words = [bench.python, DECODER, "decode", bench.path("model"), bench.path("dev.ja")]
    command = " ".join(f"'{word}'" for word in words)
    start = bench.start_list()
    # All runs start alike, so that iteration 0 is decoded once.
    first = f"test {{iteration}} = 0 && cp '{start}' {{nbest}}"
    done = []
    for seed in SEEDS:
        _say(f"tuning for {name}, seed {seed}")
        run = tune_decoder(
            f"{first} || {command} {{weights}} {{nbest}} --size {SIZE}",
            bench.lines("dev.en"),
            folder=bench.path(f"run-{name.replace(' ', '-')}-{seed}"),
            start=start_weights(),
            metric=metric,
            options=SEARCH,
            step=STEP,
            iterations=ITERATIONS,
            seed=seed,
            watch=_watch,
        )
        done.append(run)
    return done


def report(bench: Bench) -> str:
    """Run everything and return the report."""
    prepare(bench)
    refs = bench.lines("test.en")
    bleu = tertium.metric(BLEU)

    def figures(hyps: Sequence[str]) -> tuple[float, float]:
        length = sum(len(hyp.split()) for hyp in hyps)
        ratio = 100 * length / sum(len(ref.split()) for ref in refs)
        return bleu.corpus_score(list(hyps), refs), ratio

    start = bench.outputs(start_weights(), "start")
    first, first_length = figures(start)
    rows = [["start", "", "", f"{first:.2f}", "", f"{first_length:.1f}", "", ""]]
    seeds = []
    for name in PUBLISHED:
        # In this order, so that the first row is there before BEER is trained.
        metric = BLEU if name == "BLEU" else beer_models(bench)[name]
        done = runs(bench, metric, name)
        scores, lengths = [], []
        for run, seed in zip(done, SEEDS, strict=True):
            key = f"{name.replace(' ', '-')}-{seed}"
            hyps = bench.outputs(dict(run.final.weights), key)
            score, length = figures(hyps)
            scores.append(score)
            lengths.append(length)
            seeds.append(_seed_row(name, seed, run, start, hyps, refs, length))
        rows.append(
            [
                name,
                f"{statistics.fmean(run.start.score for run in done):.4g}",
                f"{statistics.fmean(run.final.score for run in done):.4g}",
                f"{statistics.fmean(scores):.2f}",
                f"{statistics.stdev(scores):.2f}",
                f"{statistics.fmean(lengths):.1f}",
                f"{statistics.stdev(lengths):.1f}",
                " / ".join(reversed(PUBLISHED[name])),
            ]
        )
        _say(f"{rows[-1]}")
    head = ["tuned for", "dev start", "dev tuned", "test BLEU", "sd", "test length %",
            "sd", "published BLEU / length %"]  # fmt: skip
    seed_head = ["tuned for", "seed", "best iteration", "dev", "dev length %",
                 "test BLEU - start", "95 % interval", "test length %"]  # fmt: skip
    return (
        "# Tuning a real decoder\n\n"
        "Written by `python -m bench tuning_thot --write`.\n\n"
        f"Thot (sil-thot, phrase-based, trained on {TRAINED:,} Japanese-English pairs "
        f"of the Tanaka corpus), MERT, {ITERATIONS} iterations of {SIZE}-best lists of "
        f"{TUNED} lines, equal start weights, {len(SEEDS)} seeds, a step of {STEP}: "
        "chosen, like the sizes, after the tuning scores of two runs on other lines. "
        "Figures on "
        f"{TESTED} held-back lines, which were translated once per run and not used "
        "for any choice; BLEU on the tokens of the data. *dev* is the metric tuned "
        "for, on the decoder's output. BEER learnt from "
        f"{COMPARISONS:,} comparisons of WMT12, with precision and recall as they are; "
        f"self-trained BEER also from Thot's lists of {LISTED} other lines. Published: "
        "Stanojević (2017), table 6.4, another language pair and decoder, so only the "
        "order compares.\n\n"
        + table(head, rows)
        + "\nBy seed; the interval is that of a paired bootstrap over held-back "
        "lines, 1,000 resamples:\n\n" + table(seed_head, seeds)
    )


def _seed_row(
    name: str,
    seed: int,
    run: DecoderRun,
    start: Sequence[str],
    hyps: Sequence[str],
    refs: Sequence[str],
    length: float,
) -> list[str]:
    compared = tertium.compare(
        {"tuned": list(hyps), "start": list(start)},
        list(refs),
        metrics=[BLEU],
        resamples=1000,
    )
    pair = compared.pair("tuned", "start")
    pair = pair if pair.a == "tuned" else pair.turned()
    low, high = pair.interval
    return [
        name,
        str(seed),
        str(run.final.number),
        f"{run.final.score:.4g}",
        f"{100 * run.final.length_ratio:.1f}",
        f"{pair.delta:+.2f}",
        f"[{low:+.2f}, {high:+.2f}]",
        f"{length:.1f}",
    ]


def _watch(run: DecoderRun) -> None:
    row = run.iterations[-1]
    _say(f"  {row.number}: {row.score:.4f}, length {100 * row.length_ratio:.1f}")


def _say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "tuning_thot")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    text = report(Bench(options.folder, options.python))
    print(text)
    if options.write:
        REPORT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
