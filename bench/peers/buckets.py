# SPDX-License-Identifier: Apache-2.0
"""Buckets and n-grams of a report against compare-mt, on demo and WMT outputs.

    python -m bench buckets [--example FOLDER] [--write]

compare-mt (Neubig et al. 2019) runs in the Python that TERTIUM_COMPARE_MT names:

    make build/compare-mt/.ready
    TERTIUM_COMPARE_MT=build/compare-mt/bin/python python -m bench buckets --write

``--example`` is the folder ``data/example`` or ``example`` of compare-mt's repository,
whose package does not contain it.

Both get the same words, as the analysis splits them. With --write the tables go to
bench/COMPARE_MT.md, and the figures of compare-mt to tests/conformance/compare_mt.json:
numbers and the names of groups, and a digest of n-grams.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tertium
from bench.measure import ROOT
from bench.studies.beer_report import table
from tertium.analysis import report
from tertium.analysis.words import split
from tertium.meta.files.mtme import read_mtme

DATA = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
PAGE = ROOT / "bench" / "COMPARE_MT.md"
FIGURES = ROOT / "tests" / "conformance" / "compare_mt.json"
BLEU = "bleu:tokenize=none"
LONGEST = 4
#: Our names of groups, by those of compare-mt.
LABELS = {
    "<1": "never",
    "[5,10)": "5 to 9",
    "[10,100)": "10 to 99",
    "[100,1000)": "100 to 999",
    ">=1000": "1,000 and more",
    "<10": "under 10 words",
    ">=60": "60 words and more",
    **{f"[{k},{k + 10})": f"{k} to {k + 9} words" for k in range(20, 60, 10)},
    "[10,20)": "10 to 19 words",
}
_EXAMPLE = "compare-mt's example"
_TED = ("ted.ref.eng", "ted.sys1.eng", "ted.sys2.eng")
_SECTION = re.compile(r"^\*{22} (.+) \*+$")
GRAM = re.compile(r"^(.+)\t\S+ \(sys1=(\d+), sys2=(\d+)\)$")

Pair = tuple[float, float]


@dataclass(frozen=True)
class Texts:
    """Two outputs, a reference and a training corpus, in words with spaces between."""

    reference: list[str]
    training: list[str]
    systems: dict[str, list[str]]


def spaced(texts: Sequence[str]) -> list[str]:
    """Return texts with spaces between all words."""
    return [" ".join(split(text)) for text in texts]


def read_texts() -> dict[str, Texts]:
    """Return what is compared, by name; WMT only where its data are."""
    demo = tertium.read("demo")
    sets = {"demo": _texts(demo, "good", "order")}
    if (DATA / "wmt23-mtme").exists():
        wmt23 = read_mtme(DATA / "wmt23-mtme", "en-de").testset
        sets["WMT23 en-de"] = _texts(wmt23, "GPT4-5shot", "NLLB_Greedy")
    if (path := DATA / "wmt17" / "de-en.tsv.gz").exists():
        wmt17 = tertium.read(path)
        first, second = list(wmt17.systems)[:2]
        sets["WMT17 de-en"] = _texts(wmt17, first, second)
    return sets


def read_example(folder: Path) -> Texts:
    """Return compare-mt's own example; its reference is the training corpus, too."""
    for names in (("trg", "sys1-hyp", "sys2-hyp"), _TED):
        paths = [folder / name for name in names]
        if all(path.is_file() for path in paths):
            break
    else:
        sys.exit(f"{folder} has neither trg, sys1-hyp and sys2-hyp nor {_TED[0]}")
    columns = [spaced(path.read_text(encoding="utf-8").splitlines()) for path in paths]
    return Texts(
        columns[0], columns[0], dict(zip(("sys1", "sys2"), columns[1:], strict=True))
    )


def _texts(testset: tertium.Testset, *names: str) -> Texts:
    """Return two systems; the last reference, or a third system, trains."""
    columns = list(zip(*testset.references, strict=True))
    others = [hyps for name, hyps in testset.systems.items() if name not in names]
    return Texts(
        spaced(columns[0]),
        spaced(columns[1] if len(columns) > 1 else others[0]),
        {name: spaced(testset.systems[name]) for name in names},
    )


