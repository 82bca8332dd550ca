# SPDX-License-Identifier: Apache-2.0
"""BEER 4 on sets that no model has seen: ``python -m bench beer_four [--write]``.

WMT14 into English (rankings), WMT17 into English (direct assessment), languages other
than English by models of other years, and WMT23 English-German beside the official
scores of neural metrics. Tau is (concordant - discordant) / all untied judgements: a
metric that ties two texts gains nothing by it.
"""

from __future__ import annotations

import argparse
import gzip
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

import tertium
from bench import wmt
from bench.measure import cpu, load
from bench.studies import beer_data
from bench.studies.beer_rated import PAIRS_17, assessed
from bench.studies.beer_report import decimals, table, write_section
from tertium.learn.pairs import Pairs, judged_pairs
from tertium.learn.training import train_model
from tertium.learn.validation import model_scores
from tertium.reproductions import tasks as task_data
from tertium.stats import pearson

Vector = NDArray[np.float64]

SAMPLES, SEED = 1000, 12345
POOLED = ("beer-3.0", "beer-1.1", "beer-1.0")  # versions with models for any language
FEW, ROUNDS = 300, 3  # segments to time where a BERT model is at work

HEAD = """\
Models of the package learn from WMT12, WMT15 and WMT16. Tau is (concordant -
discordant) / all untied judgements, so ties of a metric count against it; intervals are
95 % of a bootstrap over segments. `beer` has no resources and one model for all
languages, `beer:language=en` has the word list of English. Earlier versions were
trained into English, those called *pooled* on all languages, as `beer` was;
`beer-matched` has WordNet and METEOR's paraphrases.

Features were compared on WMT12, WMT15 and WMT16, each left out in turn. WMT14 was in
view all the time, in about twenty runs with some seventy variants, and scripts and the
lack of lengths were decided with it in view, so its figures are somewhat optimistic.
Balanced training (see "Balance") took four more looks at WMT14, and n-grams of beer-3.0
one (see "Every pair"). WMT17 was looked at five times and WMT23 three times; nothing
was chosen on them.
"""

#: Metrics that know more than a profile: another language model, or tables.
KNOW_MORE = {
    "beer": {"beer-3.0", "beer-1.1", "beer-1.0", "treepel", "beer-matched"},
    "beer:language=en": {"beer-matched"},
}


def resources() -> Mapping[str, str]:
    """Return what profiles need besides a language, by profile; only what is there."""
    tables = beer_data.resources("en")
    if tables is None:
        return {}
    matched = f"synonyms={tables.synonyms},paraphrases={tables.paraphrases}"
    return {"beer-4-matched": matched, "beer-matched": matched}


def beer_specs() -> dict[str, str]:
    """Return the profiles of BEER 4 by the names of the tables."""
    have = resources()
    names = {"beer": "beer", "beer:language=en": "beer:language=en"}
    if "beer-4-matched" in have:
        spec = f"beer:profile=beer-4-matched,language=en,{have['beer-4-matched']}"
        names["beer-4-matched"] = spec
    for name in beer_data.vector_profiles():
        names[name] = f"beer:profile={name},language=en"
    return names


def other_specs() -> dict[str, str]:
    """Return metrics to compare with."""
    usual = task_data.metric_specs(wmt.data(), "en")
    have = resources()
    names = {
        "chrF": "chrf",
        "chrF++": "chrf:word_order=2",
        "METEOR": usual["METEOR"],
        "TER": "ter",
        "CDER": "cder",
        "beer-3.0": "beer:profile=beer-3.0,language=en",
        "beer-2.0": "beer:profile=beer-2.0,language=en",
        "beer-1.1": "beer:profile=beer-1.1,language=en",
        "beer-1.0": "beer:profile=beer-1.0,language=en",
        "treepel": "beer:profile=treepel,language=en",
        **{f"{name}, pooled": f"beer:profile={name}" for name in POOLED},
    }
    if "beer-matched" in have:
        spec = f"beer:profile=beer-matched,language=en,{have['beer-matched']}"
        names["beer-matched"] = spec
    return names


def scores_of(spec: str, hyps: Sequence[str], refs: Sequence[Sequence[str]]) -> Vector:
    """Return segment scores, higher for better texts."""
    metric = tertium.metric(spec)
    scores = np.asarray(metric.segment_scores(list(hyps), list(refs)), dtype=float)
    return scores if metric.higher_is_better else -scores


# ------------------------------------------------------------------------ rankings


def votes(pairs: Pairs, scores: Vector) -> Vector:
    """Return +1, 0 or -1 for every judgement."""
    return np.sign(scores[pairs.better] - scores[pairs.worse])


