# SPDX-License-Identifier: Apache-2.0
"""``tertium completion``: scripts that complete commands in a shell."""

from tertium.cli.completion.verb import command

__all__ = ["command"]
