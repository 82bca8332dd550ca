# SPDX-License-Identifier: Apache-2.0
"""How fast and how well outputs are cut into the lines of a reference.

    python -m bench resegmentation [--documents N] [--repeat N]

Speed: documents of 300 words in 15 segments, made up by chance, 30 % of their words
replaced. Quality: outputs of WMT15 German-English (`TERTIUM_DATA`), ten lines per
document, or of the demo set if they are not there. Line breaks are removed, put after
every 20 words, or kept but for one in five that is lost and one in five lines that is
cut in two. The lines of the file are the truth: one is right if it is found as it was.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import tertium
from tertium.data.segmentation import Resegmentation, resegment

ROOT = Path(__file__).resolve().parents[2]
SEED = 5
WORDS, SEGMENTS = 300, 15


def main() -> None:
    """Measure, and print two tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    print_speed(options.documents, options.repeat)
    print()
    print_quality()


def print_speed(documents: int, repeat: int) -> None:
    """Print the seconds for documents, the best of several runs."""
    refs, docs, output = generated(documents)
    lines = [line for text in output for line in text]
    line_docs = [str(d) for d, text in enumerate(output) for _ in text]
    joined = [" ".join(text) for text in output]
    few = max(1, documents // 10)
    jobs: dict[str, Callable[[], Resegmentation]] = {
        "by words, one line per document": lambda: resegment(
            refs, joined, docs=docs, threads=1
        ),
        "by similarity, lines of 20 words": lambda: resegment(
            refs, lines, docs=docs, output_docs=line_docs, by="similarity", threads=1
        ),
        f"by words, {few * WORDS:,} words as one document": lambda: resegment(
            refs[: few * SEGMENTS], joined[:few], threads=1
        ),
    }
    print(f"{documents:,} documents of {WORDS} words, one thread, best of {repeat}:\n")
    print("| job | seconds |")
    print("|---|---:|")
    for name, job in jobs.items():
        times = []
        for _ in range(repeat):
            start = time.perf_counter()
            job()
            times.append(time.perf_counter() - start)
        print(f"| {name} | {min(times):.2f} |")


def generated(documents: int) -> tuple[list[str], list[str], list[list[str]]]:
    """Return references, their documents, and outputs in lines of 20 words."""
    chance = random.Random(SEED)
    vocabulary = [f"w{k}" for k in range(20_000)]
    weights = [1 / (k + 1) for k in range(len(vocabulary))]
    refs, docs, output = [], [], []
    for document in range(documents):
        words = chance.choices(vocabulary, weights, k=WORDS)
        size = WORDS // SEGMENTS
        refs += [" ".join(words[k : k + size]) for k in range(0, WORDS, size)]
        docs += [str(document)] * SEGMENTS
        changed = [
            w if chance.random() > 0.3 else chance.choice(vocabulary) for w in words
        ]
        shift = chance.randrange(20)
        cuts = [0, *range(shift or 20, WORDS, 20), WORDS]
        output.append([" ".join(changed[a:b]) for a, b in pairwise(cuts)])
    return refs, docs, output


def print_quality() -> None:
    """Print how many lines are recovered, among all, certain and uncertain ones."""
    folder = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    path = folder / "wmt15" / "de-en.tsv.gz"
    name = "WMT15 German-English" if path.exists() else "the demo set"
    testset = tertium.read(path if path.exists() else "demo")
    docs = testset.docs or [str(k // 10) for k in range(len(testset))]
    refs = [texts[0] for texts in testset.references]
    print(
        f"{name}: {len(testset.systems)} systems, {len(refs):,} lines in "
        f"{len(set(docs)):,} documents each:\n"
    )
    print("| line breaks | by | lines right | certain | right | uncertain | right |")
    print("|---|---|---:|---:|---:|---:|---:|")
    for breaks, broken in BREAKS.items():
        for by in ("words", "similarity"):
            if by == "similarity" and breaks != "some lost, some new":
                continue
            counts = {True: [0, 0], False: [0, 0]}
            for hyps in testset.systems.values():
                truth = [" ".join(hyp.split()) for hyp in hyps]
                lines, line_docs = broken(truth, docs)
                result = resegment(
                    refs, lines, docs=docs, output_docs=line_docs, by=by, always=True
                )
                uncertain = set(result.uncertain())
                for k, text in enumerate(result.texts):
                    counts[k not in uncertain][text == truth[k]] += 1
            sure, unsure = counts[True], counts[False]
            total = sum(sure) + sum(unsure)
            print(
                f"| {breaks} | {by} | {share(sure[1] + unsure[1], total)} | "
                f"{share(sum(sure), total)} | {share(sure[1], sum(sure))} | "
                f"{share(sum(unsure), total)} | {share(unsure[1], sum(unsure))} |"
            )


def share(part: int, whole: int) -> str:
    """Return a percentage."""
    return f"{100 * part / whole:.1f} %" if whole else "n/a"


Lines = tuple[list[str], list[str]]


def _by_document(truth: Sequence[str], docs: Sequence[str]) -> dict[str, list[str]]:
    parts: dict[str, list[str]] = {}
    for text, doc in zip(truth, docs, strict=True):
        parts.setdefault(doc, []).append(text)
    return parts


def no_breaks(truth: Sequence[str], docs: Sequence[str]) -> Lines:
    """Return one line per document."""
    parts = _by_document(truth, docs)
    return [" ".join(texts) for texts in parts.values()], list(parts)


def wrapped(truth: Sequence[str], docs: Sequence[str]) -> Lines:
    """Return lines of 20 words."""
    lines, names = [], []
    for doc, texts in _by_document(truth, docs).items():
        words = " ".join(texts).split()
        new = [" ".join(words[k : k + 20]) for k in range(0, len(words), 20)] or [""]
        lines += new
        names += [doc] * len(new)
    return lines, names


def shuffled(truth: Sequence[str], docs: Sequence[str]) -> Lines:
    """Return lines of which one in five is joined to the last, one in five is cut."""
    chance = random.Random(SEED)
    lines: list[str] = []
    names: list[str] = []
    for text, doc in zip(truth, docs, strict=True):
        kind, words = chance.random(), text.split()
        if kind < 0.2 and names and names[-1] == doc:
            lines[-1] += f" {text}"
            continue
        middle = len(words) // 2 if kind > 0.8 else 0
        new = [" ".join(words[:middle]), " ".join(words[middle:])]
        lines += new[not middle :]
        names += [doc] * len(new[not middle :])
    return lines, names


BREAKS = {
    "none": no_breaks,
    "after 20 words": wrapped,
    "some lost, some new": shuffled,
}

if __name__ == "__main__":
    main()
