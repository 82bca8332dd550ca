# SPDX-License-Identifier: Apache-2.0
"""Build the documentation, or write the output of its examples anew.

    python -m docs.build             build the site into site/
    python -m docs.build --update    run the examples and correct the pages

All pages, written and generated, go to build/pages first; Zensical makes the site from
them.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import tertium
from docs import diagrams, examples, pages, pictures
from docs.metric_pages import metric_path

ROOT = Path(__file__).resolve().parent.parent
STAGE = ROOT / "build" / "site"
_METRICS = "  - Metrics: metrics # filled by docs/build.py\n"
_FILES = ("extra.css", "explain.svg")


def configuration() -> str:
    """Return mkdocs.yml with the page of every metric in the navigation."""
    text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    lines = ["  - Metrics:", "      - Overview: metrics/index.md"]
    lines += [f"      - {name}: {metric_path(name)}" for name in tertium.metric_names()]
    return text.replace(_METRICS, "\n".join(lines) + "\n")


def stage(folder: Path) -> None:
    """Write everything that the site is made from into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    top = folder / "pages"
    for path, text in (pages.written() | pages.generated()).items():
        file = top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(pages.fill(text, path), encoding="utf-8")
    (top / "pictures").mkdir()
    for name, picture in pictures.there().items():
        shutil.copy(picture, top / "pictures" / f"{name}.png")
    for name in _FILES:
        shutil.copy(pages.FOLDER / name, top / name)
    for chart in sorted((pages.FOLDER / "reproductions").glob("*.svg")):
        shutil.copy(chart, top / "reproductions" / chart.name)
    shutil.copytree(pages.FOLDER / "recipes", top / "recipes")
    (top / "diagrams.css").write_text(diagrams.style(), encoding="utf-8")
    (folder / "mkdocs.yml").write_text(configuration(), encoding="utf-8")


def build() -> None:
    """Build the site; a warning is an error."""
    if message := pictures.make():
        print(f"docs: {message}")
    stage(STAGE)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=STAGE, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    shutil.rmtree(ROOT / "site", ignore_errors=True)
    shutil.move(STAGE / "site", ROOT / "site")
    print("the documentation is in site/index.html; to search it, serve the folder:")
    print("python -m http.server --directory site")


def update() -> None:
    """Run the examples of all pages and write the output they print now."""
    for path in examples.pages():
        old = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new = examples.rerun(old, Path(folder))
        _write(path, old, new)
    picture = pages.FOLDER / "explain.svg"
    _write(picture, picture.read_text(encoding="utf-8"), diagrams.readme_picture())


def _write(path: Path, old: str, new: str) -> None:
    if new != old:
        path.write_text(new, encoding="utf-8")
        print(f"changed {path.relative_to(ROOT)}: look at the difference")


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--update", action="store_true", help="correct the examples")
    args = parser.parse_args()
    if args.update:
        update()
    else:
        build()


if __name__ == "__main__":
    main()
