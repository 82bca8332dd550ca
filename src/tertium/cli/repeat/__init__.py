# SPDX-License-Identifier: Apache-2.0
"""``tertium repeat``: a recorded run, run again and compared."""

from tertium.cli.repeat.verb import command

__all__ = ["command"]
