# SPDX-License-Identifier: Apache-2.0
"""Write the vectors of bertscore: values that the package bert-score computes.

bert-score needs PyTorch, and runs in the Python that TERTIUM_BERT_SCORE names (see
bench/peers/bertscore.py). The sentences are those of tools/make_vectors.py.

    TERTIUM_BERT_SCORE=build/bert-score/bin/python python -m tools.bertscore_vectors \
        > src/tertium/metrics/vectors/bertscore.jsonl
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import tertium
from bench.peers.bertscore import ask

sys.path.insert(0, str(Path(__file__).parent))

from make_vectors import SETS

_LONG = "The old ferry has made ten trips per day since the bridge fell in 1923. "
#: Longer than the model reads, in different ways.
_CUT = [
    (_LONG * 40, "Well. " + _LONG * 40),
    (_LONG * 40 + "No!", _LONG * 40 + "Yes?"),
    ("We'll see!", "We shall see!"),
]
_TEXTS = {
    **{name: SETS[name] for name in ("news", "many", "one-reference", "empty")},
    "repeated": SETS["repeated"],
    "long": _CUT,
}
_MEASURES = ("precision", "recall", "f1")
_SETTINGS: Sequence[dict[str, object]] = (
    {},
    {"idf": True},
    {"layer": 6},
    {"layer": 1, "idf": True, "rescale": True},
    {"rescale": True},
)
_BASELINE = Path(tertium.__file__).parent.joinpath(
    "metrics", "bertscore", "baselines", "all-MiniLM-L6-v2.en.tsv"
)


def vectors() -> Iterator[dict[str, object]]:
    """Yield the vectors, as JSON has them."""
    cases = [
        (name, each)
        for name in _TEXTS
        for each in (_SETTINGS[:2] if name == "long" else _SETTINGS)
    ]
    requests = [
        {
            "layer": each.get("layer", 4),
            "idf": bool(each.get("idf")),
            "baseline": os.fspath(_BASELINE) if each.get("rescale") else "",
            "hyps": [segment[0] for segment in _TEXTS[name]],
            "refs": [list(segment[1:]) for segment in _TEXTS[name]],
        }
        for name, each in cases
    ]
    answer = ask(requests)
    for (name, each), request, got in zip(
        cases, requests, answer["answers"], strict=True
    ):
        for column, (measure, values) in enumerate(
            zip(_MEASURES, got["values"], strict=True)
        ):
            settings = {**each, "measure": measure}
            words = ",".join(f"{key}={_shown(one)}" for key, one in settings.items())
            for level, value in (
                ("corpus", sum(values) / len(values)),
                ("segment", values[0]),
            ):
                if level == "segment" and measure != "f1":
                    continue
                yield {
                    "id": f"bert-score/bertscore:{words}/{level}/{name}",
                    "metric": "bertscore",
                    "settings": settings,
                    "level": level,
                    "hyps": request["hyps"],
                    "refs": request["refs"],
                    "value": value,
                    "tolerance": 1e-5,
                    "tool": "bert-score",
                    "version": answer["version"],
                    "command": _command(request, column, level),
                }


def _shown(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _command(request: dict[str, object], column: int, level: str) -> str:
    words = f"model_type=MODEL, num_layers={request['layer']}, idf={request['idf']}"
    if request["idf"]:
        words += ", idf_sents=sum(refs, [])"
    if request["baseline"]:
        words += ", rescale_with_baseline=True, baseline_path=BASELINE, lang='en'"
    score = f"bert_score.BERTScorer({words}).score(hyps, refs)[{column}]"
    return f"{score}.mean()" if level == "corpus" else f"{score}[0]"


if __name__ == "__main__":
    for vector in vectors():
        sys.stdout.write(json.dumps(vector, ensure_ascii=False) + "\n")
