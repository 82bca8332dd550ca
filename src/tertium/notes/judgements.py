# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on human judgements, judges and rankings."""

from __future__ import annotations

__all__ = ["JUDGEMENTS"]

#: English templates by code.
JUDGEMENTS = {
    "ties-only": "calls everything a tie",
    # Reading, agreement
    "rows-left-out": "%(path)s: %(rows)s left out, the first at %(where)s "
    "(%(reason)s); `tertium judgements import` lists them",
    "unmatched-candidate": "%(where)s: no system wrote %(text)s (segment %(segment)s)",
    "unmatched-kept": "%(candidates)s kept without a system",
    "ratings-not-ranked": "%(ratings)s left out: %(how)s applies to rankings only",
    "systems-without-name": "%(ratings)s of outputs without the names of their "
    "systems, as one system %(system)s: systems cannot be ranked by them; correlate "
    "metrics over outputs, as by the coefficient pearson:none",
    "cut-documents": "%(segments)s of documents that are divided between batches "
    "cannot be matched with those of other systems; give the batches of the campaign",
    "bad-rows": "%(rows)s set aside in %(quarantine)s; the first is %(where)s: "
    "%(reason)s",
    "empty-rows": "%(rows)s without a judgement set aside in %(quarantine)s; the first "
    "is %(where)s: %(reason)s",
    "kinds-left-out": "%(judgements)s left out: %(format)s holds %(kinds)s only",
    "details-lost": "%(judgements)s %(losses)s",
    "several-campaigns": "judgements from %(campaigns)s are analysed together, and "
    "judges and systems with the same name are treated as one; select one campaign",
    "no-times": "no judgement has a time, so there are no time slices",
    "nothing-to-adjust": "there are no ratings to adjust",
    "no-judge-pairs": "there are no rankings, so no pairs of judges are listed",
    "rankings-without-judge": "%(rankings)s rankings have no judge: they count for "
    "agreement by chance only",
    "ratings-without-judge": "%(ratings)s ratings have no judge and were left out",
    "places-without-name": "%(places)s places in rankings name neither system nor text "
    "and were left out",
    "spans-left-out": "%(spans)s left out; select the scale %(scale)s to compare them "
    "by cost",
    "spans-by-cost": "%(spans)s compared by cost, as in %(scale)s",
    "fallback-method": "%(group)s: ranked by %(method)s, as %(reason)s",
    "method-left-out": "%(group)s: no %(method)s: %(reason)s",
}
