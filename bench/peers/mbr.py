# SPDX-License-Identifier: Apache-2.0
"""Minimum Bayes risk against mbrs and fastchrf: chrF, BLEU and TER, and aggregates.

    python -m bench mbr [--quick]

The peers run in the Python that TERTIUM_MBR_PEERS names, by default this one. fastchrf
is in the dependency group `bench`. mbrs 0.1.8 brings PyTorch; install it elsewhere:

    python -m venv peers
    peers/bin/pip install fastchrf mbrs==0.1.8
    TERTIUM_MBR_PEERS=peers/bin/python python -m bench mbr

The lists are those of Moses in the shared data, varied until there are enough distinct
texts, or made from the demo set where the shared data are absent.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import tertium
from bench.measure import ROOT, Report, best, fresh
from tertium.tuning.lists import NBestList
from tertium.tuning.mbr import MbrResult, mbr
from tertium.tuning.reading import read_nbest

Lists = list[list[str]]


def originals() -> Lists:
    """Return lists of hypotheses: those of Moses, or outputs of the demo set."""
    data = Path(os.environ.get("TERTIUM_DATA", ROOT.parent / "shared" / "data"))
    path = data / "nbest" / "moses-europarl.100x100.nbest.gz"
    if path.exists():
        return [list(each.texts) for each in read_nbest(path)]
    demo = tertium.read(ROOT / "src" / "tertium" / "demo" / "demo.jsonl")
    columns = zip(*demo.systems.values(), strict=True)
    return [list(texts) for texts in columns]


def varied(lists: Lists, count: int, size: int, seed: int = 1) -> Lists:
    """Return lists of distinct texts: words are replaced until there are enough."""
    rng = random.Random(seed)
    long = [texts for texts in lists if len(texts[0].split()) > 4]
    out = []
    for number in range(count):
        texts = long[number % len(long)]
        words = sorted({word for text in texts for word in text.split()})
        made = dict.fromkeys(texts if number < len(long) else ())
        while len(made) < size:
            text = rng.choice(texts).split()
            text[rng.randrange(len(text))] = rng.choice(words)
            made[" ".join(text)] = None
        out.append(list(made)[:size])
    return out


def picked(lists: Lists, spec: str, *, aggregate: bool = False) -> list[int]:
    """Return the choice of Tertium, on one thread."""
    result = mbr(as_nbest(lists), spec, aggregate=aggregate, threads=1)
    return [each.best[0].index for each in result.lists]


def as_nbest(lists: Sequence[list[str]]) -> list[NBestList]:
    return [
        NBestList(str(number), texts, (), np.zeros((len(texts), 0)))
        for number, texts in enumerate(lists)
    ]


def seconds(lists: Lists, spec: str, *, aggregate: bool = False) -> float:
    """Return Tertium's shortest time for lists, on one thread."""
    new: Lists = []

    def renew() -> None:
        new[:] = [fresh(texts) for texts in lists]

    return best(lambda: picked(new, spec, aggregate=aggregate), renew, 3)


def ask(peer: str, name: str, lists: Lists, runs: int = 1) -> dict[str, object]:
    """Return what a peer answers, or why it does not."""
    python = os.environ.get("TERTIUM_MBR_PEERS", sys.executable)
    request = {"peer": peer, "name": name, "lists": lists, "runs": runs}
    command = [python, str(Path(__file__).with_name("mbr_peers.py"))]
    done = subprocess.run(
        command, input=json.dumps(request), capture_output=True, text=True, check=False
    )
    if done.returncode:
        return {"missing": done.stderr.strip().rpartition("\n")[2]}
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def against(
    report: Report,
    lists: Lists,
    spec: str,
    peer: tuple[str, str],
    *,
    part: int,
    wanted: float,
    aggregate: bool = False,
) -> None:
    """Add a row; the peer does the first `part` lists, and its time is scaled."""
    ours = seconds(lists, spec, aggregate=aggregate)
    some = lists[:part]
    answer = ask(*peer, some, 3 if peer[0] == "fastchrf" else 1)
    name = f"{peer[0]} {peer[1]}" if peer[0] == "fastchrf" else peer[0]
    kind = ", aggregate" if aggregate else ""
    job = f"MBR, {spec}{kind}, {len(lists):,} x {len(lists[0])}"
    if "missing" in answer:
        report.add(job, ours, peer=f"{name}: missing")
        report.note(f"{name} was not measured: {answer['missing']}")
        return
    time = float(str(answer["seconds"])) * len(lists) / part
    report.add(job, ours, peer=f"{name}, {part} lists", other=time, wanted=wanted)
    same = sum(
        texts[a] == texts[b]
        for texts, a, b in zip(
            some, picked(some, spec, aggregate=aggregate), answer["picks"], strict=True
        )  # type: ignore[call-overload]
    )
    report.note(f"{job}: {same} of {part} picks are those of {name}.")


