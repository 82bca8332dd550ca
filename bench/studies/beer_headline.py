# SPDX-License-Identifier: Apache-2.0
"""BEER on WMT14, which no model has seen: ``python -m bench beer_headline``.

Into English: segment-level tau (wmt14) of the models of the package beside metrics
without training and the published figures (Macháček 2014, table 4.4; Stanojević 2017,
appendix A), and the correlation of systems with expected wins.
"""

from __future__ import annotations

import numpy as np

import tertium
from bench import wmt
from bench.studies import beer_data
from bench.studies.beer_report import decimals, run_section, table
from tertium.learn.data import Source
from tertium.learn.pairs import corpora_of, judged_pairs
from tertium.learn.validation import agreement
from tertium.reproductions import tasks as task_data
from tertium.stats.correlation import pearson

#: Means of five pairs, tau as the task of 2014 counts it.
PUBLISHED = {
    "BEER": {"cs-en": 0.284, "de-en": 0.337, "fr-en": 0.417, "hi-en": 0.438,
             "ru-en": 0.333, "avg": 0.362},
    "METEOR": {"cs-en": 0.282, "de-en": 0.334, "fr-en": 0.406, "hi-en": 0.420,
               "ru-en": 0.329, "avg": 0.354},
    "sentBLEU": {"avg": 0.285},
}  # fmt: skip


def specs() -> dict[str, str]:
    """Return the metrics by the names of the table."""
    usual = task_data.metric_specs(wmt.data(), "en")
    names = {
        "beer": "beer",
        "beer, English": "beer:language=en",
        **{
            f"beer, {name}": f"beer:profile={name},language=en"
            for name in ("beer-3.0", "beer-2.0", "beer-1.1", "beer-1.0", "treepel")
        },
        "chrF": usual["chrF"],
        "METEOR": usual["METEOR"],
        "METEOR, no tables": "meteor",
        "sentBLEU": usual["sentBLEU"],
        "BLEU-NRC": usual["BLEU-NRC"],
        "PEF": usual["PEF"],
    }
    tables = beer_data.resources("en")
    if tables is not None:
        for name in ("beer-4-matched", "beer-matched"):
            names[f"beer, {name}"] = (
                f"beer:profile={name},language=en,synonyms={tables.synonyms},"
                f"paraphrases={tables.paraphrases}"
            )
    return names


def row(spec: str, sources: list[Source]) -> tuple[list[float], list[float]]:
    """Return tau of segments and Pearson's r of systems, by source."""
    metric = tertium.metric(spec)
    taus, rs = [], []
    for source in sources:
        pairs = judged_pairs(source)
        scores = metric.segment_scores(pairs.hyps, pairs.refs)
        tau = agreement(pairs, scores, spec).tau
        corpora = corpora_of(source, size=10**6)
        if tau is None or corpora is None:
            message = f"{source.name} has no comparisons; is the data complete?"
            raise SystemExit(message)
        taus.append(tau)
        systems = [
            metric.corpus_score(hyps, corpora.refs) for hyps in corpora.systems.values()
        ]
        people = [corpora.human[name] for name in corpora.systems]
        r = pearson(np.array(systems), np.array(people))
        rs.append(float("nan") if r is None else float(r))
    return taus, rs


def report() -> str:
    """Return the section in Markdown."""
    sources = beer_data.sources(["2014"])
    pairs = [source.langpair for source in sources]
    rows = []
    for name, spec in specs().items():
        taus, rs = row(spec, sources)
        rows.append((float(np.mean(taus)), name, taus, float(np.mean(rs))))
    head = ["metric", *pairs, "avg", "systems, r"]
    lines = [
        [name, *(decimals(tau) for tau in taus), decimals(mean), decimals(r)]
        for mean, name, taus, r in sorted(rows, reverse=True)
    ]
    lines += [
        [
            f"*{name}, published*",
            *(decimals(published.get(p)) for p in (*pairs, "avg")),
            "",
        ]
        for name, published in PUBLISHED.items()
    ]
    return f"{_WORDS}\n\n{table(head, lines)}"


_WORDS = (
    "WMT14 into English, segment-level tau (wmt14) and the mean of Pearson's r of "
    "systems with expected wins (`python -m bench beer_headline --write`). No model "
    "has seen this year. `beer-4-matched` and `beer-matched` have WordNet and METEOR's "
    "paraphrases, the resources that METEOR has here and that the published BEER had; "
    "the other rows of beer need texts alone."
)


if __name__ == "__main__":
    run_section("headline", __doc__, report)
