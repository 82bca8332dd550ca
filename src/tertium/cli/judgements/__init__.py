# SPDX-License-Identifier: Apache-2.0
"""``tertium judgements``: human judgements imported, described and exported."""

from tertium.cli.judgements.verb import command

__all__ = ["command"]
