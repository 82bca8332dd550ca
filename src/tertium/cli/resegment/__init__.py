# SPDX-License-Identifier: Apache-2.0
"""``tertium resegment``: outputs in the lines of the reference."""

from tertium.cli.resegment.verb import command

__all__ = ["command"]
