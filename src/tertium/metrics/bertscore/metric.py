# SPDX-License-Identifier: Apache-2.0
"""BERTScore (Zhang et al. 2020), equal to the package bert-score.

Every word piece is matched with the most similar piece of the other text: their cosine
in a layer of a BERT model. Precision is the mean over pieces of the output, recall over
those of the reference. The pieces at both ends of the input ([CLS], [SEP]) may be
matched, but are not part of a mean. Of several references, the best counts. Texts are
cut off where the model's input ends, at 512 pieces by default.

With ``idf=yes``, rare pieces weigh more: by log((references + 1) / (references with the
piece + 1)) over all references of the test set. Where no piece of a text has a weight,
all weigh the same (bert-score divides by zero). With ``rescale=yes``, scores are (x -
baseline) / (1 - baseline): 0 stands for two unrelated sentences, 1 for a copy. The
baseline of the default model is for English. A file made by ``python -m
tertium.metrics.bertscore.baseline``, or one of bert-score, is named with
``baseline=FILE``.

The default model is all-MiniLM-L6-v2, a small model of English. ``model=PATH`` names
the folder of another BERT, or an ONNX graph of any encoder with its tokeniser beside
it. Scores of different models and layers cannot be compared.

Names of special pieces in a text, such as ``[SEP]``, are plain text; bert-score reads
them as special pieces.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from tertium.data.batch import Batch, References, lone_surrogate
from tertium.encoders.models import DEFAULT, Model, find_model
from tertium.errors import InputError
from tertium.metrics.base import Fitting, Metric
from tertium.metrics.bertscore.baseline import Baseline, find_baseline
from tertium.metrics.bertscore.matcher import Counts, Match, Matcher, find_matcher
from tertium.metrics.kernels import mean_scores
from tertium.metrics.origin import Origin, origin_of, remade
from tertium.metrics.parts import ScorePart, ScoreParts
from tertium.metrics.settings import Value, setting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from tertium import _core
    from tertium.encoders.encoder import Numbers
    from tertium.metrics.base import Rows

__all__ = ["BertScore"]

#: The layer of the default model, that of beer's profile beer-4-context, too.
_LAYER = 4
#: How many pieces an explanation names, of each text.
_SHOWN = 5


class BertScore(Metric):
    """BERTScore; the row is (score, 1), the corpus score the mean."""

    name = "bertscore"
    summary = "similarity of word pieces in context, by a BERT model"
    formula = (
        "P = Σ w(h) max cos(h, r) / Σ w(h) over pieces h of the output, R likewise "
        "over those of the reference; F1 = 2PR / (P + R); corpus score = mean"
    )
    paper = "Zhang et al. 2020, BERTScore: Evaluating Text Generation with BERT"
    equal_to = "bert-score 0.3.13 on the same model and layer, to 1e-4"
    licences = "all-MiniLM-L6-v2: Apache 2.0, a package of its own"
    cost = "the model's, several milliseconds; and pieces of output × reference"
    empty = "0 before rescaling if a text is empty"
    bounds = (0.0, 1.0)
    unit = 1.0
    copy_exception = "a copy without any piece gets 0"
    width = 2

    #: In how many references pieces occur, once the metric was fitted.
    counts: Counts | None = None

    model: str = setting(
        "", "a BERT folder or an ONNX file; all-MiniLM-L6-v2 if empty", external=True
    )
    layer: float | None = setting(
        None, f"the layer of the vectors: {_LAYER} of the default model, else the last",
        minimum=0,
    )  # fmt: skip
    measure: str = setting(
        "f1", "which value is the score", choices=("f1", "precision", "recall")
    )
    idf: bool = setting(False, "whether rare pieces weigh more")
    rescale: bool = setting(False, "whether unrelated sentences get 0")
    baseline: str = setting(
        "", "the file to rescale by; the default model has one", external=True
    )
    lowercase: bool = setting(False, "whether to ignore case, if the model does not")

    def __init__(self, **values: Value) -> None:
        super().__init__(**values)
        if self.layer is not None and self.layer != int(self.layer):
            message = f"bertscore: layer is an integer, not {self.layer:g}"
            raise InputError(message)
        if self.baseline and not self.rescale:
            message = "bertscore: a baseline is for rescaling only; add rescale=yes"
            raise InputError(message)
        if self.rescale:
            if self.model and not self.baseline:
                message = (
                    "bertscore: this model has no baseline yet; make one by `python "
                    "-m tertium.metrics.bertscore.baseline CORPUS --model "
                    f"{self.model} -o FILE` and add baseline=FILE"
                )
                raise InputError(message)
            self.bounds = (-math.inf, 1.0)  # type: ignore[misc]

    # -------------------------------------------------------------------- facts

    @property
    def needs_corpus(self) -> bool:  # type: ignore[override]
        """Whether pieces are weighted by their frequency in all references."""
        return self.idf

    @property
    def symmetric(self) -> bool:  # type: ignore[override]
        """Whether swapping output and reference changes nothing."""
        return self.measure == "f1" and not self.idf

    @property
    def label(self) -> str:
        """BERTScore, with the measure if it is not F1."""
        return "BERTScore" + {"precision": "-P", "recall": "-R"}.get(self.measure, "")

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, with checksums instead of paths."""
        model = self._model
        layer = self._layer
        return {
            "model": f"{model.name}({model.checksum})",
            "layer": "last" if layer is None else str(layer),
            "measure": self.measure,
            "idf": "yes" if self.idf else "no",
            "rescale": self._rescaling.checksum if self.rescale else "no",
            "case": "lc" if self.lowercase else "mixed",
        }

    def resources(self) -> Mapping[str, str] | None:
        """Return the model and what runs it; see :class:`Metric`."""
        from tertium.cache.fingerprints import package_version
        from tertium.metrics.resources import (
            default_resources,
            file_resources,
            joined_resources,
        )

        model = self._model
        files = model.files | {
            name: path
            for name in ("vocab.txt", "tokenizer.json", "tokenizer_config.json")
            if os.path.exists(path := os.path.join(model.folder, name))
        }
        packages = {name: package_version(name) for name in _PACKAGES}
        return joined_resources(
            [
                file_resources(files),
                packages,
                default_resources(self, without=("model",)),
            ]
        )

    # -------------------------------------------------------------------- model

    @property
    def _model(self) -> Model:
        return find_model(self.model)

    @property
    def _layer(self) -> int | None:
        """The layer; None for the last one of a graph."""
        if self.layer is not None:
            return int(self.layer)
        return self._model.layers if self.model else _LAYER

    @cached_property
    def _longest(self) -> int:
        return self._model.longest

    @cached_property
    def _rescaling(self) -> Baseline:
        return find_baseline(self.baseline, name=DEFAULT)

    @property
    def _matcher(self) -> Matcher:
        return find_matcher(self._model.encoder(self._layer), self._longest)

    def numbers(self, matcher: Matcher, texts: Sequence[str]) -> list[Numbers]:
        """Return the pieces of texts."""
        numbers: dict[str, Numbers] = {}
        for text in texts:
            if text not in numbers:
                one = text.lower() if self.lowercase else text
                numbers[text] = matcher.numbers(one)
        return [numbers[text] for text in texts]

    # ------------------------------------------------------------------ fitting

    def fit(self, refs: References) -> BertScore:
        """Return a copy whose weights come from `refs`."""
        fitting = self.fitting()
        fitting.observe(refs)
        return fitting.fitted()

    def fitting(self) -> BertScoreFitting:
        """Return what counts the pieces of references that come in parts."""
        return BertScoreFitting(self)

    def with_counts(self, counts: Counts) -> BertScore:
        """Return a copy with the counts of all references."""
        fitted = BertScore(**{key: getattr(self, key) for key in self.settings})
        fitted.counts = counts
        fitted.fitted_to = ()
        return fitted

    def fitted_state(self) -> object:
        """Return the counts of pieces, if the metric was fitted."""
        if self.counts is None:
            return None
        return {
            "references": self.counts.references,
            "pieces": sorted(self.counts.pieces.items()),
        }

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        """Pickle with the counts instead of the references."""
        if self.counts is None:
            return super().__reduce__()
        return _restored, (self.spec, self.counts, origin_of(self))

    # --------------------------------------------------------------------- rows

    def statistics(
        self, hyps: Sequence[str], refs: References, *, threads: int | None = None
    ) -> Rows:
        """Return one row per segment."""
        return self.rows(self.checked([hyps], refs), threads=threads)[0]

    def rows(self, batch: Batch, *, threads: int | None = None) -> list[Rows]:
        """Return the rows of every system, weighted by its references if unprepared."""
        import numpy as np

        if self.idf and self.counts is None:
            return self.fit(batch.references).rows(batch, threads=threads)
        _check_characters(batch)
        matcher = self._matcher
        flat = self.numbers(matcher, [ref for refs in batch.nested for ref in refs])
        rest = iter(flat)
        refs = [[next(rest) for _ in nested] for nested in batch.nested]
        systems = [self.numbers(matcher, hyps) for hyps in batch.systems]
        matches = matcher.all(
            [
                (hyp, ref)
                for hyps in systems
                for hyp, each in zip(hyps, refs, strict=True)
                for ref in each
            ],
            self.counts,
            threads=threads or os.cpu_count() or 1,
        )
        tables = []
        for hyps in systems:
            table = np.ones((len(hyps), 2))
            for row, hyp, each in zip(table, hyps, refs, strict=True):
                row[0] = max(
                    (self._value(matches[hyp, ref]) for ref in each), default=0
                )
            tables.append(table)
        return tables

    def sums(self, batch: Batch, *, threads: int | None = None) -> list[_core.Sums]:
        """Return the exact sum of the rows of every system; only once prepared."""
        if self.idf and self.counts is None:
            message = "bertscore: idf needs all references first; call prepare()"
            raise InputError(message)
        return super().sums(batch, threads=threads)

    @overload
    def from_statistics(self, rows: list[float]) -> float: ...
    @overload
    def from_statistics(self, rows: ArrayLike) -> float | Rows: ...
    def from_statistics(self, rows: ArrayLike) -> float | Rows:
        """Return the mean."""
        return mean_scores(rows, metric=self)

    def _value(self, match: Match) -> float:
        value: float = getattr(match, self.measure)
        if not self.rescale:
            return value
        return self._rescaling.rescaled(value, self.measure, self._layer)

    # ------------------------------------------------------------------ explain

    def score_parts(self, hyp: str, refs: Sequence[str]) -> ScoreParts:
        """Return the pieces that are least like any of the other text."""
        scores = [self.corpus_score([hyp], [ref]) for ref in refs]
        best = scores.index(max(scores))
        matcher = self._matcher
        left, right = self.numbers(matcher, [str(hyp), str(refs[best])])
        parts: list[ScorePart] = []
        if left and right:
            table = matcher.nearest(left, right)
            if self.measure != "recall":
                parts += self._weakest("output", table, left, right)
            if self.measure != "precision":
                parts += self._weakest("reference", table.T, right, left)
        nothing = ScorePart(0.0, "a text is empty")
        heading = "pieces least like any of the other text, with their cosine"
        return ScoreParts(self.spec, scores[best], heading, tuple(parts) or (nothing,))

    def _weakest(
        self, side: str, table: NDArray[np.float32], left: Numbers, right: Numbers
    ) -> list[ScorePart]:
        encoder = self._matcher.encoder
        before, after = encoder.end_pieces
        names = [encoder.pieces[number] for number in left]
        others = [before, *(encoder.pieces[number] for number in right), after]
        best = table[1:-1].max(axis=1)
        nearest = table[1:-1].argmax(axis=1).tolist()
        return [
            ScorePart(
                round(float(best[place]), 6),
                f"{side}: {names[place]}, nearest {others[nearest[place]]}",
            )
            for place in best.argsort(kind="stable")[:_SHOWN].tolist()
        ]


_PACKAGES = ("onnxruntime", "tokenizers")


class BertScoreFitting(Fitting):
    """Counts the pieces of references."""

    def __init__(self, metric: BertScore) -> None:
        self._metric = metric
        self._counts = Counts()

    def observe(self, refs: References) -> None:
        """Count the next references."""
        batch = Batch([], refs)
        _check_characters(batch)
        for numbers in self._metric.numbers(self._metric._matcher, batch.texts):
            self._counts.add(numbers)

    def fitted(self) -> BertScore:
        """Return the metric with weights from all references."""
        return self._metric.with_counts(self._counts)


def _check_characters(batch: Batch) -> None:
    try:
        "".join(batch.texts).encode()
    except UnicodeEncodeError as error:
        raise lone_surrogate(batch.systems, batch.references) from error


def _restored(spec: str, counts: Counts, origin: Origin | None) -> BertScore:
    made = remade(spec, origin)
    if not isinstance(made, BertScore):
        message = f"{spec} is not bertscore"
        raise InputError(message)
    return made.with_counts(counts)
