# SPDX-License-Identifier: Apache-2.0
"""``tertium parse``: dependency trees."""

from tertium.cli.parse.verb import ACTIONS, command

__all__ = ["ACTIONS", "command"]
