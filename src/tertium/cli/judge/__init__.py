# SPDX-License-Identifier: Apache-2.0
"""``tertium judge``: outputs judged by a language model."""

from tertium.cli.judge.verb import command

__all__ = ["command"]
