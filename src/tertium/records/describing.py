# SPDX-License-Identifier: Apache-2.0
"""What verbs other than those that score did, as a sentence of a methods section.

They note facts while they run: sizes, ``metrics`` with signatures, and ``methods``,
keys of `METHODS` in :mod:`tertium.metrics.papers`. A record without facts is described
by its command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from tertium._messages import count
from tertium.data.formats.columns import system_name

if TYPE_CHECKING:
    from tertium.records.run import Json, Run

__all__ = ["Writer", "describe", "listed"]

#: What methods are called; those that are missing have no name of their own.
_NAMES = {
    "aggregate": "expected n-gram counts of all hypotheses",
    "pruned": "hypotheses dropped early",
    "pooled-kappa": "pooled kappa",
    "alpha": "Krippendorff's alpha",
    "icc": "intraclass correlations",
    "fleiss": "Fleiss' kappa",
    "span-f1": "F1 of marked characters and spans",
    "span-alpha": "Krippendorff's alpha of characters and spans",
    "wins": "the ratio of wins",
    "wins-or-ties": "the ratio of wins and ties",
    "expected-wins": "expected wins",
    "bradley-terry": "the Bradley-Terry model with ties",
    "trueskill": "TrueSkill",
    "hopkins-may": "the model of Hopkins and May",
    "mean": "mean ratings",
    "z": "ratings standardised per judge",
    "mqm": "weights of error spans (MQM)",
    "mert": "minimum error rate training",
    "pro": "pairwise ranking optimisation",
    "mira": "batch MIRA",
    "judged-exact": "judgements of equal outputs",
    "judged-closest": "judgements of the nearest outputs",
    "judged-model": "a model of judgements of similar outputs",
    "btg": "a bracketing transduction grammar",
    "grammar": "grammars of permutation trees",
    "grammars": "grammars of permutation trees",
    "combined": (
        "bracketing transduction grammars combined with a grammar of permutation trees"
    ),
    "order-tau": "Kendall's tau",
    "order-tau-linked": "Kendall's tau of linked words",
    "order-fuzzy": "the fuzzy reordering score",
    "order-frs": "the fuzzy reordering score with sentence ends",
    "order-exact": "exactly ordered sentences",
    "order-hamming": "the Hamming distance",
    "order-spearman": "Spearman's rho",
    "order-ulam": "the Ulam distance",
    "logistic": "logistic regression",
    "svm": "a linear support vector machine",
    "polynomial": "a support vector machine with a polynomial kernel",
    "ranknet": "a network with the loss of RankNet",
    "margin": "a network with a margin loss",
    "linear": "a linear ranker",
}


class Writer(Protocol):
    """Names what a run used, and notes whom to cite for it."""

    run: Run

    def tool(self) -> str:
        """Return Tertium with its version."""

    def metrics(self) -> list[str]:
        """Return the metrics of the run by name, with whom to cite."""

    def cited(self, method: str) -> str:
        """Return whom to cite for a method, in brackets; empty if there is nobody."""


def describe(writer: Writer) -> str | None:
    """Return what the verb did; None if it noted nothing, or is not known here."""
    known = _VERBS.get(writer.run.verb)
    return known(writer) if known is not None and writer.run.facts else None


def listed(items: Sequence[str]) -> str:
    """Return items as a list in a sentence.

    Examples
    --------
    >>> listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _mbr(writer: Writer) -> str:
    how = _methods(writer)
    faster = f", with {listed(how)}" if how else ""
    metrics = listed(writer.metrics())
    utility = f", with {metrics} as the utility" if metrics else ""
    lists = _size(writer, "lists", "n-best list")
    return (
        f"We chose translations from {lists} by minimum Bayes risk"
        f"{writer.cited('mbr')} with {writer.tool()}{_shortlist(writer)}{utility}"
        f"{_pseudo_references(writer)}{faster}."
    )


def _shortlist(writer: Writer) -> str:
    """Return which hypotheses of a list could be chosen, if not all."""
    options = writer.run.options
    keep, files = options.get("keep"), options.get("scores")
    if type(keep) is not int or not isinstance(files, list):
        return ""
    name, equals, _ = str(next(iter(files), "")).partition("=")
    by = name if equals else system_name(name)
    what = f"{keep:,} {'hypothesis' if keep == 1 else 'hypotheses'}"
    return (
        f", among the {what} per list with the best {by} scores{writer.cited('keep')}"
    )


def _pseudo_references(writer: Writer) -> str:
    """Return how pseudo-references were weighted, and whether they are other lists."""
    options = writer.run.options
    weights, scale = options.get("utility_weights"), options.get("scale")
    others = " from other lists" if options.get("references") else ""
    if not isinstance(weights, str) or weights == "uniform":
        return f", with pseudo-references{others}" if others else ""
    logs = "the log-probabilities of hypotheses"
    if weights != "logprob":
        logs = f"{weights} as log-probabilities"
    scaled = ""
    if isinstance(scale, float) and scale != 1:
        scaled = f", multiplied by {scale:g}"
    return f", with pseudo-references{others} weighted by {logs}{scaled}"


