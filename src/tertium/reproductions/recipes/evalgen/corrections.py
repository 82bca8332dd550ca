# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: close corrections, places of edits, and cases, on imitations."""

from __future__ import annotations

from collections import Counter

import numpy as np

from tertium.grammars.analysis.annotation import (
    AnnotationItem,
    compare_annotations,
    edit_places,
)
from tertium.grammars.analysis.cases import CaseShifts
from tertium.grammars.comparison import evaluate
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Curve, Exhibit, Outcome
from tertium.reproductions.recipes.evalgen.imitations import correct, imitate
from tertium.reproductions.recipes.evalgen.systems import (
    GRAMMATICAL,
    MATERIAL,
    PATTERNS,
    printed_counts,
    result_of_imitations,
)
from tertium.stats import spearman

__all__ = ["annotation", "case_maps", "close_corrections"]


def close_corrections(_: Exhibit, __: Data) -> Outcome:
    """Figure 5: how many corrections cost nearly as little as the best one."""
    by_edits: dict[int, list[tuple[int, ...]]] = {}
    for row in result_of_imitations().segments:
        if row.close:
            by_edits.setdefault(len(row.edits), []).append(row.close)
    # Means over a few outputs would be noise.
    means = {
        edits: np.mean(rows, axis=0)
        for edits, rows in sorted(by_edits.items())
        if len(rows) >= 20
    }
    curves = tuple(
        Curve(
            f"less than {limit:g}",
            tuple((float(e), float(m[i])) for e, m in means.items()),
        )
        for i, limit in enumerate((0.5, 1.0, 1.5))
    )
    claims = []
    for curve in curves:
        edits, values = zip(*curve.points, strict=True)
        alike = spearman(list(edits), list(values)) or 0.0
        claims.append(
            Claim(
                f"corrections within {curve.name.split()[-1]} of the best grow with "
                "the number of edits (ρ of .9 or more)",
                alike >= 0.9,
                f"from {values[0]:.1f} to {values[-1]:.1f} over {edits[0]:g} to "
                f"{edits[-1]:g} edits, Spearman's ρ {alike:.3f}",
            )
        )
    return Outcome(claims=tuple(claims), curves=curves, axis="edits")


def annotation(exhibit: Exhibit, _: Data) -> Outcome:
    """Figure 6: automatic marks against places that are known."""
    cells = []
    for row, printed in exhibit.published.items():
        precision, recall = printed["precision"], printed["recall"]
        f = 2 * precision * recall / (precision + recall)
        cells.append(Cell(row, "F", f, against="F", part="F from printed figures"))
    part = {kind: 0.5 * count for kind, count in printed_counts()["MT-2"].items()}
    one = imitate(MATERIAL, {kind: round(n) for kind, n in part.items()}, most=3)
    result = correct(MATERIAL, {"A": one.outputs}, resamples=0)
    items, known = [], {}
    for record, damage in zip(result.records["A"], one.damages, strict=True):
        if damage.kinds and len(record.edits) <= 3:
            places = edit_places(record)
            items.append(AnnotationItem(record.id, "", record.hyp, ("A",), places))
            known[record.id] = damage.places
    score = compare_annotations(items, {"known": known}).pooled
    values = (score.precision or 0.0, score.recall or 0.0, score.f or 0.0)
    cells += [
        Cell("places that were put in", column, value, part="our templates")
        for column, value in zip(("precision", "recall", "F"), values, strict=True)
    ]
    other = exhibit.published["evaluator 2"]
    claims = (
        Claim("automatic marks agree with known places at least as well as with the "
              "evaluator who did not design the system",
              values[0] >= other["precision"] and values[1] >= other["recall"],
              f"precision {values[0]:.2f}, recall {values[1]:.2f}, F {values[2]:.2f} "
              f"on {len(items)} outputs with one to three errors"),
    )  # fmt: skip
    return Outcome(tuple(cells), claims)


def case_maps(_: Exhibit, __: Data) -> Outcome:
    """Figure 10: which cases are used, and which are needed."""
    cells, claims = [], []
    demo = evaluate("demo", resamples=0, moves=())
    shifts = {system.name: system.cases for system in demo.systems}
    pooled: Counter[str] = Counter()
    used = total = 0
    for name, cases in shifts.items():
        share = _from_grammatical(cases)
        cells.append(Cell(name, "shifts", cases.total, part="the demo"))
        cells.append(Cell(name, "from NOM, GEN, PAR, %", 100 * share, part="the demo"))
        used += round(share * cases.total)
        total += cases.total
        for case in cases.cases:
            pooled[case] += sum(cases.count(other, case) for other in cases.cases)
    semantic = [case for case, _ in pooled.most_common() if case not in GRAMMATICAL]
    claims += [
        Claim("the demo: most case shifts are from grammatical cases",
              used > total / 2, f"{used} of {total}"),
        Claim("the demo: of the semantic cases, the adessive is needed most",
              semantic[0] == "ADE",
              ", ".join(f"{case} {pooled[case]}" for case in semantic if pooled[case])),
    ]  # fmt: skip
    result = result_of_imitations()
    shares = {}
    for name in printed_counts():
        cases = result.system(name).cases
        shares[name] = _from_grammatical(cases)
        cells.append(Cell(name, "shifts", cases.total, part="imitations"))
        cells.append(
            Cell(name, "from NOM, GEN, PAR, %", 100 * shares[name], part="imitations")
        )
    heavy = [shares[name] for name in PATTERNS if PATTERNS[name] == "top-heavy"]
    spread = [shares[name] for name in shares if name not in PATTERNS]
    claims.append(
        Claim(
            "imitations: the top-heavy pattern of SMT-2, MT-1 and MT-2 is seen again",
            min(heavy) > 0.9 > max(spread),
            f"from grammatical cases {min(heavy):.2f} or more, of systems without a "
            f"pattern {max(spread):.2f} or less",
        )
    )
    return Outcome(tuple(cells), tuple(claims))


def _from_grammatical(cases: CaseShifts) -> float:
    rows = sum(
        cases.count(used, needed) for used in GRAMMATICAL for needed in cases.cases
    )
    return rows / max(1, cases.total)
