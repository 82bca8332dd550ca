# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder``: source words in the order of the target language."""

from tertium.cli.preorder.verb import command

__all__ = ["command"]
