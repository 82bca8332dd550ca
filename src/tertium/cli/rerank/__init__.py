# SPDX-License-Identifier: Apache-2.0
"""``tertium rerank``: the best of n hypotheses by features, QE scores or a model."""

from __future__ import annotations

from tertium.cli.rerank.verb import command

__all__ = ["command"]
