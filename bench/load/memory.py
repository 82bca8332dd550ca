# SPDX-License-Identifier: Apache-2.0
"""Peak memory and time of the verbs that read test sets or judgements.

    python -m bench memory [--sizes 10000 100000 1000000] [--only NAME ...]
                           [--timeout SECONDS] [--write]

Texts are generated with a seed and thrown away. Every command runs in its own process,
whose peak is read from the kernel (VmHWM, Linux). A verb is measured up to the size in
its entry below; ``--large`` adds 10 million segments for those that take it. The growth
is that between the two largest sizes. ``--write`` makes bench/LOAD.md.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

import numpy as np

from bench.load.page import write_section

SIZES = (10_000, 100_000, 1_000_000)
LARGE = 10_000_000
SEED = 12345

# VmHWM, not getrusage: that one remembers the parent from before exec.
_PEAK = """
import sys
from tertium.cli import main
code = main(sys.argv[1:])
status = open("/proc/self/status").read()
sys.stderr.write("\\nVmHWM " + status.split("VmHWM:")[1].split()[0])
sys.exit(code)
"""
_WORDS = 200_000
_LENGTH = 14


@dataclass(frozen=True)
class Verb:
    """A command to measure.

    Parameters
    ----------
    name : str
    words : str
        Its arguments; ``{set}`` and so on are files of the size.
    most : int
        The largest size to measure.
    unit : str
        What sizes count.
    about : str
        Why memory grows, where it does.
    """

    name: str
    words: str
    most: int = 1_000_000
    unit: str = "segments"
    about: str = ""


VERBS = (
    Verb("score", "score {set} -m bleu chrf", LARGE),
    Verb("score, shards", "score {shards} -m bleu chrf", LARGE),
    Verb("score nist", "score {shards} -m nist", about="words and n-grams are counted"),
    Verb(
        "score --segments",
        "score {shards} -m bleu --segments -f json -o {out}",
        about="all scores are one JSON object",
    ),
    Verb(
        "score --interval",
        "score {shards} -m bleu --interval --resamples 100",
        about="statistics of all segments",
    ),
    Verb(
        "compare",
        "compare {shards} -m bleu --resamples 100",
        100_000,
        about="statistics of all segments, and the texts",
    ),
    Verb(
        "check", "check {shards}", LARGE, about="hashes of segments; words to 300,000"
    ),
    Verb("convert to shards", "convert {set} -o {out} --rows-per-shard 100000", LARGE),
    Verb(
        "convert to zst shards",
        "convert {set} -o {out} --rows-per-shard 100000 --compress zst --to plain",
    ),
    Verb(
        "convert to Parquet",
        "convert {shards} -o {out}.parquet",
        LARGE,
        about="buffers of Polars",
    ),
    Verb(
        "convert from Parquet",
        "convert {parquet} -o {out}.tsv",
        about="buffers of Polars",
    ),
    Verb(
        "convert to Excel",
        "convert {shards} -o {out}.xlsx",
        100_000,
        about="a workbook is held as a whole",
    ),
    Verb("mbr", "mbr -n {nbest} -m chrf -o {out}", 100_000, "lists", "one hash per id"),
    Verb(
        "mbr to shards",
        "mbr -n {nbest} -m chrf -o {out} --rows-per-shard 10000",
        100_000,
        "lists",
        "one hash per id",
    ),
    Verb("nbest convert", "nbest convert -n {nbest} -o {out}.jsonl", 100_000, "lists"),
    Verb(
        "judgements import",
        "judgements import {judged} -o {out}",
        unit="judgements",
        about="200,000 rows at a time; distinct segments and judges",
    ),
    Verb(
        "judgements merge",
        "judgements merge {store} {judged} -o {out}",
        unit="judgements",
        about="as import",
    ),
    Verb(
        "judgements export",
        "judgements export {store} -o {out} --rows-per-shard 100000",
        unit="judgements",
        about="500,000 rows at a time",
    ),
    Verb(
        "judgements stats",
        "judgements stats {store}",
        unit="judgements",
        about="distinct segments and judges are counted by Polars",
    ),
    Verb(
        "reuse",
        "reuse {store} {shards} -i N={new} --scale DA",
        100_000,
        about="the test set and all judged outputs are held",
    ),
    Verb(
        "train",
        "train -t {shards} -J {store} --scale DA -o {out}.json",
        100_000,
        about="texts, and 8 bytes per feature of each, are held",
    ),
)


# ------------------------------------------------------------------------- texts


def texts(size: int, *, seed: int) -> Iterator[list[str]]:
    """Yield sentences in blocks: words with the frequencies of Zipf's law."""
    rng = np.random.default_rng([SEED, seed])
    words = np.array([f"w{number:x}" for number in range(_WORDS)], dtype=object)
    for start in range(0, size, 10_000):
        block = min(10_000, size - start)
        draws = (_WORDS ** rng.random((block, _LENGTH))).astype(int) - 1
        yield [" ".join(row) for row in words[draws].tolist()]


