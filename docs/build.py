# SPDX-License-Identifier: Apache-2.0
"""Build the documentation, or write the output of its examples anew.

    python docs/build.py             build the site into site/
    python docs/build.py --update    run the examples and correct the pages

MkDocs loads this file as a hook too (see mkdocs.yml), so `mkdocs serve` shows the
same pages. Nothing generated is kept: a page for every metric from the facts its
class states, with a drawing by `tertium.explain`; the reference from docstrings; and
the contributors' guide and the changes from the files at the root.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import inspect
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import tertium
from tertium.metrics import Metric, metric_class

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parent.parent

# --------------------------------------------------------------- hooks for MkDocs


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the page of every metric into the navigation."""
    pages: list[Any] = [{"Overview": "metrics/index.md"}]
    pages += [{name: _page(name)} for name in tertium.metric_names()]
    for entry in config.nav or []:
        if "Metrics" in entry:
            entry["Metrics"] = pages
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    from mkdocs.structure.files import File

    for path, text in generated().items():
        files.append(File.generated(config, path, content=text))
    for name, place in pictures().there().items():
        path = f"pictures/{name}.png"
        files.append(File.generated(config, path, abs_src_path=str(place)))
    colours = File.generated(config, "drawings.css", content=drawings().style())
    files.append(colours)
    return files


def on_page_markdown(markdown: str, page: Page | None = None, **_: Any) -> str:
    """Put drawings, pictures and tables of settings where a page asks for them."""
    deep = 1 if page is None else page.file.src_uri.count("/")
    filled = drawings().fill(task_tables(markdown))
    return pictures().fill(filled, "../" * deep)


# ---------------------------------------------------------------- generated pages


def generated() -> dict[str, str]:
    """Return the text of every generated page by path."""
    pages = {_page(name): metric_page(name) for name in tertium.metric_names()}
    pages["metrics/index.md"] = metrics_overview()
    pages["reference.md"] = _NO_SIDEBAR + "\n" + reference().text()
    pages["database.md"] = _NO_SIDEBAR + "\n" + database().database_page()
    for path, source in (
        ("contribute.md", "CONTRIBUTING.md"),
        ("changes.md", "CHANGELOG.md"),
    ):
        pages[path] = (ROOT / source).read_text(encoding="utf-8")
    return pages


_NO_SIDEBAR = "---\nhide: [navigation]\n---\n"

_METRICS = """\
# Metrics

Every metric has a name and, if you like, settings: `bleu`,
`bleu:tokenize=intl,lowercase=yes`. This *spec string* is the same on the command line
and in Python. `tertium metrics METRIC` prints what its page says here.

{table}
*Equal to* names the tool or definition whose numbers the tests compare with. Names
ignore case. Speed against the peers is measured by `make bench`, which writes
`bench/RESULTS.md` with the machine and the date.
"""


def metrics_overview() -> str:
    """Return the table of all metrics."""
    rows = []
    for name in tertium.metric_names():
        cls = metric_class(name)
        link = f"[`{name}`]({_page(name).removeprefix('metrics/')})"
        rows.append([link, cls.summary, _range(cls), _arrow(cls), cls.equal_to])
    table = _table(["name", "what it measures", "range", "better", "equal to"], rows)
    return _METRICS.format(table=table)


def metric_page(name: str) -> str:
    """Return the page of a metric."""
    cls = metric_class(name)
    spec = "mean:bleu*0.5+chrf*0.5" if name == "mean" else cls.example or name
    one = tertium.metric(spec)
    command = f"tertium score demo -m {spec}"
    facts = [
        ["range", _range(cls)],
        ["direction", "higher is better" if cls.higher_is_better else _LOWER],
        ["empty text", cls.empty],
        ["exact copy of the reference", cls.copy_exception or "gets the best value"],
        ["equal to", cls.equal_to],
        ["row of statistics", _row(cls)],
        ["paper", cls.paper],
    ]
    if cls.punctuation:
        facts.insert(2, ["punctuation", cls.punctuation])
    facts = [[f"**{key}**", value] for key, value in facts]
    parts = [
        f"# {name}\n",
        f"{cls.summary[0].upper()}{cls.summary[1:]}.\n",
        "## Formula\n",
        f"<p class=formula>{_escape(cls.formula)}</p>\n",
        *_notes(cls),
        *drawings().metric_section(name),
        "## Facts\n",
        _table(["", ""], facts),
        "\n## Settings\n",
        _settings(cls, name),
        "\n## Signature\n",
        f"Of `{spec}`, with one reference:\n",
        f"```text\n{one.signature}\n```\n",
        "## Example\n",
        f"```console\n$ {command}\n{_output(command)}```\n",
        "## Cost\n",
        (
            f"Time for a segment: {cls.cost}.{_aligner_cost(cls)} `make bench` "
            "measures speed and writes `bench/RESULTS.md`.\n"
        ),
    ]
    return "\n".join(parts)


_LOWER = "lower is better"


def _aligner_cost(cls: type[Metric]) -> str:
    """Return what core/align/search.hpp states."""
    if "aligner" not in cls.cost:
        return ""
    return (
        " The aligner takes words + candidates · states, where candidates are the "
        "pairs of words that match and `beam` limits the states."
    )


