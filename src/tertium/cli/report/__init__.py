# SPDX-License-Identifier: Apache-2.0
"""``tertium report``: which system is better, where, and why."""

from tertium.cli.report.verb import command

__all__ = ["command"]
