# SPDX-License-Identifier: Apache-2.0
"""Word alignment: aligners, link files, and operations on links.

Names are imported on first use, as scoring needs the aligner only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tertium._lazy import lazy

if TYPE_CHECKING:
    from tertium.align.aligner import Aligner, AlignerSettings, align
    from tertium.align.alignment import Alignment, WordMatch
    from tertium.align.bilingual import (
        BilingualAligner,
        CommandAligner,
        Eflomal,
        align_bilingual,
    )
    from tertium.align.hmm import HmmAligner, HmmModel
    from tertium.align.job import AlignmentJob
    from tertium.align.links import (
        Link,
        Links,
        Match,
        as_links,
        check_links,
        from_matches,
        link_tau,
        reverse,
        to_matches,
        with_links,
    )
    from tertium.align.matchers import (
        ExactMatcher,
        Matcher,
        ParaphraseMatcher,
        PhraseMatcher,
        StemMatcher,
        SynonymMatcher,
        WordMatcher,
        register_matcher,
    )
    from tertium.align.naacl import read_naacl, write_naacl
    from tertium.align.pharaoh import (
        format_pharaoh,
        parse_pharaoh,
        read_pharaoh,
        stream_pharaoh,
        write_pharaoh,
    )
    from tertium.align.pivot import compose, compose_all
    from tertium.align.quality import AlignmentQuality, alignment_quality
    from tertium.align.reduce import reduce_links, reduce_matches
    from tertium.align.symmetrisation import symmetrise, symmetrise_all

__all__ = [
    "Aligner",
    "AlignerSettings",
    "Alignment",
    "AlignmentJob",
    "AlignmentQuality",
    "BilingualAligner",
    "CommandAligner",
    "Eflomal",
    "ExactMatcher",
    "HmmAligner",
    "HmmModel",
    "Link",
    "Links",
    "Match",
    "Matcher",
    "ParaphraseMatcher",
    "PhraseMatcher",
    "StemMatcher",
    "SynonymMatcher",
    "WordMatch",
    "WordMatcher",
    "align",
    "align_bilingual",
    "alignment_quality",
    "as_links",
    "check_links",
    "compose",
    "compose_all",
    "format_pharaoh",
    "from_matches",
    "link_tau",
    "parse_pharaoh",
    "read_naacl",
    "read_pharaoh",
    "reduce_links",
    "reduce_matches",
    "register_matcher",
    "reverse",
    "stream_pharaoh",
    "symmetrise",
    "symmetrise_all",
    "to_matches",
    "with_links",
    "write_naacl",
    "write_pharaoh",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".aligner": (
            "Aligner",
            "AlignerSettings",
            "align",
        ),
        ".alignment": (
            "Alignment",
            "WordMatch",
        ),
        ".bilingual": (
            "BilingualAligner",
            "CommandAligner",
            "Eflomal",
            "align_bilingual",
        ),
        ".hmm": (
            "HmmAligner",
            "HmmModel",
        ),
        ".job": ("AlignmentJob",),
        ".links": (
            "Link",
            "Links",
            "Match",
            "as_links",
            "check_links",
            "from_matches",
            "link_tau",
            "reverse",
            "to_matches",
            "with_links",
        ),
        ".matchers": (
            "ExactMatcher",
            "Matcher",
            "ParaphraseMatcher",
            "PhraseMatcher",
            "StemMatcher",
            "SynonymMatcher",
            "WordMatcher",
            "register_matcher",
        ),
        ".naacl": (
            "read_naacl",
            "write_naacl",
        ),
        ".pharaoh": (
            "format_pharaoh",
            "parse_pharaoh",
            "read_pharaoh",
            "stream_pharaoh",
            "write_pharaoh",
        ),
        ".pivot": (
            "compose",
            "compose_all",
        ),
        ".quality": (
            "AlignmentQuality",
            "alignment_quality",
        ),
        ".reduce": (
            "reduce_links",
            "reduce_matches",
        ),
        ".symmetrisation": (
            "symmetrise",
            "symmetrise_all",
        ),
    },
)
