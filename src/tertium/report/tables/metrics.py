# SPDX-License-Identifier: Apache-2.0
"""Tables of metrics: what they measure, their formulas and settings."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tertium.report.tables.table import Table

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.metrics.laws import Finding

__all__ = ["laws_table", "metric_text", "metrics_table"]


def metrics_table(classes: Sequence[type[Metric]]) -> Table:
    """Return one row per metric."""
    rows = [[cls.name, _range(cls), cls.summary] for cls in classes]
    note = "`tertium metrics METRIC` shows formula and settings; ↓ lower is better."
    return Table(["metric", "range", "what it measures"], rows, note=note, left=3)


def laws_table(spec: str, findings: Sequence[Finding]) -> Table:
    """Return one row per law, with what is wrong where one fails."""
    rows = [
        [
            finding.name,
            "holds" if finding.holds else "FAILS",
            f"{finding.tried:,}",
            finding.about if finding.holds else finding.problem,
        ]
        for finding in findings
    ]
    failed = sum(not finding.holds for finding in findings)
    verdict = f"{failed} of {len(findings)} fail" if failed else "all hold"
    head = ["law or tool", "result", "tried", "about"]
    return Table(head, rows, title=f"{spec}: {verdict}", left=4)


def _range(cls: type[Metric]) -> str:
    low, high = ("∞" if math.isinf(x) else f"{x:g}" for x in cls.bounds)
    low = "-∞" if cls.bounds[0] == -math.inf else low
    return f"{low} - {high}" + ("" if cls.higher_is_better else " ↓")


def metric_text(cls: type[Metric]) -> str:
    """Return the formula, facts and settings of a metric."""
    facts = {
        "formula": cls.formula,
        "range": _range(cls),
        "direction": "higher is better" if cls.higher_is_better else "lower is better",
        "punctuation": cls.punctuation,
        "empty text": cls.empty,
        "exact copy": cls.copy_exception or "gets the best value",
        "cost": cls.cost,
        "segments": f"{cls.longest:,} words at most" if cls.longest else "",
        "paper": cls.paper,
        "equal to": cls.equal_to,
        "training": cls.training,
        "licences": cls.licences,
    }
    lines = [f"{cls.name}: {cls.summary}", ""]
    for key, value in facts.items():
        lines += _paragraph(f"  {key:<13}", value)
    if not cls.settings:
        return "\n".join(lines)
    lines += ["", "settings (NAME:key=value,key=value):"]
    width = max(map(len, cls.settings))
    for key, setting in cls.settings.items():
        default = "" if setting.default is None else setting.show(setting.default)
        about = f"{setting.about}; {setting.kind}"
        about += f" (default: {default})" if default else ""
        lines += _paragraph(f"  {key:<{width}}  ", about)
    return "\n".join(lines)


def _paragraph(head: str, text: str) -> list[str]:
    return textwrap.wrap(
        text,
        width=88,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )
