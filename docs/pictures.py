# SPDX-License-Identifier: Apache-2.0
"""Pictures of the annotation server and of reports, taken by tests in a browser.

A page gets one where it says ``<!-- picture NAME: what it shows -->``. They are kept
in ``build/pictures``, not in the repository. Where they are missing and chromium is
there, the test that takes them is run; else pages are built without them.
"""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "pictures"
TEST = "tests/web/test_guides.py"

_PLACE = re.compile(r"<!-- picture ([\w-]+): ([^>]+?) -->")


def wanted() -> list[str]:
    """Return the names of all pictures that pages ask for."""
    pages = sorted((ROOT / "docs").rglob("*.md"))
    found = (_PLACE.findall(page.read_text(encoding="utf-8")) for page in pages)
    return sorted({name for places in found for name, _ in places})


def there() -> dict[str, Path]:
    """Return the pictures that pages ask for and that are there, by name."""
    files = {name: FOLDER / f"{name}.png" for name in wanted()}
    return {name: file for name, file in files.items() if file.is_file()}


def make() -> str:
    """Take pictures that are missing, if this machine can; return what to say of it."""
    missing = set(wanted()) - set(there())
    if not missing:
        return ""
    if (reason := _lacking()) is None:
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST]
        environment = os.environ | {"TERTIUM_PICTURES": "yes"}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, check=False
        )
        missing = set(wanted()) - set(there())
        if not missing:
            return ""
        said = done.stdout.decode(errors="replace").strip().splitlines()
        reason = f"{TEST} did not take them: {(said or ['no output'])[-1]}"
    return f"{len(missing)} pictures of web pages are left out: {reason}"


def _lacking() -> str | None:
    browsers = ("chromium-headless-shell", "chromium")
    if not (os.environ.get("TERTIUM_CHROMIUM") or any(map(shutil.which, browsers))):
        return "no browser; apt install chromium-headless-shell"
    for name in ("playwright", "pytest_django", "django"):
        try:
            __import__(name)
        except ImportError:
            return f"no {name}; the packages of the tests are needed: make .venv/.test"
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
        return f"![{about}]({up}pictures/{name}.png){{ .picture .{name} }}\n"

    return _PLACE.sub(shown, markdown)
