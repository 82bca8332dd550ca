# SPDX-License-Identifier: Apache-2.0
"""Ablation: drop a group of features, train again, and look at Kendall's tau.

    python -m bench beer_ablation [--write] [--quick]

WMT14 by rankers of WMT12, WMT15 and WMT16 into English, WMT12 by rankers of WMT15 and
WMT16, beside the published figures. Features are computed once; every row of a table
is a linear SVM of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.studies import beer_data
from bench.studies.beer_fit import (
    Training,
    pair_tau,
    run_study,
    svm,
    training,
)
from bench.studies.beer_report import decimals, table
from tertium.learn.data import Source
from tertium.learn.features.blocks import Resources
from tertium.learn.pairs import judged_pairs
from tertium.learn.profile import Profile
from tertium.learn.profile import profile as find_profile

#: What a row leaves out: groups, or the ends of names for all F-scores.
THREE = {
    "all features": (),
    "no characters": ("char",),
    "no words": ("word",),
    "no skip bigrams": ("skip",),
    "no length": ("length",),
    "no F-scores": (".f1", ".f2", ".f0.5"),
    "characters alone": ("word", "skip", "length"),
}
ONE = {
    "all features": (),
    "no Kendall": ("order",),
    "no order at all": ("order", "pets"),
    "no function and content words": ("function",),
    "no PETs": ("pets",),
    "no F-scores": (".f1",),
    "no word features": ("word", "function"),
    "no characters": ("char",),
}
MATCHED = {
    "all features": (),
    "no characters": ("char",),
    "no words, exact": ("word",),
    "no skip bigrams": ("skip",),
    "no length": ("length",),
    "no function and content words": ("function",),
    "no order": ("order", "pets"),
    "no F-scores": (".f1", ".f2", ".f0.5"),
}
#: Matchers depend on each other: function words and order are those of words that any
#: of them aligned. So here words are aligned anew.
MATCHERS = {
    "no paraphrases": "exact+stem+synonym",
    "no synonyms": "exact+stem+paraphrase",
    "no stems": "exact+synonym+paraphrase",
    "exact words alone": "exact",
}

#: Specification 4.5: means into and out of English in WMT12, and into in WMT14.
PROTOTYPE = {
    "all features": (0.267, 0.252, 0.344),
    "no characters": (0.223, 0.206, 0.283),
    "no skip bigrams": (0.267, 0.248, 0.342),
    "no F-scores": (0.266, 0.250, 0.342),
    "characters alone": (0.267, 0.249, 0.344),
}
#: Stanojević 2017, tables 5.2 and 5.3: BEER 1.0 on WMT12.
PUBLISHED_PAIRS = (
    "en-cs", "en-fr", "en-de", "en-es", "cs-en", "fr-en", "de-en", "es-en"
)  # fmt: skip
PUBLISHED = {
    "all features": ".206 .245 .244 .230 .198 .263 .283 .245",
    "no Kendall": ".205 .246 .244 .227 .202 .257 .282 .248",
    "no order at all": ".201 .248 .236 .223 .202 .257 .283 .243",
    "no function and content words": ".200 .245 .231 .227 .189 .268 .267 .253",
    "no PETs": ".202 .248 .243 .225 .198 .249 .268 .234",
    "no F-scores": ".197 .243 .219 .220 .177 .227 .254 .211",
    "no word features": ".184 .237 .223 .217 .192 .209 .243 .199",
    "no characters": ".124 .178 .168 .149 .121 .170 .179 .078",
}

HEAD = """\
A linear SVM (C = 2⁻¹¹, the strength of the released BEER 2.0, not chosen anew) learns
from all untied judgements; weights of beer-3.0 and beer-matched may only reward
agreement with the reference, those of beer-1.0 are free. *change* is against all
features. WMT14: τ of the WMT14 task. WMT12: τ of the WMT12 task (a tie of the metric
counts -1), as the published figures, and the mean of the other. The prototype learnt
from WMT13, the thesis from other years than ours: compare drops rather than levels.
"""
OTHER_WORDS = """\
BEER 1.0 has other features: its words are aligned ones, and it has no skip bigrams that
could stand in for words. What was published of it (tables 5.2 and 5.3):
"""

Taus = dict[str, dict[str, float]]


def columns(profile: Profile, dropped: Sequence[str]) -> list[int]:
    """Return the features that are kept."""
    ends = tuple(name for name in dropped if name.startswith("."))
    return [
        i
        for i, (name, group) in enumerate(
            zip(profile.names, profile.groups, strict=True)
        )
        if group not in dropped and not name.endswith(ends)
    ]


def ablate(
    trained: Training,
    rows: dict[str, tuple[str, ...]],
    tests: Sequence[Source],
    *,
    rising: bool,
) -> dict[str, Taus]:
    """Return treatment of ties to row to language pair to tau."""
    judged = {source.langpair: judged_pairs(source) for source in tests}
    features = {
        pair: trained.features(pairs.hyps, [refs[0] for refs in pairs.refs])
        for pair, pairs in judged.items()
    }
    out: dict[str, Taus] = {"wmt12": {}, "wmt14": {}}
    for title, dropped in rows.items():
        ranker = svm(trained, columns(trained.profile, dropped), rising=rising)
        scores = {pair: ranker.raw(rows_) for pair, rows_ in features.items()}
        for preset, taus in out.items():
            taus[title] = {
                pair: pair_tau(pairs, scores[pair], preset)
                for pair, pairs in judged.items()
            }
    return out


def matched(match: str, have: Resources) -> Profile:
    """Return beer-matched with some of the matchers, function words throughout."""
    data = find_profile("beer-matched").equipped(have).to_json()
    tables = data["features"]
    assert isinstance(tables, list)
    for block in tables:
        if "match" in block:
            block["match"] = match
    return Profile.from_json(data).equipped(have)


def means_of(taus: Taus) -> dict[str, str]:
    """Return the mean of every row as a table shows it."""
    return {
        title: decimals(mean(by_pair, list(by_pair))) for title, by_pair in taus.items()
    }


def mean(taus: dict[str, float], pairs: Sequence[str]) -> float | None:
    """Return the mean over some pairs; None if one is lacking."""
    known = [taus[pair] for pair in pairs if pair in taus]
    return float(np.mean(known)) if len(known) == len(pairs) else None


def shown(taus: Taus, *others: tuple[str, dict[str, str]]) -> str:
    """Return the table of a study, with figures of others in the last columns."""
    pairs = list(next(iter(taus.values())))
    full = mean(taus["all features"], pairs) or 0.0
    rows = []
    for title, by_pair in taus.items():
        average = mean(by_pair, pairs) or 0.0
        rows.append(
            [
                title,
                *(decimals(by_pair[pair]) for pair in pairs),
                decimals(average),
                f"{average - full:+.3f}",
                *(known.get(title, "") for _, known in others),
            ]
        )
    heads = [title for title, _ in others]
    return table(["", *pairs, "mean", "change", *heads], rows)


def published(pairs: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return what was published, row to pair to tau, for some pairs."""
    return {
        title: {
            pair: float(value)
            for pair, value in zip(PUBLISHED_PAIRS, text.split(), strict=True)
            if pair in pairs
        }
        for title, text in PUBLISHED.items()
    }


