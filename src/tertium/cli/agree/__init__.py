# SPDX-License-Identifier: Apache-2.0
"""``tertium agree``: how far judges agree."""

from tertium.cli.agree.verb import command

__all__ = ["command"]
