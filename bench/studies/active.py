# SPDX-License-Identifier: Apache-2.0
"""order = "active" against other orders of work, on real scores.

    python -m bench active [RUNS]

Replays campaigns on documents that people judged for WMT23 en-de: an item is a document
of one system, and judging it gives the mean of the scores that were given. An order of
work sees a budget of items; systems are then ranked by their scores. Writes
bench/ACTIVE.md.
"""

from __future__ import annotations

import gzip
import sys
from collections import Counter, defaultdict
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from tertium.judgements.importing import import_judgements
from tertium.judgements.planning.systems_next import Tally, adjusted, priorities

HERE = Path(__file__).parents[1]
DATA = HERE.parents[1] / "shared" / "data"
BUDGETS = (10, 15, 20, 30, 40)  # items per system
FLOOR = 5
ORDERS = ("random", "random, adjusted", "by document", "active")
AT_ONCE = 5  # people at work, who get items before the others are done


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    text = f"""\
# Active order of work

Printed by `python -m bench active {runs}`: {runs} simulated campaigns on documents of
WMT23 en-de that were judged. An item is a document of one system. Numbers are shares of
pairs of systems whose order is that of all judgements, in percent: of all pairs, and of
the third of pairs with the closest scores (*near*). Budgets are items per system on
average; every system has {FLOOR} in any case, and {AT_ONCE} people work at once.

- *random* is `order = "random"`; systems are ranked by mean scores.
- *random, adjusted* is the same with scores adjusted for documents.
- *by document* judges one document after the other with all its systems.
- *active* is `order = "active"`, with adjusted scores.

Gains are active minus another order in the same run, for near pairs, with the 95 %
interval of the mean over runs.

"""
    for title, scores in (("MQM", mqm()), ("ESA", esa())):
        text += "\n".join(table(title, scores, runs)) + "\n"
    text = text.rstrip() + "\n"
    (HERE / "ACTIVE.md").write_text(text, encoding="utf-8")
    print(text)


