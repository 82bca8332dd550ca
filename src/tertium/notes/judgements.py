# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on human judgements, judges and rankings."""

from __future__ import annotations

from typing import TypeAlias

__all__ = ["FORMATS", "JUDGEMENTS", "JUDGES", "RANKINGS", "READING", "REUSE"]

#: English templates by code; a pair is a singular and a plural.
_Templates: TypeAlias = "dict[str, str | tuple[str, str]]"

#: What stands out about a judge.
JUDGES: _Templates = {
    "fast": "half the judgements took %(seconds).0f s or less; "
    "all judges: %(usual).0f s",
    "slow": "half the judgements took %(seconds).0f s or more; "
    "all judges: %(usual).0f s",
    "rushed": "%(rushed)d of %(total)d judgements took less than %(limit).1f s, a "
    "fifth of the usual time",
    "unread": "%(unread)d of %(total)d judgements showed more than %(limit)g words "
    "per second, too many to read",
    "chance": "agrees with other judges no better than chance (κ %(kappa).2f, on "
    "%(compared)d comparisons)",
    "near-chance": "agrees with other judges hardly better than chance "
    "(κ %(kappa).2f, on %(compared)d comparisons)",
    "low-agreement": "agrees with others far less than other judges do "
    "(κ %(kappa).2f, on %(compared)d comparisons; pooled %(pooled).2f)",
    "inconsistent": "does not repeat earlier judgements (κ with self %(kappa).2f on "
    "%(compared)d comparisons)",
    "less-consistent": "does not repeat earlier judgements (κ with self %(kappa).2f "
    "on %(compared)d comparisons, with others %(others).2f)",
    "alone": "all %(partners)d partners agree better with others than with this judge",
    "ties-only": "calls everything a tie",
    "ties": "%(percent).0f%% of comparisons are ties; other judges: %(usual).0f%%",
    "one-value": "gave %(value)g to all %(ratings)d outputs",
    "favourite-value": "%(percent).0f%% of ratings are %(value)g",
    "lenient": "%(gap).3g above others on the same outputs",
    "strict": "%(gap).3g below others on the same outputs",
    "uncorrelated": "does not correlate with the mean of others, r %(r).2f on "
    "%(shared)d outputs",
    "checks": "scored only %(passed)d of %(total)d degraded outputs below their "
    "originals",
}

#: Rankings of systems, and why there is none, or not the usual one.
RANKINGS: _Templates = {
    "no-score": "no score for %(systems)s: no comparison is decided",
    "mixed-levels": "rankings of whole segments and of their parts are counted "
    "together",
    "prior": "Bradley-Terry: some systems never lose, never win, or are not linked to "
    "the others by comparisons, so abilities have a normal prior (mean 0, standard "
    "deviation 10)",
    "z-one-score": "left out by z: %(judge)s, fewer than two scores",
    "z-equal-scores": "left out by z: %(judge)s, all scores are the same",
    "z-no-judge": (
        "left out by z: %(count)s rating has no judge",
        "left out by z: %(count)s ratings have no judge",
    ),
    "z-pooled": "no judge is known, so z is relative to all ratings",
    "unknown-severity": (
        "%(count)s error span of severity %(severity)r counts as minor",
        "%(count)s error spans of severity %(severity)r count as minor",
    ),
    "no-judgements": "there are no judgements to rank by",
    "no-comparisons": "%(method)s needs comparisons, and there are no rankings of two "
    "or more systems; use mean or z for ratings, mqm for error spans",
    "only-comparisons": "%(method)s needs ratings or error spans, not comparisons",
    "no-ratings": "%(method)s needs ratings, and there are none",
    "no-ratings-on-scale": "%(method)s needs ratings, and there are none on the scale "
    "%(scale)r",
    "no-spans": "%(method)s needs error spans, and there are none",
    "several-langpairs": "judgements of several language pairs (%(langpairs)s); rank "
    "one pair at a time",
    "several-scales": "ratings are on several scales (%(scales)s); choose one as scale",
    "no-z": "z needs a judge who gave two different scores, and there is none; use the "
    "method mean",
    "unknown-judges": "no judge is known, so there is no z",
    "equal-scores": "no judge gave two different scores, so there is no z",
}

