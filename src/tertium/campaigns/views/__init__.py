# SPDX-License-Identifier: Apache-2.0
"""Pages, thin over the rooms that do the work."""

from __future__ import annotations
