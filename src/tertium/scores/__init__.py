# SPDX-License-Identifier: Apache-2.0
"""Scores that other programs compute, as metrics.

``scores:file=F`` takes scores from files, ``external:config=F`` starts a program.
Tests, clusters and intervals treat them as any other metric: the row of a segment is
its score and a weight of 1.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.scores.from_files import FileScores, score_metrics

__all__ = ["FileScores", "score_metrics"]

__getattr__, __dir__ = lazy(__name__, {".from_files": ("FileScores", "score_metrics")})
