# SPDX-License-Identifier: Apache-2.0
"""A small program that scores segments, to try ``external:config=demo`` with.

It speaks the protocol of :mod:`tertium.scores.external`: JSON lines in, an empty line
after each batch, one JSON line out for every line in. The score is the share of words
that hypothesis and reference have in common.
"""

from __future__ import annotations

import json
import sys
from collections import Counter

__all__ = ["main", "overlap"]


def overlap(hyp: str, ref: str) -> float:
    """Return the F1 of words; 1 for equal texts.

    Examples
    --------
    >>> overlap("a b", "a c"), overlap("", ""), overlap("a", "")
    (0.5, 1.0, 0.0)
    """
    if hyp == ref:
        return 1.0
    mine, other = Counter(hyp.split()), Counter(ref.split())
    total = mine.total() + other.total()
    return 2 * (mine & other).total() / total if total else 1.0


def main() -> None:
    """Answer batches until the input ends."""
    waiting: list[float] = []
    for line in sys.stdin:
        if line.strip():
            segment = json.loads(line)
            waiting.append(overlap(segment["hypothesis"], segment["reference"]))
        else:
            _answer(waiting)
    _answer(waiting)


def _answer(scores: list[float]) -> None:
    for score in scores:
        sys.stdout.write(json.dumps({"score": score}) + "\n")
    sys.stdout.flush()
    scores.clear()


if __name__ == "__main__":
    main()
