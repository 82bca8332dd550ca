# SPDX-License-Identifier: Apache-2.0
"""CharacTER (Wang et al. 2016), written from the paper alone.

The authors' program is under the GPL and was not read. The paper leaves open
what "below a threshold" means when two words match for a shift, and how shifts
are searched; our choices are the setting `threshold` and a greedy search that
makes a shift while it lowers shift cost plus character edits.
"""

from __future__ import annotations

from tertium import _core
from tertium.metrics.native import NativeMetric
from tertium.metrics.settings import setting

__all__ = ["Character"]


class Character(NativeMetric):
    """CharacTER; the row is (shift cost + edits, characters of the hypothesis)."""

    name = "characTER"
    summary = "character edits after word shifts, per hypothesis character"
    formula = (
        "(Σ mean word length of shifted phrases + character edit distance) / "
        "characters of the hypothesis, spaces included; best of several references"
    )
    paper = "Wang et al. 2016, CharacTER: Translation Edit Rate on Character Level"
    equal_to = "no tool: written from the paper (the authors' program is GPL)"
    cost = "characters² / 64, times the number of shifts tried"
    longest = 5_000
    empty = "1 if only one side is empty, 0 if both are"
    higher_is_better = False
    bounds = (0.0, float("inf"))
    unit = 1.0

    threshold: float = setting(
        0.34, "words match if their distance is below this share", minimum=0
    )
    lowercase: bool = setting(False, "whether to ignore case")

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.character(threshold=self.threshold)

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines, lower-cased if asked for."""
        return [line.lower() for line in lines] if self.lowercase else lines

    @property
    def label(self) -> str:
        """CharacTER."""
        return "CharacTER"