def _agree(writer: Writer) -> str:
    how = _methods(writer)
    by = f" by {listed(how)}" if how else ""
    what = "on error spans " if writer.run.options.get("spans") is True else ""
    return (
        f"We measured the agreement of {_size(writer, 'judges', 'judge')} {what}with "
        f"{writer.tool()}{by}."
    )


def _rank(writer: Writer) -> str:
    how = _methods(writer)
    by = f", by {listed(how)}" if how else ""
    resamples = writer.run.facts.get("resamples")
    ranges = ""
    if isinstance(resamples, int) and resamples:
        ranges = (
            f"; rank ranges are from {resamples:,} bootstrap "
            f"resamples{writer.cited('rank-ranges')}"
        )
    correction = writer.run.options.get("correction")
    if correction in ("holm", "bh"):
        name = {"holm": "Holm's method", "bh": "the Benjamini-Hochberg procedure"}
        ranges += (
            "; p-values were corrected for multiple comparisons by "
            f"{name[correction]}{writer.cited(correction)}"
        )
    return (
        f"We ranked {_size(writer, 'systems', 'system')} by human judgements with "
        f"{writer.tool()}{by}{ranges}."
    )


def _reuse(writer: Writer) -> str:
    systems = _size(writer, "systems", "system")
    return (
        f"We scored {systems} by judgements of other systems with {writer.tool()}, "
        f"from {listed(_methods(writer))}."
    )


def _train(writer: Writer) -> str:
    facts = writer.run.facts
    profile = _text(facts, "profile")
    whose = writer.cited("beer") if profile.startswith("beer") else ""
    features = f", with the features of {profile}{whose}" if profile else ""
    objective = _text(facts, "objective")
    ranked = {"sentence": "texts", "corpus": "systems", "joint": "texts and systems"}
    goal = f" that ranks {ranked[objective]}" if objective in ranked else ""
    how = _methods(writer)
    by = f", by {listed(how)}" if how else ""
    data = _text(facts, "data")
    hashed = f" (hash of texts and judgements {data})" if data else ""
    return (
        f"We trained a metric{goal} on human "
        f"judgements{hashed} with {writer.tool()}{features}{by}."
    )


def _tune(writer: Writer) -> str:
    metrics = listed(writer.metrics())
    goal = f" for {metrics}" if metrics else ""
    lists = writer.run.facts.get("lists")
    on = f" on {count(lists, 'n-best list')}" if isinstance(lists, int) else ""
    return (
        f"We tuned the weights of a decoder{goal}{on} by {listed(_methods(writer))}, "
        f"with {writer.tool()}."
    )


def _preorder(writer: Writer) -> str | None:
    action = next(iter(writer.run.command[1:]), "")
    how = listed(_methods(writer))
    if action == "score":
        what = f"{_size(writer, 'systems', 'system')} of source word order"
        return f"We scored {what} against gold orders with {writer.tool()}, by {how}."
    if action == "train":
        return f"We trained {how} for preordering with {writer.tool()}."
    return f"We put source words into target order by {how}, with {writer.tool()}."


def _resegment(writer: Writer) -> str:
    how = {
        "words": f"by the smallest word edit distance{writer.cited('cut-by-words')}",
        "similarity": "by the similarity of lines",
    }
    by = how.get(_text(writer.run.facts, "by"), "")
    segments = _size(writer, "segments", "segment")
    return (
        f"We cut the output into {segments} of its reference {by} with {writer.tool()}."
    )


_VERBS: Mapping[str, Callable[[Writer], str | None]] = {
    "agree": _agree,
    "mbr": _mbr,
    "preorder": _preorder,
    "rank": _rank,
    "resegment": _resegment,
    "reuse": _reuse,
    "train": _train,
    "tune": _tune,
}


def _methods(writer: Writer) -> list[str]:
    """Return the methods that the run noted by name, with whom to cite."""
    noted = writer.run.facts.get("methods")
    keys = noted if isinstance(noted, list) else []
    return [
        f"{_NAMES.get(key, key)}{writer.cited(key)}"
        for key in keys
        if isinstance(key, str)
    ]


def _size(writer: Writer, fact: str, noun: str) -> str:
    """Return how many of something there were; only what, if that is not known."""
    number = writer.run.facts.get(fact)
    return count(number, noun) if isinstance(number, int) else f"{noun}s"


def _text(facts: Mapping[str, Json], name: str) -> str:
    value = facts.get(name)
    return value if isinstance(value, str) else ""