def words(
    taus: Taus, theirs: dict[str, float | None], who: str, *, near: float = 0.005
) -> str:
    """Return one sentence on which drops agree with those of others."""
    pairs = list(next(iter(taus.values())))
    means = {title: mean(by_pair, pairs) or 0.0 for title, by_pair in taus.items()}
    known = {title: value for title, value in theirs.items() if value is not None}
    drops = {
        title: (
            means[title] - means["all features"],
            known[title] - known["all features"],
        )
        for title in known
        if title in means and title != "all features"
    }
    agree = [t for t, (ours, other) in drops.items() if abs(ours - other) <= near]
    differ = [t for t in drops if t not in agree]
    listed = {
        name: "; ".join(
            f"{t} ({drops[t][0]:+.3f} here, {drops[t][1]:+.3f} there)" for t in group
        )
        for name, group in (("agree", agree), ("differ", differ))
    }
    worst = min(
        (t for t in means if t != "all features"), key=lambda title: means[title]
    )
    text = f'What hurts most is "{worst}" ({means[worst] - means["all features"]:+.3f})'
    if agree:
        text += f"; within {near:.3f} of {who}: {listed['agree']}"
    if differ:
        text += f"; not as in {who}: {listed['differ']}"
    return text + ".\n"


@dataclass(frozen=True)
class Sources:
    """What the tables learn from and are measured on."""

    learn_14: list[Source]
    test_14: list[Source]
    learn_12: list[Source]
    test_12: list[Source]
    have: Resources

    @classmethod
    def of(cls, quick: bool) -> Sources:
        """Return all of them, or a small sample."""
        if quick:
            few = [beer_data.source("2015", "fi-en").select(range(700))]
            return cls(
                few,
                [beer_data.source("2014", "de-en").select(range(1000))],
                few,
                [
                    beer_data.source("2012", pair).select(range(1000))
                    for pair in ("en-de", "de-en")
                ],
                Resources(language="en"),
            )
        return cls(
            beer_data.sources(target="en"),
            beer_data.sources(("2014",)),
            beer_data.sources(("2015", "2016")),
            [beer_data.source("2012", pair) for pair in PUBLISHED_PAIRS],
            beer_data.resources("en") or Resources(language="en"),
        )

    def into_english(self) -> tuple[list[Source], list[Source]]:
        """Return what the tables of WMT12 into English learn from and test on."""
        learn, test = (
            [source for source in sources if source.langpair.endswith("-en")]
            for sources in (self.learn_12, self.test_12)
        )
        return learn, test

    @property
    def lacking(self) -> list[str]:
        """The tables of words that are not at hand."""
        return [
            name for name in ("synonyms", "paraphrases") if not getattr(self.have, name)
        ]


