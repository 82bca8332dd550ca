# SPDX-License-Identifier: Apache-2.0
"""How fast the features of kind context and static are computed.

    python -m bench vector_speed [--segments N] [--systems N] [--static FILE]

Rates are of segments, each a text and its reference, which systems share. A rate per
second of processor time does not depend on what else runs on the machine. Without
--static the file is looked for where the feature block does.
"""

from __future__ import annotations

import argparse
import os
import time

from bench.measure import cpu, load
from tertium.errors import InputError
from tertium.learn.features.blocks import BlockBase
from tertium.learn.features.context import Context
from tertium.learn.features.static import Static


def measure(block: BlockBase, systems: list[list[str]], refs: list[str]) -> str:
    """Return rates of all systems, after a text that loads the model."""
    block.features(["warm"], ["up"])
    wall, processor = time.perf_counter(), time.process_time()
    for hyps in systems:
        block.features(hyps, refs)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    count = len(systems) * len(refs)
    return f"{count / wall:9,.0f} per second {count / processor:9,.0f} per CPU second"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=200, metavar="N")
    parser.add_argument("--systems", type=int, default=5, metavar="N")
    parser.add_argument("--static", default="", metavar="FILE")
    options = parser.parse_args()
    testset, text = load()
    refs = [texts[0] for texts in testset.references]
    systems = [list(hyps) for hyps in testset.systems.values()][: options.systems]
    print(f"{cpu()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}; {text}")
    few = [hyps[: options.segments] for hyps in systems]
    for name, block in (
        ("context, layer 4 and sentences", Context()),
        ("context, layer 4", Context(sentence=False)),
    ):
        print(f"{name:32}", measure(block, few, refs[: options.segments]))
    try:
        static = Static(path=options.static)
        print(f"{'static':32}", measure(static, systems, refs))
    except InputError as error:
        print(error)


if __name__ == "__main__":
    main()
