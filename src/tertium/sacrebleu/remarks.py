# SPDX-License-Identifier: Apache-2.0
"""Remarks where sacreBLEU's number is correct by its rule, but misleading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.metrics.bleu import Bleu

if TYPE_CHECKING:
    from tertium.metrics import Metric
    from tertium.sacrebleu.inputs import Column

__all__ = [
    "on_copies",
    "on_few_resamples",
    "on_few_trials",
    "on_smoothing",
    "on_tokenized",
]

_ALPHA = 0.05  # p-values below it have an asterisk

#: The number of lines ending in " ." from which sacreBLEU suspects tokenised text.
_MANY = 100


def on_tokenized(systems: Sequence[Column]) -> Iterator[str]:
    """Yield remarks on systems that look tokenised, which distorts BLEU."""
    for system in systems:
        number = sum(line.endswith(" .") for line in system.lines)
        if number >= _MANY:
            yield (
                f"{number} lines of {system.name} end in ' .'; BLEU expects text that "
                "is not tokenised (--force silences this)"
            )


def on_copies(systems: Sequence[Column], trials: int) -> Iterator[str]:
    """Yield remarks on copies of the baseline, the first system."""
    for system in systems[1:]:
        if system.lines == systems[0].lines:
            yield (
                f"system {system.name} is a copy of the baseline: sacreBLEU's rule "
                f"gives p = {1 / (trials + 1):.4f}, `tertium compare` gives 1"
            )


def on_few_trials(trials: int, test: str) -> Iterator[str]:
    """Yield a remark if there are too few trials for any p-value below 0.05."""
    if 1 / (trials + 1) >= _ALPHA:
        yield (
            f"no difference can be significant: with {trials} trials the smallest "
            f"possible p is {1 / (trials + 1):.2g}; give "
            f"--paired-{test}-n 1000, or omit it"
        )


def on_few_resamples(resamples: int) -> Iterator[str]:
    """Yield a remark if a 95 % interval cannot exclude a single resample."""
    if resamples < 2 / _ALPHA:
        yield (
            f"{resamples} resamples are too few for a 95 % interval; give "
            "--confidence-n 1000, or omit it"
        )


def on_smoothing(metrics: Sequence[Metric]) -> Iterator[str]:
    """Yield a remark if the randomisation test truncates BLEU's add-k."""
    for metric in metrics:
        if isinstance(metric, Bleu) and metric.smooth_method == "add-k":
            value = metric.smooth_value or 0.0
            if value % 1:
                yield (
                    f"sacreBLEU's randomisation test truncates -sv {value:g} to "
                    f"{value // 1:g}, and so does this one; `tertium compare` does not"
                )
