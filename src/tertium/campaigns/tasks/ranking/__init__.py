# SPDX-License-Identifier: Apache-2.0
"""Ranking of whole sentences, five at a time as WMT did."""

from __future__ import annotations

from tertium.campaigns.tasks.ranking.task import SentenceRanking

__all__ = ["SentenceRanking"]
