# SPDX-License-Identifier: Apache-2.0
"""``tertium mbr``: the best of n hypotheses by minimum Bayes risk."""

from __future__ import annotations

from tertium.cli.mbr.verb import command

__all__ = ["command"]
