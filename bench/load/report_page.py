# SPDX-License-Identifier: Apache-2.0
"""The page of ``tertium report`` on 20 systems x 10,000 segments: size, paint, filters.

``python -m bench report_page [--systems N] [--segments N] [--keep FILE] [--write]``

Texts are generated from a seed. The page is opened from disk in Chromium by Playwright;
every filter and order is set as a reader would nine times, and the time until the next
frame is taken: the fastest, and the median. --write puts the table into bench/LOAD.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from bench.load.page import write_section

_SEED = 12345
_WORDS = 40_000
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "an")]
_MOST_MEGABYTES = 25.0
_MOST_PAINT = 2.0
_MOST_FILTER = 0.2

#: What a reader does, and the fields that are set; the rest is cleared before.
_ACTIONS = {
    "a word": {"words": "banana"},
    "a word of the outputs of one system": {"words": "ba", "field": "output",
                                            "system": "3"},
    "the expression `b[ae]nan[ai]s?`": {"words": "b[ae]nan[ai]s?",
                                           "regex": True},
    "a kind of error": {"error": "2"},
    "a group of segments": {"group": "1"},
    "a range of scores": {"low": "20", "high": "25"},
    "order: the largest gap": {"order": "gap"},
    "order: metrics disagree": {"order": "disagreement"},
    "a word, an error and the order of gaps": {"words": "ba", "error": "2",
                                               "order": "gain"},
}  # fmt: skip

_TIME = """async (fields) => {
  const {elements} = document.getElementById("filter");
  const frame = () =>
    new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  document.getElementById("filter").reset();
  await frame(); await frame();
  for (const [name, value] of Object.entries(fields)) {
    if (value === true) elements[name].checked = true;
    else elements[name].value = value;
  }
  const begin = performance.now();
  elements.order.dispatchEvent(new Event("input", {bubbles: true}));
  await frame();
  return performance.now() - begin;
}"""
_PAINT = """() => performance.getEntriesByName("first-contentful-paint")[0].startTime"""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print the table, and fail if it misses a target."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=20)
    parser.add_argument("--segments", type=int, default=10_000)
    parser.add_argument("--keep", metavar="FILE", help="keep the page there")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as name:
        path = Path(options.keep or Path(name, "report.html")).resolve()
        rows, good = measure(path, options.systems, options.segments)
    lines = ["| what | measured | at most |", "|---|---:|---:|"]
    lines += [f"| {what} | {value} | {most} |" for what, value, most in rows]
    text = (
        f"`tertium report` on {options.systems} systems x {options.segments:,} "
        "generated segments of 24 words on average, with sources, documents and three "
        "metrics.\n\n"
        + "\n".join(lines)
        + "\n\nFilters and orders: the fastest of nine, and the median. `python -m "
        f"bench report_page`, {os.cpu_count()} cores, Python "
        f"{platform.python_version()}. Other programs used the machine meanwhile."
    )
    print(text)
    if options.write:
        write_section("The page of tertium report", text)
    return 0 if good else 1


def measure(
    path: Path, systems: int, segments: int
) -> tuple[list[tuple[str, str, str]], bool]:
    """Write a page, open it and return the rows of the table.

    The second value is whether every target is met.
    """
    import tertium

    begin = time.perf_counter()
    report = tertium.report(testset(systems, segments), language="en")
    computed = time.perf_counter() - begin
    path.write_text(report.to_html(title="generated"), encoding="utf-8")
    written = time.perf_counter() - begin - computed
    megabytes = path.stat().st_size / 1e6
    rows = [
        ("to compute the report", f"{computed:.0f} s", ""),
        ("to write the page", f"{written:.0f} s", ""),
        ("size of the page", f"{megabytes:.1f} MB", f"{_MOST_MEGABYTES:.0f} MB"),
    ]
    paint, ready, times = _browse(path)
    rows.append(("first paint", f"{paint:.2f} s", f"{_MOST_PAINT:.0f} s"))
    rows.append(("all segments can be filtered", f"{ready:.2f} s", ""))
    for what, measured in times.items():
        middle, fastest = statistics.median(measured), min(measured)
        value = f"{1000 * fastest:.0f} ms ({1000 * middle:.0f})"
        rows.append((what, value, f"{1000 * _MOST_FILTER:.0f} ms"))
    slowest = max(min(each) for each in times.values())
    good = (
        megabytes <= _MOST_MEGABYTES and paint < _MOST_PAINT and slowest < _MOST_FILTER
    )
    return rows, good


def _browse(path: Path) -> tuple[float, float, dict[str, list[float]]]:
    """Return seconds to the first paint, until all is ready, and of every action."""
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TERTIUM_CHROMIUM") or shutil.which(
        "chromium-headless-shell"
    )
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"]
        )
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.goto(path.as_uri(), wait_until="commit")
        page.wait_for_selector("#filter[data-state=ready]", timeout=120_000)
        ready = page.evaluate("performance.now()") / 1000
        paint = page.evaluate(_PAINT) / 1000
        page.evaluate("document.getElementById('outputs').scrollIntoView()")
        page.wait_for_timeout(1500)  # Texts are prepared for searching meanwhile.
        times = {
            what: [page.evaluate(_TIME, fields) / 1000 for _ in range(9)]
            for what, fields in _ACTIONS.items()
        }
        browser.close()
    return paint, ready, times


def testset(systems: int, segments: int):  # type: ignore[no-untyped-def]
    """Return a test set whose systems replace, drop and swap words of the reference."""
    from tertium.data import Testset

    rng = np.random.default_rng(_SEED)
    parts = rng.integers(0, len(_SYLLABLES), (_WORDS, 4))
    words = [
        "".join(_SYLLABLES[part] for part in row[: 1 + number % 4])
        for number, row in enumerate(parts)
    ]
    frequent = 1 / np.arange(1, _WORDS + 1)
    lengths = np.clip(rng.gamma(3, 8, segments).astype(int), 3, 90)

    def sentences() -> list[list[str]]:
        picks = rng.choice(_WORDS, int(lengths.sum()), p=frequent / frequent.sum())
        rows = np.split(picks, np.cumsum(lengths)[:-1])
        return [[words[pick] for pick in row] for row in rows]

    references = sentences()
    outputs = {}
    for number in range(systems):
        outputs[f"system{number + 1}"] = [
            _changed(row, rng, words, 0.12 + 0.01 * number) for row in references
        ]
    return Testset(
        systems=outputs,
        references=[(f"{' '.join(row).capitalize()}.",) for row in references],
        sources=[f"{' '.join(row).capitalize()}." for row in sentences()],
        docs=[f"doc{number // 25}" for number in range(segments)],
    )


def _changed(
    row: list[str], rng: np.random.Generator, words: list[str], rate: float
) -> str:
    """Return a sentence with some words replaced, dropped, added and swapped."""
    out: list[str] = []
    chances = rng.random(len(row)).tolist()
    for word, chance in zip(row, chances, strict=True):
        if chance < rate:
            out.append(words[int(_WORDS ** rng.random()) - 1])
        elif chance < 1.2 * rate and out:
            out.insert(len(out) - 1, word)
        elif chance < 1.4 * rate:
            out += [word, words[int(_WORDS ** rng.random()) - 1]]
        elif chance >= 1.6 * rate:
            out.append(word)
    return f"{' '.join(out).capitalize()}."


if __name__ == "__main__":
    raise SystemExit(main())