def _notes(cls: type[Metric]) -> list[str]:
    """Return what the module says below its first line."""
    module = inspect.cleandoc(inspect.getmodule(cls).__doc__ or "")
    _, _, notes = module.partition("\n\n")
    # A module of several metrics speaks of all of them.
    return [_text(notes) + "\n"] if notes else []


def _settings(cls: type[Metric], name: str) -> str:
    if name == "mean":
        return (
            "Parts and weights instead of settings: `mean:SPEC*WEIGHT+SPEC*WEIGHT`. "
            "A weight left out is 1. A part with settings goes in parentheses: "
            "`mean:(chrf:word_order=2)*2+ribes`.\n"
        )
    if not cls.settings:
        return "None.\n"
    rows = []
    for key, declared in cls.settings.items():
        default = "" if declared.default is None else declared.show(declared.default)
        values = ", ".join(f"`{c}`" for c in declared.choices) or declared.kind
        if declared.minimum is not None and not isinstance(declared.default, bool):
            values += f", at least {declared.minimum:g}"
        shown = f"`{default}`" if default else "chosen by the metric"
        rows.append([f"`{key}`", shown, values, declared.about])
    key = next(iter(cls.settings))
    example = f"\nWrite them behind a colon: `{name}:{key}={_other(cls, key)}`.\n"
    return _table(["setting", "default", "values", "what it does"], rows) + example


def _other(cls: type[Metric], key: str) -> str:
    """Return a value that differs from the default."""
    declared = cls.settings[key]
    if declared.choices:
        return next(c for c in declared.choices if c not in (declared.default, "none"))
    if isinstance(declared.default, bool):
        return "no" if declared.default else "yes"
    if isinstance(declared.default, str):
        return declared.kind.upper()
    return declared.show((declared.default or 0) + 1)


_TASK = re.compile("<!-- settings of (\\w+) -->")


def task_tables(markdown: str) -> str:
    """Return a page with the settings of tasks of campaigns, where it asks for them."""
    return _TASK.sub(lambda place: _task_settings(place[1]), markdown)


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
    return _table(["setting", "default", "what it does"], rows)


# ------------------------------------------------------------------------ helpers


def _page(name: str) -> str:
    return f"metrics/{name.lower().replace('++', '-plus-plus')}.md"


def _range(cls: type[Metric]) -> str:
    low, high = cls.bounds
    shown = "-∞" if low == -math.inf else f"{low:g}"
    return f"{shown} to {'∞' if high == math.inf else f'{high:g}'}"


def _arrow(cls: type[Metric]) -> str:
    return "higher" if cls.higher_is_better else "lower"


def _text(docstring: str | None) -> str:
    """Return a docstring as Markdown."""
    text = inspect.cleandoc(docstring or "").replace("``", "`")
    return text.replace(":meth:", "").replace(":func:", "").replace(":class:", "")


def _row(cls: type[Metric]) -> str:
    """Return what a row holds, as the docstring of the class or a parent says."""
    for parent in cls.__mro__:
        summary = inspect.cleandoc(parent.__doc__ or "").partition("\n")[0]
        row = re.search("; the row (?:is|holds) (.*?)\\.?$", summary)
        if row:
            return row[1]
    return "not named in the docstring"


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _table(head: list[str], rows: list[list[str]]) -> str:
    def line(cells: list[str]) -> str:
        return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(head), "|---" * len(head) + "|", *map(line, rows)]) + "\n"


def _output(command: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        block = f"```console\n$ {command}\n```"
        done = examples().rerun(block, Path(folder))
    return done.removeprefix(f"```console\n$ {command}\n").removesuffix("```")


def examples() -> ModuleType:
    """Return the module that runs the examples of pages."""
    return _neighbour("examples")


def reference() -> ModuleType:
    """Return the module that writes the reference."""
    return _neighbour("reference")


def database() -> ModuleType:
    """Return the module that describes the database of campaigns."""
    return _neighbour("database")


def pictures() -> ModuleType:
    """Return the module that finds pictures of pages."""
    return _neighbour("pictures")


def drawings() -> ModuleType:
    """Return the module that makes drawings."""
    return _neighbour("drawings")


def _neighbour(name: str) -> ModuleType:
    """Return a module next to this one; a hook has no package to import from."""
    key = f"docs_{name}"
    if key not in sys.modules:
        path = Path(__file__).with_name(f"{name}.py")
        spec = importlib.util.spec_from_file_location(key, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[key] = module
    return sys.modules[key]


# ------------------------------------------------------------------- command line


def update() -> None:
    """Run the examples of all pages and write the output they print now."""
    for path in examples().pages():
        old = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            new = examples().rerun(old, Path(folder))
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(f"changed {path.relative_to(ROOT)}: look at the difference")


def build() -> None:
    """Build the site; a warning is an error."""
    if said := pictures().make():
        print(f"docs: {said}")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict"]
    quiet = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}  # not about these pages
    done = subprocess.run(command, cwd=ROOT, env=quiet, check=False)
    if done.returncode:
        sys.exit(done.returncode)
    print("the documentation is in site/index.html; to search it, serve the folder:")
    print("python -m http.server --directory site")


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
