# SPDX-License-Identifier: Apache-2.0
"""TER (Snover et al. 2006) with Tercom's shifts, equal to sacreBLEU's."""

from __future__ import annotations

from tertium import _core
from tertium.metrics.native import NativeMetric
from tertium.metrics.settings import setting

__all__ = ["Ter"]


class Ter(NativeMetric):
    """TER; the row is (edits, mean reference length)."""

    name = "ter"
    summary = "insertions, deletions, substitutions and block shifts per word"
    formula = (
        "TER = 100 · (edits + shifts) / mean reference length; greedy shifts as "
        "Tercom; of several references the one with the fewest edits counts"
    )
    paper = "Snover et al. 2006, A Study of Translation Edit Rate"
    equal_to = "sacreBLEU 2.6.0 (every option)"
    cost = "50 · words (the beam) for every shift made; memory linear in the words"
    longest = 1_000_000
    empty = "100 if only one side is empty, 0 if both are"
    higher_is_better = False
    bounds = (0.0, float("inf"))

    normalized: bool = setting(False, "Tercom's normalisation and tokenisation")
    no_punct: bool = setting(False, "remove punctuation")
    asian_support: bool = setting(False, "also for Chinese and Japanese characters")
    case_sensitive: bool = setting(False, "whether case counts")

    def make_kernel(self) -> _core.Kernel:
        """Return the kernel for the settings."""
        return _core.ter(
            normalized=self.normalized,
            no_punct=self.no_punct,
            asian_support=self.asian_support,
        )

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines, lower-cased unless case counts."""
        return lines if self.case_sensitive else [line.lower() for line in lines]

    @property
    def label(self) -> str:
        """TER."""
        return "TER"

    def signature_fields(self) -> dict[str, str]:
        """Return sacreBLEU's fields."""
        return {
            "case": "mixed" if self.case_sensitive else "lc",
            "tok": "tercom",
            "norm": "yes" if self.normalized else "no",
            "punct": "no" if self.no_punct else "yes",
            "asian": "yes" if self.asian_support else "no",
        }
