# SPDX-License-Identifier: Apache-2.0
"""Agreement on error spans at 10^5 and 10^6 spans: seconds and spans per second.

    python -m bench span_agreement [--spans N ...] [--write]

Spans are generated from a seed: 10 systems, 20 judges, two of whom mark every output,
two spans each, all figures with 1,000 resamples of documents. --write puts the table
into bench/LOAD.md.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator

import numpy as np

from bench.load.page import write_section
from tertium import Judgements
from tertium.judgements import Span
from tertium.judgements.agreement.spans.report import agree_on_spans

_SEED = 12345
_LENGTH = 180
_ABOUT = """\
`python -m bench span_agreement --write`: 20 judges, two per output, all figures of
`tertium agree --spans` with 1,000 resamples of documents."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spans", type=int, nargs="+", default=[10**5, 10**6])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = ["| spans | seconds | spans per second |", "|---:|---:|---:|"]
    for number in options.spans:
        judgements = Judgements.from_iterable(marked(number))
        begin = time.perf_counter()
        agree_on_spans(judgements)
        seconds = time.perf_counter() - begin
        lines.append(f"| {number:,} | {seconds:.1f} | {number / seconds:,.0f} |")
    text = "\n".join(lines)
    print(text)
    if options.write:
        write_section("Agreement on error spans", f"{_ABOUT}\n\n{text}")


def marked(number: int) -> Iterator[Span]:
    """Yield spans of two judges per output, near each other."""
    rng = np.random.default_rng(_SEED)
    for output in range(number // 4):
        segment = output // 10
        places = rng.integers(0, _LENGTH - 30, 2)
        for judge in range(2):
            for place in places:
                start = int(place + rng.integers(0, 6))
                yield Span(
                    f"system{output % 10}",
                    ("accuracy", "fluency")[int(rng.integers(2))],
                    ("minor", "major")[int(rng.integers(2))],
                    str(segment),
                    start,
                    start + int(rng.integers(1, 20)),
                    judge=f"judge{(segment // 100 + judge) % 20}",
                    document=f"document{segment // 10}",
                    langpair="en-de",
                    meta=f'{{"length": {_LENGTH}}}',
                )


if __name__ == "__main__":
    main()
