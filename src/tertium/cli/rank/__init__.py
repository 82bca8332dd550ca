# SPDX-License-Identifier: Apache-2.0
"""``tertium rank``: systems ranked by human judgements."""

from tertium.cli.rank.verb import command

__all__ = ["command"]