def study(quick: bool) -> str:
    """Return the section of the report."""
    data = Sources.of(quick)
    parts = [HEAD, *three_14(data), *three_12(data), *one_12(data)]
    if quick or data.lacking:
        parts.append("beer-matched is left out: not all resources, or a sample.\n")
    else:
        parts += matched_14(data)
    return "\n".join(parts)


def three_14(data: Sources) -> list[str]:
    """Return beer-3.0 on WMT14 into English."""
    trained = training(data.learn_14, find_profile("beer-3.0"))
    taus = ablate(trained, THREE, data.test_14, rising=True)["wmt14"]
    free = ablate(trained, {"free weights": ()}, data.test_14, rising=False)["wmt14"]
    theirs = {title: figures[2] for title, figures in PROTOTYPE.items()}
    return [
        (
            f"### beer-3.0, WMT14, trained on {len(trained.examples):,} pairs into "
            "English\n"
        ),
        shown(
            taus | free,
            ("prototype, mean", {t: decimals(v) for t, v in theirs.items()}),
        ),
        words(taus, dict(theirs), "the prototype"),
    ]


def three_12(data: Sources) -> list[str]:
    """Return beer-3.0 on WMT12, all languages, and what was published of BEER 1.0."""
    trained = training(data.learn_12, find_profile("beer-3.0"))
    both = ablate(trained, THREE, data.test_12, rising=True)
    taus = both["wmt12"]
    pairs = list(next(iter(taus.values())))
    theirs = {t: (f[0] + f[1]) / 2 for t, f in PROTOTYPE.items()}
    thesis = {
        "no F-scores": "no F-scores",
        "no characters": "no characters",
        "no words": "no word features",
        "all features": "all features",
    }
    means = {title: mean(published(pairs)[row], pairs) for title, row in thesis.items()}
    return [
        (
            f"### beer-3.0, WMT12, trained on {len(trained.examples):,} pairs, all "
            "languages\n"
        ),
        shown(
            taus,
            ("prototype, mean", {t: decimals(v) for t, v in theirs.items()}),
            ("BEER 1.0 published", {t: decimals(v) for t, v in means.items()}),
            ("mean, WMT14 τ", means_of(both["wmt14"])),
        ),
        words(taus, dict(theirs), "the prototype"),
        OTHER_WORDS,
        shown(published(pairs)),
    ]


def one_12(data: Sources) -> list[str]:
    """Return beer-1.0 on WMT12 into English."""
    learn, test = data.into_english()
    trained = training(learn, find_profile("beer-1.0").equipped(data.have))
    both = ablate(trained, ONE, test, rising=False)
    taus = both["wmt12"]
    pairs = list(next(iter(taus.values())))
    known = published(pairs)
    means = {title: mean(values, pairs) for title, values in known.items()}
    lacking = data.lacking
    without = f" ({' and '.join(lacking)} are not at hand)" if lacking else ""
    return [
        f"### beer-1.0, WMT12 into English, {len(trained.examples):,} pairs{without}\n",
        shown(
            taus,
            *(
                (
                    f"published {pair}",
                    {
                        title: decimals(trained[pair])
                        for title, trained in known.items()
                    },
                )
                for pair in pairs
            ),
            ("published mean", {t: decimals(v) for t, v in means.items()}),
            ("mean, WMT14 τ", means_of(both["wmt14"])),
        ),
        words(taus, means, "the thesis"),
    ]


def matched_14(data: Sources) -> list[str]:
    """Return beer-matched on WMT14 into English, with all and with some matchers."""
    trained = training(data.learn_14, find_profile("beer-matched").equipped(data.have))
    taus = ablate(trained, MATCHED, data.test_14, rising=True)["wmt14"]
    for title, match in MATCHERS.items():
        other = training(data.learn_14, matched(match, data.have))
        taus |= ablate(other, {title: ()}, data.test_14, rising=True)["wmt14"]
    return [
        "### beer-matched, WMT14, trained on the same pairs into English\n",
        f"The last {len(MATCHERS)} rows align words anew, without some matchers.\n",
        shown(taus),
        words(taus, {}, "").replace(".\n", "; nothing is published of this set.\n"),
    ]


if __name__ == "__main__":
    run_study("ablation", __doc__, study)
