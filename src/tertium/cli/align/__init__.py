# SPDX-License-Identifier: Apache-2.0
"""``tertium align``: words linked with words."""

from tertium.cli.align.verb import command

__all__ = ["command"]
