# SPDX-License-Identifier: Apache-2.0
"""Error spans of people, probes and the baseline against MQM and ESA, WMT23 en-de.

    python -m bench spans [--write]

With --write the tables go to bench/SPANS.md.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

from bench.measure import ROOT
from bench.studies.beer_report import table
from bench.studies.span_model import segments_of, single_reference
from tertium.data.testset import Testset
from tertium.judgements import Judgements, Span
from tertium.judgements.importing import import_judgements
from tertium.learn.spans import find_span_model, mark_testset, predictions
from tertium.meta.files.mtme import read_mtme
from tertium.meta.spans import SpanEvaluation, correlate_spans
from tertium.meta.spans.probes import absent_words
from tertium.text.words import split

DATA = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "bench" / "SPANS.md"
MEASURES = (
    *("exact:micro-f", "overlap:micro-f", "character:micro-f"),
    *("character-severity:micro-f", "mpp:micro-f", "mpp-weighted:micro-f"),
    *("mpp:macro-f", "missing:micro-f", "error-free:f1", "error-free:mcc"),
    *("error-free:precision-at-recall-0.8", "score:pearson", "score:kendall"),
)
BASELINE = "spans-1"
ABSENT = "absent words"
#: From which the threshold for ESA is chosen, on documents for training.
GRID = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    text = page()
    print(text, end="")
    if write:
        PAGE.write_text(text, encoding="utf-8")


def page() -> str:
    """Return the page."""
    texts = single_reference(read_mtme(DATA / "wmt23-mtme", "en-de").testset)
    merged = Judgements.read(DATA / "esa" / "wmt23.en-de.mqm.merged.seg.rating.gz")
    judged = _without_reference(merged)
    probes = correlate_spans({}, judged, testset=texts, probes=True)
    people = {
        name: Judgements.read(DATA / "esa" / f"wmt23.en-de.{name}.1.csv.gz")
        for name in ("esa", "esa-ai", "mqm-in-appraise")
    }
    mqm = people.pop("mqm-in-appraise")
    return f"""\
# Error spans

Written by `python -m bench spans --write`. Data: WMT23 en-de (Freitag et al. 2023;
Kocmi et al. 2024). Intervals (95 %) resample segments. The reference is refA, which is
not among the systems; the second reference of the data is not used, since it has
outputs wherever people judged one better than refA.

## Probes against merged MQM

Predictions that ignore quality, and words that the reference lacks.

{_table(probes)}
{_baseline(texts, judged)}
## ESA against MQM in Appraise

How well one group of people predicts the spans of another; `esa-ai` started from
pre-filled spans. The score of MQM is minus the weight of its spans.

{_table(correlate_spans(people, mqm))}"""


def _baseline(texts: Testset, mqm: Judgements) -> str:
    """Return the sections on the baseline."""
    held_out = segments_of(texts, held_out=True)
    esa = import_judgements(
        [str(DATA / "esa" / "wmt23.en-de.esa.1.csv.gz")],
        batches=str(DATA / "esa" / "appraise-batches.en-de.esa.json.gz"),
    ).judgements
    start = time.perf_counter()
    marked = mark_testset(held_out)
    seconds = time.perf_counter() - start
    words = sum(len(split(each.output.text)) for each in marked)
    threshold = _esa_threshold(segments_of(texts, held_out=False), esa)
    stricter = find_span_model(BASELINE).with_threshold(threshold)
    metrics = {
        BASELINE: predictions(marked, langpair="en-de"),
        ABSENT: Judgements.from_iterable(_absent(held_out)),
    }
    name = f"{BASELINE} at {threshold:g}"
    strict = {
        name: predictions(mark_testset(held_out, model=stricter), langpair="en-de")
    }
    on_mqm = _evaluation(metrics, mqm, held_out)
    on_esa = _evaluation({**metrics, **strict}, esa, held_out)
    grid = ", ".join(f"{each:g}" for each in GRID)
    return f"""\
## The baseline on held-out documents: MQM

