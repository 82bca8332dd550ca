# SPDX-License-Identifier: Apache-2.0
"""BERTScore by the package bert-score, in a Python that has it.

`bench.peers.bertscore` and `tools/bertscore_vectors.py` start this file with requests
as JSON on standard input; Tertium is not needed. It prints precision, recall and F1 of
every segment, and seconds, or what is missing.
"""

from __future__ import annotations

import json
import os
import sys
import time
import warnings
from typing import Any


def answer(
    model: str, requests: list[dict[str, Any]], threads: int, runs: int
) -> dict[str, object]:
    """Return the answers to all requests, on one model.

    A request has a layer, idf, a baseline's path or "", hyps, and refs: a list of texts
    per segment.
    """
    os.environ["HF_HUB_OFFLINE"] = "1"
    warnings.simplefilter("ignore")
    try:
        import torch
        from bert_score import BERTScorer
    except ImportError as error:
        return {"missing": str(error)}
    from importlib.metadata import version

    torch.set_num_threads(threads)
    answers = []
    for request in requests:
        refs = request["refs"]
        scorer = BERTScorer(
            model_type=model,
            num_layers=request["layer"],
            idf=request["idf"],
            idf_sents=[ref for each in refs for ref in each]
            if request["idf"]
            else None,
            rescale_with_baseline=bool(request["baseline"]),
            baseline_path=request["baseline"] or None,
            lang="en",
            device="cpu",
        )
        if all(len(each) == 1 for each in refs):
            refs = [each[0] for each in refs]
        if runs:
            scorer.score(request["hyps"][:2], refs[:2])  # loaded at first use
        wall, processor = [], []
        for _ in range(max(1, runs)):
            start, busy = time.perf_counter(), time.process_time()
            values = scorer.score(request["hyps"], refs)
            wall.append(time.perf_counter() - start)
            processor.append(time.process_time() - busy)
        answers.append(
            {
                "values": [column.tolist() for column in values],
                "seconds": min(wall),
                "processor": min(processor),
            }
        )
    return {"version": version("bert-score"), "answers": answers}


if __name__ == "__main__":
    sys.stdout.write(json.dumps(answer(**json.load(sys.stdin))))
