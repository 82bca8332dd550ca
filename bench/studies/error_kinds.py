# SPDX-License-Identifier: Apache-2.0
"""Kinds of word errors found by the analysis, and by hand.

    python -m bench error_kinds [--list] [--write]

The sample is tests/support/error_labels.txt, sentences written and labelled for this
purpose. With --list, every word on which both differ is printed; with --write the
table goes to bench/ERROR_KINDS.md.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium import _core
from tertium.analysis.word_errors import label_errors

SAMPLE = ROOT / "tests" / "support" / "error_labels.txt"
PAGE = ROOT / "bench" / "ERROR_KINDS.md"
NAMES = {
    "i": "inflection", "o": "order", "l": "lexical choice", "x": "extra",
    "m": "missing", "p": "punctuation", "": "none",
}  # fmt: skip


@dataclass(frozen=True)
class Labelled:
    """A pair of texts with labels by hand: one set of letters per word."""

    language: str
    words: tuple[list[str], list[str]]
    labels: tuple[list[set[str]], list[set[str]]]


def read_sample(path: Path = SAMPLE) -> list[Labelled]:
    """Return the pairs of the sample."""
    lines = [
        line
        for line in path.read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    out = []
    for first, second in zip(lines[::2], lines[1::2], strict=True):
        language, _, output = first.partition("\t")
        texts = [_read(text) for text in (output, second.lstrip("\t"))]
        words, labels = zip(*texts, strict=True)
        out.append(Labelled(language, words, labels))
    return out


def _read(text: str) -> tuple[list[str], list[set[str]]]:
    cells = [word.partition("|") for word in text.split()]
    return (
        [word for word, _, _ in cells],
        [set(labels.split("+")) - {""} for _, _, labels in cells],
    )


def automatic(pair: Labelled) -> tuple[list[set[str]], list[set[str]]]:
    """Return the labels of the analysis, in the letters of the sample."""
    output, reference = (" ".join(words) for words in pair.words)
    (labelled,) = label_errors([[output]], [[reference]], language=pair.language)
    hyp, ref = [], []
    for word, flags in zip(pair.words[0], labelled.output[0], strict=True):
        kinds = {"i" * bool(flags & 1), "o" * bool(flags & 2), "l" * bool(flags & 4)}
        kinds = (kinds | {"x" * bool(flags & 8)}) - {""}
        hyp.append({"p"} if kinds and _core.is_punctuation(word) else kinds)
    for word, flags in zip(pair.words[1], labelled.reference[0], strict=True):
        missing = "p" if _core.is_punctuation(word) else "m"
        ref.append({missing} if flags & 8 else set())
    return hyp, ref


def decisions(sample: list[Labelled]) -> Iterator[tuple[str, str, str, Labelled]]:
    """Yield every word with its labels by hand and by the analysis."""
    for pair in sample:
        for words, hand, ours in zip(
            pair.words, pair.labels, automatic(pair), strict=True
        ):
            for word, one, other in zip(words, hand, ours, strict=True):
                yield word, "+".join(sorted(one)), "+".join(sorted(other)), pair


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Return Cohen's kappa."""
    total = len(pairs)
    observed = sum(a == b for a, b in pairs) / total
    one, other = (Counter(pair[side] for pair in pairs) for side in (0, 1))
    chance = sum(one[label] * other[label] for label in one) / total**2
    return (observed - chance) / (1 - chance)


def page(sample: list[Labelled]) -> str:
    """Return the study in Markdown."""
    pairs = [(hand, ours) for _, hand, ours, _ in decisions(sample)]
    rows = []
    for letter, name in NAMES.items():
        hand = sum(_has(one, letter) for one, _ in pairs)
        ours = sum(_has(other, letter) for _, other in pairs)
        both = sum(_has(a, letter) and _has(b, letter) for a, b in pairs)
        rows.append(
            [
                name,
                str(hand),
                str(ours),
                str(both),
                f"{100 * both / ours:.0f}" if ours else "",
                f"{100 * both / hand:.0f}" if hand else "",
            ]
        )
    same = sum(a == b for a, b in pairs)
    text = HEAD.format(
        pairs=len(sample),
        languages=", ".join(sorted({pair.language for pair in sample})),
        words=len(pairs),
        share=100 * same / len(pairs),
        kappa=kappa(pairs),
    )
    head = ["kind", "by hand", "analysis", "both", "precision, %", "recall, %"]
    return f"{text}\n{table(head, rows)}"


def _has(labels: str, letter: str) -> bool:
    return letter in labels.split("+")


HEAD = """\
# Kinds of word errors, by hand and by the analysis

Printed by

    python -m bench error_kinds --write

{pairs} pairs of an output and a reference ({languages}), written for this purpose and
labelled by hand before the analysis was run on them. They are short and made to show
one or two errors each; expect less agreement on real output, which differs more from
its reference. {words} words of outputs and references: {share:.0f} % have the same
label, Cohen's kappa is {kappa:.2f}.

What differs (`--list`): irregular forms such as *go* and *went*, which share no stem;
several words that stand for one, of which the analysis pairs the first only; and which
of two equal words is the extra one.

*Precision*: the share of the analysis' labels that the hand gave too; *recall*: the
share of labels by hand that the analysis found.
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench error_kinds")
    parser.add_argument("--list", action="store_true", help="print what differs")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    sample = read_sample()
    text = page(sample)
    print(text)
    if options.list:
        for word, hand, ours, pair in decisions(sample):
            if hand != ours:
                one, other = (" ".join(words) for words in pair.words)
                print(f"{word}: {hand or '-'} / {ours or '-'}\t{one}\t{other}")
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
