# SPDX-License-Identifier: Apache-2.0
"""Parts of sentences for annotators: cut from trees, projected onto outputs.

The preparation of SegRanks (Macháček 2014, sections 2 and 2.1), and how judgements of
parts predict judgements of whole sentences.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.judgements.parts.counts import (
        ExtractionCounts,
        ProjectionCounts,
        SystemCounts,
    )
    from tertium.judgements.parts.extraction import (
        MAX_LENGTH,
        MIN_LENGTH,
        Indices,
        extract,
        token_tree,
    )
    from tertium.judgements.parts.files import (
        read_parts,
        write_candidates,
        write_candidates_tsv,
        write_origins,
        write_parts,
    )
    from tertium.judgements.parts.preparation import (
        Extraction,
        extract_parts,
        project_parts,
    )
    from tertium.judgements.parts.projection import (
        Candidates,
        Image,
        Origin,
        Projection,
        image,
        project,
    )
    from tertium.judgements.parts.sentences import SentenceParts, sentence_parts

__all__ = [
    "MAX_LENGTH",
    "MIN_LENGTH",
    "Candidates",
    "Extraction",
    "ExtractionCounts",
    "Image",
    "Indices",
    "Origin",
    "Projection",
    "ProjectionCounts",
    "SentenceParts",
    "SystemCounts",
    "extract",
    "extract_parts",
    "image",
    "project",
    "project_parts",
    "read_parts",
    "sentence_parts",
    "token_tree",
    "write_candidates",
    "write_candidates_tsv",
    "write_origins",
    "write_parts",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".counts": (
            "ExtractionCounts",
            "ProjectionCounts",
            "SystemCounts",
        ),
        ".extraction": (
            "MAX_LENGTH",
            "MIN_LENGTH",
            "Indices",
            "extract",
            "token_tree",
        ),
        ".files": (
            "read_parts",
            "write_candidates",
            "write_candidates_tsv",
            "write_origins",
            "write_parts",
        ),
        ".preparation": (
            "Extraction",
            "extract_parts",
            "project_parts",
        ),
        ".projection": (
            "Candidates",
            "Image",
            "Origin",
            "Projection",
            "image",
            "project",
        ),
        ".sentences": (
            "SentenceParts",
            "sentence_parts",
        ),
    },
)
