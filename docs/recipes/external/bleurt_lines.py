# SPDX-License-Identifier: Apache-2.0
"""BLEURT for Tertium: JSON lines in, an empty line after each batch, scores out."""

import json
import sys

# Libraries may print; only answers go to Tertium.
answers, sys.stdout = sys.stdout, sys.stderr

from bleurt.score import BleurtScorer  # noqa: E402

scorer = BleurtScorer(sys.argv[1])


def answer(lines):
    """Write one score per line."""
    segments = [json.loads(line) for line in lines]
    if segments:
        scores = scorer.score(
            references=[segment["reference"] for segment in segments],
            candidates=[segment["hypothesis"] for segment in segments],
        )
        answers.writelines(f"{float(score)}\n" for score in scores)
    answers.flush()


batch = []
for line in sys.stdin:
    if line.strip():
        batch.append(line)
    else:
        answer(batch)
        batch = []
answer(batch)
