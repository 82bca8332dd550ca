# SPDX-License-Identifier: Apache-2.0
"""Explain one segment: everything the metrics see, and what it means.

The words, their alignment and the settings of trees are those of the metrics asked
for, so that drawings show what the scores count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from tertium.align.aligner import Aligner, AlignerSettings
from tertium.data.annotated import Annotated, layer
from tertium.engine.inputs import as_metrics
from tertium.engine.results import MetricInfo
from tertium.errors import InputError
from tertium.metrics.base import Metric
from tertium.order import Permutation
from tertium.report.findings import find
from tertium.report.order import make_order, order_of
from tertium.report.structure import compare_trees
from tertium.report.surface import ngram_hits, word_edits
from tertium.report.views import Explanation, MatchView, Score
from tertium.text.tokenizers import tokenize
from tertium.trees.tree import DependencyTree

if TYPE_CHECKING:
    from tertium.trees.parsers import Parser

__all__ = ["DEFAULT_METRICS", "DEFAULT_TOKENIZER", "explain", "explain_permutation"]

DEFAULT_METRICS = ("pef:tokenize=13a", "sentbleu", "chrf", "ter")
DEFAULT_TOKENIZER = "13a"


def explain(
    hyp: str,
    refs: str | Sequence[str],
    *,
    metrics: Sequence[str] = DEFAULT_METRICS,
    alignment: AlignerSettings | None = None,
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
        The output; it may bring a tree or links (:class:`tertium.data.Annotated`).
    refs : str or sequence of str
        Its reference or references.
    metrics : sequence of str
        Specs; the first one chooses among several references.
    alignment : AlignerSettings, optional
        How to cut and align words. By default as the first of `metrics` that aligns
        does, or else exact matches of lower-cased words cut by ``13a``.
    parser : Parser, optional
        For texts that bring no tree. By default that of the first of `metrics` which
        names one; without one, trees are flattened.
    variant : str, optional
        The variant of DTED whose edit script is shown; that of the first ``dted``
        among the metrics, or else ``cl``.
    reference : int, optional
        Which reference to explain, counted from 0; the best by default.
    source, system, segment : optional
        What is said of the segment; it is counted from 1.

    Raises
    ------
    InputError
        If there is no reference, or only one of the texts has a tree.

    Examples
    --------
    >>> found = explain("at noon we meet", "we meet at noon", metrics=["chrf"])
    >>> found.findings[0].text
    'The block *at noon* moved before *we meet*.'
    >>> found.order.permutation
    (3, 4, 1, 2)
    >>> found.to_svg("alignment")[:4], found.to_html()[:15]
    ('<svg', '<!DOCTYPE html>')
    """
    texts = [refs] if isinstance(refs, str) else list(refs)
    if not texts:
        message = "there is no reference to explain against; give at least one"
        raise InputError(message)
    if reference is not None and not 0 <= reference < len(texts):
        message = (
            f"reference {reference + 1} is asked for, but there are {len(texts)}; "
            "count from 1 on the command line and from 0 in Python"
        )
        raise InputError(message)
    for text in (hyp, *texts):
        if any("\ud800" <= char <= "\udfff" for char in text):
            message = f"{text!r} holds half of a surrogate pair, which is no character"
            raise InputError(message)
    made = as_metrics(list(metrics))
    parser = parser or _parser_of(made)
    if parser is not None:
        hyp, *texts = _parsed([hyp, *texts], parser)
    if reference is None:
        reference = _best(made, hyp, texts)
    ref = texts[reference]
    settings = alignment or _alignment_settings(made)
    trees = layer(hyp, "tree"), layer(ref, "tree")
    words = _words(hyp, settings, trees[0]), _words(ref, settings, trees[1])
    matches = _matches(hyp, words, settings, reference, len(texts))
    order = order_of(matches, settings=_order_settings(made))
    dependencies, paths = compare_trees(
        trees, words, matches=matches, metrics=made, variant=variant
    )
    shown = [
        [word.lower() for word in own] if settings.lowercase else own for own in words
    ]
    return Explanation(
        hyp=words[0],
        ref=words[1],
        hyp_text=str(hyp),
        ref_text=str(ref),
        findings=find(*words, matches=matches, order=order, dependencies=dependencies),
        scores=tuple(_score(spec, m, hyp, texts) for spec, m in made.items()),
        matches=matches,
        order=order,
        dependencies=dependencies,
        paths=paths,
        ngrams=ngram_hits(*shown),
        edits=word_edits(*shown),
        source=source,
        system=system,
        segment=segment,
        reference=reference,
        references=len(texts),
        settings=_settings(settings, parser),
    )