#: Formats, and what they have no place for.
FORMATS: _Templates = {
    "format-answers": "every judgement with everything known about it, one JSON object "
    "per line",
    "format-parquet": "a store of Parquet tables, for agree, rank and correlate",
    "format-sqlite": "the same tables as one SQLite file",
    "format-csv": "one table, one row per candidate, rating or error mark",
    "format-tsv": "the same table, tab-separated",
    "format-xlsx": "the same table as an Excel or LibreOffice workbook",
    "format-participants": "survey participants who agreed to archiving, anonymous, "
    "as a table",
    "format-items": "what a survey showed, as a test set for score and correlate",
    "format-codebook": "what every column of a survey's exports means, as Markdown",
    "format-campaign-table": "the .csv, .tsv and .xlsx tables of `tertium campaign "
    "export`",
    "format-tertium-jsonl": "all kinds with all fields, one JSON object per line",
    "format-wmt-csv": "WMT rankings, several systems per row (2007 to 2016)",
    "format-wmt-pairs-csv": "WMT rankings, two systems per row",
    "format-wmt-xml": "WMT rankings in Appraise's XML (2013 to 2016)",
    "format-wmt-da": "WMT direct assessments, one score per segment (2016 to 2022)",
    "format-judged-tsv": "rankings as SYSTEM[,SYSTEM]=RANK entries (WMT 2015 and 2016)",
    "format-legacy-json": "SegRanks: ranks of candidates by segment, without judges "
    "and systems",
    "format-appraise": "Appraise CSV: direct assessment, segments and documents "
    "(WMT 2020 to 2023)",
    "format-esa": "error spans: Appraise CSV (ESA, MQM), JSON lines of WMT 2024",
    "format-likert-tsv": "any ratings: a table with system, segment, judge and score, "
    "or one column per scale",
    "format-mqm-tsv": "errors with category and severity, MQM as Google publishes it",
    "format-mtme": "an mt-metrics-eval folder, or one of its LP.NAME.seg.score files",
    "format-wmt25-humeval": "scores and error spans of WMT 2025 with texts, JSON lines",
    "format-wmt26-predictions": "what a metric predicts for WMT 2026: spans and scores",
    "format-mtme-ratings": "error spans of mt-metrics-eval, LP.NAME.seg.rating",
    "format-pairs": "lists of pairs: seg better worse, or seg a b and one of < = >",
    "format-pearmut": "the log of a Pearmut campaign: DA, ESA, MQM, sliders",
    "format-appraise-batches": "what judges of an Appraise campaign were shown",
    "format-pearmut-campaign": "what judges of a Pearmut campaign are shown",
    "format-wmt26-items": "what metrics of WMT 2026 are asked: item_id, src, ref, hyps",
    "format-wmt-documents": "test sets and outputs of WMT 2025 and 2026, JSON lines",
    "format-wmt25-scores": "automatic scores of WMT 2025, one document per JSON line",
    "loss-alone": "rankings of a single system",
    "loss-system": "systems",
    "loss-judge": "judges",
    "loss-document": "documents",
    "loss-langpair": "language pairs",
    "loss-campaign": "campaigns",
    "loss-time": "times",
    "loss-duration": "durations",
    "loss-text": "texts",
    "loss-loose-text": "texts without a position",
    "loss-meta": "metadata",
    "loss-other-meta": "metadata except `hit`",
    "loss-loose-meta": "metadata that is not a JSON object",
    "loss-garbage": "garbage (becomes the worst rank)",
    "loss-garbage-mark": "garbage (its rank stays)",
    "loss-equal": "equal outputs (become ties)",
    "loss-ranks": "ranks (only their order stays)",
    "loss-averaged": "ratings of one output (their mean stays)",
    "loss-unlike": "ratings of documents and checks",
    "loss-checks": "attention checks",
    "loss-training": "training",
    "format-holds-none": "%(format)s holds %(kinds)s, and campaign %(campaign)s has "
    "none; choose another format",
    "archiving-not-asked": "nobody in %(campaign)s was asked about archiving; omit "
    "archive",
    "formula-cell": "row %(row)d has a cell that a spreadsheet would run, %(cell)r; "
    "download xlsx, answers or parquet, or add cells=apostrophe to make it harmless "
    "(then it is for people, not for tertium)",
}