def resampled(pairs: Pairs, *columns: Vector) -> list[Vector]:
    """Return tau of every column in bootstrap samples of segments."""
    refs = {ref: number for number, ref in enumerate(dict.fromkeys(pairs.refs))}
    segment = np.array([refs[ref] for ref in pairs.refs])[pairs.better]
    sizes = np.bincount(segment, minlength=len(refs))
    draw = np.random.default_rng(SEED)
    drawn = draw.multinomial(len(refs), np.full(len(refs), 1 / len(refs)), SAMPLES)
    total = drawn @ sizes
    return [
        drawn @ np.bincount(segment, weights=column, minlength=len(refs)) / total
        for column in columns
    ]


def interval(samples: Vector) -> str:
    """Return a 95 % interval as text."""
    low, high = np.quantile(samples, [0.025, 0.975])
    return f"[{low:+.3f}, {high:+.3f}]"


def ranked_tables() -> list[str]:
    """Return taus of all metrics on WMT14, and differences from BEER 4."""
    sources = beer_data.sources(("2014",))
    pairs = [judged_pairs(source) for source in sources]
    names = [source.langpair for source in sources]
    specs = {**beer_specs(), **other_specs()}
    columns = {
        name: [votes(one, scores_of(spec, one.hyps, one.refs)) for one in pairs]
        for name, spec in specs.items()
    }
    rows = [
        [name, *(decimals(v.mean(), 4) for v in cells), decimals(_mean(cells), 4)]
        for name, cells in columns.items()
    ]
    parts = ["### WMT14 into English, tau\n", table(["metric", *names, "mean"], rows)]
    for best in beer_specs():
        rows = []
        # Cells that are not ahead, of all metrics and of those that know no more.
        behind, behind_equals = 0, 0
        more = KNOW_MORE.get(best, set())
        for name in other_specs():
            cells = []
            for one, mine, theirs in zip(
                pairs, columns[best], columns[name], strict=True
            ):
                a, b = resampled(one, mine, theirs)
                difference = mine.mean() - theirs.mean()
                behind += difference <= 0
                behind_equals += difference <= 0 and name not in more
                cells.append(f"{difference:+.4f} {interval(a - b)}")
            rows.append([name, *cells])
        words = "ahead of all of them on every pair"
        if behind:
            words = f"not ahead in {behind} of {len(rows) * len(pairs)} cells"
        if behind and more:
            cells_of_equals = (len(rows) - len(more)) * len(pairs)
            words += (
                f", {behind_equals} of {cells_of_equals} where the other metric knows "
                "no more"
            )
        parts.append(f"`{best}` minus other metrics: {words}.\n")
        parts.append(table(["metric", *names], rows))
    return parts


def _mean(cells: Sequence[Vector]) -> float:
    return float(np.mean([cell.mean() for cell in cells]))


# ------------------------------------------------------------------- other languages


def out_of_english() -> list[str]:
    """Return taus out of English of models that learnt from the other years."""
    years = tuple(beer_data.TRAINED)
    rows, means = [], []
    for year in years:
        learn = beer_data.sources([other for other in years if other != year])
        model, *earlier = (
            train_model(learn, profile=name) for name in ("beer-4", *POOLED)
        )
        for source in beer_data.sources((year,)):
            if source.langpair.endswith("-en"):
                continue
            one = judged_pairs(source)
            mine = votes(one, model_scores(model, one.hyps, one.refs))
            others = [
                votes(one, scores_of(spec, one.hyps, one.refs))
                for spec in ("chrf", "chrf:word_order=2", "ter", "cder")
            ]
            others += [
                votes(one, model_scores(old, one.hyps, one.refs)) for old in earlier
            ]
            first, second = resampled(one, mine, others[0])
            values = [column.mean() for column in (mine, *others)]
            means.append(values)
            rows.append(
                [
                    source.name,
                    *(decimals(value, 4) for value in values),
                    f"{values[0] - values[1]:+.4f} {interval(first - second)}",
                ]
            )
    average = [decimals(value, 4) for value in np.mean(means, axis=0)]
    head = ["set", "beer", "chrF", "chrF++", "TER", "CDER", *POOLED, "beer - chrF"]
    return [
        "### Out of English, tau\n",
        "`beer` and earlier versions, trained on the other years, all languages.\n",
        table(head, [*rows, ["mean", *average, ""]]),
    ]


# ------------------------------------------------------------------ direct assessment


def assessed_table() -> list[str]:
    """Return Pearson's r with direct assessment of WMT17."""
    rows = []
    for name, spec in {**beer_specs(), **other_specs()}.items():
        values = []
        for pair in PAIRS_17:
            data = assessed(pair)
            scores = scores_of(spec, data.hyps, [(ref,) for ref in data.refs])
            values.append(pearson(data.human, scores) or 0.0)
        rows.append([name, *map(decimals, values), decimals(float(np.mean(values)), 4)])
    head = ["metric", *PAIRS_17, "mean"]
    title = "### WMT17 into English, direct assessment, Pearson's r of segments\n"
    return [title, table(head, rows)]


