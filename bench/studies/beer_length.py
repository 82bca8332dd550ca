# SPDX-License-Identifier: Apache-2.0
"""Can length, or any other trick, win a better score? BEER beside untrained metrics.

    python -m bench beer_length [--quick] [--write]

Three probes: which of a lengthened and a shortened reference wins, how long the best
candidates of n-best lists are, and what copies of the source, silence, garbage and the
like get. The tables go to the screen and with --write to bench/BEER.md; --quick takes
a sample of judgements and sentences.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

import tertium
from bench import wmt
from bench.studies import beer_data
from bench.studies.beer_cache import drawn, remembering
from bench.studies.beer_report import decimals, table, write_section
from tertium.data.formats.nbest import read_nbest
from tertium.data.lines import open_lines
from tertium.learn.profile import Profile, profile
from tertium.learn.training import Recipe, SelfTraining, train_model
from tertium.learn.validation import model_scores, validate

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tertium.learn.model import Model

    #: From texts and their references to a score each.
    Scorer: TypeAlias = Callable[[Sequence[str], Sequence[str]], NDArray[np.float64]]

PLAIN = """\
name = "plain"
summary = "the features of beer-3.0 with precision and recall as they are"

[[features]]
kind = "units"
units = ["char1", "char2", "char3", "char4", "char5", "word1", "word2", "word3",
         "word4", "skip2", "skip"]
values = ["p", "r", "f1", "f2", "f0.5"]
symmetric = false
empty = "backoff"

[[features]]
kind = "length"
of = ["word", "char"]
"""
SHIPPED = "`beer`, as shipped"
OLDER = "`beer-3.0`, as shipped"
METRICS = ("sentbleu", "chrf", "meteor")
PAIRS, QUICK = 120_000, 12_000  # comparisons; the specification has 120,000 pairs
STRENGTH = 2.0**-11  # C of SVMs, as there
PROBED = 1168  # sentences, as there
LENGTHEN = 1.2


# -------------------------------------------------------------------------- models


def plain_profile() -> Profile:
    """Return the profile of beer-3.0 without its symmetry, from a TOML file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "plain.toml")
        path.write_text(PLAIN, encoding="utf-8")
        return profile(str(path))


def models(quick: bool) -> dict[str, Model]:
    """Return the models to compare, by the words that describe them."""
    years = ("2012",) if quick else tuple(beer_data.TRAINED)
    count = QUICK if quick else PAIRS
    sources = drawn(beer_data.sources(years, target="en"), count, seed=1)
    # The loss is a sum over pairs: fewer of them want a larger C.
    strength = STRENGTH * PAIRS / count
    free = Recipe(learner="svm", nonnegative=False, regularisation=strength)
    rising = Recipe(learner="svm", nonnegative=True, regularisation=strength)
    plain = remembering(plain_profile())
    symmetric = remembering(profile("beer-3.0"))
    lists = [nbest(quick)]
    pairs = 5000 if quick else 60_000

    def own(mode: str, rounds: int) -> SelfTraining:
        return SelfTraining(lists, mode=mode, rounds=rounds, pairs=pairs)

    wanted: list[tuple[str, Profile, Recipe | None, SelfTraining | None]] = [
        ("plain, free weights", plain, free, None),
        ("plain, rising weights", plain, rising, None),
        ("plain, self-trained, union", plain, free, own("union", 1)),
        ("plain, self-trained, self, 1 round", plain, free, own("self", 1)),
        ("plain, self-trained, self, 3 rounds", plain, free, own("self", 3)),
        ("symmetric, free weights", symmetric, free, None),
        ("symmetric, rising weights", symmetric, rising, None),
        ("symmetric, joint, rising weights", symmetric, None, None),
        ("symmetric, self-trained, union", symmetric, free, own("union", 1)),
        ("symmetric, self-trained, self, 3 rounds", symmetric, free, own("self", 3)),
    ]
    trained: dict[str, Model] = {}
    for name, features, recipe, itself in wanted:
        _say(name)
        trained[name] = train_model(
            sources, profile=features, recipe=recipe, self_training=itself
        )
    return trained


