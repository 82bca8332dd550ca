# SPDX-License-Identifier: Apache-2.0
"""Pictures that commands make: charts, and reports photographed in a browser.

Every command runs in an empty folder on bundled data. The caption of a picture is the
command, so readers can make it themselves.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

_BROWSERS = ("chromium-headless-shell", "chromium")
_WIDTH = 1000


@dataclass(frozen=True)
class Shot:
    """The command, the file it writes, and how much of a page to show, in pixels."""

    command: str
    file: str
    height: int = 560


def _report(command: str, height: int = 560) -> Shot:
    return Shot(f"{command} -f html -o report.html", "report.html", height)


_CORRELATE = "tertium correlate demo -m bleu chrf++ ter beer --test bootstrap --plot"
#: One run makes all of them: the caption of each names its own chart.
CHARTS = {
    f"chart-{name}": name
    for name in ("values", "heatmap", "scatter", "tests", "systems", "kappa")
} | {"chart-histogram": "histogram"}

SHOTS = {
    "report-score": _report("tertium score demo -m bleu chrf++ ter --interval"),
    "report-compare": _report("tertium compare demo -m bleu chrf++"),
    "report-systems": Shot("tertium report demo -o report.html", "report.html", 620),
    "report-check": _report("tertium check demo", 190),
    "report-explain": _report("tertium explain demo --system order --segment 3", 800),
    "report-rank": _report("tertium rank demo", 440),
    "report-agree": _report("tertium agree demo", 620),
    "report-stats": _report("tertium judgements stats demo", 420),
    "report-correlate": _report(
        "tertium correlate demo -m bleu chrf++ ter --test bootstrap", 800
    ),
    "report-reuse": _report("tertium reuse demo demo --leave-one-out", 700),
    "report-train": Shot(
        "tertium train --explain beer-4.en -f html > report.html", "report.html", 620
    ),
    "report-grammar": Shot(
        "tertium grammar demo --no-browser -o report.html", "report.html", 900
    ),
}


def names() -> set[str]:
    """Return the names of all pictures that commands make."""
    return {*CHARTS, *SHOTS}


def caption(name: str) -> str:
    """Return the command that makes a picture."""
    if name in CHARTS:
        return f"{_CORRELATE} {CHARTS[name]}={CHARTS[name]}.png"
    return SHOTS[name].command


def make(wanted: set[str], folder: Path) -> None:
    """Make pictures in a folder; raise RuntimeError with what a command printed."""
    charts = sorted(wanted & set(CHARTS))
    shots = sorted(wanted & set(SHOTS))
    folder.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = [pool.submit(_shoot, name, folder) for name in shots]
        if charts:
            jobs.append(pool.submit(_draw, charts, folder))
    for job in jobs:
        job.result()


def browser() -> str | None:
    """Return the browser to use, if there is one."""
    named = os.environ.get("TERTIUM_CHROMIUM")
    return named or next(filter(None, map(shutil.which, _BROWSERS)), None)


def _draw(charts: list[str], folder: Path) -> None:
    with tempfile.TemporaryDirectory() as place:
        plots = [f"{CHARTS[name]}={CHARTS[name]}.png" for name in charts]
        _run([*_tertium(_CORRELATE), *plots], place)
        for name in charts:
            shutil.move(f"{place}/{CHARTS[name]}.png", folder / f"{name}.png")


def _shoot(name: str, folder: Path) -> None:
    shot = SHOTS[name]
    with tempfile.TemporaryDirectory() as place:
        command, _, redirected = shot.command.partition(" > ")
        printed = _run(_tertium(command), place)
        if redirected:
            Path(place, redirected).write_text(printed, encoding="utf-8")
        options = [
            "--headless",
            "--no-sandbox",
            "--hide-scrollbars",
            "--force-device-scale-factor=1.5",
            f"--window-size={_WIDTH},{shot.height}",
            f"--screenshot={place}/picture.png",
        ]
        page = Path(place, shot.file).as_uri()
        _run([browser() or _BROWSERS[0], *options, page], place)
        shutil.move(f"{place}/picture.png", folder / f"{name}.png")


def _tertium(command: str) -> list[str]:
    return [sys.executable, "-m", "tertium", *shlex.split(command)[1:]]


def _run(command: list[str], folder: str) -> str:
    """Return what a command prints."""
    done = subprocess.run(
        command,
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        timeout=300,
    )
    if done.returncode:
        message = f"{shlex.join(command)}: {done.stderr.strip()[-300:]}"
        raise RuntimeError(message)
    return done.stdout
