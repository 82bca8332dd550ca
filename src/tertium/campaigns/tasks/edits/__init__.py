# SPDX-License-Identifier: Apache-2.0
"""Edit positions: which tokens of an output must change (paraphrase grammars, C17)."""

from __future__ import annotations

from tertium.campaigns.tasks.edits.task import Edits

__all__ = ["Edits"]
