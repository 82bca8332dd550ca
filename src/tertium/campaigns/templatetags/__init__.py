# SPDX-License-Identifier: Apache-2.0
"""Filters of templates."""

from __future__ import annotations
