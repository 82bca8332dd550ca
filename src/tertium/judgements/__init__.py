# SPDX-License-Identifier: Apache-2.0
"""Human judgements of translations: tables, formats, agreement, rankings.

Three kinds: *rankings* (a judge orders candidates of one segment), *ratings* (a
judge scores one output on a named scale) and *spans* (a judge marks errors).
Names are imported on first use, so that a judgement costs no statistics.
"""

from __future__ import annotations

from tertium._lazy import lazy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from tertium.judgements.adjustment.mixed import MixedFit, fit_mixed
    from tertium.judgements.adjustment.models import Adjustment, adjust, adjust_ratings
    from tertium.judgements.agreement.icc import intraclass_correlations
    from tertium.judgements.agreement.overview import AgreementReport, agree
    from tertium.judgements.agreement.pooled import (
        Agreement,
        Kappa,
        agreement_over_time,
        pooled_agreement,
    )
    from tertium.judgements.agreement.ratings import rating_agreement, rating_data
    from tertium.judgements.agreement.reliability import (
        cohen_kappa,
        fleiss_kappa,
        krippendorff_alpha,
        long_form,
    )
    from tertium.judgements.annotators.flag import Flag
    from tertium.judgements.annotators.profiles import (
        JudgeProfile,
        profile_judges,
    )
    from tertium.judgements.comparisons import Comparisons, Wins
    from tertium.judgements.estimates import Estimate
    from tertium.judgements.formats import FORMATS, ImportOptions
    from tertium.judgements.importing import Import, import_judgements
    from tertium.judgements.judgement import (
        Bad,
        Judgement,
        Place,
        Ranking,
        Rating,
        Span,
    )
    from tertium.judgements.parts.candidates import (
        CandidateSet,
        attach_systems,
        read_candidates,
        read_system_table,
    )
    from tertium.judgements.sources import demo_files
    from tertium.judgements.store import read_store, write_store
    from tertium.judgements.summary import Summary, summarise
    from tertium.judgements.tables import Judgements, merge
    from tertium.judgements.writing import write_judgements

__all__ = [
    "FORMATS",
    "Adjustment",
    "Agreement",
    "AgreementReport",
    "Bad",
    "CandidateSet",
    "Comparisons",
    "Estimate",
    "Flag",
    "Import",
    "ImportOptions",
    "JudgeProfile",
    "Judgement",
    "Judgements",
    "Kappa",
    "MixedFit",
    "Place",
    "Ranking",
    "Rating",
    "Span",
    "Summary",
    "Wins",
    "adjust",
    "adjust_ratings",
    "agree",
    "agreement_over_time",
    "attach_systems",
    "cohen_kappa",
    "demo_files",
    "fit_mixed",
    "fleiss_kappa",
    "import_judgements",
    "intraclass_correlations",
    "krippendorff_alpha",
    "long_form",
    "merge",
    "pooled_agreement",
    "profile_judges",
    "rating_agreement",
    "rating_data",
    "read_candidates",
    "read_store",
    "read_system_table",
    "summarise",
    "write_judgements",
    "write_store",
]

__getattr__, __dir__ = lazy(
    __name__,
    {
        ".formats": (
            "FORMATS",
            "ImportOptions",
        ),
        ".adjustment.models": (
            "Adjustment",
            "adjust",
            "adjust_ratings",
        ),
        ".agreement.pooled": (
            "Agreement",
            "Kappa",
            "agreement_over_time",
            "pooled_agreement",
        ),
        ".agreement.overview": (
            "AgreementReport",
            "agree",
        ),
        ".judgement": (
            "Bad",
            "Judgement",
            "Place",
            "Ranking",
            "Rating",
            "Span",
        ),
        ".estimates": ("Estimate",),
        ".parts.candidates": (
            "CandidateSet",
            "attach_systems",
            "read_candidates",
            "read_system_table",
        ),
        ".comparisons": (
            "Comparisons",
            "Wins",
        ),
        ".annotators.flag": ("Flag",),
        ".annotators.profiles": (
            "JudgeProfile",
            "profile_judges",
        ),
        ".importing": (
            "Import",
            "import_judgements",
        ),
        ".sources": ("demo_files",),
        ".writing": ("write_judgements",),
        ".tables": (
            "Judgements",
            "merge",
        ),
        ".adjustment.mixed": (
            "MixedFit",
            "fit_mixed",
        ),
        ".summary": (
            "Summary",
            "summarise",
        ),
        ".agreement.reliability": (
            "cohen_kappa",
            "fleiss_kappa",
            "krippendorff_alpha",
            "long_form",
        ),
        ".agreement.icc": ("intraclass_correlations",),
        ".agreement.ratings": (
            "rating_agreement",
            "rating_data",
        ),
        ".store": (
            "read_store",
            "write_store",
        ),
    },
)
