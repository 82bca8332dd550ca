# SPDX-License-Identifier: Apache-2.0
"""Outputs whose lines are not those of the reference, cut again to match it.

:func:`resegment` does it; :mod:`~tertium.data.segmentation.files` reads texts in lines
and documents. Every word of an output is kept, in its order.
"""

from tertium.data.segmentation.cutting import resegment
from tertium.data.segmentation.files import DocumentLines, read_documents
from tertium.data.segmentation.joining import joined_documents
from tertium.data.segmentation.results import (
    LinkedLines,
    MatchedSegment,
    Resegmentation,
)
from tertium.data.segmentation.testsets import read_resegmented

__all__ = [
    "DocumentLines",
    "LinkedLines",
    "MatchedSegment",
    "Resegmentation",
    "joined_documents",
    "read_documents",
    "read_resegmented",
    "resegment",
]
