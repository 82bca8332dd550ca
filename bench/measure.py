# SPDX-License-Identifier: Apache-2.0
"""Timing, texts and the table of results."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import tertium

ROOT = Path(__file__).resolve().parents[1]


def load() -> tuple[tertium.Testset, str]:
    """Return a test set of 2,000 segments and more, and what it is."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    path = data / "wmt15" / "de-en.tsv.gz"
    if path.exists():
        return tertium.read(path), "newstest2015 German-English (WMT15)"
    demo = tertium.read(ROOT / "src" / "tertium" / "demo" / "demo.jsonl")
    return demo.select(list(range(60)) * 36), "the bundled demo set, 36 times"


def fresh(texts: Sequence[str]) -> list[str]:
    """Return equal texts as new objects: no cache of an earlier run helps."""
    return [text.encode().decode() for text in texts]


def best(job: Callable[[], object], prepare: Callable[[], object], runs: int) -> float:
    """Return the shortest of several runs, in seconds."""
    times = []
    for _ in range(runs):
        prepare()
        start = time.perf_counter()
        job()
        times.append(time.perf_counter() - start)
    return min(times)


def processor(job: Callable[[], object], runs: int = 1) -> float:
    """Return the shortest processor time of a job that has one thread."""
    times = []
    for _ in range(runs):
        start = time.process_time()
        job()
        times.append(time.process_time() - start)
    return min(times)


def wall(command: list[str], runs: int = 9) -> float:
    """Return the shortest wall time of a command."""
    return best(
        lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL),
        lambda: None,
        runs,
    )


@dataclass
class Report:
    """Rows of the table, printed as they come and written at the end."""

    rows: list[tuple[str, ...]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    HEAD = ("job", "Tertium", "peer", "peer's time", "ratio", "wanted", "rate")

    def add(
        self,
        job: str,
        seconds: float,
        *,
        peer: str = "-",
        other: float | None = None,
        wanted: float | None = None,
        rate: str = "-",
    ) -> None:
        """Add a measured row."""
        ratio = "-" if other is None else f"{other / seconds:.1f}x"
        row = (
            job,
            f"{seconds:.4f} s",
            peer,
            "-" if other is None else f"{other:.3f} s",
            ratio,
            "-" if wanted is None else f"{wanted:g}x",
            rate,
        )
        self.rows.append(row)
        print("  ".join(f"{cell:<24}" for cell in row), flush=True)

    def note(self, text: str) -> None:
        """Add a line below the table."""
        self.notes.append(text)
        print(text, flush=True)

    @staticmethod
    def circumstances(text: str) -> str:
        """Return when, where and how it was measured."""
        return (
            f"Printed by `make bench` on {time.strftime('%Y-%m-%d')}: Python "
            f"{platform.python_version()}, {cpu()}, {os.cpu_count()} cores. Text: "
            f"{text}. One thread against the peer's one process, from Python strings "
            "to scores, best of several runs, new string objects each time."
        )

    def table(self) -> str:
        """Return rows and notes as Markdown."""
        lines = [
            "| " + " | ".join(self.HEAD) + " |",
            "|---|---:|---|---:|---:|---:|---|",
            *("| " + " | ".join(row) + " |" for row in self.rows),
            "",
            *(f"- {note}" for note in self.notes),
        ]
        return "\n".join(lines) + "\n"

    def write(self, path: Path, text: str) -> None:
        """Write the table as Markdown, with date and machine."""
        head = f"# Benchmark results\n\n{self.circumstances(text)}\n\n"
        path.write_text(head + self.table(), encoding="utf-8")


def cpu() -> str:
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()
