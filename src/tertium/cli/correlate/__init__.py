# SPDX-License-Identifier: Apache-2.0
"""``tertium correlate``: correlation of metrics with human judgements."""

from tertium.cli.correlate.verb import command

__all__ = ["command"]
