# SPDX-License-Identifier: Apache-2.0
"""BERTScore: the metric, its matches, and baselines to rescale it by."""

from __future__ import annotations

__all__: list[str] = []
