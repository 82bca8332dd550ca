# SPDX-License-Identifier: Apache-2.0
"""Peak memory and time of the verbs that read test sets or judgements.

    python -m bench memory --folder FOLDER [--sizes 10000 100000 ...] [--only NAME ...]
                           [--again] [--limit SECONDS] [--memory MB] [--write]

Texts are generated with a seed. Every command runs in its own process, whose peak is
read from the kernel (VmHWM, Linux). The folder keeps texts and results, so that a run
that was cut off goes on where it ended; ``--again`` measures again. Beyond 100,000
segments, a command is run only if smaller sizes predict no more time than
``--limit`` and no more memory than ``--memory``; otherwise the table has the estimate.
The growth is that between the two largest sizes measured. ``--write`` makes the section
of bench/LOAD.md from all results in the folder.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from bench.load.generated import Files, remove
from bench.load.page import table_rows, write_section

SIZES = (10_000, 100_000, 1_000_000, 10_000_000)
_ALWAYS = 100_000  # up to this size, every command is run

# VmHWM, not getrusage: that one remembers the parent from before exec.
_PEAK = """
import sys
from tertium.cli import main
code = main(sys.argv[1:])
status = open("/proc/self/status").read()
sys.stderr.write("\\nVmHWM " + status.split("VmHWM:")[1].split()[0])
sys.exit(code)
"""


@dataclass(frozen=True)
class Verb:
    """A command to measure.

    Parameters
    ----------
    name : str
    words : str
        Its arguments; ``{set}`` and so on are files of the size.
    most : int, optional
        The largest size that is possible.
    unit : str
        What sizes count.
    about : str
        Why memory grows, where it does.
    """

    name: str
    words: str
    unit: str = "segments"
    about: str = ""
    most: int | None = None


VERBS = (
    Verb("score", "score {set} -m bleu chrf"),
    Verb("score, shards", "score {shards} -m bleu chrf"),
    Verb("score nist", "score {shards} -m nist", about="words and n-grams are counted"),
    Verb(
        "score --segments",
        "score {shards} -m bleu --segments -f json -o {out}",
        about="all scores are one JSON object",
    ),
    Verb(
        "score --segments to shards",
        "score {shards} -m bleu --segments -o {out} --rows-per-shard 100000",
    ),
    Verb(
        "score --interval",
        "score {shards} -m bleu --interval --resamples 100",
        about="statistics of all segments",
    ),
    Verb(
        "compare",
        "compare {shards} -m bleu --resamples 100",
        about="statistics of all segments, twice",
    ),
    Verb(
        "score --worst",
        "score {shards} -m sentbleu --worst 10",
        about="scores and statistics of all segments; texts are on disk",
    ),
    Verb(
        "sacrebleu",
        "sacrebleu {ref} -i {new} -m bleu chrf",
        about="all texts, as sacreBLEU",
    ),
    Verb(
        "report",
        "report {shards} -m chrf --resamples 100 -o {out}.html",
        about="all texts, which the page has",
    ),
    Verb(
        "explain",
        "explain {shards} --segments 1-5",
        about="nothing; texts are on disk",
    ),
    Verb("check", "check {shards}", about="hashes of segments; words to 300,000"),
    Verb("convert to shards", "convert {set} -o {out} --rows-per-shard 100000"),
    Verb(
        "convert to zst shards",
        "convert {set} -o {out} --rows-per-shard 100000 --compress zst --to plain",
    ),
    Verb(
        "convert to Parquet",
        "convert {shards} -o {out}.parquet",
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
        about="a workbook is held as a whole; it has 1,048,576 rows at most",
        most=1_000_000,
    ),
    Verb("mbr", "mbr -n {nbest} -m chrf -o {out}", "lists", "one hash per id"),
    Verb(
        "mbr to shards",
        "mbr -n {nbest} -m chrf -o {out} --rows-per-shard 10000",
        "lists",
        "one hash per id",
    ),
    Verb("nbest convert", "nbest convert -n {nbest} -o {out}.jsonl", "lists"),
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
        about="names and ratings of judged segments; texts are on disk",
    ),
    Verb(
        "train",
        "train -t {shards} -J {store} --scale DA -o {out}.json",
        about="names and ratings of judged segments; texts and features are on disk",
    ),
    Verb(
        "rank",
        "rank {store} --bootstrap 100",
        unit="judgements",
        about="ratings of all segments",
    ),
    Verb(
        "correlate",
        "correlate {shards} -J {store} -m chrf --resamples 100",
        about="all texts",
    ),
    Verb(
        "judge --dry-run",
        "judge {shards} --url http://x --model m --dry-run",
        about="hashes of requests; texts are on disk",
    ),
    Verb(
        "judgements import, spans",
        "judgements import {spans} -o {out}",
        "spans",
        "as import",
    ),
    Verb(
        "judgements export, spans",
        "judgements export {marked} -o {out}",
        "spans",
        "as export",
    ),
    Verb(
        "agree --spans",
        "agree {marked} --spans --resamples 100",
        "spans",
        about="all spans",
    ),
    Verb("rank, spans", "rank {marked} --bootstrap 100", "spans", "costs of outputs"),
    Verb(
        "correlate --spans",
        "correlate --spans -J {marked} --predictions P={predicted} --resamples 100",
        "spans",
        about="all spans; up to 3,000 segments, tables of pairs of them",
    ),
    Verb(
        "explain --spans",
        "explain {set} --spans --predictions {out}.jsonl",
        about="nothing; texts are on disk",
    ),
    Verb(
        "train --spans",
        "train --spans -t {set} -J {marked} -o {out}.json",
        about="all texts, spans and features",
    ),
    Verb(
        "resegment",
        "resegment -r {ref} --docs {docs} -i {documents} -o {out}.txt",
        about="all texts and segments",
    ),
    Verb("align", "align -i {new} -r {ref} -o {out}"),
    Verb(
        "align --bilingual",
        "align --bilingual -s {src} -t {ref} -o {out}",
        about="all pairs of words that occur together",
    ),
    Verb(
        "permute",
        "permute {ref} -d 1 4 -o {out}.txt",
        about="distinct words; hashes of texts",
    ),
    Verb("functionwords", "functionwords {ref} -n 100", about="distinct words"),
    Verb("wordlist", "wordlist {ref} -l de -o {out}.words"),
    Verb("parts extract", "parts extract {trees} -o {out}.jsonl"),
    Verb("preorder gold", "preorder gold -s {src} --links {links} -o {out}"),
    Verb(
        "preorder train",
        "preorder train -s {src} --links {links} -o {out}",
        about="the texts and tables of the model",
    ),
    Verb("preorder apply", "preorder apply {order} {src} -o {out}.txt"),
    Verb("nbest stats", "nbest stats -n {nbest}", "lists", "sizes; sampled pairs"),
    Verb("nbest merge", "nbest merge -n {nbest} {nbest} -o {out}.jsonl", "lists"),
    Verb("rerank", "rerank -n {features} --feature lm -o {out}.txt", "lists"),
    Verb(
        "tune batch",
        "tune batch -n {features} -r {ref} -m bleu",
        "lists",
        about="features and statistics of all hypotheses",
    ),
)


#: Verbs that are not measured here, and why.
OTHERS = {
    "campaign": "the section on annotators, and `python -m bench campaign_scale`",
    "parse": "the parser's model decides; text files are read in parts",
    "grammar": "test sets are written by hand, so they are small",
    "tune": "`run` and `serve` follow a decoder; `batch` has a row",
    "repeat": "that of the command which is repeated",
    "cite": "reads one record",
    "metrics": "reads no texts",
    "cache": "reads no texts",
    "completion": "reads no texts",
    "reproduce": "the size of each exhibit is fixed",
}


@dataclass(frozen=True)
class Cell:
    """What is known of a verb at one size.

    Parameters
    ----------
    megabytes : float
        Peak memory.
    seconds : float
    estimated : bool
        Whether it was not run, but computed from smaller sizes.
    """

    megabytes: float
    seconds: float
    estimated: bool = False

    def __str__(self) -> str:
        if self.estimated:
            return f"not run: about {self.megabytes:,.0f} MB, {self.seconds:,.0f} s"
        return f"{self.megabytes:,.0f} MB, {self.seconds:,.1f} s"


class Results:
    """Measurements by verb and size, in a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._cells: dict[str, dict[int, Cell]] = {}
        if path.exists():
            for name, by_size in json.loads(path.read_text(encoding="utf-8")).items():
                cells = {int(size): Cell(*each) for size, each in by_size.items()}
                self._cells[name] = cells

    def __getitem__(self, verb: Verb) -> dict[int, Cell]:
        """Return what was measured of a verb, by size."""
        return dict(sorted(self._cells.get(verb.name, {}).items()))

    def add(self, verb: Verb, size: int, cell: Cell) -> None:
        """Keep a measurement."""
        self._cells.setdefault(verb.name, {})[size] = cell
        content = {
            name: {size: [each.megabytes, each.seconds] for size, each in cells.items()}
            for name, cells in self._cells.items()
        }
        part = self._path.with_suffix(".part")
        part.write_text(json.dumps(content, indent=1), encoding="utf-8")
        part.replace(self._path)

    def estimate(self, verb: Verb, size: int) -> Cell | None:
        """Return what a larger size would take, from the two largest that are known."""
        known = {other: cell for other, cell in self[verb].items() if other < size}
        if not known:
            return None
        largest = max(known)
        cell = known[largest]
        memory = cell.megabytes + growth(known) * (size - largest) / 2**20
        return Cell(memory, cell.seconds * size / largest, estimated=True)


