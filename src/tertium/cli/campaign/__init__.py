# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign``: judgements collected in a web page."""

from tertium.cli.campaign.verb import command

__all__ = ["command"]
