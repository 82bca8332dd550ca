# SPDX-License-Identifier: Apache-2.0
"""Whole commands, many systems, threads and memory."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import tertium
from bench.measure import Report, best, fresh, wall

# VmHWM, not getrusage: that one remembers the parent from before exec.
_PEAK = """
import sys
from tertium.cli import main
code = main(sys.argv[1:])
status = open("/proc/self/status").read()
sys.stderr.write(status.split("VmHWM:")[1].split()[0])
sys.exit(code)
"""


def many_systems(report: Report, testset: tertium.Testset) -> None:
    """Ten systems, all pairs, five metrics, 1,000 resamples: CPU time."""
    names = list(testset.systems) * 10
    ten = {f"{name}.{i}": testset.systems[name] for i, name in enumerate(names[:10])}
    refs = [refs[0] for refs in testset.references]
    for test in ("bootstrap", "randomisation"):
        start = time.process_time()
        tertium.compare(
            ten,
            refs,
            metrics=["bleu", "chrf", "chrf++", "ter", "ribes"],
            test=test,
            resamples=1000,
        )
        spent = time.process_time() - start
        report.add(f"10 systems, 45 pairs, 5 metrics, {test} 1,000 (CPU)", spent)
    report.note("Ten systems: at most 5 s of CPU time are wanted.")


def commands(report: Report, testset: tertium.Testset) -> None:
    """Start-up and a whole `score` command."""
    binary = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as folder:
        ref, out = Path(folder, "ref.txt"), Path(folder, "out.txt")
        texts = [refs[0] for refs in testset.references][:2000]
        ref.write_text("\n".join(texts) + "\n", encoding="utf-8")
        hyps = next(iter(testset.systems.values()))[:2000]
        out.write_text("\n".join(hyps) + "\n", encoding="utf-8")
        command = [str(binary / "tertium"), "score", "-r", str(ref), "-i", str(out)]
        peer = [str(binary / "sacrebleu"), str(ref), "-i", str(out)]
        for metrics in (["bleu"], ["bleu", "chrf", "ter"]):
            report.add(
                f"command, 2,000 segments, {' '.join(metrics)}",
                wall([*command, "-m", *metrics], runs=5),
                peer="sacrebleu command",
                other=wall([*peer, "-m", *metrics], runs=5),
                wanted=4,
            )
    bare = wall([sys.executable, "-c", "pass"])
    helped = wall([str(binary / "tertium"), "--help"])
    report.note(
        f"`tertium --help` takes {1000 * (helped - bare):.0f} ms more than "
        "`python -c pass` (at most 150 ms are wanted)."
    )


def structure(report: Report, testset: tertium.Testset) -> None:
    """Order and dependency metrics in one command, against chrF alone."""
    binary = Path(sys.executable).parent
    size = 10_000
    with tempfile.TemporaryDirectory() as folder:
        ref, out = Path(folder, "ref.txt"), Path(folder, "out.txt")
        texts = [refs[0] for refs in testset.references]
        hyps = next(iter(testset.systems.values()))
        for path, lines in (ref, texts), (out, hyps):
            many = (lines * (size // len(lines) + 1))[:size]
            path.write_text("\n".join(many) + "\n", encoding="utf-8")
        command = [str(binary / "tertium"), "score", "-r", str(ref), "-i", str(out)]
        specs = ["pef", "dted:variant=cl,flat=yes", "derp:flat=yes"]
        chrf = wall([*command, "-m", "chrf"], runs=5)
        all_three = wall([*command, "-m", *specs], runs=5)
    report.add(f"command, 10,000 segments, {' '.join(specs)}", all_three)
    report.note(
        f"The command with {', '.join(specs)} takes {all_three / chrf:.1f} times as "
        f"long as with chrF alone ({chrf:.3f} s; at most 5 times is wanted)."
    )


def threads(report: Report, testset: tertium.Testset) -> None:
    """Two threads against one, on 10,000 segments."""
    pool = [refs[0] for refs in testset.references]
    size = 10_000
    refs = (pool * (size // len(pool) + 1))[:size]
    hyps = (next(iter(testset.systems.values())) * (size // len(pool) + 1))[:size]
    gains = []
    for spec in ("bleu", "chrf", "ter", "wer"):
        metric = tertium.metric(spec)
        held: dict[str, list[str]] = {}

        def renew(held: dict[str, list[str]] = held) -> None:
            held["hyps"], held["refs"] = fresh(hyps), fresh(refs)

        def run(count: int, metric=metric, held=held) -> float:
            return best(
                lambda: metric.statistics(held["hyps"], held["refs"], threads=count),
                renew,
                15,
            )

        gains.append(f"{spec} {run(1) / run(2):.2f}x")
    report.note(
        f"Two threads against one, 10,000 segments: {', '.join(gains)} "
        "(at least 1.7x is wanted)."
    )


def memory(report: Report, testset: tertium.Testset, segments: int) -> None:
    """Stream a very long pair of files through `score`."""
    refs = [refs[0] for refs in testset.references]
    hyps = next(iter(testset.systems.values()))
    with tempfile.TemporaryDirectory() as folder:
        for name, pool in (("ref.txt", refs), ("out.txt", hyps)):
            block = "\n".join(pool) + "\n"
            with Path(folder, name).open("w", encoding="utf-8") as file:
                for _ in range(segments // len(pool)):
                    file.write(block)
                file.write("\n".join(pool[: segments % len(pool)]) + "\n")
        size = sum(f.stat().st_size for f in Path(folder).iterdir()) / 1e6
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, "score", "-r", f"{folder}/ref.txt",
             "-i", f"{folder}/out.txt", "-m", "bleu", "chrf", "-f", "json"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        spent = time.perf_counter() - start
    json.loads(done.stdout)
    peak = int(done.stderr.split()[-1]) / 1024
    report.note(
        f"`tertium score` of {segments:,} segments ({size:,.0f} MB of text), BLEU and "
        f"chrF: peak memory {peak:,.0f} MB (under 1,000 MB is wanted), {spent:.0f} s, "
        f"{segments / spent:,.0f} segments/s."
    )
