# SPDX-License-Identifier: Apache-2.0
"""``tertium score``: systems scored against references."""

from tertium.cli.score.verb import command

__all__ = ["command"]
