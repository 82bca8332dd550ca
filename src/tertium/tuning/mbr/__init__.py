# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk: the hypothesis with the highest expected score.

Kumar and Byrne (2004) choose the hypothesis that is best on average against all others,
which stand for the references that nobody has; Eikema and Aziz (2022) do so with
samples of a neural model. :func:`mbr` does it with any registered metric.
"""

from __future__ import annotations

from tertium.tuning.mbr.decoding import mbr
from tertium.tuning.mbr.results import MbrList, MbrResult, Pick, UsedMetric
from tertium.tuning.mbr.streaming import MbrStream

__all__ = ["MbrList", "MbrResult", "MbrStream", "Pick", "UsedMetric", "mbr"]
