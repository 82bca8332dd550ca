# SPDX-License-Identifier: Apache-2.0
"""Run all benchmarks and write bench/RESULTS.md, or run one program by name.

    python -m bench [--quick]
    python -m bench NAME [OPTION ...]
    python -m bench --list

With --quick the memory test has 100,000 segments instead of 5 million, the judgements
are 100,000 instead of 10 million, and nothing is written.
"""

from __future__ import annotations

import ast
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).parent


def programs() -> dict[str, str]:
    """Return the module of every program by name: those that can be started."""
    return {
        path.stem: f"bench.{path.parent.name}.{path.stem}"
        for path in sorted(HERE.glob("*/*.py"))
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    }


def main() -> None:
    words = sys.argv[1:]
    if words[:1] == ["--list"]:
        for name, module in programs().items():
            path = HERE.parent / f"{module.replace('.', '/')}.py"
            about = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
            print(f"{name:18} {about.splitlines()[0]}")
    elif words and not words[0].startswith("-"):
        known = programs()
        if words[0] not in known:
            sys.exit(f"there is no program {words[0]}; see python -m bench --list")
        sys.argv = [f"python -m bench {words[0]}", *words[1:]]
        runpy.run_module(known[words[0]], run_name="__main__")
    else:
        everything(quick="--quick" in words)


def everything(*, quick: bool) -> None:
    """Run what RESULTS.md shows, and write it unless it is quick."""
    from bench.measure import ROOT, Report, load
    from bench.peers import (
        alignment,
        derp,
        judgements,
        machine,
        mbr,
        meta,
        meta_year,
        order,
        scoring,
        trained,
        training,
        tree_edit,
    )

    testset, text = load()
    report = Report()
    scoring.scoring(report, testset)
    scoring.testing(report, testset)
    scoring.profile(report, testset)
    alignment.alignment(report, testset)
    alignment.shared_layers(report, testset)
    trained.scoring(report, testset)
    order.permutations(report)
    order.growth(report)
    tree_edit.trees(report)
    tree_edit.flat(report, testset)
    derp.run(report)
    meta.run(report)
    meta_year.run(report)
    training.run(report, *((20_000, 200) if quick else ()))
    mbr.run(report, quick=quick)
    machine.many_systems(report, testset)
    machine.commands(report, testset)
    machine.structure(report, testset)
    machine.threads(report, testset)
    machine.memory(report, testset, 100_000 if quick else 5_000_000)
    judgements.scale(report, judgements.QUICK if quick else judgements.ROWS)
    if not quick:
        report.write(ROOT / "bench" / "RESULTS.md", text)


if __name__ == "__main__":
    main()
