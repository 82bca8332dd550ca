# SPDX-License-Identifier: Apache-2.0
"""What people said of translations: tables, formats, agreement, rankings.

Three kinds: *rankings* (a judge orders candidates of one segment), *ratings* (a
judge scores one output on a named scale) and *spans* (a judge marks errors).
Names are imported on first use, so that a record costs no statistics.
"""

from __future__ import annotations

import importlib

TYPE_CHECKING = False
if TYPE_CHECKING:
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

_HOMES = {
    "FORMATS": "formats",
    "Adjustment": "adjustment",
    "Agreement": "agreement",
    "AgreementReport": "overview",
    "Bad": "records",
    "Bootstrap": "estimates",
    "CandidateSet": "candidates",
    "Comparisons": "comparisons",
    "Estimate": "estimates",
    "Flag": "annotators",
    "Given": "formats",
    "Import": "importing",
    "JudgeProfile": "annotators",
    "Judgements": "tables",
    "Kappa": "agreement",
    "MixedFit": "mixed",
    "Place": "records",
    "Ranking": "records",
    "Rating": "records",
    "Span": "records",
    "Summary": "summary",
    "Wins": "comparisons",
    "adjust": "adjustment",
    "adjust_ratings": "adjustment",
    "agree": "overview",
    "agreement_over_time": "agreement",
    "attach_systems": "candidates",
    "cohen_kappa": "reliability",
    "demo_files": "importing",
    "fit_mixed": "mixed",
    "fleiss_kappa": "reliability",
    "import_judgements": "importing",
    "intraclass_correlations": "icc",
    "krippendorff_alpha": "reliability",
    "long_form": "reliability",
    "merge": "tables",
    "pooled_agreement": "agreement",
    "profile_judges": "annotators",
    "rating_agreement": "ratings",
    "rating_data": "ratings",
    "read_candidates": "candidates",
    "read_judgements": "importing",
    "read_store": "store",
    "read_system_table": "candidates",
    "summarise": "summary",
    "write_store": "store",
}


def __getattr__(name: str) -> object:
    """Import a public name from its module on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted({*globals(), *__all__})
