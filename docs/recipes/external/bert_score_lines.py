# SPDX-License-Identifier: Apache-2.0
"""BERTScore by the package bert-score, for ``external:config=bert_score.toml``.

    pip install torch bert-score 'transformers<5'
    python bert_score_lines.py --model roberta-large

JSON lines come in, with ``hypothesis`` and ``references``; an empty line ends a batch.
For every line, ``{"score": F1}`` goes out. Tertium is not needed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence

# Libraries may print; only answers go to Tertium.
answers, sys.stdout = sys.stdout, sys.stderr

Segment = tuple[str, list[str]]
Scorer = Callable[[Sequence[Segment]], list[float]]


def load_scorer(
    model: str, layer: int | None, language: str, *, rescale: bool
) -> Scorer:
    """Return what scores segments: the F1 of the best reference."""
    from bert_score import BERTScorer

    scorer = BERTScorer(
        model_type=model,
        num_layers=layer,
        lang=language,
        rescale_with_baseline=rescale,
    )

    def score(segments: Sequence[Segment]) -> list[float]:
        hyps, refs = [hyp for hyp, _ in segments], [refs for _, refs in segments]
        return [float(value) for value in scorer.score(hyps, refs)[2]]

    return score


def read_segment(line: str) -> Segment:
    """Return hypothesis and references of a line."""
    content = json.loads(line)
    refs = content.get("references") or [content["reference"]]
    return content["hypothesis"], list(refs)


def answer(waiting: list[Segment], score: Scorer) -> None:
    """Write the scores of a batch."""
    for value in score(waiting) if waiting else ():
        answers.write(json.dumps({"score": value}) + "\n")
    answers.flush()
    waiting.clear()


def main() -> None:
    """Answer batches until the input ends."""
    parser = argparse.ArgumentParser(description="Score JSON lines by bert-score.")
    parser.add_argument("--model", default="roberta-large")
    parser.add_argument("--layer", type=int, help="(default: bert-score's)")
    parser.add_argument("--language", default="en")
    parser.add_argument("--rescale", action="store_true")
    options = parser.parse_args()
    score = load_scorer(
        options.model, options.layer, options.language, rescale=options.rescale
    )
    waiting: list[Segment] = []
    for line in sys.stdin:
        if line.strip():
            waiting.append(read_segment(line))
        else:
            answer(waiting, score)
    answer(waiting, score)


if __name__ == "__main__":
    main()