def outputs(size: int, *, seed: int) -> Iterator[list[str]]:
    """Yield the references with every fifth word replaced, as a system would."""
    rng = np.random.default_rng([SEED, seed])
    for block in texts(size, seed=1):
        changed = []
        for sentence, place in zip(block, rng.integers(0, 5, len(block)), strict=True):
            words = sentence.split()
            words[place::5] = ["x" + word for word in words[place::5]]
            changed.append(" ".join(words))
        yield changed


def write_set(path: Path, size: int) -> None:
    """Write a test set with source, reference and two systems as JSONL."""
    columns = [texts(size, seed=0), texts(size, seed=1)]
    columns += [outputs(size, seed=2), outputs(size, seed=3)]
    done = 0
    with path.open("w", encoding="utf-8") as file:
        for block in zip(*columns, strict=True):
            for src, ref, a, b in zip(*block, strict=True):
                done += 1
                row = {"id": str(done), "src": src, "ref": [ref]}
                file.write(json.dumps({**row, "tgt": {"A": a, "B": b}}) + "\n")


def write_nbest(path: Path, size: int) -> None:
    """Write lists of five hypotheses as JSONL."""
    columns = [outputs(size, seed=seed) for seed in range(2, 7)]
    done = 0
    with path.open("w", encoding="utf-8") as file:
        for block in zip(*columns, strict=True):
            for hyps in zip(*block, strict=True):
                file.write(json.dumps({"id": str(done), "hyps": hyps}) + "\n")
                done += 1


def write_judgements(path: Path, size: int) -> None:
    """Write one rating per segment, of both systems in turn, as JSONL."""
    rng = np.random.default_rng([SEED, 9])
    with path.open("w", encoding="utf-8") as file:
        file.write('{"tertium": "judgements", "version": 1}\n')
        for number, score in enumerate(rng.integers(0, 101, size).tolist()):
            row = {"kind": "rating", "system": "AB"[number % 2], "score": score}
            row |= {"scale": "DA", "segment": str(number // 2 + 1)}
            row |= {"judge": f"j{number % 50}"}
            file.write(json.dumps(row) + "\n")


# ------------------------------------------------------------------------ running


def tertium(*words: str, timeout: float) -> tuple[float | None, float]:
    """Run the command and return its peak in MB, None if it took too long, and time."""
    start = time.perf_counter()
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, *words],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=timeout,
        )
    except subprocess.TimeoutExpired:
        return None, timeout
    spent = time.perf_counter() - start
    if done.returncode not in (0, 1) or "VmHWM " not in done.stderr:
        sys.exit(f"tertium {' '.join(words)} failed:\n{done.stderr}")
    return int(done.stderr.rsplit("VmHWM ", 1)[1]) / 1024, spent


