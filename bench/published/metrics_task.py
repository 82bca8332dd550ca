# SPDX-License-Identifier: Apache-2.0
"""The WMT metrics tasks again, beside the published figures.

    python -m bench metrics_task [--years 12 14 15 16 17] [--metrics NAME...] [--quick]

Every language pair with texts and judgements: Kendall's tau of segments in every
treatment of ties, Pearson's r and Spearman's rho of systems. The tables go to
the screen and, if all years and metrics are asked for, to bench/METRICS_TASK.md; with
--quick two pairs a year and their first 100 segments are looked at, and nothing is
written. Nothing is tuned on these numbers.
"""

from __future__ import annotations

import argparse
import gzip
import html
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

import tertium
from bench import wmt
from bench.published import figures as published
from tertium.meta import Correlations, MetricScores, correlate_evaluations, evaluation
from tertium.reproductions import tasks as task_data
from tertium.reproductions.tasks import METRICS, Task
from tertium.stats import pearson

YEARS = ("12", "14", "15", "16", "17")
PRESETS = {
    "wmt14": "a tie of the metric counts 0",
    "wmt12": "a tie of the metric counts -1",
    "wmt13": "ties of the metric are left out",
    "hties": "ties of people count too",
}

#: Pair to metric to value.
Figures: TypeAlias = Mapping[str, Mapping[str, "float | None"]]
Show: TypeAlias = Callable[[str], None]


def table(
    title: str, figures: Figures, known: Figures | None = None, note: str = ""
) -> str:
    """Return a Markdown table, best mean first, the best of every column in bold.

    Published values and the difference from them stand in brackets.
    """
    pairs = list(figures)
    names = [name for name in METRICS if any(name in figures[p] for p in pairs)]
    columns = {pair: dict(figures[pair]) for pair in pairs}
    columns["avg"] = {name: mean(figures, name) for name in names}
    best = {
        head: max((v for v in column.values() if v is not None), default=None)
        for head, column in columns.items()
    }
    lines = [f"### {title}", "", "| metric | " + " | ".join(columns) + " |"]
    lines.append("|---" + "|---:" * len(columns) + "|")
    for name in sorted(names, key=lambda n: -(columns["avg"][n] or -2)):
        cells = []
        for head, column in columns.items():
            value = column.get(name)
            text = "n/a" if value is None else f"{value:.3f}"
            if value is not None and value == best[head]:
                text = f"**{text}**"
            before = (known or {}).get(head, {}).get(name)
            if before is not None and value is not None:
                text += f" ({before:.3f}, {value - before:+.3f})"
            cells.append(text)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    notes = [note] if note else []
    if gaps := differences(columns, known or {}):
        near = sum(abs(difference) <= 0.01 for difference in gaps)
        notes.append(f"Within .01 of the published figure: {near} of {len(gaps)}.")
    return "\n".join([*lines, "", *(f"{text}\n" for text in notes)])


def differences(columns: Figures, known: Figures) -> list[float]:
    """Return ours minus published, to three digits, of all that were published."""
    return [
        round(round(value, 3) - before, 3)
        for head, published in known.items()
        for name, before in published.items()
        if before is not None and (value := columns.get(head, {}).get(name)) is not None
    ]


def mean(figures: Figures, name: str) -> float | None:
    """Return the mean over pairs, None if a pair has no value."""
    values = [column.get(name) for column in figures.values()]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if values and len(known) == len(values) else None


def figures_of(correlations: Correlations, coefficient: str) -> Figures:
    """Return one coefficient of a result, pair by pair."""
    out: dict[str, dict[str, float | None]] = {}
    for value in correlations.values:
        if value.coefficient == coefficient:
            out.setdefault(value.langpair, {})[value.metric] = value.value
    return out


