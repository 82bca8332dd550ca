# SPDX-License-Identifier: Apache-2.0
"""Formats of judgements, one module each.

A format names itself, tells its files from others and yields their judgements, bad
rows included; some can be written too.
"""

from __future__ import annotations

from tertium.judgements.formats import (
    appraise,
    campaign_table,
    jsonl,
    judged_tsv,
    likert,
    mqm_tsv,
    mtme,
    mtme_ratings,
    pair_list,
    pearmut,
    segranks,
    wmt25_humeval,
    wmt26_predictions,
    wmt_csv,
    wmt_da,
    wmt_xml,
)
from tertium.judgements.formats.format import Format, ImportOptions

__all__ = ["FORMATS", "Format", "ImportOptions"]

#: By name, in the order in which files are told apart.
FORMATS: dict[str, Format] = {
    kind.name: kind
    for kind in (
        jsonl.TERTIUM_JSONL,
        wmt_csv.FIVE_WAY,
        wmt_csv.PAIRWISE,
        wmt_xml.WMT_XML,
        judged_tsv.JUDGED,
        appraise.ESA,
        pearmut.PEARMUT,
        wmt25_humeval.WMT25_HUMEVAL,
        wmt26_predictions.WMT26_PREDICTIONS,
        segranks.LEGACY_JSON,
        wmt_da.WMT_DA,
        appraise.APPRAISE,
        mqm_tsv.MQM,
        mtme.MTME,
        mtme_ratings.MTME_RATINGS,
        campaign_table.CAMPAIGN_TABLE,  # before any other table of ratings
        likert.LIKERT,
        pair_list.PAIRS,
    )
}