def scorers(trained: dict[str, Model]) -> dict[str, Scorer]:
    """Return all that scores: models, the shipped metric and untrained ones."""

    def of_model(model: Model) -> Scorer:
        return lambda hyps, refs: model_scores(model, hyps, [(ref,) for ref in refs])

    def of_metric(spec: str) -> Scorer:
        def score(hyps: Sequence[str], refs: Sequence[str]) -> NDArray[np.float64]:
            lists = [(ref,) for ref in refs]
            result = tertium.metric(spec).prepare(lists)
            columns = result.from_statistics(result.statistics(list(hyps), lists))
            # An empty text may have no score; none is worse.
            return np.nan_to_num(np.asarray(columns, dtype=np.float64), nan=0.0)

        return score

    columns = {name: of_model(model) for name, model in trained.items()}
    columns[SHIPPED] = of_metric("beer")
    columns[OLDER] = of_metric("beer:profile=beer-3.0")
    for spec in METRICS:
        columns[spec] = of_metric(spec)
    return columns


# ----------------------------------------------------------- longer against shorter


def lengthened(
    refs: Sequence[str], *, seed: int = 12345
) -> tuple[list[str], list[str], list[str]]:
    """Return texts as good as each other: longer, with words dropped, cut off.

    A fifth of a reference's words, drawn from all references, goes to random places;
    random words, or the last ones, are dropped till 1/1.2 of it is left.
    """
    random = np.random.default_rng(seed)
    words = np.array([word for ref in refs for word in ref.split()], dtype=object)
    long, dropped, cut = [], [], []
    for ref in refs:
        tokens = ref.split()
        more = round((LENGTHEN - 1) * len(tokens))
        less = len(tokens) - round(len(tokens) / LENGTHEN)
        at = np.sort(random.integers(len(tokens) + 1, size=more))
        added = words[random.integers(len(words), size=more)]
        long.append(" ".join(np.insert(np.array(tokens, dtype=object), at, added)))
        kept = np.sort(random.permutation(len(tokens))[less:])
        dropped.append(" ".join(tokens[i] for i in kept))
        cut.append(" ".join(tokens[: len(tokens) - less]))
    return long, dropped, cut


def longer_wins(
    scored: dict[str, Scorer], trained: dict[str, Model], quick: bool
) -> str:
    """Return the table of how often the longer text wins."""
    rows = wmt.read_table(wmt.folder() / "wmt14" / "de-en.tsv.gz")
    refs = [row["reference"] for row in rows if len(row["reference"].split()) >= 5]
    refs = refs[: 200 if quick else PROBED]
    long, dropped, cut = lengthened(refs)
    if quick:
        reported = [beer_data.source("2014", "cs-en").select(range(500))]
    else:
        reported = beer_data.sources(("2014",))
    tau = {
        name: np.mean([each.tau for each in validate(reported, model, metrics=())])
        for name, model in trained.items()
    }
    # The shipped model and untrained metrics go by the same road.
    others = [name for name in scored if name not in tau]
    models = {SHIPPED: "beer", OLDER: "beer:profile=beer-3.0"}
    specs = [models.get(name, name) for name in others]
    figures = validate(reported, None, metrics=specs)
    for name, spec in zip(others, specs, strict=True):
        tau[name] = np.mean([each.tau for each in figures if each.metric == spec])
    published = {
        "plain, free weights": ("100", ".346"),
        "plain, self-trained, union": ("100", ""),
        "plain, self-trained, self, 1 round": ("99.0", ""),
        "plain, self-trained, self, 3 rounds": ("81.7", ".330"),
        "symmetric, free weights": ("49.9", ".344"),
    }
    lines = []
    for name, score in scored.items():
        longer = score(long, refs)
        shares = [_share(longer, score(short, refs)) for short in (dropped, cut)]
        spec, spec_tau = published.get(name, ("", ""))
        weights = _weights(trained[name]) if name in trained else ("", "")
        lines.append(
            [name, f"{shares[0]:.1f}", spec, f"{shares[1]:.1f}", *weights,
             decimals(float(tau[name])), spec_tau]
        )  # fmt: skip
    head = ["metric", "longer wins %", "spec", "against cut off %", "P weights",
            "R weights", "τ WMT14 into English", "spec"]  # fmt: skip
    return (
        "### Longer against shorter\n\n"
        f"{len(refs):,} references of newstest2014 with a fifth more words, drawn from "
        "all references and put anywhere, against the same with random words dropped "
        "to 1/1.2, so that the reference is to the short text what the long text is to "
        "the reference; a fair metric gives 50 %. The second share is against "
        "references whose end is cut off, which breaks fewer n-grams: there fewer "
        "longer texts should win. Models are SVMs (C = 2^-11), save for one with the "
        "joint recipe of beer-3.0, of "
        f"{QUICK if quick else PAIRS:,} comparisons into English, ties included; P and "
        "R are summed weights of precision and recall. The specification's figures are "
        "of WMT13 judgements, and its n-best lists were made up; ours are of Moses.\n\n"
        + table(head, lines)
    )


