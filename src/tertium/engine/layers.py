# SPDX-License-Identifier: Apache-2.0
"""Whether metrics read the layers of a test set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from tertium.engine.inputs import as_metrics
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.data.files import OnNote, TestsetFiles
    from tertium.data.layers import LayerFiles
    from tertium.data.testset import Testset
    from tertium.engine.chunks import Chunk
    from tertium.metrics import Metric
    from tertium.notes import Note

__all__ = [
    "check_layers",
    "check_sets",
    "check_text_layers",
    "link_tokenizer",
    "metric_parts",
    "open_testset",
]


def open_testset(
    files: TestsetFiles,
    *,
    metrics: Sequence[str | Metric] | str | Metric,
    on_note: OnNote | None = None,
    slices: bool = False,
) -> Callable[[], Iterator[Chunk]]:
    """Return a function that streams a test set for metrics, as often as they need.

    Parameters
    ----------
    files : TestsetFiles
    metrics : sequence of str
    on_note : callable, optional
        Called with what a user should know, as in :meth:`TestsetFiles.stream`.
    slices : bool
        Yield slices of plain files instead of texts, to be read where they are scored.

    Raises
    ------
    InputError
        As in :func:`check_layers`.

    Examples
    --------
    >>> from tertium.data import TestsetFiles
    >>> from tertium.engine import score_stream
    >>> chunks = open_testset(TestsetFiles(path="demo"), metrics="wer")
    >>> list(score_stream(chunks, metrics="wer").systems)
    ['good', 'order', 'words', 'copy']
    """
    by_spec = as_metrics(metrics)
    for note in check_layers(files, by_spec):
        if on_note is not None:
            on_note(note)
    if files.alignments:
        files = replace(files, link_tokenize=link_tokenizer(by_spec.values()))
    if slices and files.slices() is not None:
        return lambda: files.slices() or files.stream()
    twice = any(metric.needs_corpus for metric in by_spec.values())
    return files.opener(twice=twice, on_note=on_note)


def check_layers(files: TestsetFiles, metrics: Mapping[str, Metric]) -> list[Note]:
    """Check that metrics read the layers of a test set, and count the same words.

    Parameters
    ----------
    files : TestsetFiles
    metrics : mapping of spec to Metric

    Returns
    -------
    list of Note
        What a user should know.

    Raises
    ------
    InputError
        When no metric reads a layer, or a metric splits words differently.

    Examples
    --------
    >>> from tertium import metric
    >>> from tertium.data import TestsetFiles
    >>> files = TestsetFiles(path="demo", alignments={"good": "good.links"})
    >>> check_layers(files, {"bleu": metric("bleu")})
    Traceback (most recent call last):
    tertium.errors.InputError: none of bleu reads word links; omit alignments, or \
use a metric over aligned words such as aligned-percentage or pef
    """
    # Tree files may bring the texts.
    texts = {
        "trees": bool(files.path or files.systems),
        "ref_trees": bool(files.path or files.references),
    }
    return _checked(files, metrics, texts, has_references=texts["ref_trees"])


def check_text_layers(
    testset: Testset, files: LayerFiles, metrics: Mapping[str, Metric]
) -> list[Note]:
    """Check that metrics read the layer files of a test set in memory.

    Parameters
    ----------
    testset : Testset
    files : LayerFiles
    metrics : mapping of spec to Metric

    Returns
    -------
    list of Note
        As by :func:`check_layers`.

    Raises
    ------
    InputError
        As by :func:`check_layers`.
    """
    texts = {"trees": True, "ref_trees": True}
    has_references = all(testset.references)
    return _checked(files, metrics, texts, has_references=has_references)


def _checked(
    files: LayerFiles,
    metrics: Mapping[str, Metric],
    texts: Mapping[str, bool],
    *,
    has_references: bool,
) -> list[Note]:
    """Check layers, where `texts` says which trees come beside texts."""
    parts = [part for metric in metrics.values() for part in metric_parts(metric)]
    _check_trees(files, parts, texts)
    notes = []
    if files.sets:
        notes = check_sets(parts, has_references=has_references)
    if files.alignments:
        if not any("links" in part.layers for part in parts):
            raise InputError(
                f"none of {', '.join(metrics)} reads word links; omit alignments, or "
                "use a metric over aligned words such as aligned-percentage or pef",
                options=("alignments",),
            )
        _check_words(files, parts)
    return notes


def check_sets(metrics: Iterable[Metric], *, has_references: bool) -> list[Note]:
    """Check that a metric reads reference sets, or that they bring references.

    Parameters
    ----------
    metrics : iterable of Metric
        Without means of metrics; see :func:`metric_parts`.
    has_references : bool
        Whether there are references besides the sets.

    Raises
    ------
    InputError
        When the sets would not be used.
    """
    metrics = list(metrics)
    if any("automaton" in metric.layers for metric in metrics):
        return []
    specs = ", ".join(metric.spec for metric in metrics)
    if has_references:
        message = f"none of {specs} reads reference sets; omit sets, or use evalgen"
        raise InputError(message, options=("sets",))
    from tertium.notes import Note

    return [Note("unread-sets", {"metrics": specs})]


def link_tokenizer(metrics: Iterable[Metric]) -> str:
    """Return the tokeniser whose words links count, for metrics that read links.

    Parameters
    ----------
    metrics : iterable of Metric

    Raises
    ------
    InputError
        When metrics split words differently.

    Examples
    --------
    >>> from tertium import metric
    >>> link_tokenizer([metric("kendall"), metric("bleu")])
    'none'
    >>> link_tokenizer([metric("kendall:tokenize=13a")])
    '13a'
    """
    from tertium.metrics.aligned import AlignedMetric

    splitters = {
        part.word_splitter(linked=True): part.spec
        for metric in metrics
        for part in metric_parts(metric)
        if isinstance(part, AlignedMetric)
    }
    if len(splitters) > 1:
        (one, first), (other, second), *_ = splitters.items()
        raise InputError(
            f"alignments count the words of one tokeniser, but {first} splits texts by "
            f"{one} and {second} by {other}; set the same tokenize for all metrics, or "
            "score them in separate runs",
            options=("alignments",),
        )
    return next(iter(splitters), "none")


def metric_parts(metric: Metric) -> Iterator[Metric]:
    """Yield a metric, or those that it is a mean of."""
    from tertium.metrics.mean import Mean

    if not isinstance(metric, Mean):
        yield metric
        return
    for part, _ in metric.parts:
        yield from metric_parts(part)


def _check_trees(
    files: LayerFiles, metrics: list[Metric], texts: Mapping[str, bool]
) -> None:
    if any("tree" in metric.layers for metric in metrics):
        return
    for argument, beside_texts in texts.items():
        if getattr(files, argument) and beside_texts:
            raise InputError(
                f"none of {', '.join(metric.spec for metric in metrics)} reads trees; "
                f"omit {argument}, or use a metric over trees such as dted or derp",
                options=(argument,),
            )


def _check_words(files: LayerFiles, metrics: list[Metric]) -> None:
    """Check that links count the words that metrics see."""
    from tertium.metrics.aligned import AlignedMetric

    link_tokenizer(metrics)
    if not (files.trees or files.ref_trees):
        return
    for metric in metrics:
        if not isinstance(metric, AlignedMetric):
            continue
        if "tree" not in metric.layers:
            raise InputError(
                "with trees, alignments count the words of trees, which "
                f"{metric.spec} does not read; score it in a run without trees"
            )