class Files:
    """The inputs of one size, made when a verb asks for them."""

    def __init__(self, folder: Path, size: int) -> None:
        self.folder, self.size = folder, size

    def __getitem__(self, name: str) -> str:
        path = self.folder / f"{name}{_ENDINGS.get(name, '')}"
        if not path.exists():
            getattr(self, f"_{name}")(path)
        return str(path)

    def _set(self, path: Path) -> None:
        write_set(path, self.size)

    def _shards(self, path: Path) -> None:
        words = ["convert", self["set"], "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "100000", "--compress", "zst")

    def _parquet(self, path: Path) -> None:
        _run("convert", self["set"], "-o", str(path), "-q")

    def _nbest(self, path: Path) -> None:
        file = path.with_suffix(".all.jsonl")
        write_nbest(file, self.size)
        words = ["nbest", "convert", "-n", str(file), "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "10000")
        file.unlink()

    def _store(self, path: Path) -> None:
        file = path.with_suffix(".all.jsonl")
        write_judgements(file, self.size)
        _run("judgements", "import", str(file), "-o", str(path), "-q")
        file.unlink()

    def _judged(self, path: Path) -> None:
        words = ["judgements", "export", self["store"], "-o", str(path), "-q"]
        _run(*words, "--rows-per-shard", "100000", "--compress", "zst")

    def _new(self, path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for block in outputs(self.size, seed=4):
                file.writelines(f"{text}\n" for text in block)


_ENDINGS = {"set": ".jsonl", "parquet": ".parquet", "new": ".txt"}


def _run(*words: str) -> None:
    subprocess.run([sys.executable, "-m", "tertium", *words], check=True)


def measure(
    verbs: Sequence[Verb], sizes: Sequence[int], timeout: float, keep: Path | None
) -> dict[str, dict[int, tuple[float | None, float]]]:
    """Return peak and time by verb and size, and add them to a file on the way."""
    results: dict[str, dict[int, tuple[float | None, float]]] = {}
    for size in sizes:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            files = Files(folder, size)
            for verb in verbs:
                known = results.setdefault(verb.name, {})
                slow = any(peak is None for peak, _ in known.values())
                if size > verb.most or slow:
                    continue
                places = {
                    field: files[field]
                    for field in ("set", "shards", "parquet", "nbest", "new")
                    if f"{{{field}}}" in verb.words
                }
                places |= {
                    field: files[field]
                    for field in ("store", "judged")
                    if f"{{{field}}}" in verb.words
                }
                out = folder / "out"
                words = [word.format(**places, out=out) for word in verb.words.split()]
                known[size] = tertium(*words, timeout=timeout)
                peak, spent = known[size]
                shown = "too long" if peak is None else f"{peak:,.0f} MB"
                print(f"{size:>10,} {verb.name}: {shown}, {spent:.1f} s", flush=True)
                if keep is not None:
                    _added(keep, results)
                for rest in folder.glob("out*"):
                    shutil.rmtree(rest) if rest.is_dir() else rest.unlink()
    return results


def table(
    verbs: Sequence[Verb], results: dict[str, dict[int, tuple[float | None, float]]]
) -> str:
    """Return the results as Markdown."""
    sizes = sorted({size for by_size in results.values() for size in by_size})
    head = ["verb", *(f"{size:,}" for size in sizes), "growth", "what grows"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(sizes) + 1)}---|"]
    for verb in verbs:
        by_size = results[verb.name]
        cells = []
        for size in sizes:
            peak, spent = by_size.get(size, (None, None))
            if spent is None:
                cells.append("")
            elif peak is None:
                cells.append(f"over {spent:.0f} s")
            else:
                cells.append(f"{peak:,.0f} MB, {spent:,.1f} s")
        done = [size for size in sizes if by_size.get(size, (None, 0))[0] is not None]
        growth = ""
        if len(done) > 1:
            low, high = (by_size[size][0] or 0 for size in done[-2:])
            rate = (high - low) * 2**20 / (done[-1] - done[-2])
            growth = f"{max(rate, 0):,.0f} B"
        name = verb.name if verb.unit == "segments" else f"{verb.name} ({verb.unit})"
        lines.append(f"| {' | '.join([name, *cells, growth, verb.about])} |")
    return "\n".join(lines)


_SECTION = """\
`python -m bench memory{options}`: peak memory and time of whole commands on generated
texts (source, one reference, two systems, 14 words per sentence; five hypotheses per
n-best list; one rating per segment), each in a process of its own. Growth is bytes per
segment (list, judgement) between the two largest sizes measured: 0 to about 20 is noise
of the allocator. An empty cell was not measured. Shards have 100,000 segments, as JSONL
compressed with Zstandard.

{table}

{when}, Python {python}, {machine}, {cores} cores, shared with other work.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--large", action="store_true", help="10 million as well")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="verbs that start so")
    parser.add_argument("--timeout", type=float, default=900)
    parser.add_argument("--write", action="store_true", help="make bench/LOAD.md")
    parser.add_argument("--results", type=Path, help="add to these results (JSON)")
    options = parser.parse_args()
    verbs = [
        verb
        for verb in VERBS
        if not options.only or any(verb.name.startswith(o) for o in options.only)
    ]
    sizes = [*options.sizes, *([LARGE] if options.large else [])]
    results = measure(verbs, sizes, options.timeout, options.results)
    if options.results is not None:
        results = _added(options.results, results)
        verbs = [verb for verb in VERBS if verb.name in results]
    text = table(verbs, results)
    print(text)
    if options.write:
        import os

        large = " --large" if any(LARGE in each for each in results.values()) else ""
        section = _SECTION.format(
            options=large,
            table=text,
            when=datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            python=platform.python_version(),
            machine=f"{platform.system()} {platform.machine()}",
            cores=os.cpu_count(),
        )
        write_section("Memory of the verbs by size", section)


def _added(
    path: Path, results: dict[str, dict[int, tuple[float | None, float]]]
) -> dict[str, dict[int, tuple[float | None, float]]]:
    """Return results together with those of earlier runs, and keep them all."""
    known: dict[str, dict[int, tuple[float | None, float]]] = {}
    if path.exists():
        for name, by_size in json.loads(path.read_text()).items():
            known[name] = {int(size): tuple(pair) for size, pair in by_size.items()}
    for name, by_size in results.items():
        known.setdefault(name, {}).update(by_size)
    path.write_text(json.dumps(known, indent=1))
    return known


if __name__ == "__main__":
    main()
