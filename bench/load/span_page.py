# SPDX-License-Identifier: Apache-2.0
"""A long document on the page of span tasks: how fast it opens, scrolls and marks.

``python -m bench span_page [--paragraphs 30] [--words 100] [--write]``

Runs the production server and a real browser: Chromium without a window, by Playwright.
The time of a move is that of the program and of the layout it causes.
``--write`` also writes a section of ``bench/LOAD.md``.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import statistics as stats
import sys
import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from bench.load.page import write_section
from support.campaign_server import Server

_WORDS = ("Boot", "Nacht", "Brief", "Brücke", "Garten", "Winter", "Musik", "Stein")
_MARK = """async (number) => {
  const area = document.querySelectorAll(".marked")[number];
  const drawn = () => new Promise((done) =>
    requestAnimationFrame(() => requestAnimationFrame(done)));
  area.focus();
  const times = [];
  for (const key of ["ArrowRight", "ArrowRight", "Enter", "s", "ArrowRight", "Enter"]) {
    await drawn();
    performance.mark("before");
    area.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    document.body.getBoundingClientRect(); // layout, which would come with the frame
    times.push(performance.measure("move", "before").duration);
  }
  return times;
}"""
_SCROLL = """async () => {
  const end = document.documentElement.scrollHeight - innerHeight;
  const gaps = [];
  let last = performance.now();
  for (let at = 0; at <= end; at += 60) {
    scrollTo(0, at);
    await new Promise(requestAnimationFrame);
    gaps.push(performance.now() - last);
    last = performance.now();
  }
  return gaps;
}"""


def main(argv: Sequence[str] | None = None) -> int:
    """Open, scroll and mark; print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paragraphs", type=int, default=30)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--write", action="store_true", help="write bench/LOAD.md")
    args = parser.parse_args(argv)
    rows = ["| task | open | a move, median | a move, longest | frame, p95 |",
            "|---|---:|---:|---:|---:|"]  # fmt: skip
    for task in ("esa", "mqm", "cesa"):
        rows.append(_row(task, args.paragraphs, args.words))
        print(rows[-1], flush=True)
    if args.write:
        write_section("The page of error spans", _section(args, rows))
    return 0


def _section(args: argparse.Namespace, rows: Sequence[str]) -> str:
    about = (
        f"`python -m bench span_page --paragraphs {args.paragraphs} --words "
        f"{args.words} --write`: a document of {args.paragraphs} paragraphs of "
        f"{args.words} words (`cesa`: three translations of it) in Chromium without a "
        "window. *Open* is the time until marks can be made; a *move* is a key, with "
        "the layout it causes; frames are those of scrolling from top to bottom."
    )
    load = os.getloadavg()[0]
    facts = (
        f"{date.today()}, Python {platform.python_version()}, {os.cpu_count()} cores "
        f"with a load of {load:.1f}."
    )
    return "\n".join([fill(about, 88), "", *rows, "", facts])


def _row(task: str, paragraphs: int, words: int) -> str:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("TERTIUM_CHROMIUM") or shutil.which(
        "chromium-headless-shell"
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as play:
        server = Server(Path(folder))
        browser = play.chromium.launch(executable_path=program, args=["--no-sandbox"])
        try:
            link = server.load(_write(Path(folder), task, paragraphs, words))
            server.start()
            page = browser.new_page(viewport={"width": 1100, "height": 800})
            return _measured(task, page, server.url + link["annotator"])
        finally:
            browser.close()
            server.kill()


def _measured(task: str, page: Any, address: str) -> str:
    page.goto(address)
    page.get_by_role("button", name="Join").click()
    page.get_by_role("link", name="Go on").click()
    page.get_by_role("button", name="Start").click()
    page.locator("#work[data-ready]").wait_for()
    opened = []
    for _ in range(5):
        page.reload()
        page.locator("#work[data-ready]").wait_for()
        opened.append(page.evaluate("performance.now()"))
    number = page.locator(".marked").count()
    moves = [
        time for place in range(0, number, 3) for time in page.evaluate(_MARK, place)
    ]
    frames = sorted(page.evaluate(_SCROLL))
    return (
        f"| `{task}` | {stats.median(opened):.0f} ms | {stats.median(moves):.1f} ms | "
        f"{max(moves):.1f} ms | {frames[int(0.95 * len(frames))]:.0f} ms |"
    )


def _write(folder: Path, task: str, paragraphs: int, words: int) -> Path:
    rng = Random(1)
    with (folder / "set.jsonl").open("w", encoding="utf-8") as file:
        for n in range(paragraphs):
            src, *outputs = (" ".join(rng.choices(_WORDS, k=words)) for _ in range(4))
            line = {"id": f"s{n}", "doc": "d", "src": src, "ref": ["r"],
                    "tgt": dict(zip("xyz", outputs, strict=True))}  # fmt: skip
            file.write(json.dumps(line) + "\n")
    config = folder / "campaign.toml"
    config.write_text(
        f'[campaign]\nname = "long"\ntitle = "Long"\ntask = "{task}"\n'
        'items = "set.jsonl"\nsource = "en"\ntarget = "de"\n'
        "[task]\nparagraphs = 0\n",
        encoding="utf-8",
    )
    return config


if __name__ == "__main__":
    sys.exit(main())