def growth(cells: dict[int, Cell]) -> float:
    """Return bytes per segment between the two largest sizes; 0 if there is one."""
    sizes = sorted(size for size, cell in cells.items() if not cell.estimated)
    if len(sizes) < 2:
        return 0.0
    low, high = (cells[size].megabytes for size in sizes[-2:])
    return max(high - low, 0) * 2**20 / (sizes[-1] - sizes[-2])


def tertium(*words: str) -> Cell:
    """Run the command and return its peak and time."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    spent = time.perf_counter() - start
    if done.returncode not in (0, 1) or "VmHWM " not in done.stderr:
        sys.exit(f"tertium {' '.join(words)} failed:\n{done.stderr}")
    return Cell(int(done.stderr.rsplit("VmHWM ", 1)[1]) / 1024, spent)


def measure(
    verbs: Sequence[Verb],
    sizes: Sequence[int],
    folder: Path,
    results: Results,
    allowed: Callable[[Cell], bool],
    *,
    again: bool = False,
) -> None:
    """Measure verbs at all sizes that are not known yet.

    Parameters
    ----------
    allowed : callable
        Called with what a command is expected to take, beyond 100,000 segments:
        whether to run it.
    again : bool
        Whether to measure what is known, too.
    """
    for size in sorted(sizes):
        files = Files(folder / str(size), size)
        for verb in verbs:
            known = size in results[verb] and not again
            if known or (verb.most is not None and size > verb.most):
                continue
            expected = results.estimate(verb, size)
            if size > _ALWAYS and expected and not allowed(expected):
                print(f"{size:>10,} {verb.name}: {expected}", flush=True)
                continue
            cell = tertium(*files.words(verb.words, files.folder / "out"))
            results.add(verb, size, cell)
            print(f"{size:>10,} {verb.name}: {cell}", flush=True)
            for rest in files.folder.glob("out*"):
                remove(rest)


def table(
    verbs: Sequence[Verb],
    sizes: Sequence[int],
    results: Results,
    *,
    earlier: Mapping[str, str] | None = None,
) -> str:
    """Return the results as Markdown.

    Parameters
    ----------
    earlier : mapping of str to str, optional
        Rows by the names they begin with, for verbs without results.
    """
    head = ["verb", *(f"{size:,}" for size in sizes), "growth", "what grows"]
    lines = [f"| {' | '.join(head)} |", f"|---|{'---:|' * (len(sizes) + 1)}---|"]
    for verb in verbs:
        cells = results[verb]
        name = verb.name if verb.unit == "segments" else f"{verb.name} ({verb.unit})"
        if not cells and earlier and name in earlier:
            lines.append(earlier[name])
            continue
        shown = []
        for size in sizes:
            cell = cells.get(size) or results.estimate(verb, size)
            impossible = verb.most is not None and size > verb.most
            shown.append("not possible" if impossible else str(cell or ""))
        rate = f"{growth(cells):,.0f} B" if len(cells) > 1 else ""
        lines.append(f"| {' | '.join([name, *shown, rate, verb.about])} |")
    return "\n".join(lines)


_TITLE = "Memory of the verbs by size"
_SECTION = """\
`python -m bench memory --folder FOLDER --write`: peak memory and time of whole
commands on generated texts (source, one reference, two systems, 14 words per sentence;
five hypotheses per n-best list; one rating per segment), each in a process of its own.
Growth is bytes per segment (list, judgement, span) between the two largest sizes
measured: 0 to about 20 is noise of the allocator. *Not run* marks estimates from two
smaller sizes, 1,000 and 10,000 if there are no others: beyond 100,000, of commands that
were expected to take more than {limit:,.0f} s or {memory:,.0f} MB, and at all sizes of
those that the run did not get to. Shards have 100,000 segments, as JSONL compressed
with Zstandard. A row stays until its verb is measured again. Other programs used the
machine meanwhile: times are upper bounds.

