# SPDX-License-Identifier: Apache-2.0
"""``tertium compare``: which systems differ."""

from tertium.cli.compare.verb import command

__all__ = ["command"]
