# SPDX-License-Identifier: Apache-2.0
"""Word alignment."""

from tertium.align.aligner import Aligner
from tertium.align.links import Link, Links

__all__ = ["Aligner", "Link", "Links"]
