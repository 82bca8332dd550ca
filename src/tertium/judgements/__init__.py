# SPDX-License-Identifier: Apache-2.0
"""What people said of translations: tables, formats, agreement, rankings.

Three kinds: *rankings* (a judge orders candidates of one segment), *ratings* (a
judge scores one output on a named scale) and *spans* (a judge marks errors).
"""

from __future__ import annotations

from tertium.judgements.adjustment import Adjustment, adjust, adjust_ratings
from tertium.judgements.agreement import (
    Agreement,
    Kappa,
    agreement_over_time,
    pooled_agreement,
)
from tertium.judgements.annotators import Flag, JudgeProfile, profile_judges
from tertium.judgements.candidates import (
    CandidateSet,
    attach_systems,
    read_candidates,
    read_system_table,
)
from tertium.judgements.comparisons import Comparisons, Wins
from tertium.judgements.estimates import Bootstrap, Estimate
from tertium.judgements.formats import FORMATS, Given
from tertium.judgements.icc import intraclass_correlations
from tertium.judgements.importing import (
    Import,
    demo_files,
    import_judgements,
    read_judgements,
)
from tertium.judgements.mixed import MixedFit, fit_mixed
from tertium.judgements.overview import AgreementReport, agree
from tertium.judgements.ratings import rating_agreement, rating_data
from tertium.judgements.records import Bad, Place, Ranking, Rating, Span
from tertium.judgements.reliability import (
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    long_form,
)
from tertium.judgements.store import read_store, write_store
from tertium.judgements.summary import Summary, summarise
from tertium.judgements.tables import Judgements, merge

__all__ = [
    "FORMATS",
    "Adjustment",
    "Agreement",
    "AgreementReport",
    "Bad",
    "Bootstrap",
    "CandidateSet",
    "Comparisons",
    "Estimate",
    "Flag",
    "Given",
    "Import",
    "JudgeProfile",
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
    "read_judgements",
    "read_store",
    "read_system_table",
    "summarise",
    "write_store",
]