# ----------------------------------------------------------------------------- WMT23


def _lines(path: str) -> list[str]:
    with gzip.open(wmt.folder() / "wmt23-mtme" / path, "rt", encoding="utf-8") as file:
        return file.read().split("\n")[:-1]


def _values(path: str) -> dict[str, Vector]:
    out: dict[str, list[float]] = {}
    for line in _lines(path):
        name, value = line.split("\t")
        number = float("nan") if value == "None" else float(value)
        out.setdefault(name, []).append(number)
    return {name: np.array(values) for name, values in out.items()}


@dataclass(frozen=True, eq=False)
class Mqm:
    """WMT23 English-German: outputs and the MQM scores of their segments."""

    refs: list[str]
    outputs: dict[str, list[str]]
    human: dict[str, Vector]

    @classmethod
    def read(cls) -> Mqm:
        """Return all systems with outputs and judgements."""
        human = _values("human-scores/en-de.mqm.seg.score.gz")
        folder = wmt.folder() / "wmt23-mtme" / "system-outputs" / "en-de"
        names = [
            name
            for name in human
            if name != "refA" and (folder / f"{name}.txt.gz").exists()
        ]
        outputs = {n: _lines(f"system-outputs/en-de/{n}.txt.gz") for n in names}
        return cls(_lines("references/en-de.refA.txt.gz"), outputs, human)

    def correlations(self, scores: Mapping[str, Vector]) -> tuple[float, float]:
        """Return Pearson's r of segments and of the means of systems."""
        names = list(self.outputs)
        flat = np.concatenate([scores[name] for name in names])
        people = np.concatenate([self.human[name] for name in names])
        kept = ~np.isnan(people) & ~np.isnan(flat)
        means = [
            np.nanmean(scores[name][~np.isnan(self.human[name])]) for name in names
        ]
        of_people = [np.nanmean(self.human[name]) for name in names]
        return (
            pearson(people[kept], flat[kept]) or 0.0,
            pearson(np.array(of_people), np.array(means)) or 0.0,
        )


def wmt23() -> list[str]:
    """Return correlations on WMT23 English-German, where no system is weak."""
    data = Mqm.read()
    columns: dict[str, Mapping[str, Vector]] = {}
    for title, spec in {
        "beer": "beer",
        "beer:language=de": "beer:language=de",
        "beer-3.0": "beer:profile=beer-3.0,language=de",
        "chrF": "chrf",
        "BLEU, segments": "sentbleu",
    }.items():
        lists = [(ref,) for ref in data.refs]
        columns[title] = {
            name: scores_of(spec, hyps, lists) for name, hyps in data.outputs.items()
        }
    folder = wmt.folder() / "wmt23-mtme" / "metric-scores" / "en-de"
    for path in sorted(folder.glob("*.seg.score.gz")):
        official = _values(f"metric-scores/en-de/{path.name}")
        if data.outputs.keys() <= official.keys():
            columns[f"*{path.name.removesuffix('.seg.score.gz')}*"] = official
    figures = {title: data.correlations(scores) for title, scores in columns.items()}
    rows = [
        [title, *map(decimals, values)]
        for title, values in sorted(figures.items(), key=lambda item: -item[1][0])
    ]
    return [
        "### WMT23 English-German, MQM, Pearson's r\n",
        "Official scores of the metrics task in italics.\n",
        table(["metric", "segments", "systems"], rows),
    ]


# ----------------------------------------------------------------------------- speed


def speed() -> list[str]:
    """Return segments per second with all cores, the best of some rounds."""
    testset, text = load()
    refs = [refs[0] for refs in testset.references]
    hyps = next(iter(testset.systems.values()))
    rows = []
    for name, spec in beer_specs().items():
        metric = tertium.metric(spec)
        # Other texts in every round, as encoded ones are kept.
        size = FEW if "context" in name else len(refs) // ROUNDS
        metric.corpus_score(hyps[-50:], refs[-50:])
        rates = []
        for first in range(0, ROUNDS * size, size):
            part = slice(first, first + size)
            start = time.perf_counter()
            metric.corpus_score(hyps[part], refs[part])
            rates.append(size / (time.perf_counter() - start))
        rows.append([name, f"{max(rates):,.0f}"])
    return [
        "### Speed\n",
        f"Segments per second, all cores ({cpu()}), {text}.\n",
        table(["metric", "segments per second"], rows),
    ]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="into bench/BEER.md")
    parser.add_argument("--speed", action="store_true", help="only segments per second")
    options = parser.parse_args()
    if options.speed:
        print("\n".join(speed()))
        return
    parts = [HEAD]
    for make in (ranked_tables, assessed_table, out_of_english, wmt23, speed):
        section = make()
        print("\n".join(section), flush=True)
        parts += section
    if options.write:
        write_section("BEER 4", "\n".join(parts))


if __name__ == "__main__":
    main()
