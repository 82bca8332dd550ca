# SPDX-License-Identifier: Apache-2.0
"""``tertium segments``: short parts of sentences."""

from tertium.cli.segments.verb import command

__all__ = ["command"]
