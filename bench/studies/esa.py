# SPDX-License-Identifier: Apache-2.0
"""ESA against MQM on WMT23 en-de, and agreement on error spans.

    python -m bench esa [FOLDER]

Reads every round in the folder of Appraise exports, and writes bench/ESA.md.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from tertium import Judgements
from tertium.judgements.agreement.spans.report import agree_on_spans
from tertium.judgements.importing import import_judgements
from tertium.judgements.ranking import rank_systems

HERE = Path(__file__).parents[1]
KINDS = ("esa", "esa-ai", "mqm-in-appraise")
FIGURES = (
    "character_f1",
    "character_f1_severity",
    "character_alpha",
    "alpha",
    "error_free_kappa",
)


def main() -> None:
    default = HERE.parents[1] / "shared" / "data" / "esa"
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else default
    lines = [
        "# ESA and MQM on WMT23 en-de",
        "",
        "Printed by `python -m bench esa`. ESA and MQM are two protocols, so that the",
        "last rows say how alike their annotators mark errors, not how reliable one of",
        "them is. Brackets are 95 % intervals over documents; figures that rest on",
        "one document with spans have none.",
        "",
    ]
    batches = folder / "appraise-batches.en-de.esa.json.gz"
    data = {}
    for kind in KINDS:
        files = sorted(map(str, folder.glob(f"wmt23.en-de.{kind}.*.csv.gz")))
        if not files:
            sys.exit(f"no judgements {kind} in {folder}; give their folder")
        data[kind] = import_judgements(files, batches=str(batches)).judgements
    scores = {
        kind: rank_systems(
            one, method="mqm" if kind.startswith("mqm") else "mean", resamples=0
        ).scores()
        for kind, one in data.items()
    }
    lines += ["| a | b | systems | Pearson |", "|---|---|---|---|"]
    for kind in KINDS[:2]:
        names = sorted(scores[kind].keys() & scores[KINDS[2]].keys())
        pair = [[scores[k][name] for name in names] for k in (kind, KINDS[2])]
        r = np.corrcoef(np.array(pair, float))[0, 1]
        lines.append(f"| {kind} | {KINDS[2]} | {len(names)} | {r:.3f} |")
    lines += ["", f"| judgements | who | outputs | {' | '.join(FIGURES)} |"]
    lines += ["|---" * (3 + len(FIGURES)) + "|"]
    both = {"esa + mqm-in-appraise": merged(data["esa"], data[KINDS[2]])}
    for kind, one in (data | both).items():
        report = agree_on_spans(one)
        for who, agreed in (("inter", report.inter), ("intra", report.intra)):
            cells = [shown(agreed.figures[name]) for name in FIGURES]
            lines.append(f"| {kind} | {who} | {agreed.outputs} | {' | '.join(cells)} |")
    text = "\n".join(lines) + "\n"
    (HERE / "ESA.md").write_text(text, encoding="utf-8")
    print(text)


def merged(*parts: Judgements) -> Judgements:
    from tertium.judgements.tables import merge

    return merge(parts)


def shown(figure) -> str:
    if figure.value is None:
        return "n/a"
    if figure.interval is None:
        return f"{figure.value:.3f}"
    low, high = figure.interval
    return f"{figure.value:.3f} [{low:.3f}, {high:.3f}]"


if __name__ == "__main__":
    main()