def describe(tasks: Sequence[Task]) -> str:
    """Return how much was judged, in words."""
    parts = []
    for task in tasks:
        text = f"{task.pair} {len(task.systems)} systems"
        comparisons = task.human.comparisons
        if comparisons is not None:
            text += f", {len(comparisons):,} comparisons"
            text += f", {task.ties:.0%} tied" if task.ties else ""
        if task.missing:
            text += (
                f" ({task.missing:,} outputs are not there; systems are scored on the "
                f"{len(task.whole):,} of {len(task.segments):,} segments that have all)"
            )
        parts.append(text)
    return "; ".join(parts) + "."


def year_of(year: str, names: Sequence[str], size: int | None, show: Show) -> None:
    """Show the tables of one year."""
    pairs = wmt.pairs_of(year)
    if size is not None:
        pairs = pairs[-2:]
    tasks, scores = [], []
    for pair in pairs:
        tasks.append(task_data.read(wmt.data(), year, pair, size=size))
        scores.append(task_data.scores(wmt.data(), tasks[-1], names))
        sys.stderr.write(f"WMT{year} {pair} {time.process_time():.0f} s\n")
    show(f"## WMT{year}\n\n{describe(tasks)}\n")
    # Outputs that are not there have no scores; their comparisons are dropped.
    correlations = correlate_evaluations(
        [
            evaluation(task.human, metrics, missing="drop")
            for task, metrics in zip(tasks, scores, strict=True)
        ],
        coefficients=["pearson", "spearman", *(f"tau-{name}" for name in PRESETS)],
        resamples=0,
    )
    whom = "direct assessment" if year == "17" else "expected wins"
    for name, known in (
        ("pearson", published.PEARSON),
        ("spearman", published.SPEARMAN),
    ):
        title = f"WMT{year}, systems, {name.capitalize()} with {whom}"
        show(table(title, figures_of(correlations, name), known.get(year)))
    trueskill(year, tasks, scores, show)
    if year == "17":
        segments_17(names, show, size)
        return
    for preset, about in PRESETS.items():
        known_taus = published.TAU.get(preset, {}).get(year, {})
        if year == "14":
            known_taus = {**known_taus, "avg": published.AVERAGE_TAU[preset]}
        if preset == "hties" and not any(task.ties for task in tasks):
            show(no_ties(year))
            continue
        title = f"WMT{year}, segments, τ {preset.upper()}: {about}"
        show(table(title, figures_of(correlations, f"tau-{preset}"), known_taus))


def no_ties(year: str) -> str:
    """Say why a table is not there."""
    known = ", ".join(f"{n} {v:.3f}" for n, v in published.AVERAGE_TAU["hties"].items())
    return (
        f"τ HTIES needs the ties of people, which the pairs of WMT{year} lack "
        f"(published: {known}).\n"
    )


def trueskill(
    year: str, tasks: Sequence[Task], scores: Sequence[list[MetricScores]], show: Show
) -> None:
    """Show Pearson's r with TrueSkill: the published scores, or our own."""
    if year == "14":
        people = [task_data.by_trueskill(wmt.data(), task) for task in tasks]
        title = "Pearson with TrueSkill, computed from the pairs"
    elif year in ("15", "16"):
        people = [
            replace(
                task.human,
                scores={
                    n: task.official[n] for n in task.systems if n in task.official
                },
                draw=None,
            )
            for task in tasks
        ]
        title = "Pearson with the official TrueSkill scores"
    else:
        return
    both = [
        evaluation(human, metrics, missing="drop")
        for human, metrics in zip(people, scores, strict=True)
    ]
    correlations = correlate_evaluations(both, coefficients=["pearson"], resamples=0)
    known = published.PEARSON.get(year)
    show(
        table(
            f"WMT{year}, systems, {title}", figures_of(correlations, "pearson"), known
        )
    )
    means = []
    for task, human in zip(tasks, people, strict=True):
        common = [n for n in human.scores if n in task.human.scores]
        r = pearson(
            [human.scores[n] for n in common], [task.human.scores[n] for n in common]
        )
        shown = "n/a" if r is None else f"{r:.4f}"
        lacking = len(task.systems) - len(common)
        means.append(
            f"{task.pair} {shown}" + (f" ({lacking} not listed)" if lacking else "")
        )
    show(f"Expected wins against TrueSkill, Pearson: {', '.join(means)}.\n")
    if year == "14":
        show(other_forms(tasks))