def printed(texts: Texts) -> str:
    """Return what compare-mt prints; stop if it is not there."""
    python = os.environ.get("TERTIUM_COMPARE_MT", sys.executable)
    python = os.path.abspath(shutil.which(python) or python)
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in {
            "ref": texts.reference,
            "train": texts.training,
            **dict(zip("ab", texts.systems.values(), strict=True)),
        }.items():
            content = "".join(f"{line}\n" for line in lines)
            Path(folder, f"{name}.txt").write_text(content, encoding="utf-8")
        done = subprocess.run(
            [
                *(python, "-m", "compare_mt.compare_mt_main"),
                *("ref.txt", "a.txt", "b.txt", "--decimals", "8"),
                *("--compare_word_accuracies", "bucket_type=freq"),
                "bucket_type=freq,freq_corpus_file=train.txt",
                "--compare_sentence_buckets",
                "bucket_type=length,statistic_type=score,score_measure=bleu",
                *("--compare_ngrams", "report_length=10000000"),
                *("--compare_sentence_examples", "report_length=0"),
            ],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode:
        reason = done.stderr.strip().rpartition("\n")[2]
        sys.exit(f"compare-mt failed ({reason}); set TERTIUM_COMPARE_MT")
    return done.stdout


def sections(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the titles and lines of what compare-mt prints."""
    title, lines = "", list[str]()
    for line in text.splitlines():
        if match := _SECTION.match(line):
            if title:
                yield title, lines
            title, lines = match[1], []
        else:
            lines.append(line)
    yield title, lines


def figures(text: str) -> dict[str, Any]:
    """Return the figures that compare-mt prints, n-grams as counts and a digest."""
    groups: dict[str, dict[str, Pair]] = {}
    grams: dict[str, tuple[int, int]] = {}
    kinds = iter(("frequency in the references", "frequency in training"))
    for title, lines in sections(text):
        rows = {
            cells[0]: tuple(float(cell.split()[0]) for cell in cells[1:])
            for line in lines
            if len(cells := line.split("\t")) == 3 and cells[0] not in _HEADS
        }
        if title == "Aggregate Scores":
            groups.setdefault("scores", {}).update(rows)
        elif title == "Word Accuracy Analysis":
            groups[next(kinds)] = {LABELS.get(k, k): v for k, v in rows.items()}
        elif title == "Sentence Bucket Analysis":
            groups["reference length"] = {LABELS.get(k, k): v for k, v in rows.items()}
        elif title == "N-gram Difference Analysis":
            for line in lines:
                if match := GRAM.match(line):
                    grams[match[1]] = int(match[2]), int(match[3])
    return {**groups, "ngrams": digest(grams)}


_HEADS = ("", "frequency", "length")


def digest(grams: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
    """Return how many n-grams there are, their matches, and a digest of all."""
    lines = [f"{gram}\t{a}\t{b}\n" for gram, (a, b) in sorted(grams.items())]
    return {
        "number": len(grams),
        "matches": [sum(column) for column in zip(*grams.values(), strict=True)],
        "sha256": hashlib.sha256("".join(lines).encode()).hexdigest(),
    }


def own_figures(texts: Texts) -> dict[str, Any]:
    """Return the same figures by Tertium; n-grams are counted one by one."""
    refs = [(ref,) for ref in texts.reference]
    result = report(
        tertium.Testset(refs, dict(texts.systems)),
        metrics=BLEU,
        training=texts.training,
        resamples=20,
    )
    plain = report(
        tertium.Testset(refs, dict(texts.systems)), metrics=BLEU, resamples=20
    )
    bleu = tertium.metric(BLEU)
    groups: dict[str, Any] = {
        "scores": {
            "BLEU": tuple(bleu.corpus_score(h, refs) for h in texts.systems.values()),
            "length ratio": tuple(f.value / 100 for f in result.length_ratios.values()),
        }
    }
    for one in (plain, result):
        for each in one.words:
            if each.kind.startswith("frequency"):
                values = tuple(figure.value / 100 for figure in each.f.values())
                groups.setdefault(each.kind, {})[each.label] = values
    groups["reference length"] = {
        bucket.group.label: tuple(f.value for f in bucket.scores[BLEU].values())
        for bucket in result.buckets
        if bucket.group.kind == "reference length"
    }
    return {**groups, "ngrams": digest(ngrams(texts))}


def ngrams(texts: Texts) -> dict[str, tuple[int, int]]:
    """Return the matches of both systems for all n-grams that either gets right."""
    a, b = (_matches(texts.reference, outputs) for outputs in texts.systems.values())
    return {gram: (a[gram], b[gram]) for gram in a | b}


def _matches(refs: Sequence[str], hyps: Sequence[str]) -> Counter[str]:
    total: Counter[str] = Counter()
    for ref, hyp in zip(refs, hyps, strict=True):
        total.update(_grams(ref) & _grams(hyp))
    return total


def _grams(text: str) -> Counter[str]:
    words = text.split(" ")
    return Counter(
        " ".join(words[k : k + n])
        for n in range(1, LONGEST + 1)
        for k in range(len(words) - n + 1)
    )


def floored_bleu(refs: Sequence[str], hyps: Sequence[str]) -> float:
    """Return BLEU in which a text has at least one n-gram of every length.

    compare-mt adds max(1, n-grams) to the denominator for every text, so that texts of
    fewer than four words lower precision; sacreBLEU and the paper add 0 for them.
    """
    right, made = [0] * LONGEST, [0] * LONGEST
    for ref, hyp in zip(refs, hyps, strict=True):
        common = _grams(ref) & _grams(hyp)
        for n in range(LONGEST):
            right[n] += sum(c for gram, c in common.items() if gram.count(" ") == n)
            made[n] += max(1, len(hyp.split(" ")) - n)
    lengths = [sum(len(text.split(" ")) for text in column) for column in (refs, hyps)]
    mean = sum(math.log(a / b) for a, b in zip(right, made, strict=True)) / LONGEST
    return 100 * math.exp(min(0.0, 1 - lengths[0] / lengths[1]) + mean)


def page(sets: Mapping[str, tuple[Texts, Any, Any]]) -> str:
    """Return the page."""
    parts = []
    for name, (texts, theirs, mine) in sets.items():
        rows = []
        for kind, groups in theirs.items():
            if kind == "ngrams":
                continue
            for label, values in groups.items():
                if not any(values) and label not in mine[kind]:
                    continue
                pairs = zip(values, mine[kind][label], strict=True)
                cells = [f"{value:.4f}" for pair in pairs for value in pair]
                rows.append([f"{kind}: {label}", *cells])
        first, second = texts.systems
        head = ["figure", f"{first}, compare-mt", "Tertium"]
        head += [f"{second}, compare-mt", "Tertium"]
        equal = "are equal" if theirs["ngrams"] == mine["ngrams"] else "differ"
        parts.append(
            f"## {name}\n\n{len(texts.reference):,} segments, "
            f"{sum(len(ref.split()) for ref in texts.reference):,} words of the "
            f"reference.\n\n{table(head, rows)}\nMatches of all "
            f"{mine['ngrams']['number']:,} n-grams {equal}.\n"
        )
    return HEAD + "\n" + "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench buckets")
    parser.add_argument("--example", type=Path, help="of compare-mt's repository")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    read = read_texts()
    if options.example is not None:
        read[_EXAMPLE] = read_example(options.example)
    outputs = {name: (texts, printed(texts)) for name, texts in read.items()}
    sets = {
        name: (texts, figures(text), own_figures(texts))
        for name, (texts, text) in outputs.items()
    }
    text = page(sets)
    print(text, end="")
    if options.write:
        PAGE.write_text(text, encoding="utf-8")
        # Tests cannot read the example.
        content = {n: theirs for n, (_, theirs, _) in sets.items() if n != _EXAMPLE}
        FIGURES.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


HEAD = """\
# Buckets and n-grams beside compare-mt

Written by `python -m bench buckets --example data/example --write`, with compare-mt
0.2.10 (Neubig et al. 2019) and, as its own example, the ten sentences in the folder
`data/example` of its repository. Both get the words that the analysis splits. F of word
classes by frequency, in the reference and in a training corpus (here a second reference
or another output; for the example the reference), BLEU by length of the reference,
length ratios, and n-grams of one to four words that are in an output and its reference.

All figures are equal to 1e-8 but one kind: BLEU of a group that has outputs of fewer
than four words. For every output, compare-mt counts at least one n-gram of every
length, though an output of two words has no n-grams of three; sacreBLEU and Tertium
count none. That lowers compare-mt's BLEU a little, most so for the shortest segments.
"""

if __name__ == "__main__":
    main()
