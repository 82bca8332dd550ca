# SPDX-License-Identifier: Apache-2.0
"""``tertium explain``: why a segment has its score."""

from tertium.cli.explain.verb import command

__all__ = ["command"]
