# SPDX-License-Identifier: Apache-2.0
"""``tertium grammar``: paraphrase grammars and error analysis."""

from tertium.cli.grammar.verb import command

__all__ = ["command"]
