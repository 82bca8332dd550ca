# SPDX-License-Identifier: Apache-2.0
"""One page per metric, from the facts its class states, and a table of all of them."""

from __future__ import annotations

import inspect
import math
import re
import tempfile
from pathlib import Path

import tertium
from docs import diagrams, examples
from docs.tables import table
from tertium.errors import MissingExtraError
from tertium.metrics import Metric, metric_class

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
        link = f"[`{name}`]({metric_path(name).removeprefix('metrics/')})"
        rows.append([link, cls.summary, _range(cls), _arrow(cls), cls.equal_to])
    head = ["name", "what it measures", "range", "better", "equal to"]
    return _METRICS.format(table=table(head, rows))


def metric_page(name: str) -> str:
    """Return the page of a metric."""
    cls = metric_class(name)
    spec = "mean:bleu*0.5+chrf*0.5" if name == "mean" else cls.example or name
    try:
        signature = tertium.metric(spec).signature
    except MissingExtraError as error:  # the page of a smaller installation says so
        signature = str(error)
    command = f"tertium score demo -m {spec}"
    facts = [
        ["range", _range(cls)],
        ["direction", "higher is better" if cls.higher_is_better else _LOWER],
        ["empty text", cls.empty],
        ["exact copy of the reference", cls.copy_exception or "gets the best value"],
        ["equal to", cls.equal_to],
        ["training", cls.training],
        ["licences", cls.licences],
        ["row of statistics", _row(cls)],
        ["paper", cls.paper],
        ["published results", _reproduced(name)],
    ]
    if cls.punctuation:
        facts.insert(2, ["punctuation", cls.punctuation])
    facts = [[f"**{key}**", value] for key, value in facts if value]
    parts = [
        f"# {name}\n",
        f"{cls.summary[0].upper()}{cls.summary[1:]}.\n",
        "## Formula\n",
        f"<p class=formula>{_escape(cls.formula)}</p>\n",
        *_notes(cls),
        *diagrams.metric_section(name),
        "## Facts\n",
        table(["", ""], facts),
        "\n## Settings\n",
        _settings(cls, name),
        "\n## Signature\n",
        f"For `{spec}` with one reference:\n",
        f"```text\n{signature}\n```\n",
        "## Example\n",
        f"```console\n$ {command}\n{_output(command)}```\n",
        "## Cost\n",
        (
            f"Time per segment: {cls.cost}.{_aligner_cost(cls)} `make bench` "
            "measures speed and writes `bench/RESULTS.md`.\n"
        ),
    ]
    return "\n".join(parts)


_LOWER = "lower is better"

#: The page of the book of reproductions that has the metric's published results.
_REPRODUCED = {
    "forests": (
        "kendall", "spearman", "hamming", "ulam", "fuzzy", "recpef", "recpet", "pef",
        "pet",
    ),
    "beer": ("beer", "pet-size", "max-op", "n-pets"),
    "dted": ("dted", "derp"),
    "evalgen": ("evalgen",),
    "segranks": (
        "amber", "layered", "semantic-esa", "cder", "per", "wer", "nist", "bleu-nrc",
        "exactmatch", "penalizeunknown", "segranksbleu",
    ),
}  # fmt: skip


def _reproduced(name: str) -> str:
    """Return a link to the published results of a metric, repeated."""
    for document, names in _REPRODUCED.items():
        if name in names:
            return f"[repeated table by table](../reproductions/{document}.md)"
    return ""


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
    # The docstring of a module with several metrics covers all of them.
    return [_text(notes) + "\n"] if notes else []


def _settings(cls: type[Metric], name: str) -> str:
    if name == "mean":
        return (
            "Parts and weights instead of settings: `mean:SPEC*WEIGHT+SPEC*WEIGHT`. "
            "A missing weight is 1. A part with settings goes in parentheses: "
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
    example = f"\nWrite them after a colon: `{name}:{key}={_other(cls, key)}`.\n"
    return table(["setting", "default", "values", "what it does"], rows) + example


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


def metric_path(name: str) -> str:
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


def _output(command: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        block = f"```console\n$ {command}\n```"
        done = examples.rerun(block, Path(folder))
    return done.removeprefix(f"```console\n$ {command}\n").removesuffix("```")
