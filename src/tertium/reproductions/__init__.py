# SPDX-License-Identifier: Apache-2.0
"""Published tables and figures, repeated: ours beside the printed ones.

``documents/*.toml`` hold what was printed, ``recipes`` how it is computed again.
"""

from __future__ import annotations

from tertium.reproductions.data import Data
from tertium.reproductions.documents import Document, documents, find_exhibits
from tertium.reproductions.exhibit import (
    Cell,
    Claim,
    Curve,
    Exhibit,
    Outcome,
    Verdict,
)
from tertium.reproductions.running import (
    read_outcomes,
    reproduce,
    write_outcomes,
)

__all__ = [
    "Cell",
    "Claim",
    "Curve",
    "Data",
    "Document",
    "Exhibit",
    "Outcome",
    "Verdict",
    "documents",
    "find_exhibits",
    "read_outcomes",
    "reproduce",
    "write_outcomes",
]
