# SPDX-License-Identifier: Apache-2.0
"""A first and a second run of ``tertium score --cache`` on 100,000 segments.

``python -m bench cache [--segments N] [--model FOLDER] [--write]``

Each run is a process of its own, from the start of Python to its end. Texts are
generated from a seed; the parser is spaCy, with a model of ``../shared/models`` unless
another is named. Every row of the table starts with an empty cache. Both runs must have
the same results. A third run follows after one output was changed and one segment was
inserted at the start. --write puts the table into bench/LOAD.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bench import wmt
from bench.load.page import write_section

_SEED = 12345
_TARGET = 20.0  # times as fast, all metrics together


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, and fail if it misses the target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=100_000)
    parser.add_argument(
        "--model", default=str(wmt.folder().parent / "models/en_ewt_spacy")
    )
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    trees = f"dted:parser=spacy,model={options.model}"
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _write_texts(folder, options.segments)
        for metrics in (["beer", "meteor", trees], ["beer"], ["meteor"], [trees]):
            rows.append(_measure(folder, metrics))
            print(rows[-1], flush=True)
    text = _section(rows, options.segments)
    print(text)
    if options.write:
        write_section("Cache", text)
    return 0 if rows[0][1] / rows[0][2] >= _TARGET else 1


def _measure(folder: Path, metrics: list[str]) -> tuple[str, float, float, float]:
    label = " ".join(spec.partition(",")[0] for spec in metrics)
    with tempfile.TemporaryDirectory(dir=folder) as cache:
        first, out = _run(folder, "A.txt", "ref.txt", metrics, cache)
        second, again = _run(folder, "A.txt", "ref.txt", metrics, cache)
        if out != again:
            sys.exit(f"{label}: the second run has other results")
        changed, _ = _run(folder, "B.txt", "refB.txt", metrics, cache)
    return label, first, second, changed


def _run(
    folder: Path, hyps: str, refs: str, metrics: list[str], cache: str
) -> tuple[float, str]:
    """Return the seconds of a run, and what it printed."""
    command = [sys.executable, "-m", "tertium", "score", "-r", refs, "-i", f"A={hyps}"]
    command += ["-m", *metrics, "-q", "-f", "json", "--cache", cache]
    environment = {**os.environ, "XDG_CACHE_HOME": cache}
    start = time.perf_counter()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    return time.perf_counter() - start, done.stdout


def _write_texts(folder: Path, segments: int) -> None:
    """Write references of about 20 words, and outputs with errors in them."""
    words = _vocabulary()
    random = Random(_SEED)
    refs = [_sentence(random, words) for _ in range(segments)]
    hyps = [_damaged(random, ref, words) for ref in refs]
    for name, lines in (("ref.txt", refs), ("A.txt", hyps)):
        Path(folder, name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    hyps[segments // 2] += " indeed"
    for name, lines in (("refB.txt", refs), ("B.txt", hyps)):
        text = "\n".join(["This line is new .", *lines]) + "\n"
        Path(folder, name).write_text(text, encoding="utf-8")


def _vocabulary() -> list[str]:
    """Return the English words of the demo, the most frequent first."""
    import tertium

    counts = Counter(" ".join(tertium.read("demo").sources or ()).lower().split())
    return [word for word, _ in counts.most_common()]


def _sentence(random: Random, words: Sequence[str]) -> str:
    count = random.randint(8, 32)
    # Zipf's law, roughly: small numbers are more frequent.
    chosen = [words[int(len(words) ** random.random()) - 1] for _ in range(count)]
    return f"{' '.join(chosen).capitalize()} ."


def _damaged(random: Random, text: str, words: Sequence[str]) -> str:
    out = text.split()
    for _ in range(max(1, len(out) // 6)):
        place = random.randrange(len(out))
        error = random.randrange(3)
        if error == 0:
            out[place] = random.choice(words)
        elif error == 1 and len(out) > 2:
            del out[place]
        else:
            out.insert(random.randrange(len(out)), out.pop(place))
    return " ".join(out)


def _section(rows: Sequence[tuple[str, float, float, float]], segments: int) -> str:
    lines = [
        f"`tertium score --cache DIR` on {segments:,} segments, one system, one",
        "reference of 21 words on average: seconds of whole processes, and how many",
        "times as fast the second run is. In the last column, one output was changed",
        "and one segment inserted at the start.",
        "",
        "| metrics | first run | second run | ratio | after a change |",
        "|---|---:|---:|---:|---:|",
    ]
    lines += [
        f"| {label} | {one:.1f} | {two:.2f} | {one / two:.0f} | {changed:.2f} |"
        for label, one, two, changed in rows
    ]
    return "\n".join([*lines, "", f"`python -m bench cache`, {_machine()}.", ""])


def _machine() -> str:
    return f"{os.cpu_count()} cores, Python {sys.version.split()[0]}"


if __name__ == "__main__":
    sys.exit(main())