def table(title: str, scores: dict[str, dict[str, float]], runs: int) -> list[str]:
    """Return the lines on one set of judgements."""
    gold = {name: fmean(row.values()) for name, row in scores.items()}
    documents = {doc for row in scores.values() for doc in row}
    pairs = sorted(
        combinations(sorted(gold), 2), key=lambda ab: abs(gold[ab[0]] - gold[ab[1]])
    )
    near = pairs[: len(pairs) // 3]
    items = sum(map(len, scores.values()))
    others = ORDERS[:-1]
    head = ["budget", "judged", *ORDERS, *(f"gain over {one}" for one in others)]
    lines = [
        f"## {title}: {len(scores)} systems, {len(documents)} documents, {items} items",
        "",
        f"| {' | '.join(head)} |",
        "|---" * len(head) + "|",
    ]
    for budget in BUDGETS:
        total = min(budget * len(scores), items)
        right: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for run in range(runs):
            for order in ORDERS:
                means = campaign(scores, total, order, Random(f"{run}:{budget}"))
                right[order].append(
                    (agreed(means, gold, pairs), agreed(means, gold, near))
                )
        cells = [
            f"{fmean(a for a, _ in right[order]):.1f}, near "
            f"{fmean(b for _, b in right[order]):.1f}"
            for order in ORDERS
        ]
        ours = [one for _, one in right["active"]]
        gains = [difference(ours, [one for _, one in right[order]]) for order in others]
        share = f"{100 * total / items:.0f} %"
        lines.append(f"| {budget} | {share} | {' | '.join([*cells, *gains])} |")
    return [*lines, ""]


def campaign(
    scores: dict[str, dict[str, float]], total: int, order: str, rng: Random
) -> dict[str, float]:
    """Return the scores of systems after some items, handed out in an order."""
    documents = sorted({doc for row in scores.values() for doc in row})
    rng.shuffle(documents)
    if order == "active":
        rows = active(scores, documents, total, rng)
    else:
        items = [
            (name, doc) for doc in documents for name in scores if doc in scores[name]
        ]
        if order != "by document":
            rng.shuffle(items)
        rows = [(name, doc, scores[name][doc]) for name, doc in items[:total]]
    if order in ("random", "by document"):
        tallies: dict[str, Tally] = defaultdict(Tally)
        for name, _, score in rows:
            tallies[name].add(score)
    else:
        tallies = adjusted(rows)
    # A system that nobody judged has no place: as good as the mean of the others.
    usual = fmean(tally.mean for tally in tallies.values())
    return {name: tallies[name].mean if name in tallies else usual for name in scores}


def active(
    scores: dict[str, dict[str, float]], documents: list[str], total: int, rng: Random
) -> list[tuple[str, str, float]]:
    """Return what is judged if every item is chosen by the scores before it."""
    waiting = {
        name: [doc for doc in reversed(documents) if doc in row]
        for name, row in scores.items()
    }
    lots = {name: rng.random() for name in scores}
    rows: list[tuple[str, str, float]] = []
    while len(rows) < total:
        tallies = {name: Tally() for name in scores} | adjusted(rows)
        pending: Counter[str] = Counter()
        for _ in range(min(AT_ONCE, total - len(rows))):
            worth = priorities(
                tallies,
                pending=pending,
                exhausted=[name for name, some in waiting.items() if not some],
                floor=FLOOR,
            )
            best = max(worth, key=lambda name: (worth[name], lots[name]))
            doc = waiting[best].pop()
            rows.append((best, doc, scores[best][doc]))
            pending[best] += 1
    return rows


def agreed(
    means: dict[str, float], gold: dict[str, float], pairs: list[tuple[str, str]]
) -> float:
    """Return the share of pairs in the right order, in percent."""
    right = sum((means[a] - means[b]) * (gold[a] - gold[b]) > 0 for a, b in pairs)
    return 100 * right / len(pairs)


def difference(ones: list[float], others: list[float]) -> str:
    """Return the mean difference with its interval."""
    gaps = [a - b for a, b in zip(ones, others, strict=True)]
    mean, width = fmean(gaps), 1.96 * stdev(gaps) / len(gaps) ** 0.5
    return f"{mean:+.1f} [{mean - width:+.1f}, {mean + width:+.1f}]"


def mqm() -> dict[str, dict[str, float]]:
    """Return minus the MQM penalty per segment by system and document."""
    folder = DATA / "wmt23-mtme"
    with gzip.open(folder / "documents" / "en-de.docs.gz", "rt") as file:
        docs = [line.split()[-1] for line in file]
    scores: dict[str, list[float | None]] = defaultdict(list)
    with gzip.open(folder / "human-scores" / "en-de.mqm.seg.score.gz", "rt") as file:
        for line in file:
            name, score = line.split()
            scores[name].append(None if score == "None" else float(score))
    table: dict[str, dict[str, list[float]]] = {}
    for name, row in scores.items():
        by_doc: dict[str, list[float]] = defaultdict(list)
        for doc, value in zip(docs, row, strict=True):
            if value is not None:
                by_doc[doc].append(value)
        if by_doc:
            table[name] = by_doc
    return means(table)


def esa() -> dict[str, dict[str, float]]:
    """Return ESA scores by system and document."""
    folder = DATA / "esa"
    judgements = import_judgements(
        [str(folder / "wmt23.en-de.esa.1.csv.gz")],
        batches=str(folder / "appraise-batches.en-de.esa.json.gz"),
    ).judgements
    table: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for one in judgements.iterate("ratings"):
        if one.scale == "ESA":
            table[one.system][one.document].append(one.score)
    return means(table)


def means(table: dict[str, dict[str, list[float]]]) -> dict[str, dict[str, float]]:
    return {
        name: {doc: fmean(values) for doc, values in row.items()}
        for name, row in table.items()
    }


if __name__ == "__main__":
    main()
