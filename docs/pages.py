# SPDX-License-Identifier: Apache-2.0
"""The pages of the site: written ones with their figures, and generated ones.

Nothing generated is kept: a page per metric from the facts its class states, the
reference from docstrings, the campaign database from its models, and the contributors'
guide and the changes from the files at the root.
"""

from __future__ import annotations

import re
from pathlib import Path

import tertium
from docs import database, diagrams, metric_pages, pictures, reference
from docs.tables import table

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs"

_NO_SIDEBAR = "---\nhide: [navigation]\n---\n"
_COPIED = {"contribute.md": "CONTRIBUTING.md", "changes.md": "CHANGELOG.md"}
_RECIPE = re.compile("<!-- recipe ([\\w.]+) -->")
_LANGUAGES = {".toml": "toml", ".sh": "bash", ".yaml": "yaml"}
_TASK = re.compile("<!-- settings of (\\w+) -->")


def written() -> dict[str, str]:
    """Return the text of every page in the folder by path."""
    files = sorted(FOLDER.rglob("*.md"))
    return {
        file.relative_to(FOLDER).as_posix(): file.read_text(encoding="utf-8")
        for file in files
    }


def generated() -> dict[str, str]:
    """Return the text of every generated page by path."""
    pages = {
        metric_pages.metric_path(name): metric_pages.metric_page(name)
        for name in tertium.metric_names()
    }
    pages["metrics/index.md"] = metric_pages.metrics_overview()
    pages["reference.md"] = _NO_SIDEBAR + "\n" + reference.text()
    pages["database.md"] = _NO_SIDEBAR + "\n" + database.database_page()
    for path, source in _COPIED.items():
        pages[path] = (ROOT / source).read_text(encoding="utf-8")
    return pages


def fill(markdown: str, path: str = "guides/page.md") -> str:
    """Return a page with its diagrams, pictures, recipes and tables in place."""
    recipes = _RECIPE.sub(lambda place: _recipe(place[1]), markdown)
    tables = _TASK.sub(lambda place: _task_settings(place[1]), recipes)
    return pictures.fill(diagrams.fill(tables), up="../" * path.count("/"))


def _recipe(name: str) -> str:
    path = FOLDER / "recipes" / "cluster" / name
    text = path.read_text(encoding="utf-8")
    return f'```{_LANGUAGES[path.suffix]} title="{name}"\n{text}```\n'


def _task_settings(name: str) -> str:
    from tertium.campaigns.site.setup import start
    from tertium.campaigns.tasks import get_task

    start()
    rows = []
    for key, setting in get_task(name).declared_options.items():
        default = setting.default
        shown = str(default).lower() if isinstance(default, bool) else f"{default}"
        text = isinstance(default, str)
        shown = f'"{shown}"' if text and len(shown) < 40 else shown
        about = setting.about
        if setting.choices:
            about += f": {', '.join(setting.choices)}"
        if setting.least is not None and setting.most is not None:
            about += f"; {setting.least:g} to {setting.most:g}"
        rows.append([f"`{key}`", f"`{shown}`", about])
    return table(["setting", "default", "what it does"], rows)
