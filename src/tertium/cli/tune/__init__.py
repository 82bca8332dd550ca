# SPDX-License-Identifier: Apache-2.0
"""``tertium tune``: weights of a decoder, from n-best lists or with it in the loop."""

from tertium.cli.tune.verb import command

__all__ = ["command"]