def explain_permutation(
    values: Sequence[int],
    *,
    words: Sequence[str] | None = None,
    segment: int | None = None,
    system: str | None = None,
) -> Explanation:
    """Return an explanation of a permutation without texts.

    Parameters
    ----------
    values : sequence of int
        Counted from 1.
    words : sequence of str, optional
        Words in the order of the output; the values by default.
    segment, system : optional
        What is said of the segment.

    Examples
    --------
    >>> found = explain_permutation([2, 4, 5, 6, 1, 3])
    >>> found.order.trees
    2
    >>> found.findings[0].text
    'The blocks *2*, *4 5 6*, *1* and *3* are shuffled; the reference has *1*, *2*, \
*3*, *4 5 6*.'
    """
    perm = Permutation.one_based(values)
    hyp = tuple(words) if words is not None else tuple(map(str, perm))
    if len(hyp) != len(perm):
        message = f"{len(hyp)} words for {len(perm)} values; give one a value"
        raise InputError(message)
    ref = tuple(hyp[place - 1] for place in perm.inverse())
    items = tuple(((h,), value - 1) for h, value in enumerate(perm))
    matches = tuple(
        MatchView((h, h + 1), (value - 1, value)) for h, value in enumerate(perm)
    )
    order = make_order(perm, items)
    return Explanation(
        hyp=hyp,
        ref=ref,
        hyp_text=" ".join(hyp),
        ref_text=" ".join(ref),
        findings=find(hyp, ref, matches=matches, order=order),
        matches=matches,
        order=order,
        segment=segment,
        system=system,
        settings={"input": "permutation"},
    )


# -------------------------------------------------------------------------- settings


def _alignment_settings(metrics: Mapping[str, Metric]) -> AlignerSettings:
    for metric in metrics.values():
        found = getattr(metric, "aligner_settings", None)
        if isinstance(found, AlignerSettings):
            return found
    return AlignerSettings(tokenize=DEFAULT_TOKENIZER)


def _order_settings(metrics: Mapping[str, Metric]) -> dict[str, float | str]:
    for metric in metrics.values():
        if all(hasattr(metric, name) for name in ("beta", "gamma", "op_score")):
            return {
                name: getattr(metric, name) for name in ("beta", "gamma", "op_score")
            }
    return {}


def _parser_of(metrics: Mapping[str, Metric]) -> Parser | None:
    """Return the parser that a metric names, if one does."""
    from tertium.metrics.structured import TreeMetric

    for metric in metrics.values():
        if isinstance(metric, TreeMetric) and metric.parser and not metric.flat:
            words = "none" if metric.pretokenized else "own"
            if metric.tokenize != "none":
                words = metric.tokenize
            return _loaded(metric.parser, metric.model, words)
    return None


@lru_cache(maxsize=2)
def _loaded(name: str, model: str, words: str) -> Parser:
    from tertium.trees.parsers import load_parser

    return load_parser(name, model, tokenize=words)


def _settings(settings: AlignerSettings, parser: Parser | None) -> dict[str, str]:
    out = {
        "tokenize": settings.tokenize,
        "lowercase": "yes" if settings.lowercase else "no",
        "match": settings.match,
    }
    if parser is not None:
        out["parser"] = parser.signature
    return out


# ----------------------------------------------------------------------------- words


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


def _words(text: str, settings: AlignerSettings, tree: object) -> tuple[str, ...]:
    if isinstance(tree, DependencyTree):
        return tree.forms
    return tuple(tokenize([text], settings.tokenize)[0])


def _matches(
    hyp: str,
    words: tuple[tuple[str, ...], tuple[str, ...]],
    settings: AlignerSettings,
    reference: int,
    references: int,
) -> tuple[MatchView, ...]:
    given = cast("Sequence[Sequence[Sequence[int]]] | None", layer(hyp, "links"))
    if given is not None and len(given) != references:
        message = (
            f"the output brings links with {len(given)} references but has "
            f"{references}; give one set of links a reference"
        )
        raise InputError(message)
    if given is not None:
        sizes = len(words[0]), len(words[1])
        found = []
        for link in given[reference]:
            if not (0 <= link[0] < sizes[0] and 0 <= link[1] < sizes[1]):
                message = (
                    f"link {link[0]}-{link[1]} lies outside texts of {sizes[0]} and "
                    f"{sizes[1]} words; count words from 0, with the same tokeniser"
                )
                raise InputError(message)
            one, other = int(link[0]), int(link[1])
            found.append(MatchView((one, one + 1), (other, other + 1), "link"))
        return tuple(found)
    aligner = Aligner(**settings._replace(tokenize="none")._asdict())
    pairs = aligner.token_pairs([[words[0]]], [[words[1]]], systems=[[""]], threads=1)
    return tuple(
        MatchView(
            (match.hyp, match.hyp + match.hyp_length),
            (match.ref, match.ref + match.ref_length),
            match.matcher,
        )
        for match in aligner.alignment(pairs)
    )


# ---------------------------------------------------------------------------- scores


def _best(metrics: Mapping[str, Metric], hyp: str, refs: Sequence[str]) -> int:
    """Return the reference with the best score under the first metric."""
    if len(refs) == 1 or not metrics:
        return 0
    metric = next(iter(metrics.values()))
    sign = 1 if metric.higher_is_better else -1
    scores = []
    for index, ref in enumerate(refs):
        own = hyp
        given = cast("Sequence[object] | None", layer(hyp, "links"))
        if isinstance(hyp, Annotated) and given is not None and index < len(given):
            own = Annotated(hyp, {**hyp.layers, "links": (given[index],)})
        value = sign * _segment_score(metric, own, [ref])
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
