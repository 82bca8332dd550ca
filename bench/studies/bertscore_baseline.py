# SPDX-License-Identifier: Apache-2.0
"""The baseline of bertscore's default model, from the English references of WMT14.

    python -m bench bertscore_baseline [--pairs N] [--write]

Random pairs of different references are compared in every layer. With --write, the
file that comes with Tertium is written; without, it is compared with the result.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import tertium
from bench.measure import ROOT
from tertium.encoders.models import DEFAULT
from tertium.metrics.bertscore.baseline import find_baseline, make_baseline

_FILE = ROOT / "src/tertium/metrics/bertscore/baselines" / f"{DEFAULT}.en.tsv"


def references() -> list[str]:
    """Return the English references of newstest2014."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    paths = sorted(path for path in (data / "wmt14").glob("??-en.tsv.gz"))
    if not paths:
        sys.exit("there is no wmt14 in the data; set TERTIUM_DATA")
    return [
        ref
        for path in paths
        for refs in tertium.read(path).references
        for ref in ([refs] if isinstance(refs, str) else refs)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(prog=Path(sys.argv[0]).name)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    texts = references()
    made = make_baseline(
        texts,
        pairs=options.pairs,
        progress=lambda layer: print(f"layer {layer}", file=sys.stderr),
    )
    print(f"{options.pairs:,} pairs of {len(set(texts)):,} sentences")
    print(made.to_text(), end="")
    if options.write:
        _FILE.write_text(made.to_text(), encoding="utf-8")
        return
    shipped = find_baseline("").layers
    worst = max(
        abs(a - b)
        for layer, values in made.layers.items()
        for a, b in zip(values, shipped[layer], strict=True)
    )
    print(f"largest difference from the file that comes with Tertium: {worst:.6f}")


if __name__ == "__main__":
    main()
