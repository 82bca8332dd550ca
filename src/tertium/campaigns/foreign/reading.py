# SPDX-License-Identifier: Apache-2.0
"""Which tool a campaign file comes from: found by content, not by name."""

from __future__ import annotations

import json
from pathlib import Path

from tertium.campaigns.foreign.appraise import is_batches, read_appraise
from tertium.campaigns.foreign.campaign import ForeignCampaign
from tertium.campaigns.foreign.pearmut import is_pearmut, read_pearmut
from tertium.data.lines import open_lines
from tertium.errors import FormatError

__all__ = ["read_foreign"]


def read_foreign(
    path: str | Path, *, task: str | None = None
) -> ForeignCampaign | None:
    """Return another tool's campaign; None for a configuration of Tertium.

    Parameters
    ----------
    path : str or Path
        Batches of Appraise or a campaign of Pearmut, in JSON; may be compressed.
    task : str, optional
        The task to run; by default the one that asks what the campaign asked.

    Raises
    ------
    FormatError
        When the file is JSON, and not a campaign of a known tool.
    """
    lines = list(open_lines(path))
    start = next((line.lstrip() for line in lines if line.strip()), "")
    # TOML begins with [name]; a list of JSON with a bracket or a brace after it.
    if not start.startswith(("{", "[")) or start[1:].lstrip()[:1].isalpha():
        return None
    try:
        content: object = json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        what = f"not JSON: {error}; give a whole file of Appraise batches or of Pearmut"
        raise FormatError(what, path=str(path)) from None
    if is_batches(content):
        return read_appraise(content, path, task=task)
    if is_pearmut(content):
        return read_pearmut(content, path, task=task)
    what = (
        "neither batches of Appraise (a list of objects with items) nor a campaign of "
        "Pearmut (an object with campaign_id and data); give one of them"
    )
    raise FormatError(what, path=str(path))