{table}

Verbs without a row:

{others}

{when}, Python {python}, {machine}, {cores} cores.
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--folder", type=Path, required=True, help="for texts and results"
    )
    parser.add_argument("--sizes", nargs="+", type=int, default=list(SIZES))
    parser.add_argument("--only", nargs="+", metavar="NAME", help="verbs that start so")
    parser.add_argument("--again", action="store_true", help="also what is known")
    parser.add_argument("--limit", type=float, default=600, metavar="SECONDS")
    parser.add_argument("--memory", type=float, default=1500, metavar="MB")
    parser.add_argument("--write", action="store_true", help="make bench/LOAD.md")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    results = Results(options.folder / "results.json")
    chosen = [
        verb
        for verb in VERBS
        if not options.only or any(verb.name.startswith(o) for o in options.only)
    ]

    def allowed(cell: Cell) -> bool:
        return cell.seconds <= options.limit and cell.megabytes <= options.memory

    again = options.again
    measure(chosen, options.sizes, options.folder, results, allowed, again=again)
    text = table(VERBS, SIZES, results, earlier=table_rows(_TITLE))
    print(text)
    if options.write:
        section = _SECTION.format(
            others="\n".join(f"- `{name}`: {why}" for name, why in OTHERS.items()),
            limit=options.limit,
            memory=options.memory,
            table=text,
            when=datetime.now(timezone.utc).strftime("%Y-%m-%d"),
            python=platform.python_version(),
            machine=f"{platform.system()} {platform.machine()}",
            cores=os.cpu_count(),
        )
        write_section(_TITLE, section)


if __name__ == "__main__":
    main()
