# SPDX-License-Identifier: Apache-2.0
"""Pictures of reports, charts and the annotation server, taken when pages are built.

A page gets one where it says ``<!-- picture NAME: what it shows -->``. Those of
docs/screenshots.py come from commands, those of the annotation server from a browser
test. They are kept in ``build/pictures``, not in the repository. What is missing is
made if this machine has a browser; otherwise pages are built without it.
"""

from __future__ import annotations

import html
import os
import re
import subprocess
import sys
from pathlib import Path

from docs import screenshots

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "pictures"
TEST = "tests/web/test_guides.py"

_PLACE = re.compile(r"<!-- picture ([\w-]+): ([^>]+?) -->")


def wanted() -> list[str]:
    """Return the names of all pictures that pages ask for."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    places = (_PLACE.findall(page.read_text(encoding="utf-8")) for page in pages)
    return sorted({name for page in places for name, _ in page})


def there() -> dict[str, Path]:
    """Return the pictures that pages ask for and that are there, by name."""
    files = {name: FOLDER / f"{name}.png" for name in wanted()}
    return {name: file for name, file in files.items() if file.is_file()}


def make() -> str:
    """Take missing pictures if this machine can; return a message if some are left."""
    if not _missing():
        return ""
    if (reason := _lacking()) is None:
        reason = _from_commands() or _from_test()
    missing = len(_missing())
    return f"{missing} pictures are left out: {reason}" if missing else ""


def _missing() -> set[str]:
    return set(wanted()) - set(there())


def _from_commands() -> str:
    """Make the pictures that commands make; return why one failed."""
    try:
        screenshots.make(_missing() & screenshots.names(), FOLDER)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return str(error)
    return ""


def _from_test() -> str:
    """Run the test that takes the other pictures; return its last line."""
    if not _missing():
        return ""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST]
    environment = os.environ | {"TERTIUM_PICTURES": "yes"}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, check=False
    )
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    return f"{TEST} did not take them: {(lines or ['no output'])[-1]}"


def _lacking() -> str | None:
    if not screenshots.browser():
        return "no browser; apt install chromium-headless-shell"
    for name in ("playwright", "pytest_django", "django"):
        try:
            __import__(name)
        except ImportError:
            return f"no {name}; install the test packages: make .venv/.test"
    return None


def fill(markdown: str, up: str = "../") -> str:
    """Return a page with its pictures in place; what is missing is left out.

    Parameters
    ----------
    up : str
        The way from the page to the top of the site.
    """
    known = there()

    def shown(place: re.Match[str]) -> str:
        name, about = place[1], html.escape(place[2])
        if name not in known:
            return ""
        image = f"![{about}]({up}pictures/{name}.png){{ .picture .{name} }}\n"
        if name not in screenshots.names():
            return image
        return f"{image}\n`{screenshots.caption(name)}`\n{{ .caption }}\n"

    return _PLACE.sub(shown, markdown)