def disagreement(report: Report, lists: Lists, source: str) -> None:
    """Say how often aggregates choose another text, and what that costs."""
    for spec in ("chrf", "bleu"):
        exact = mbr(as_nbest(lists), spec, top=10**6)
        other = mbr(as_nbest(lists), spec, aggregate=True)
        differ, lost = compared(exact, other)
        report.note(
            f"MBR, {spec}, {source}: the aggregate chooses another text in {differ} of "
            f"{len(lists)} lists, at a mean loss of {lost:.3f} expected {spec} overall."
        )


def compared(exact: MbrResult, other: MbrResult) -> tuple[int, float]:
    """Return how many picks differ, and the mean loss of expected score."""
    differ, lost = 0, 0.0
    for one, two in zip(exact.lists, other.lists, strict=True):
        utilities = {pick.text: pick.utility for pick in one.best}
        differ += one.best[0].text != two.best[0].text
        lost += one.best[0].utility - utilities[two.best[0].text]
    return differ, lost / len(exact.lists)


def pruning(report: Report, lists: Lists) -> None:
    """Say what pruning saves, and how often it changes the choice."""
    nbest = as_nbest(lists)
    exact = mbr(nbest, "ter", threads=1)
    for error in (0.1, 0.01):
        pruned = mbr(nbest, "ter", prune=error, threads=1)
        same = sum(a == b for a, b in zip(exact.texts, pruned.texts, strict=True))
        report.note(
            f"MBR, ter, pruned with an error of {error:g}, {len(lists)} lists of "
            f"{len(lists[0])}: {100 * pruned.pairs / pruned.all_pairs:.0f} % of the "
            f"pairs are scored; {same} of {len(lists)} picks are those of all pairs."
        )


def run(report: Report, *, quick: bool = False) -> None:
    """Measure everything; `quick` does a tenth of the lists."""
    lists = originals()
    many = varied(lists, 100 if quick else 1000, 100)
    large = varied(lists, 2 if quick else 5, 1000)
    pairwise, aggregate = ("fastchrf", "pairwise"), ("fastchrf", "aggregate")
    against(report, many, "chrf", pairwise, part=10, wanted=10)
    against(report, many, "chrf", aggregate, part=50, wanted=3, aggregate=True)
    against(report, many, "chrf", ("mbrs", "chrf"), part=1, wanted=100)
    against(report, many, "bleu", ("mbrs", "bleu"), part=1, wanted=100)
    for spec in ("chrf", "bleu"):
        report.add(
            f"MBR, {spec}, aggregate, {len(large)} x 1,000",
            seconds(large, spec, aggregate=True),
            peer="Tertium, pairwise",
            other=seconds(large, spec),
            wanted=20,
        )
    disagreement(report, lists, "the lists as they are")
    disagreement(report, large, "lists of 1,000 distinct texts")
    pruning(report, varied(lists, 5 if quick else 20, 200))
    report.note(
        "MBR: lists are varied to have distinct texts only, the hardest case; the time "
        "of a peer for its lists is scaled to all lists."
    )


if __name__ == "__main__":
    run(Report(), quick="--quick" in sys.argv)
