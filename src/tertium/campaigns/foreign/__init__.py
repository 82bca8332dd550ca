# SPDX-License-Identifier: Apache-2.0
"""Campaigns of other tools, read so that they can be run here."""

from __future__ import annotations

from tertium.campaigns.foreign.campaign import ForeignCampaign, Lesson
from tertium.campaigns.foreign.reading import read_foreign
from tertium.campaigns.foreign.writing import foreign_files

__all__ = ["ForeignCampaign", "Lesson", "foreign_files", "read_foreign"]
