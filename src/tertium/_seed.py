# SPDX-License-Identifier: Apache-2.0
"""The default seed of everything that is sampled at random."""

from __future__ import annotations

__all__ = ["SEED"]

SEED = 12345
