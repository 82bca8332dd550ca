# SPDX-License-Identifier: Apache-2.0
"""``tertium reuse``: new systems scored from stored judgements."""

from tertium.cli.reuse.verb import command

__all__ = ["command"]
