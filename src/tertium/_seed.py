# SPDX-License-Identifier: Apache-2.0
"""The seed of everything that is drawn at random, unless another one is given."""

from __future__ import annotations

__all__ = ["SEED"]

SEED = 12345
