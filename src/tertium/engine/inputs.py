# SPDX-License-Identifier: Apache-2.0
"""From what users pass to test sets and metrics."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from tertium.data.batch import Batch
from tertium.data.segment_ids import full_ids, named_references
from tertium.errors import InputError
from tertium.metrics import Metric, metric

if TYPE_CHECKING:
    from os import PathLike

    from tertium.cache.store import Cache
    from tertium.data.testset import Testset
    from tertium.engine.runs import Runs
    from tertium.metrics import References
    from tertium.metrics.base import Fitting

__all__ = [
    "Systems",
    "as_cache",
    "as_metrics",
    "as_testset",
    "fitted_metrics",
    "layer_names",
    "reference_count",
    "references_to_fit",
]

Systems: TypeAlias = (
    "Testset | Mapping[str, Sequence[str] | Runs] | Sequence[str] | Runs"
)


def as_metrics(specs: Sequence[str | Metric] | str | Metric) -> dict[str, Metric]:
    """Return metrics by the spec the user wrote; duplicates are rejected.

    Those that belong beside them (:attr:`Metric.beside`) follow.
    """
    if isinstance(specs, (str, Metric)):
        specs = [specs]
    by_spec: dict[str, Metric] = {}
    for spec in specs:
        key = spec.spec if isinstance(spec, Metric) else spec.strip()
        if key in by_spec:
            message = f"metric {key!r} is given twice; keep one"
            raise InputError(message)
        made = metric(spec)
        if made in by_spec.values():
            other = next(k for k, m in by_spec.items() if m == made)
            message = f"{key!r} is the same metric as {other!r}; keep one"
            raise InputError(message)
        by_spec[key] = made
    if not by_spec:
        message = "no metric is given; name at least one, such as bleu"
        raise InputError(message)
    for spec in [spec for each in by_spec.values() for spec in each.beside]:
        if metric(spec) not in by_spec.values():
            by_spec[spec] = metric(spec)
    return by_spec


def as_cache(cache: Cache | str | PathLike[str] | None) -> Cache | None:
    """Return a cache, that of a folder, or else the one that the user's variable names.

    The variable is ``TERTIUM_CACHE``.
    """
    if cache is None:
        if not os.environ.get("TERTIUM_CACHE"):
            return None  # Most often, and without an import.
        from tertium.cache.store import named_cache

        return named_cache()
    from tertium.cache.store import Cache

    return cache if isinstance(cache, Cache) else Cache(cache)


def as_testset(
    systems: Systems,
    references: References | None = None,
    *,
    sources: Sequence[str] | None = None,
    docs: Sequence[str] | None = None,
    metrics: Sequence[str | Metric] | str | Metric = (),
) -> Testset:
    """Return a test set from one, from named systems or from one list of texts.

    References may be missing if all of `metrics` can do without.
    """
    from tertium.data.testset import Testset

    if isinstance(systems, Testset):
        if references is not None:
            message = "the test set has its own references; omit `references`"
            raise InputError(message)
        if sources is not None:
            message = "the test set has its own sources; omit `sources`"
            raise InputError(message)
        return systems
    if references is None and (not metrics or _need_references(metrics)):
        message = "references are missing; give one entry per segment"
        raise InputError(message)
    if isinstance(systems, str):
        message = "systems is one text; give a list of texts, or lists by name"
        raise InputError(message)
    named = systems if isinstance(systems, Mapping) else {"system": systems}
    lists = {name: _texts(name, texts) for name, texts in named.items()}
    for texts in lists.values():
        if references is not None:
            Batch([texts], references)
    return Testset.build(
        references=references,
        systems=lists,
        sources=sources,
        docs=None if docs is None else list(docs),
    )


def _texts(name: str, texts: Sequence[str] | Runs) -> list[str]:
    from tertium.engine.runs import Runs, reject_runs

    if isinstance(texts, Runs):
        raise reject_runs(name)
    return list(texts)


def _need_references(specs: Sequence[str | Metric] | str | Metric) -> bool:
    listed = [specs] if isinstance(specs, (str, Metric)) else specs
    return any(metric(spec).needs_references for spec in listed)


def layer_names(testset: Testset) -> set[str]:
    """Return the names of the layers that outputs carry (links, trees, ...).

    Of references, whether they carry reference sets (``automaton``).

    Links are ``sure-links`` where possible ones were ignored, prefixed by ``some-``
    where some outputs carry links and others do not. For trees, of outputs and
    references, there is also ``tree:PARSER``; ``tree:`` if the parser is unknown.
    """
    from tertium.data.annotated import Annotated, layer

    columns = [*testset.systems.values(), *testset.references]
    if {str}.issuperset(map(type, chain.from_iterable(columns))):
        return set()  # Plain texts, which are many: no look at each of them.
    names: set[str] = set()
    linked: set[str] = set()
    for texts in testset.systems.values():
        for text in texts:
            layers = text.layers if isinstance(text, Annotated) else {}
            names.update(layers)
            sure = "sure-" if "sure" in layers else ""
            linked.add(f"{sure}links" if "links" in layers else "")
    if "links" in names:
        names.remove("links")
        some = "some-" if "" in linked else ""
        names.add(f"{some}{'links' if 'links' in linked else 'sure-links'}")
    references = chain.from_iterable(testset.references)
    if any(layer(ref, "automaton") is not None for ref in references):
        names.add("automaton")
    if "tree" in names:
        names |= {
            f"tree:{text.layers.get('parser', '')}"
            for texts in chain(testset.systems.values(), testset.references)
            for text in texts
            if isinstance(text, Annotated) and "tree" in text.layers
        }
    return names


def reference_count(counts: set[int]) -> str:
    """Return the `nrefs` of a signature: a number, or var if they differ."""
    return str(next(iter(counts))) if len(counts) == 1 else "var"


def fitted_metrics(
    chunks: Iterable[Testset], metrics: Mapping[str, Metric]
) -> dict[str, Metric]:
    """Return metrics fitted to the references of a test set, where they need it.

    References are kept only for metrics that must see all of them together.
    """
    fittings: dict[str, Fitting] = {}
    for spec, each in metrics.items():
        fitting = None
        if each.needs_corpus and each.fitted_to is None:
            fitting = each.fitting()
        if fitting is not None:
            fittings[spec] = fitting
    whole = [
        each
        for spec, each in metrics.items()
        if each.needs_corpus and spec not in fittings
    ]

    def observed() -> Iterator[Testset]:
        for chunk in chunks:
            for fitting in fittings.values():
                fitting.observe(chunk.references)
            yield chunk

    refs: list[tuple[str, ...]] = []
    if whole:
        refs = references_to_fit(observed(), whole)
    else:
        for _ in observed():
            pass
    return {
        spec: fittings[spec].fitted() if spec in fittings else each.prepare(refs)
        for spec, each in metrics.items()
    }


def references_to_fit(
    chunks: Iterable[Testset], metrics: Iterable[Metric]
) -> list[tuple[str, ...]]:
    """Return the references of a whole test set, for :meth:`Metric.prepare`.

    They carry the ids of their segments if a metric asks for those.
    """
    refs: list[tuple[str, ...]] = []
    ids: list[str] = []
    docs: list[str] = []
    for chunk in chunks:
        refs += chunk.references
        ids += chunk.ids or ()
        docs += chunk.docs or ()
    if len(ids) < len(refs) or not any("segment" in each.layers for each in metrics):
        return refs
    return named_references(refs, full_ids(ids, docs or None))
