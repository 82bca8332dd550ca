# SPDX-License-Identifier: Apache-2.0
"""``tertium train``: metrics trained on human judgements."""

from tertium.cli.train.verb import command

__all__ = ["command"]
