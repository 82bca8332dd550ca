# SPDX-License-Identifier: Apache-2.0
"""COMET for Tertium: JSON lines in, an empty line after each batch, scores out."""

import json
import sys

# Libraries may print; only answers go to Tertium.
answers, sys.stdout = sys.stdout, sys.stderr

from comet import download_model, load_from_checkpoint  # noqa: E402

model = load_from_checkpoint(download_model(sys.argv[1]))
NAMES = {"hypothesis": "mt", "source": "src", "reference": "ref"}


def answer(lines):
    """Write one score per line."""
    segments = [json.loads(line) for line in lines]
    samples = [{NAMES[key]: text for key, text in s.items()} for s in segments]
    if samples:
        output = model.predict(samples, batch_size=16, progress_bar=False)
        answers.writelines(f"{float(score)}\n" for score in output.scores)
    answers.flush()


batch = []
for line in sys.stdin:
    if line.strip():
        batch.append(line)
    else:
        answer(batch)
        batch = []
answer(batch)
