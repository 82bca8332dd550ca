# SPDX-License-Identifier: Apache-2.0
"""The word-order survey WOJ-DB (McCaffery 2017, chapter 6)."""

from __future__ import annotations

from tertium.campaigns.tasks.survey.task import Survey

__all__ = ["Survey"]
