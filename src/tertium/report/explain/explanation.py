# SPDX-License-Identifier: Apache-2.0
"""Explain one segment: what the metrics see, and what it means.

Every view has the words, alignment and settings of the metric whose score it shows;
the alignment matrix and the findings have those of the first metric that aligns.
Further metrics of the same kind have views of their own (:attr:`Explanation.others`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.align.aligner import AlignerSettings
from tertium.align.links import given_links
from tertium.data.annotated import Annotated, layer
from tertium.engine.inputs import as_metrics
from tertium.engine.permutations import check_metrics
from tertium.engine.results import MetricInfo
from tertium.errors import InputError
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.base import Metric
from tertium.metrics.order import OrderMetric
from tertium.order import Permutation
from tertium.report.explain.choosing import choose, first, make_views, settings_of
from tertium.report.explain.explained import Explanation, Score
from tertium.report.explain.findings import find
from tertium.report.explain.losses import find_losses
from tertium.report.explain.order import make_order
from tertium.report.explain.seen import with_settings
from tertium.report.explain.surface import ngram_hits, word_edits
from tertium.report.explain.views import MatchView, Pairing

if TYPE_CHECKING:
    from tertium.trees.parsers import Parser

__all__ = ["DEFAULT_METRICS", "explain", "explain_permutation"]

DEFAULT_METRICS = ("pef", "sentbleu", "chrf", "ter")


def explain(
    hyp: str,
    refs: str | Sequence[str],
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    alignment: Mapping[str, str | bool] | AlignerSettings | None = None,
    parser: Parser | None = None,
    variant: str | None = None,
    reference: int | None = None,
    source: str | None = None,
    system: str | None = None,
    segment: int | None = None,
) -> Explanation:
    """Return why an output has its scores.

    Parameters
    ----------
    hyp : str
        The output; it may have a tree or links (:class:`tertium.data.Annotated`).
    refs : str or sequence of str
        Its reference or references.
    metrics : sequence of str
        Specs; the first one chooses among several references.
    alignment : AlignerSettings or mapping, optional
        How to tokenize and align words, overriding the settings of metrics; a mapping
        may have some of the settings only. If no metric aligns words, the default is
        exact matching of lower-cased words tokenized by ``words``.
    parser : Parser, optional
        For texts without a tree. By default each metric uses its own parser, and views
        without a metric use that of the first metric with one; without a parser, trees
        are flattened.
    variant : str, optional
        The variant of DTED whose edit script is shown if no ``dted`` is among the
        metrics; ``cl`` by default.
    reference : int, optional
        Which reference to explain, counted from 0; the best by default.
    source, system, segment : optional
        Labels of the segment; segments are counted from 1.

    Raises
    ------
    InputError
        If a text is not a string, there is no reference, or only one of the texts has a
        tree.

    Examples
    --------
    >>> explanation = explain("at noon we meet", "we meet at noon", metrics=["chrf"])
    >>> explanation.findings[0].text
    'The block *at noon* moved before *we meet*.'
    >>> explanation.order.permutation
    (3, 4, 1, 2)
    >>> explanation.to_svg("alignment")[:4], explanation.to_html()[:15]
    ('<svg', '<!DOCTYPE html>')
    """
    if not isinstance(hyp, str):
        message = f"the output is {hyp!r}; give a string, not a list of words"
        raise InputError(message)
    if not isinstance(refs, str | Iterable):
        message = f"the references are {refs!r}; give strings"
        raise InputError(message)
    texts = [refs] if isinstance(refs, str) else list(refs)
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            message = f"reference {index} is {text!r}; give strings"
            raise InputError(message)
    if not texts:
        message = "there is no reference to explain against; give at least one"
        raise InputError(message)
    if reference is not None and not 0 <= reference < len(texts):
        message = (
            f"reference {reference + 1} was requested, but there are {len(texts)}; "
            "count from 1 on the command line and from 0 in Python"
        )
        raise InputError(message)
    for text in (hyp, *texts):
        if any("\ud800" <= char <= "\udfff" for char in text):
            message = f"{text!r} contains a lone surrogate, which is not a character"
            raise InputError(message)
    made = as_metrics(list(metrics))
    settings = alignment or {}
    if isinstance(settings, AlignerSettings):
        settings = settings._asdict()
    if settings:
        made = _aligned_by(made, settings)
    if parser is not None:
        hyp, *texts = _parsed([hyp, *texts], parser)
    if reference is None:
        reference = _best(made, hyp, texts)
    output, ref = _against(hyp, reference, len(texts)), texts[reference]
    chosen = choose(made, output, ref, alignment=settings, variant=variant)
    views = make_views(chosen, output, ref)
    main = views.main
    lowercase = chosen.main.lowercase
    shown = [
        [word.lower() for word in words] if lowercase else words
        for words in (main.hyp, main.ref)
    ]
    return Explanation(
        hyp=main.hyp,
        ref=main.ref,
        hyp_text=str(hyp),
        ref_text=str(ref),
        findings=find(
            main, dependencies=views.dependencies, texts=(str(hyp), str(ref))
        ),
        scores=tuple(_score(spec, m, hyp, texts) for spec, m in made.items()),
        losses=find_losses(made, hyp, texts),
        parts=tuple(filter(None, (m.score_parts(hyp, texts) for m in made.values()))),
        matches=main.matches,
        order=views.order,
        dependencies=views.dependencies,
        paths=views.paths,
        ngrams=ngram_hits(*shown),
        edits=word_edits(*shown),
        metric=chosen.named.get(chosen.main, ""),
        others=views.others,
        source=source,
        system=system,
        segment=segment,
        reference=reference,
        references=len(texts),
        settings=settings_of(chosen, parser, output),
    )


def explain_permutation(
    values: Sequence[int],
    *,
    metrics: Sequence[str] = (),
    words: Sequence[str] | None = None,
    segment: int | None = None,
    system: str | None = None,
) -> Explanation:
    """Return an explanation of a permutation without texts.

    Parameters
    ----------
    values : sequence of int
        Counted from 1.
    metrics : sequence of str
        Specs of word order metrics without a lexical part; the first determines the
        settings of the trees.
    words : sequence of str, optional
        Words in the order of the output; the values by default.
    segment, system : optional
        Labels of the segment.

    Raises
    ------
    InputError
        If the values are not a permutation, or a metric needs texts.

    Examples
    --------
    >>> explanation = explain_permutation([2, 4, 5, 6, 1, 3], metrics=["recpef"])
    >>> explanation.scores[0].shown
    '0.4000'
    >>> explanation.order.trees
    2
    >>> explanation.findings[0].text
    'The blocks *2*, *4 5 6*, *1* and *3* are shuffled; the reference has *1*, *2*, \
*3*, *4 5 6*.'
    """
    perm = Permutation.one_based(values)
    hyp = tuple(words) if words is not None else tuple(map(str, perm))
    if len(hyp) != len(perm):
        message = f"{len(hyp)} words for {len(perm)} values; give one word per value"
        raise InputError(message)
    ref = tuple(hyp[place - 1] for place in perm.inverse())
    items = tuple(((h,), value - 1) for h, value in enumerate(perm))
    matches = tuple(
        MatchView((h, h + 1), (value - 1, value)) for h, value in enumerate(perm)
    )
    made = as_metrics(list(metrics)) if metrics else {}
    check_metrics(made.values())
    chosen = first(made, OrderMetric)
    of_kind = {
        spec: metric
        for spec, metric in made.items()
        if isinstance(metric, OrderMetric) and type(metric) is type(chosen)
    }
    orders = [
        replace(make_order(perm, items, metric=metric), metric=spec)
        for spec, metric in of_kind.items()
    ]
    text = Annotated(str(perm), {"permutation": perm})
    pairing = Pairing(hyp, ref, matches)
    return Explanation(
        hyp=hyp,
        ref=ref,
        hyp_text=" ".join(hyp),
        ref_text=" ".join(ref),
        findings=find(pairing),
        scores=tuple(_score(spec, m, text, [""]) for spec, m in made.items()),
        matches=matches,
        order=orders[0] if orders else make_order(perm, items),
        others=tuple(orders[1:]),
        segment=segment,
        system=system,
        settings={"input": "permutation"},
    )


def _aligned_by(
    metrics: Mapping[str, Metric], alignment: Mapping[str, str | bool]
) -> dict[str, Metric]:
    """Return the metrics; those that align words get other settings."""
    made = [
        with_settings(metric, **alignment)
        if isinstance(metric, AlignedMetric)
        else metric
        for metric in metrics.values()
    ]
    return {metric.spec: metric for metric in made}


# ----------------------------------------------------------------------------- texts


def _parsed(texts: Sequence[str], parser: Parser) -> list[str]:
    missing = [text for text in texts if layer(text, "tree") is None]
    trees = iter(parser.parse(missing))
    out: list[str] = []
    for text in texts:
        if layer(text, "tree") is not None:
            out.append(text)
            continue
        layers = text.layers if isinstance(text, Annotated) else {}
        out.append(Annotated(text, {**layers, "tree": next(trees)}))
    return out


def _against(hyp: str, reference: int, references: int) -> str:
    """Return the output with its links to one reference only."""
    links = given_links(hyp, references, name="the output")
    if links is None or not isinstance(hyp, Annotated):
        return hyp
    return Annotated(hyp, {**hyp.layers, "links": (links[reference],)})


# ---------------------------------------------------------------------------- scores


def _best(metrics: Mapping[str, Metric], hyp: str, refs: Sequence[str]) -> int:
    """Return the reference with the best score by the first metric."""
    if len(refs) == 1 or not metrics:
        return 0
    metric = next(iter(metrics.values()))
    sign = 1 if metric.higher_is_better else -1
    scores = []
    for index, ref in enumerate(refs):
        against = _against(hyp, index, len(refs))
        value = sign * _segment_score(metric, against, [ref])
        scores.append(-math.inf if math.isnan(value) else value)
    return scores.index(max(scores))


def _score(spec: str, metric: Metric, hyp: str, refs: Sequence[str]) -> Score:
    value = _segment_score(metric, hyp, refs)
    info = MetricInfo.of(metric)
    return Score(
        spec=spec,
        label=info.label,
        value=value if math.isfinite(value) else None,
        higher_is_better=info.higher_is_better,
        shown=info.show(value),
        signature=info.signature,
    )


def _segment_score(metric: Metric, hyp: str, refs: Sequence[str]) -> float:
    return float(metric.segment_scores([hyp], [tuple(refs)])[0])
