# SPDX-License-Identifier: Apache-2.0
"""``tertium nbest``: n-best lists described, merged, converted; their oracles."""

from tertium.cli.nbest.verb import command

__all__ = ["command"]