`{BASELINE}` on documents that its model (`python -m bench span_model`) has not seen;
`{ABSENT}` is the probe PROBE-absent as a metric. Of {len(set(texts.docs or ()))}
documents, {len(set(held_out.docs or ()))} are held out, by a hash of their names. All
features and thresholds were chosen on the others. The held-out part was looked at
twice: after the first time, two features of missing content were removed, because the
model did not find it in an example of ours. P-values are of a permutation test over
segments.

{_table(on_mqm)}
{_tested(on_mqm, BASELINE)}
{words / seconds:,.0f} words per second on a machine with {os.cpu_count()} cores.

## The baseline on held-out documents: ESA

People marked {_marked_share(on_esa):.1f} % of the characters in ESA and
{_marked_share(on_mqm):.1f} % in MQM, so a threshold for MQM marks too much. `{name}`
has the threshold (of {grid}) with the best
`character-severity:micro-f` on ESA judgements of the other documents. P-values are
corrected for the number of pairs of metrics (Holm).

{_table(on_esa)}
{_tested(on_esa, BASELINE)}
{_tested(on_esa, name)}"""


def _evaluation(
    metrics: Mapping[str, Judgements], human: Judgements, texts: Testset
) -> SpanEvaluation:
    return correlate_spans(
        metrics, human, testset=texts, probes=True, test="permutation"
    )


def _marked_share(result: SpanEvaluation) -> float:
    """Return how many characters of a hundred people marked."""
    share = result.get("PROBE-everything", "character:micro-precision").value
    return 100 * (share or 0.0)


def _tested(result: SpanEvaluation, main: str) -> str:
    """Return how a metric differs from the probe."""
    rows = []
    for measure in MEASURES:
        for each in result.differences:
            if each.measure == measure and {each.a, each.b} == {main, ABSENT}:
                delta = each.delta if each.a == main else -each.delta
                rows.append([measure, f"{delta:+.3f}", f"{each.p_adjusted:.3f}"])
    return table([f"{main} minus {ABSENT}", "delta", "p"], rows)


def _esa_threshold(texts: Testset, esa: Judgements) -> float:
    """Return the best threshold on texts, none of which is held out."""
    model = find_span_model(BASELINE)
    values = {}
    for threshold in GRID:
        marked = mark_testset(texts, model=model.with_threshold(threshold))
        result = correlate_spans(
            {BASELINE: predictions(marked, langpair="en-de")}, esa, resamples=0
        )
        value = result.get(BASELINE, "character-severity:micro-f").value
        values[threshold] = value or 0.0
    return max(values, key=values.__getitem__)


def _absent(texts: Testset) -> Iterator[Span]:
    """Yield what PROBE-absent marks, as a metric that can be tested against."""
    for system, outputs in texts.systems.items():
        names = texts.ids or []
        for name, text, refs in zip(names, outputs, texts.references, strict=True):
            marks = absent_words(text, refs).marks
            for mark in marks:
                place = {"start": mark.start, "end": mark.end}
                yield Span(system, "", mark.severity, name, langpair="en-de", **place)
            if not marks:
                yield Span(system, "", "no-error", name, langpair="en-de")


def _without_reference(judgements: Judgements) -> Judgements:
    """Return judgements of systems: whoever compares with refA cannot judge it."""
    rows = judgements.iterate("ratings", "spans")
    return Judgements.from_iterable(row for row in rows if row.system != "refA")


def _table(result: SpanEvaluation) -> str:
    # The probe is there twice where it is tested against.
    metrics = [
        name
        for name in result.metrics
        if name != "PROBE-absent" or ABSENT not in result.metrics
    ]
    rows = []
    for measure in MEASURES:
        cells = []
        for metric in metrics:
            value = result.get(metric, measure)
            text = "" if value.value is None else f"{value.value:.3f}"
            if value.interval is not None:
                text += " [{:.3f}, {:.3f}]".format(*value.interval)
            cells.append(text)
        rows.append([measure, *cells])
    about = f"{result.outputs:,} outputs of {result.segments:,} segments.\n"
    return f"{about}\n{table(['measure', *metrics], rows)}"


if __name__ == "__main__":
    main()