def _share(longer: NDArray[np.float64], shorter: NDArray[np.float64]) -> float:
    """Return how often the longer text wins, in percent; a tie is half a win."""
    return float(100 * np.mean((longer > shorter) + 0.5 * (longer == shorter)))


def _weights(model: Model) -> tuple[str, str]:
    weights, _ = model.plain_weights()
    named = dict(zip(model.profile.names, weights, strict=True))
    if model.profile.symmetric:
        return "", ""
    sums = [sum(w for n, w in named.items() if n.endswith(end)) for end in (".p", ".r")]
    return f"{sums[0]:+.2f}", f"{sums[1]:+.2f}"


# ------------------------------------------------------------------------ reranking


def nbest(quick: bool) -> tuple[list[list[str]], list[str]]:
    """Return n-best lists of Moses with their references, all in lower case."""
    folder = wmt.folder() / "nbest"
    lists = read_nbest(folder / "moses-europarl.100x100.nbest.gz")
    refs = list(open_lines(folder / "moses-europarl.ref.gz"))
    size = 30 if quick else len(lists)
    lower = [[hyp.lower() for hyp in dict.fromkeys(hyps)] for hyps in lists[:size]]
    return lower, [ref.lower() for ref in refs[:size]]


def reranked(scored: dict[str, Scorer], quick: bool) -> str:
    """Return the table of what every metric finds best in n-best lists."""
    lists, refs = nbest(quick)
    hyps = [hyp for nbest_list in lists for hyp in nbest_list]
    against = [
        ref for nbest_list, ref in zip(lists, refs, strict=True) for _ in nbest_list
    ]
    starts = np.cumsum([0, *map(len, lists)])
    size = sum(len(ref.split()) for ref in refs)
    corpus = {
        "BLEU": tertium.metric("bleu:tokenize=none"),
        "chrF": tertium.metric("chrf"),
        "METEOR": tertium.metric("meteor"),
        "`beer`": tertium.metric("beer"),
    }

    def line(name: str, chosen: Sequence[str]) -> list[str]:
        length = 100 * sum(len(hyp.split()) for hyp in chosen) / size
        scores = [
            metric.corpus_score(list(chosen), refs) * (100 / metric.unit)
            for metric in corpus.values()
        ]
        return [name, f"{length:.1f}", *(f"{score:.1f}" for score in scores)]

    lines = [line("first of each list", [nbest_list[0] for nbest_list in lists])]
    for end, name in ((max, "longest"), (min, "shortest")):
        chosen = [
            end(nbest_list, key=lambda hyp: len(hyp.split())) for nbest_list in lists
        ]
        lines.append(line(f"{name} of each list", chosen))
    for name, score in scored.items():
        values = score(hyps, against)
        best = [
            hyps[a + int(np.argmax(values[a:b]))]
            for a, b in zip(starts, starts[1:], strict=False)  # noqa: RUF007
        ]
        lines.append(line(name, best))
    published = [
        ["BEER", "115.7", "16.4", "28.4", "10.2"],
        ["BLEU", "103.0", "18.2", "28.1", "10.1"],
        ["self-trained BEER", "99.7", "18.0", "27.7", "9.8"],
    ]
    return (
        "### Best of n-best lists\n\n"
        f"The candidate that a metric finds best, of {len(lists)} lists of Moses on "
        "Europarl with up to 100 different candidates each, in lower case: length in "
        "percent of the reference's words, and scores of all picks. Even the longest "
        "candidates are far too short, so lists leave little room for a bias of "
        "length to show; self-trained models have learnt from them.\n\n"
        + table(["best by", "length %", *corpus], lines)
        + "\nPublished (Stanojević 2017, table 6.4) are systems **tuned** on a metric, "
        "not lists reranked by it; a tuner can go much further from its lists, so only "
        "the order of lengths compares:\n\n"
        + table(["tuned on", "length %", "BLEU", "METEOR", "BEER"], published)
    )


