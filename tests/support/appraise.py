# SPDX-License-Identifier: Apache-2.0
"""Judgements of Appraise exports without what they keep of their rows."""

from __future__ import annotations

import json

from tertium.judgements import Bad


def without_rows(record):
    """Return a record whose metadata do not have the row, or its line."""
    if isinstance(record, Bad) or record.meta is None:
        return record
    meta = json.loads(record.meta)
    rest = {name: meta[name] for name in meta if name not in ("appraise", "line")}
    return record._replace(meta=json.dumps(rest) if rest else None)