def other_forms(tasks: Sequence[Task]) -> str:
    """Say what two other readings of the published metrics would give."""
    parts: dict[str, list[str]] = {}
    for task in tasks:
        forms = {
            "PER": (
                "PER, lengths compared once for all segments",
                task_data.pooled_per,
            ),
            "WER": ("WER, every mark of a letter a word", task_data.wer_of_marks),
        }
        people = [task.human.scores[name] for name in task.systems]
        for name, (title, form) in forms.items():
            r = pearson(people, form(task))
            before = published.PEARSON["14"][task.pair][name]
            text = "n/a" if r is None else f"{r:.3f} ({before:.3f}, {r - before:+.3f})"
            parts.setdefault(title, []).append(f"{task.pair} {text}")
    lines = [f"{title}: {', '.join(names)}." for title, names in parts.items()]
    return "\n\n".join(lines) + "\n"


def segments_17(names: Sequence[str], show: Show, size: int | None) -> None:
    """Show Pearson's r of segments with direct assessment."""
    figures: dict[str, dict[str, float | None]] = {}
    official, apart = [], []
    # These texts are cut into words already, by Moses, which escapes some characters.
    specs = {
        name: spec.replace("tokenize=intl", "tokenize=none")
        for name, spec in task_data.metric_specs(wmt.data(), "en", "17").items()
        if name in names
    }
    for path in sorted((wmt.folder() / "wmt17").glob("daseg560.*.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            head, *rows = (line.rstrip("\n").split("\t") for line in file)
        columns = dict(zip(head, zip(*rows[:size], strict=True), strict=True))
        human = [float(value) for value in columns["HUMAN_score"]]
        hyps = [html.unescape(text) for text in columns["translation"]]
        refs = [html.unescape(text) for text in columns["reference"]]
        column: dict[str, float | None] = {}
        for name, spec in specs.items():
            metric = tertium.metric(spec)
            scores = metric.segment_scores(hyps, refs)
            r = pearson(human, scores)
            column[name] = r if r is None or metric.higher_is_better else -r
            if name == "sentBLEU":
                theirs = [float(value) for value in columns["sentBLEU"]]
                apart.append(float(np.mean(np.abs(scores / 100 - theirs))))
                official.append(pearson(human, theirs))
        figures[path.name.split(".")[1]] = column
    title = "WMT17, segments, Pearson with direct assessment, 560 per pair"
    if not official:
        show(table(title, figures))
        return
    known = {
        pair: {"sentBLEU": value} for pair, value in zip(figures, official, strict=True)
    }
    known["avg"] = {"sentBLEU": float(np.mean(official))}
    note = (
        "In brackets: r of the sentBLEU that the task's file has, and the difference. "
        f"That sentBLEU and ours differ by {np.mean(apart):.4f} of 1 on average. The "
        "texts of the file are cut into words and lower-cased already: tokenize=none."
    )
    show(table(title, figures, known, note))


HEAD = """\
# The WMT metrics tasks again

Printed by `python -m bench metrics_task`. Nothing is tuned on these figures. In
brackets stand published values and how far ours are from them: WMT14 from Macháček
2014, tables 4.2, 4.4 and 4.6; METEOR on WMT12 from Stanojević 2017, tables 5.2 and 5.3.
There are tables of WMT13 too, but neither its texts nor its judgements are at hand.

Configurations, those closest to the published ones:

{configurations}

**What is reproduced.** Segments of WMT14: all fifteen τ of METEOR, BLEU-NRC and
sentBLEU are within .005 of the published ones, and the means within .004 for every
treatment of ties that can be had. Segments of WMT17: the sentBLEU of the task's own
file, to four digits. Segments of WMT12: METEOR into English within .008.
Systems of WMT14: the means of BLEU, BLEU-NRC, CDER, NIST and METEOR within .006.

**What is not, and why.**

- *People.* The judgements of WMT14 here lack ties and judges, and systems are scored by
  expected wins, while the task had TrueSkill over all judgements. Nearly all metrics of
  a pair move alike: fr-en up by about .02, de-en and ru-en down by .01 to .02.
  TrueSkill computed from the same pairs changes little (it correlates with expected
  wins at .9988 or more), so the judgements are the likelier cause. The task's own
  half-widths were .018 to .037 on average. τ HTIES cannot be had without ties. For
  WMT15 and WMT16 there are official TrueSkill scores; r with them is shown too, and the
  means are .005 to .02 higher.
- *PER.* The definition compares the lengths of every segment. The published figures
  come from a scorer that sums lengths over the corpus first, it seems: computed so,
  de-en is .867 as published (.780 otherwise), cs-en .907 instead of .977.
- *hi-en.* The best system, onlineB, has 12,181 words in Devanagari. WER, TER and PER
  depend on how these are cut: with every vowel sign a word of its own, as some
  tokenisers do, r of WER falls from .779 to .156; the published .610 lies between.
  Which tokeniser the task had for its error rates is not known; case and the choice
  between 13a, intl and none do not explain it (.763 to .800). BLEU, whose tokeniser
  is known, is within .004.
- *cs-en* has five systems only. Without any one of them r of CDER lies anywhere between
  .898 and .965.
- *METEOR* has paraphrase tables for Czech, French, German and Spanish, which are not at
  hand: en-cs, en-de and en-fr lose .01 to .02, probably for that. Into English it has
  all four matchers where WordNet and the table of pycocoevalcap are installed.
- *AMBER.* The eight forms of the text are ours, and so are details of the penalties.
  The mean τ of segments is .018 below the published one. At system level hi-en and
  cs-en are far above the published figures, and de-en is below.
- *LAYERED* is scored without DEEP, and with `flat=yes`, which takes pairs of adjacent
  words for the arcs of SHALLOW. Word order comes from aligning output and reference,
  not each with the source.
- *semantic ESA* has no published figures of its own. Its background corpus is all
  references in the target language from the other years here, so nothing of the test
  set; every reference is a document. There are none in Spanish. A large corpus of
  articles may do better.
- *Outputs that are not there.* Tables of judged segments have empty cells (WMT16; cs-en
  and en-cs of WMT15). They mean that the output was not kept, not that it was empty.
  Systems are scored on the segments for which all have an output, and comparisons with
  a missing one are left out. WMT16 has about a third of the test set anyway.
- sentBLEU of a whole system comes from summed counts, so it is BLEU, but for the ones
  added.

"""


def head() -> str:
    """Return the start of the report, with the specs that were run."""
    shown = {
        n: strip(spec)
        for n, spec in task_data.metric_specs(wmt.data(), "en", "14").items()
    }
    shown["TER"] += ", of texts cut by tokenize=intl"
    shown["METEOR"] += (
        "; `"
        + strip(task_data.metric_specs(wmt.data(), "de", "14")["METEOR"])[1:]
        + (" and so on out of English")
    )
    lines = "\n".join(f"- {name}: {spec}" for name, spec in shown.items())
    return HEAD.format(configurations=lines)


def strip(spec: str) -> str:
    """Return a spec with the folders of its files left out."""
    parts = [
        f"{key}={Path(value).name}" if "/" in value else f"{key}{equals}{value}"
        for key, equals, value in (part.partition("=") for part in spec.split(","))
    ]
    return f"`{','.join(parts)}`"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--years", nargs="+", default=list(YEARS), choices=YEARS)
    parser.add_argument("--metrics", nargs="+", default=list(METRICS), choices=METRICS)
    parser.add_argument("--quick", action="store_true")
    args = parser.parse_args()
    parts: list[str] = []

    def show(text: str) -> None:
        parts.append(text)
        print(text, flush=True)

    show(head())
    for year in args.years:
        year_of(year, args.metrics, 100 if args.quick else None, show)
    whole = set(args.years) == set(YEARS) and set(args.metrics) == set(METRICS)
    if whole and not args.quick:
        path = Path(__file__).parents[1] / "METRICS_TASK.md"
        path.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