# --------------------------------------------------------------------------- tricks


def tricks(scored: dict[str, Scorer], quick: bool) -> str:
    """Return the table of what tricks get beside honest translations."""
    rows = wmt.read_table(wmt.folder() / "wmt14" / "de-en.tsv.gz")
    rows = rows[: 100 if quick else 1000]
    refs = [row["reference"] for row in rows]
    names = [name for name in rows[0] if name not in ("seg", "source", "reference")]
    random = np.random.default_rng(12345)
    words = np.array([word for ref in refs for word in ref.split()], dtype=object)
    common = " the of and to in a"
    outputs = {name: [row[name] or "" for row in rows] for name in names}
    # The system in the middle by chrF stands for an honest translation.
    chrf = tertium.metric("chrf")
    ranked = sorted(names, key=lambda name: chrf.corpus_score(outputs[name], refs))
    honest = outputs[ranked[len(ranked) // 2]]
    made = {
        "honest": honest,
        "reference": refs,
        "reference twice": [f"{ref} {ref}" for ref in refs],
        "padded": [hyp + common * 2 for hyp in honest],
        "first half": [" ".join(h.split()[: len(h.split()) // 2]) for h in honest],
        "source": [row["source"] for row in rows],
        "another reference": [*refs[1:], refs[0]],
        "random words": [
            " ".join(words[random.integers(len(words), size=len(ref.split()))])
            for ref in refs
        ],
        "letters": ["zq xv jk wq " * 5] * len(refs),
        "empty": [""] * len(refs),
    }
    lines = []
    chosen = [
        name
        for name in scored
        if name in (*METRICS, SHIPPED, OLDER) or name.endswith("weights")
    ]
    for name in chosen:
        values = {trick: scored[name](texts, refs) for trick, texts in made.items()}
        cells = [name, f"{_mean(name, values['honest']):.3f}"]
        for trick, scores in values.items():
            if trick != "honest":
                wins = 100 * np.mean(scores >= values["honest"])
                cells.append(f"{_mean(name, scores):.3f} ({wins:.0f})")
        lines.append(cells)
    return (
        "### Tricks\n\n"
        f"Mean score of {len(refs):,} segments of newstest2014 German-English, and in "
        "brackets on how many percent of them the trick gets at least what the honest "
        "translation gets (that of the system in the middle by chrF). *Padded* is the "
        "honest translation with twelve frequent words more.\n\n"
        + table(["metric", *made], lines)
    )


def _mean(name: str, scores: NDArray[np.float64]) -> float:
    """Return the mean on the scale of 0 to 1."""
    unit = tertium.metric(name).unit if name in METRICS else 1.0
    return float(np.mean(scores)) / unit


# ------------------------------------------------------------------------------ main


def _say(text: str) -> None:
    sys.stderr.write(f"{time.process_time():5.0f} s  {text}\n")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="a sample of everything")
    parser.add_argument("--write", action="store_true", help="to bench/BEER.md")
    args = parser.parse_args()
    trained = models(args.quick)
    scored = scorers(trained)
    parts = []
    for name, part in (
        ("longer wins", lambda: longer_wins(scored, trained, args.quick)),
        ("reranking", lambda: reranked(scored, args.quick)),
        ("tricks", lambda: tricks(scored, args.quick)),
    ):
        _say(name)
        parts.append(part())
    text = "\n".join(parts)
    note = tertium.metric("beer").trained.training.get("note")
    if note:
        text += f"\nOf the model that is shipped, its file says: {note}.\n"
    print(text)
    if args.write:
        write_section("length", text)


if __name__ == "__main__":
    main()
