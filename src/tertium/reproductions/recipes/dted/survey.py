# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 7: participants' effects, and submitted metrics."""

from __future__ import annotations

from collections.abc import Mapping
from math import atanh, erfc, sqrt

import numpy as np
import numpy.typing as npt

from tertium._seed import SEED
from tertium.judgements.adjustment.mixed import fit_mixed
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.stats import spearman

__all__ = ["adjustment", "submitted"]

_PEOPLE, _SHARED, _UNIQUE = 36, 20, 30
_SURVEYS = 20
#: Standard deviations of what a participant adds to every score.
_JUDGES = (0.05, 0.1, 0.15, 0.2)
#: Noise of imagined metrics on top of quality; the first correlates best.
_TOOLS = {"a good metric": 0.3, "a fair metric": 0.8, "a poor metric": 2.0}
_LITTLE = 0.05
_LEVEL = 0.05


def adjustment(_: Exhibit, __: Data) -> Outcome:
    """Figure 7.4: correlations of simulated surveys, before and after adjustment."""
    cells, claims = [], []
    gains: dict[float, list[float]] = {}
    for judge in _JUDGES:
        before, gain = _simulated(judge)
        gains[judge] = [value for values in gain.values() for value in values]
        for tool in _TOOLS:
            low, high = np.percentile(gain[tool], (2.5, 97.5))
            part = f"judges with a standard deviation of {judge:g}"
            mean = float(np.mean(gain[tool]))
            cells.append(Cell(tool, "ρ", float(np.mean(before[tool])), part=part))
            cells.append(
                Cell(
                    tool, "gain by adjustment", mean, float(low), float(high), part=part
                )
            )
    means = {judge: float(np.mean(values)) for judge, values in gains.items()}
    shown = ", ".join(f"{judge:g}: {mean:+.4f}" for judge, mean in means.items())
    small = [j for j, values in gains.items() if max(map(abs, values)) < _LITTLE]
    claims = [
        Claim("adjusting improves correlations on average, however much judges differ",
              min(means.values()) > 0, f"gain by standard deviation {shown}"),
        Claim("adjusting changes correlations little (less than .05) if judges differ "
              "little", _JUDGES[0] in small,
              f"up to a standard deviation of {max(small, default=0):g}"),
    ]  # fmt: skip
    return Outcome(tuple(cells), tuple(claims))


def _simulated(judge: float) -> tuple[dict[str, list[float]], dict[str, list[float]]]:
    """Return the correlations of metrics, and what they gain, survey by survey."""
    generator = np.random.default_rng(SEED)
    before: dict[str, list[float]] = {tool: [] for tool in _TOOLS}
    gain: dict[str, list[float]] = {tool: [] for tool in _TOOLS}
    unique = np.arange(_PEOPLE * _UNIQUE).reshape(_PEOPLE, _UNIQUE) + _SHARED
    shared = np.tile(np.arange(_SHARED), (_PEOPLE, 1))
    items = np.concatenate([shared, unique], axis=1).ravel()
    people = np.repeat(np.arange(_PEOPLE), _SHARED + _UNIQUE)
    for _ in range(_SURVEYS):
        quality = generator.uniform(0, 1, _SHARED + _PEOPLE * _UNIQUE)
        effect = generator.normal(0, judge, _PEOPLE)
        felt = quality[items] + effect[people] + generator.normal(0, 0.2, len(items))
        scores = np.clip(np.round(4 * felt), 0, 4) / 4  # five boxes
        adjusted = scores - fit_mixed(scores, [people]).effects[0][people]
        for tool, spread in _TOOLS.items():
            metric = quality + generator.normal(0, spread, len(quality))
            value = _rho(metric[items], scores)
            before[tool].append(value)
            gain[tool].append(_rho(metric[items], adjusted) - value)
    return before, gain


def submitted(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 7.1: its shares and its significance, from its counts and correlations."""
    rows = exhibit.published
    fitting = [
        size
        for size in range(1, 2000)
        if all(round(100 * row["count"] / size, 1) == row["%"] for row in rows.values())
    ]
    size = fitting[0] if fitting else 0
    cells = [
        Cell(name, "%", 100 * row["count"] / size, against="%")
        for name, row in rows.items()
        if size
    ]
    printed = {name for name, row in rows.items() if row["p"] < _LEVEL}
    ours = {name for name, row in rows.items() if _p_value(row) < _LEVEL}
    best = sorted(printed, key=lambda name: -rows[name]["ρ"])
    return Outcome(
        tuple(cells),
        (
            Claim("one number of sentences explains all shares", len(fitting) == 1,
                  f"{', '.join(map(str, fitting))} sentences"),
            Claim("correlations and counts give the printed significance",
                  ours == printed, f"significant: {', '.join(sorted(ours))}"),
            Claim("BEER has the highest significant correlation", best[0] == "BEER",
                  ", ".join(f"{name} {rows[name]['ρ']:.3f}" for name in best)),
        ),
    )  # fmt: skip


def _p_value(row: Mapping[str, float]) -> float:
    """Return the p-value of Spearman's rho by Fisher's transformation."""
    z = atanh(row["ρ"]) * sqrt((row["count"] - 3) / 1.06)
    return erfc(abs(z) / sqrt(2))


def _rho(x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> float:
    return spearman(x.tolist(), y.tolist()) or 0.0
