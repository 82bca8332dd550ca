# SPDX-License-Identifier: Apache-2.0
"""Blind two-way comparison of two systems."""

from __future__ import annotations

from tertium.campaigns.tasks.pairs.task import Pairs

__all__ = ["Pairs"]
