# SPDX-License-Identifier: Apache-2.0
"""The metrics behind the views: the first of each kind, and the others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from tertium.align.aligner import AlignerSettings
from tertium.data.annotated import layer
from tertium.errors import InputError
from tertium.metrics.aligned import AlignedMetric
from tertium.metrics.alternatives import AlternativeTreeMetric
from tertium.metrics.base import Metric
from tertium.metrics.derp import Derp
from tertium.metrics.dted import Dted
from tertium.metrics.order import OrderMetric
from tertium.metrics.structured import TreeMetric
from tertium.report.explain.order import order_of
from tertium.report.explain.seen import look
from tertium.report.explain.structure import edit_trees, span_trees
from tertium.report.explain.views import Dependencies, Matching, Order, Pairing, Paths

if TYPE_CHECKING:
    from tertium.trees.parsers import Parser

__all__ = [
    "Chosen", "Views", "choose", "first", "make_views", "settings_of",
]  # fmt: skip

_Metric = TypeVar("_Metric", bound=Metric)


class Chosen(NamedTuple):
    """The metric of every view, and the specs of the metrics requested.

    `others` are further metrics of the same kinds.
    """

    main: AlignedMetric
    order: AlignedMetric
    dted: Dted
    derp: Derp
    named: Mapping[Metric, str]
    others: tuple[AlignedMetric, ...] = ()


class Views(NamedTuple):
    """The main words and links, the first view of each kind, and the others."""

    main: Pairing
    order: Order
    dependencies: Dependencies
    paths: Paths
    others: tuple[Matching | Order | Dependencies | Paths, ...]


def choose(
    metrics: Mapping[str, Metric],
    hyp: str,
    ref: str,
    *,
    alignment: Mapping[str, str | bool],
    variant: str | None,
) -> Chosen:
    """Return the first metric for each view, or one made like the others."""
    aligned = first(metrics, AlignedMetric)  # type: ignore[type-abstract]
    dted, derp = first(metrics, Dted), first(metrics, Derp)
    settings: dict[str, Any]
    parsing = next(
        (m for m in metrics.values() if isinstance(m, TreeMetric) and not m.flat), None
    )
    if parsing is not None:
        shared = TreeMetric.settings
        if isinstance(parsing, AlternativeTreeMetric):
            shared = AlternativeTreeMetric.settings
        settings = {name: getattr(parsing, name) for name in shared}
    else:
        settings = dict(alignment)
        if aligned is not None:
            settings = {
                name: getattr(aligned, name) for name in AlignerSettings._fields
            }
        settings["flat"] = not _have_trees(hyp, ref)
    if dted is None:
        dted = Dted(**settings, variant=variant or "cl")
    elif variant is not None and Dted(variant=variant, flat=True).variant != (
        dted.variant
    ):
        message = (
            f"variant {variant} was requested, but the metric is {dted.spec}; name the "
            "variant in the metric only"
        )
        raise InputError(message)
    derp = derp or Derp(**settings)
    main = aligned or derp
    order = first(metrics, OrderMetric) or main
    named = {metric: spec for spec, metric in metrics.items()}
    firsts = [main, order, dted, derp]
    others = [
        metric
        for metric in metrics.values()
        if isinstance(metric, AlignedMetric)
        and metric not in firsts
        and type(metric) in map(type, firsts)
    ]
    return Chosen(main, order, dted, derp, named, tuple(others))


def make_views(chosen: Chosen, hyp: str, ref: str) -> Views:
    """Return every view as its metric sees the texts."""
    firsts = (chosen.main, chosen.order, chosen.dted, chosen.derp)
    seen = {metric: look(metric, hyp, ref) for metric in (*firsts, *chosen.others)}
    main = seen[chosen.main].pairing

    def about(metric: AlignedMetric) -> dict[str, Any]:
        pairing = seen[metric].pairing
        return {
            "metric": chosen.named.get(metric, ""),
            # Usually all see the same words, which are kept once.
            "pairing": None if pairing == main else pairing,
        }

    def order_view(metric: AlignedMetric) -> Order:
        if isinstance(metric, OrderMetric):
            return replace(order_of(seen[metric], metric), **about(metric))
        return replace(order_of(seen[metric]), **{**about(metric), "metric": ""})

    def dted_view(metric: Dted) -> Dependencies:
        return replace(edit_trees(seen[metric], metric), **about(metric))

    def derp_view(metric: Derp) -> Paths:
        return replace(span_trees(seen[metric], metric), **about(metric))

    others: list[Matching | Order | Dependencies | Paths] = []
    drawn = [main]
    for metric in chosen.others:
        pairing = seen[metric].pairing
        if type(metric) is type(chosen.main) and pairing not in drawn:
            drawn.append(pairing)
            others.append(Matching(chosen.named[metric], pairing))
        if isinstance(metric, OrderMetric):
            others.append(order_view(metric))
        elif isinstance(metric, Dted):
            others.append(dted_view(metric))
        elif isinstance(metric, Derp):
            others.append(derp_view(metric))
    return Views(
        main,
        order_view(chosen.order),
        dted_view(chosen.dted),
        derp_view(chosen.derp),
        tuple(others),
    )


def first(metrics: Mapping[str, Metric], kind: type[_Metric]) -> _Metric | None:
    """Return the first metric of a kind."""
    return next((m for m in metrics.values() if isinstance(m, kind)), None)


def _have_trees(hyp: str, ref: str) -> bool:
    has_tree = [layer(text, "tree") is not None for text in (hyp, ref)]
    if has_tree[0] != has_tree[1]:
        missing = "reference" if has_tree[0] else "output"
        message = (
            f"only one of the texts has a dependency tree, the {missing} has none; "
            "give trees for both, or name a parser"
        )
        raise InputError(message, options=("trees", "ref_trees", "parser"))
    return has_tree[0]


def settings_of(chosen: Chosen, parser: Parser | None, hyp: str) -> dict[str, str]:
    """Return how the words of an output were tokenized, aligned and parsed."""
    settings = chosen.main.aligner_settings
    cut = chosen.main.word_splitter(linked=layer(hyp, "links") is not None)
    if layer(hyp, "tree") is not None and "tree" in chosen.main.layers:
        cut = "trees"
    out = {
        "tokenize": cut,
        "lowercase": "yes" if settings.lowercase else "no",
        "match": settings.match,
    }
    sources = [
        m.signature_fields().get("trees", "")
        for m in (chosen.dted, chosen.derp, *chosen.others)
    ]
    if parser is not None:
        sources = [parser.signature]
    parsers = dict.fromkeys(source for source in sources if source not in ("", "given"))
    if parsers:
        out["parser"] = " and ".join(parsers)
    return out
