# SPDX-License-Identifier: Apache-2.0
"""Direct assessment: one output, one number from 0 to 100, and attention checks."""

from __future__ import annotations

from tertium.campaigns.tasks.direct.task import Direct

__all__ = ["Direct"]
