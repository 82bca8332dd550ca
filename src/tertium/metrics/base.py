# SPDX-License-Identifier: Apache-2.0
"""The metric protocol: statistics add up.

A metric turns every segment into a short row of numbers and a *sum of rows*
into a score. Corpus, document and segment scores, resampling, tuning and
streaming all follow from :meth:`Metric.statistics` and
:meth:`Metric.from_statistics`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, final, overload

from tertium._version import __version__
from tertium.data.batch import Batch, References
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.limits import check_lengths
from tertium.metrics.settings import Setting, Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from tertium import _core
    from tertium.metrics.parts import ScoreParts

    Rows: TypeAlias = NDArray[np.float64]

__all__ = ["Fitting", "Metric", "References"]


class Fitting(ABC):
    """Fits a metric to the references of a test set, chunk by chunk."""

    @abstractmethod
    def observe(self, refs: References) -> None:
        """Take the next references."""

    @abstractmethod
    def fitted(self) -> Metric:
        """Return the metric as :meth:`Metric.prepare` would, to the last bit."""


class Metric(ABC):
    """A metric with its settings.

    Subclasses declare settings as class attributes (see
    :func:`tertium.metrics.settings.setting`), state the facts below, and write
    :meth:`statistics` and :meth:`from_statistics`.
    """

    #: Name in spec strings; set by the registry for presets.
    name: ClassVar[str] = ""
    #: Facts for ``tertium metrics METRIC``.
    summary: ClassVar[str] = ""
    formula: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    equal_to: ClassVar[str] = ""
    #: Of trained metrics: the judgements, and figures on others.
    training: ClassVar[str] = ""
    #: Of what comes with a metric or is asked for, where it is not that of Tertium.
    licences: ClassVar[str] = ""
    cost: ClassVar[str] = ""
    empty: ClassVar[str] = ""
    #: What becomes of punctuation, in metrics over words.
    punctuation: ClassVar[str] = ""

    #: A spec that needs no resource beyond texts, where the name alone does.
    example: ClassVar[str] = ""

    higher_is_better: ClassVar[bool] = True
    #: Lowest and highest possible score; infinity where there is none.
    bounds: ClassVar[tuple[float, float]] = (0.0, 100.0)
    #: The score that stands for 100 %: 100 for percentages, 1 for shares and
    #: rates, NaN where there is none.
    unit: ClassVar[float] = 100.0
    #: Whether swapping hypothesis and reference changes nothing.
    symmetric: ClassVar[bool] = False
    #: Why an exact copy of the reference may miss the best value, or "".
    copy_exception: ClassVar[str] = ""
    #: Whether the score depends on references, beyond telling segments apart.
    uses_references: ClassVar[bool] = True
    #: Whether there must be references; without them, each segment has ``()``.
    needs_references: ClassVar[bool] = True
    #: Whether :meth:`statistics` is also given the ``sources`` of segments.
    needs_source: ClassVar[bool] = False
    #: Whether the metric tells somebody the languages of the test set.
    names_languages: ClassVar[bool] = False
    #: Whether :meth:`statistics` is also given the documents of segments, as ``docs``.
    needs_docs: ClassVar[bool] = False
    #: Whether rows depend on the names of systems and segments, which are those of a
    #: batch: such a metric overrides :meth:`rows`, and is never cached.
    needs_names: ClassVar[bool] = False
    #: How many words a segment may have, where the cost grows faster than the words.
    longest: ClassVar[int | None] = None
    #: Whether rows depend on all references together (see :meth:`prepare`).
    needs_corpus: ClassVar[bool] = False
    #: Layers that texts may bring for it (see :mod:`tertium.data.annotated`).
    layers: ClassVar[tuple[str, ...]] = ()
    #: The statistic that is 0 where a segment has no score, or None if all have one.
    weight_column: ClassVar[int | None] = None
    #: Whether weights count segments: 1 each, or 0 for one without a score.
    weights_count_segments: ClassVar[bool] = False
    #: The statistic that counts degenerate segments, or None if there is none.
    degenerate_column: ClassVar[int | None] = None
    #: The statistic that counts segments whose search was cut short, or None.
    unproven_column: ClassVar[int | None] = None

    settings: ClassVar[dict[str, Setting]] = {}

    #: The references that :meth:`prepare` was given, or None; empty if they came in
    #: parts (see :meth:`fitting`) and were not kept.
    fitted_to: References | None = None

    def __init_subclass__(
        cls, settings: Mapping[str, Setting] | None = None, **kwargs: object
    ) -> None:
        """Collect the settings: inherited ones, a group of `settings`, own ones."""
        super().__init_subclass__(**kwargs)
        group = settings or {}
        declared = {
            key: value for key, value in vars(cls).items() if isinstance(value, Setting)
        }
        for key, value in group.items():
            if key not in declared:
                value.__set_name__(cls, key)
                setattr(cls, key, value)
        cls.settings = {**cls.settings, **group, **declared}

    def __init__(self, **values: Value) -> None:
        name = self.name or type(self).__name__
        for key in values:
            if key not in self.settings:
                raise UnknownNameError(f"setting of {name}", key, self.settings)
        for key, declared in self.settings.items():
            value = values.get(key, declared.default)
            setattr(self, key, declared.read(value, name))

    @classmethod
    def parse(cls, body: str) -> Metric:
        """Return the metric for the part of a spec string after the colon."""
        values: dict[str, Value] = {}
        for item in body.split(","):
            key, equals, value = item.partition("=")
            if not equals:
                message = (
                    f"{cls.name}: {item!r} is not a setting; write "
                    f"{cls.name}:key=value,key=value"
                )
                raise InputError(message)
            if key.strip() in values:
                message = f"{cls.name}: {key.strip()} is set twice; keep one"
                raise InputError(message)
            values[key.strip()] = value.strip()
        return cls(**values)

    # ---------------------------------------------------------------- protocol

    @property
    @abstractmethod
    def width(self) -> int:
        """The number of statistics in a row."""

    @abstractmethod
    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row of statistics per segment.

        Parameters
        ----------
        hyps : sequence of str
        refs : sequence of str or of sequences of str
            One reference, or several, for every segment.
        threads : int, optional
            How many threads to use; all cores by default. Results do not
            depend on it.

        A metric that asks for them also takes ``sources`` (:attr:`needs_source`) and
        ``docs`` (:attr:`needs_docs`), one text per segment each.

        Returns
        -------
        ndarray of shape (len(hyps), width)
        """

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    @abstractmethod
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the score of a row, or of every row along the last axis."""

    @final
    def prepare(self, refs: References) -> Metric:
        """Return the metric fitted to all references of a test set.

        Needed only where :attr:`needs_corpus` is true (NIST weighs n-grams by
        their frequency in all references); other metrics return themselves, and so
        does a fitted one.
        """
        if not self.needs_corpus or self.fitted_to is not None:
            return self
        fitted = self.fit(refs)
        fitted.fitted_to = refs
        return fitted

    def fit(self, refs: References) -> Metric:
        """Return a new metric whose rows depend on `refs`; :meth:`prepare` calls it.

        To be overridden where :attr:`needs_corpus` is true.
        """
        message = f"{self.name} needs a corpus but has no method fit"
        raise NotImplementedError(message)

    def fitting(self) -> Fitting | None:
        """Return what fits the metric to references that come in parts.

        None, the default, if :meth:`prepare` must see all of them together.
        """
        return None

    # ------------------------------------------------------------------ batches

    def check(self, batch: Batch) -> None:
        """Raise an error if the metric cannot score a batch: no trees, say.

        All metrics look at a batch before any of them scores it.
        """
        check_lengths(self.name, self.longest, batch)

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system; the batch was checked before.

        A metric that reads layers (alignments, trees) takes them from the batch, which
        keeps them for others: see :meth:`Batch.layer`.
        """
        extra: dict[str, Any] = self.extra_inputs(batch)
        return [
            self.statistics(hyps, batch.references, threads=threads, **extra)
            for hyps in batch.systems
        ]

    @final
    def extra_inputs(self, batch: Batch) -> dict[str, Any]:
        """Return what the metric reads of a batch besides outputs and references.

        Raises
        ------
        InputError
            If the batch does not have it.
        """
        if not self._asks:
            return {}
        from tertium.metrics.needs import extra_inputs

        return extra_inputs(self, batch)

    @property
    def _asks(self) -> bool:
        return self.needs_source or self.needs_docs or self.needs_names

    def check_size(self, segments: int) -> None:  # noqa: B027 (most have no reason)
        """Raise an error if the metric cannot belong to so many segments.

        Called once, after all segments of a test set have been scored.
        """

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system.

        Sums of parts of a test set can be merged in any order: ``values()`` of the
        result is the same to the last bit.
        """
        from tertium import _core

        sums = []
        for rows in self.rows(batch, threads=threads):
            sums.append(_core.Sums(self.width))
            sums[-1].add(rows)
        return sums

    @final
    def checked(
        self,
        systems: Iterable[Sequence[str]],
        refs: References,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
    ) -> Batch:
        """Return texts as a batch that this metric can score."""
        batch = Batch(systems, refs, sources=sources, docs=docs)
        self.extra_inputs(batch)
        self.check(batch)
        return batch

    def resources(self) -> Mapping[str, str] | None:
        """Return what rows depend on besides texts, settings and Tertium, by name.

        Each with a value that changes when it does, such as a fingerprint of a file;
        None if that is not known, so that rows are not cached. A metric from elsewhere
        is one of these until it overrides this method, for example to return its own
        version: whatever it returns is part of the keys of its rows.
        """
        from tertium.metrics.resources import default_resources

        return default_resources(self)

    # ------------------------------------------------------------------- derived

    def corpus_score(
        self,
        hyps: Sequence[str],
        refs: References | None = None,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> float:
        """Return the score of all segments together.

        Parameters
        ----------
        hyps : sequence of str
        refs : sequence of str or of sequences of str
            None only if the metric needs no references.
        sources, docs : sequence of str, optional
            For metrics that ask for them.
        threads : int, optional

        Examples
        --------
        >>> import tertium
        >>> tertium.metric("wer").corpus_score(["a b", "c"], ["a c", "c"])
        0.3333333333333333
        """
        refs = self._references(hyps, refs)
        fitted = self.prepare(refs)
        batch = fitted.checked([hyps], refs, sources=sources, docs=docs)
        total = fitted.sums(batch, threads=threads)[0]
        return float(fitted.from_statistics(total.values()))

    def segment_scores(
        self,
        hyps: Sequence[str],
        refs: References | None = None,
        *,
        sources: Sequence[str] | None = None,
        docs: Sequence[str] | None = None,
        threads: int | None = None,
    ) -> Rows:
        """Return the score of every segment on its own; see :meth:`corpus_score`."""
        import numpy as np

        refs = self._references(hyps, refs)
        fitted = self.prepare(refs)
        if self._asks:
            batch = fitted.checked([hyps], refs, sources=sources, docs=docs)
            rows = fitted.rows(batch, threads=threads)[0]
        else:
            rows = fitted.statistics(hyps, refs, threads=threads)
        return np.asarray(fitted.from_statistics(rows), dtype=np.float64)

    def _references(self, hyps: Sequence[str], refs: References | None) -> References:
        if refs is not None:
            return refs
        if self.needs_references:
            message = f"{self.spec} compares outputs with references; give refs"
            raise InputError(message)
        return [()] * len(hyps)

    def score_parts(self, hyp: str, refs: Sequence[str]) -> ScoreParts | None:  # noqa: ARG002
        """Return what the score of a segment consists of, None if it is one piece."""
        return None

    def degenerate_segments(self, row: Sequence[float]) -> int:
        """Return how many segments of a sum of rows had nothing to measure.

        Their score is a convention, not a measurement: see :attr:`empty`.
        """
        column = self.degenerate_column
        return 0 if column is None else round(row[column])

    def unused_systems(self) -> Sequence[str]:
        """Return the systems that it knows scores of, but that it was not asked for."""
        return ()

    def undefined_segments(self, row: Sequence[float], segments: int) -> int:
        """Return how many segments of a sum of rows have no score.

        Those of a metric by convention are not counted; they are degenerate.
        """
        if self.weight_column is None or not self.weights_count_segments:
            return 0
        return segments - round(row[self.weight_column])

    def unproven_segments(self, row: Sequence[float]) -> int:
        """Return of how many segments of a sum of rows a better score may exist.

        A search ran out of its budget there, and the score is the best it found.
        """
        column = self.unproven_column
        return 0 if column is None else round(row[column])

    # ----------------------------------------------------------------- identity

    @property
    def label(self) -> str:
        """The name people write, for table heads."""
        return self.name

    @property
    def beside(self) -> tuple[str, ...]:
        """Specs of metrics that tables show beside this one, to compare it with."""
        return ()

    @property
    def spec(self) -> str:
        """The spec string that makes this metric, defaults left out."""
        changed = [
            f"{key}={declared.show(getattr(self, key))}"
            for key, declared in self.settings.items()
            if getattr(self, key) != declared.default
        ]
        return f"{self.name}:{','.join(changed)}" if changed else self.name

    def signature_fields(self) -> dict[str, str]:
        """Return the settings as fields of a signature."""
        return {
            key: declared.show(getattr(self, key))
            for key, declared in self.settings.items()
        }

    @property
    def signature(self) -> str:
        """The signature for one reference per segment, in sacreBLEU's shape."""
        return self.signature_for(nrefs="1")

    def signature_for(self, **run: str) -> str:
        """Return the signature with facts of a run: nrefs, bs, ar, seed."""
        fields = {**run, **self.signature_fields(), "version": f"tertium-{__version__}"}
        return "|".join(f"{key}:{value}" for key, value in fields.items())

    def __repr__(self) -> str:
        return f"<metric {self.spec}>"

    def fitted_state(self) -> object:
        """Return what fitting made of references, if the metric was fitted.

        By default the references; plain data, which a cache can hash.
        """
        return self.fitted_to

    def components(self) -> Sequence[Metric]:
        """Return the metrics that this one is made of, if any."""
        return ()

    def contents(self) -> Mapping[str, str]:
        """Return fingerprints of files that are named in files of the settings."""
        return {k: v for part in self.components() for k, v in part.contents().items()}

    def check_copies(self) -> None:
        """Raise an error if no other process may have a copy of the metric."""
        for part in self.components():
            part.check_copies()

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle as the spec, the references it was fitted to, and what it reads."""
        from tertium.metrics.origin import origin_of, restored

        self.check_copies()
        return restored, (self.spec, self.fitted_to, origin_of(self))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Metric) and self.spec == other.spec

    def __hash__(self) -> int:
        return hash(self.spec)
