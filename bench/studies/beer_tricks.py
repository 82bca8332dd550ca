# SPDX-License-Identifier: Apache-2.0
"""Trick outputs for every profile of BEER 4: ``python -m bench beer_tricks [--write]``.

What one word, a copy of the source, shuffled words and the like score beside an honest
translation, with untrained metrics in the same table.
"""

from __future__ import annotations

import numpy as np

from bench import wmt
from bench.studies.beer_four import beer_specs, scores_of
from bench.studies.beer_report import run_section, table

SEGMENTS = 300
SEED = 12345

HEAD = """\
Mean scores of {count} segments of newstest2014 German-English, and in brackets the
share of segments, in percent, on which the trick scores at least as much as an honest
translation, that of the system in the middle by chrF. *Name* replaces the last
capitalised word of the translation with a name that is in no word list.
"""


def outputs(rows: list[dict[str, str]], system: str) -> dict[str, list[str]]:
    """Return the honest translations and the tricks, by name."""
    draw = np.random.default_rng(SEED)
    refs = [row["reference"] for row in rows]
    honest = [row[system] for row in rows]
    return {
        "honest": honest,
        "reference": refs,
        "reference twice": [f"{ref} {ref}" for ref in refs],
        "one word": [max(ref.split(), key=len) for ref in refs],
        "shuffled": [" ".join(draw.permutation(ref.split())) for ref in refs],
        "source": [row["source"] for row in rows],
        "another reference": [*refs[1:], refs[0]],
        "padded": [f"{hyp} the of and to in a" for hyp in honest],
        "first half": [" ".join(h.split()[: len(h.split()) // 2]) for h in honest],
        "name": [renamed(hyp) for hyp in honest],
        "empty": [""] * len(rows),
    }


def renamed(text: str) -> str:
    """Return a text with another name in place of its last capitalised word."""
    words = text.split()
    capital = [i for i, word in enumerate(words) if i and word[:1].isupper()]
    if capital:
        words[capital[-1]] = "Vexbrander"
    return " ".join(words)


def report() -> str:
    """Return the table."""
    rows = [
        row
        for row in wmt.read_table(wmt.folder() / "wmt14" / "de-en.tsv.gz")
        if len(row["reference"].split()) >= 8
    ][:SEGMENTS]
    refs = [(row["reference"],) for row in rows]
    systems = [name for name in rows[0] if name not in ("seg", "source", "reference")]
    means = {
        name: scores_of("chrf", [row[name] for row in rows], refs).mean()
        for name in systems
    }
    middle = sorted(systems, key=lambda name: means[name])[len(systems) // 2]
    texts = outputs(rows, middle)
    specs = {**beer_specs(), "chrF": "chrf", "METEOR": "meteor", "BLEU": "sentbleu"}
    lines = []
    for name, spec in specs.items():
        scores = {trick: scores_of(spec, hyps, refs) for trick, hyps in texts.items()}
        cells = [f"{scores['honest'].mean():.3f}"]
        for trick, values in scores.items():
            if trick != "honest":
                wins = 100 * np.mean(values >= scores["honest"])
                cells.append(f"{values.mean():.3f} ({wins:.0f})")
        lines.append([name, *cells])
    return f"{HEAD.format(count=len(rows))}\n{table(['metric', *texts], lines)}"


if __name__ == "__main__":
    run_section("tricks", __doc__, report)
