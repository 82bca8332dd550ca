# SPDX-License-Identifier: Apache-2.0
"""Ranking of short segments (SegRanks)."""

from __future__ import annotations

from tertium.campaigns.tasks.segranks.task import SegRanks

__all__ = ["SegRanks"]
