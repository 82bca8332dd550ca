# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017, chapter 3: worked examples of baselines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import exp, log

import tertium
from tertium.align import Link
from tertium.data.annotated import Annotated
from tertium.reproductions.data import Data
from tertium.reproductions.exhibit import Cell, Claim, Exhibit, Outcome
from tertium.reproductions.recipes.dted.trees import links_of

__all__ = [
    "aligned_example",
    "bleu_example",
    "kendall_example",
    "meteor_example",
    "mismatches",
]

_HYP, _REF = "the mat had sat on the cat", "cats had sat on a mat"
#: Its alignments (section 3.5.1), counted from 1.
_LINKS = {
    "alignment 1": "7-1 3-2 4-3 5-4 2-6",
    "alignment 2": "7-6 3-2 4-3 5-4 1-5 2-1",
}
_PAIRS = (
    ("The cat sat on the mat.", "The mat sat on the cat."),
    ("I spoke to him there.", "There I spoke to him."),
    ("She let it be and left.", "She let it and be left."),
    ("The keen loud dog did it.", "The loud keen dog did it."),
    ("Then was it done.", "It was done then."),
    ("Jill gave it to Bob.", "Bob gave it to Jill."),
)


def mismatches(_: Exhibit, __: Data) -> Outcome:
    """Table 3.1: what order metrics see of six pairs."""
    specs = {
        "aligned": "aligned-percentage",
        "fc DTED": "dted:variant=c,flat=yes",
        "fDERP": "derp:flat=yes",
        "τ": "link-tau",
    }
    cells, seen = [], []
    for number, (ref, hyp) in enumerate(_PAIRS, start=1):
        values = {
            name: tertium.metric(spec).corpus_score([hyp], [ref])
            for name, spec in specs.items()
        }
        cells += [Cell(f"pair {number}", name, x) for name, x in values.items()]
        seen.append(values)
    return Outcome(
        tuple(cells),
        (
            Claim(
                "all words of all pairs are aligned",
                all(values["aligned"] == 1 for values in seen),
            ),
            Claim(
                "flattened c DTED, flattened DERP and τ all see that order differs",
                all(max(v["fc DTED"], v["fDERP"], v["τ"]) < 1 for v in seen),
                "all below 1",
            ),
            Claim(
                "pair 5 gets a low score of flattened c (section 4.4.1)",
                seen[4]["fc DTED"] == min(values["fc DTED"] for values in seen),
                ", ".join(f"{values['fc DTED']:.2f}" for values in seen),
            ),
        ),
    )


def aligned_example(exhibit: Exhibit, _: Data) -> Outcome:
    """Section 3.5.1: the share of aligned words."""
    metric = tertium.metric("aligned-percentage")
    cells = [
        Cell(row, "aligned", metric.corpus_score([_aligned(row)], [_REF]),
             against="aligned")
        for row in exhibit.published
    ]  # fmt: skip
    return Outcome(tuple(cells))


def kendall_example(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 3.2: concordant and discordant pairs."""
    links = links_of(_LINKS["alignment 1"])
    signs = Counter(
        (a[0] - b[0]) * (a[1] - b[1]) > 0
        for i, a in enumerate(links)
        for b in links[i + 1 :]
    )
    value = tertium.metric("link-tau").corpus_score([_aligned("alignment 1")], [_REF])
    ours = {"concordant": signs[True], "discordant": signs[False], "τ": value}
    printed = exhibit.published["τ"]["value"]
    return Outcome(
        _cells(ours),
        (
            Claim(
                "τ is concordant minus discordant pairs (equation 3.2); the printed "
                "value has the other sign",
                abs(value + printed) < 1e-12,
                f"τ {value:+.1f}, printed {printed:+.1f}",
            ),
        ),
    )


def bleu_example(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 3.3: BLEU with n-grams of up to three words."""
    hyp, ref = _HYP.split(), _REF.split()
    matches = {n: (_ngrams(hyp, n) & _ngrams(ref, n)).total() for n in (1, 2, 3)}
    ours: dict[str, float] = {
        "reference length": len(ref),
        "candidate length": len(hyp),
    }
    ours |= {f"p{n}": count / (len(hyp) - n + 1) for n, count in matches.items()}
    ours["brevity penalty"] = (
        1.0 if len(hyp) > len(ref) else exp(1 - len(ref) / len(hyp))
    )
    spec = "bleu:max_ngram_order=3,smooth_method=none,tokenize=none"
    ours["BLEU"] = tertium.metric(spec).corpus_score([_HYP], [_REF]) / 100
    recall = [count / (len(ref) - n + 1) for n, count in matches.items()]
    printed = [exhibit.published[f"p{n}"]["value"] for n in matches]
    mean = exp(sum(map(log, recall)) / 3)
    return Outcome(
        _cells(ours),
        (
            Claim(
                "the printed precisions are shares of the reference's n-grams",
                all(abs(a - b) < 0.005 for a, b in zip(recall, printed, strict=True)),
                ", ".join(f"{value:.2f}" for value in recall),
            ),
            Claim(
                "the printed BLEU follows from the printed precisions",
                abs(mean - exhibit.published["BLEU"]["value"]) < 0.0005,
                f"they give {mean:.3f}",
            ),
        ),
    )


def meteor_example(exhibit: Exhibit, _: Data) -> Outcome:
    """Table 3.4: METEOR of 2005 with the penalty of the table, which is not cubed."""
    hyp, ref = _HYP.split(), _REF.split()
    links = sorted(links_of(_LINKS["alignment 1"]))
    runs = 1 + sum(b != (a[0] + 1, a[1] + 1) for a, b in pairwise(links))
    matched = len(links)
    p, r = matched / len(hyp), matched / len(ref)
    mean = 10 * p * r / (r + 9 * p)
    penalty = 0.5 * runs / matched
    spec = "meteor:version=2005,match=exact+stem,tokenize=none,normalize=no,beta=1"
    score = tertium.metric(spec).corpus_score([_HYP], [_REF])
    ours = {
        "m": matched,
        "chunks": runs,
        "P": p,
        "R": r,
        "Fmean": mean,
        "penalty": penalty,
        "score": mean * (1 - penalty),
    }
    printed = exhibit.published["Fmean"]["value"]
    return Outcome(
        _cells(ours),
        (
            Claim(
                "our METEOR of 2005 gives the score of the formulas",
                abs(score - ours["score"]) < 1e-9,
                f"{score:.4f}",
            ),
            Claim(
                "the printed F lies between P and R",
                min(p, r) <= printed <= max(p, r),
                f"{printed} with P {p:.3f} and R {r:.3f}",
            ),
        ),
    )


def _cells(values: dict[str, float] | dict[str, int]) -> tuple[Cell, ...]:
    return tuple(
        Cell(row, "value", value, against="value") for row, value in values.items()
    )


def _aligned(name: str) -> Annotated:
    links = tuple(Link(h, r) for h, r in links_of(_LINKS[name]))
    return Annotated(_HYP, {"links": (links,)})


def _ngrams(words: Sequence[str], n: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