#: Reading judgements, and agreement.
READING: _Templates = {
    "rows-left-out": "%(path)s: %(rows)s left out, the first at %(where)s "
    "(%(reason)s); `tertium judgements import` lists them",
    "unmatched-candidate": "%(where)s: no system wrote %(text)s (segment %(segment)s)",
    "unmatched-kept": "%(candidates)s kept without a system",
    "ratings-not-ranked": "%(ratings)s left out: %(how)s applies to rankings only",
    "systems-without-name": "%(ratings)s of outputs without the names of their "
    "systems, as one system %(system)s: systems cannot be ranked by them; correlate "
    "metrics over outputs, as by the coefficient pearson:none",
    "cut-documents": "%(segments)s of documents that are divided between batches, or "
    "whose first items a judge skipped, have an unknown position and cannot be matched "
    "with those of other systems; give the batches of the campaign",
    "bad-rows": "%(rows)s set aside in %(quarantine)s; the first is %(where)s: "
    "%(reason)s",
    "empty-rows": "%(rows)s without a judgement set aside in %(quarantine)s; the first "
    "is %(where)s: %(reason)s",
    "kinds-left-out": "%(judgements)s left out: %(format)s holds %(kinds)s only",
    "details-lost": "%(judgements)s %(losses)s",
    "several-campaigns": "judgements from %(campaigns)s are analysed together, and "
    "judges and systems with the same name are treated as one; select one campaign, "
    "or tell judges apart by campaign",
    "several-campaigns-apart": "judgements from %(campaigns)s are analysed together, "
    "and systems with the same name are treated as one; select one campaign",
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
    "spans-without-judge": "%(spans)s error spans have no judge and were left out",
    "unlike-campaigns": "%(outputs)s outputs are not the same text in all campaigns; "
    "their annotations are only compared within a campaign",
    "span-lengths-unknown": "the lengths of %(outputs)s outputs are unknown: agreement "
    "by chance takes the largest end marked in each; give the outputs",
    "no-shared-spans": "no output was annotated by two judges, so their agreement "
    "cannot be measured",
    "fallback-method": "%(group)s: ranked by %(method)s, as %(reason)s",
    "method-left-out": "%(group)s: no %(method)s: %(reason)s",
}

#: New systems scored by stored judgements.
REUSE: _Templates = {
    "caution-exact": "only the %(percent).0f %% of outputs that equal a judged one "
    "count: systems agree on good translations, so such scores flatter",
    "caution-closest": "%(percent).0f %% of outputs equal a judged one; the others get "
    "what the nearest judged output got, which flatters: errors are rarely shared",
    "caution-model": "%(percent).0f %% of outputs equal a judged one; the others are "
    "predicted by a model, which has not seen errors that only the new system makes",
    "few-judged-systems": (
        "only %(count)s system was judged: the model has too little to learn from",
        "only %(count)s systems were judged: the model has too little to learn from",
    ),
    "nothing-to-reuse": "no estimate for %(systems)s: no judged output is equal, or "
    "there are none beside theirs",
    "kinds-not-reused": "%(kinds)s left out, as there are %(kind)s; choose a scale to "
    "use ratings, or the scale MQM to use error spans",
    "no-judged-texts": "no judged system has texts; the test set has %(systems)s: use "
    "the names of the judgements",
    "several-langpairs-reused": "judgements of several language pairs (%(langpairs)s); "
    "choose one",
    "langpair-not-judged": "no judgements of %(langpair)s; there are %(langpairs)s",
    "several-campaigns-reused": "judgements of several campaigns (%(campaigns)s), "
    "whose segments are not the same; choose one",
    "several-levels-reused": "there are rankings of whole segments and of their parts; "
    "choose those of segments by part=, or those of parts by part=*",
    "no-common-segments": "no judged segment is in the test set: judgements have "
    "%(judged)r, the test set has %(segment)r; give the test set that was judged",
}

#: All of them.
JUDGEMENTS: _Templates = {
    **JUDGES,
    **RANKINGS,
    **FORMATS,
    **READING,
    **REUSE,
}
