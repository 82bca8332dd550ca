# SPDX-License-Identifier: Apache-2.0
"""Error spans in documents: ESA, MQM and contrastive ESA."""

from __future__ import annotations

from tertium.campaigns.tasks.spans.task import ContrastiveEsa, Esa, Mqm

__all__ = ["ContrastiveEsa", "Esa", "Mqm"]
