# SPDX-License-Identifier: Apache-2.0
"""``tertium parts``: short parts of sentences, and their translations."""

from tertium.cli.parts.verb import command

__all__ = ["command"]
