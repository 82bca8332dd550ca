# SPDX-License-Identifier: Apache-2.0
"""Compare meteor with the scores that Meteor 1.5 printed for WMT15 German-English.

    python -m bench meteor_golden [--matchers exact+stem+synonym+paraphrase]
        [--aligner meteor|beam] [--data FOLDER] [--synonyms PATH] [--paraphrases PATH]

Columns: system, segments, mean and largest absolute difference of segments, the share
of segments within .001, .005 and .01, and the scores of the system. The golden scores
are those of all four matchers; with fewer the differences say what the others add.
"""

import argparse
import gzip
import importlib.util
import time
from pathlib import Path

import numpy as np

import tertium

SYSTEMS = ("online-B.0", "uedin-jhu-phrase.4102", "Neural-MT.4097")
LIMITS = (0.001, 0.005, 0.01)


def main() -> None:
    root = Path(__file__).resolve().parents[2]
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, default=root.parent / "shared" / "data")
    parser.add_argument("--matchers", default="exact+stem+synonym+paraphrase")
    parser.add_argument("--aligner", default="meteor")
    parser.add_argument("--synonyms", default="auto")
    parser.add_argument("--paraphrases", default="")
    chosen = parser.parse_args()

    words = chosen.data / "meteor-function-words" / "english.words"
    spec = f"meteor:match={chosen.matchers},aligner={chosen.aligner}"
    spec += f",function_words={words}"
    if "synonym" in chosen.matchers:
        spec += f",synonyms={chosen.synonyms}"
    if "paraphrase" in chosen.matchers:
        spec += f",paraphrases={chosen.paraphrases or table()}"
    metric = tertium.metric(spec)
    start = time.perf_counter()
    metric.corpus_score(["a"], ["a"])
    print(f"resources read in {time.perf_counter() - start:.1f} s")

    folder = chosen.data / "golden" / "meteor15"
    lines = (folder / "wmt15.sys.txt").read_text().splitlines()
    systems = {line.split()[1]: float(line.split()[2]) for line in lines}
    texts = tertium.read(chosen.data / "wmt15" / "de-en.tsv.gz")
    print(
        "| system | segments | MAD | largest | ≤ .001 | ≤ .005 | ≤ .01 | tertium "
        "| Meteor 1.5 | segments/s, one thread |"
    )
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    for system in SYSTEMS:
        with gzip.open(folder / f"wmt15.de-en.{system}.seg.gz", "rt") as file:
            golden = np.array([float(line) for line in file])
        hyps = list(texts.systems[system])
        start = time.perf_counter()
        rows = metric.statistics(hyps, texts.references, threads=1)
        rate = len(hyps) / (time.perf_counter() - start)
        off = np.abs(metric.from_statistics(rows) - golden)
        shares = " | ".join(f"{100 * np.mean(off <= limit):.1f} %" for limit in LIMITS)
        score = metric.from_statistics(rows.sum(axis=0))
        print(
            f"| {system} | {len(hyps)} | {off.mean():.5f} | {off.max():.4f} | {shares} "
            f"| {score:.5f} | {systems[system]:.5f} | {rate:,.0f} |"
        )


def table() -> Path:
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise SystemExit("no paraphrase table; make .venv/.meteor, or --paraphrases")
    folder = Path(package.submodule_search_locations[0])
    return folder / "meteor" / "data" / "paraphrase-en.gz"


if __name__ == "__main__":
    main()
