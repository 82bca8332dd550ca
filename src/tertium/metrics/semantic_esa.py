# SPDX-License-Identifier: Apache-2.0
"""Explicit semantic analysis against a background corpus.

A text is described by how similar it is to every document of the corpus, the concepts:
the cosine of their tf-idf vectors, with weights (1 + ln tf) · ln(1 + documents /
document frequency). The score is the cosine of the descriptions of output and
reference, so that words which occur in the same documents count as related. Words that
the corpus lacks are ignored.

The corpus is a text file in the target language, compressed or not. Every line is a
document, or every paragraph with ``concepts=paragraphs``. Choose one that does not
contain the test set; ``corpus=demo`` is a tiny one for the demo. The metric is not
called ESA, which now stands for error span annotation.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from tertium import _core
from tertium._messages import quote
from tertium.data.io import demo_path, wants_demo
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.metrics.parts import ScorePart, ScoreParts
from tertium.metrics.settings import setting
from tertium.metrics.words import WordMetric, kernel_tokenizer, prepared_lines
from tertium.text.tokenizers import TOKENIZERS

__all__ = ["SemanticEsa"]

#: How many documents an explanation names.
_SHOWN = 5


class SemanticEsa(WordMetric):
    """Explicit semantic analysis; the row is (cosine, 1), the corpus score the mean."""

    name = "semantic-esa"
    summary = "whether output and reference resemble the same documents of a corpus"
    formula = (
        "cos(c(hyp), c(ref)); c(text) has cos(text, document) for every document of "
        "the corpus, on tf-idf vectors; corpus score = mean"
    )
    paper = (
        "Gabrilovich and Markovitch 2007, Computing Semantic Relatedness Using "
        "Wikipedia-based Explicit Semantic Analysis; as a metric González et al. 2014"
    )
    equal_to = "the definition in Macháček 2014, 4.2.9, to 6 decimal places"
    cost = "documents that contain the words of the text, and all documents once"
    empty = "0 where a text has no word of the corpus"
    punctuation = (
        "left out by tokenize=words; tokenize=13a makes marks words of their own"
    )
    bounds = (0.0, 1.0)
    unit = 1.0
    symmetric = True
    example = "semantic-esa:corpus=demo"
    copy_exception = "a copy of words that the corpus lacks gets 0"

    corpus: str = setting(
        "", "the background corpus: a text file, or demo", external=True
    )
    concepts: str = setting(
        "lines", "what a document of the corpus is", choices=("lines", "paragraphs")
    )
    tokenize: str = setting("words", "the tokeniser", choices=TOKENIZERS)
    lowercase: bool = setting(True, "whether to ignore case")

    def make_kernel(self) -> _core.EsaKernel:
        """Return the kernel with the index of the corpus, which is kept for others."""
        return self._index.kernel

    @cached_property
    def _path(self) -> str:
        if not self.corpus:
            message = (
                "semantic-esa needs a background corpus, a text file in the target "
                "language with one document per line; add corpus=FILE"
            )
            raise InputError(message)
        if wants_demo(self.corpus):
            return os.path.join(os.path.dirname(demo_path()), "background.txt")
        return self.corpus

    @cached_property
    def _index(self) -> _Index:
        try:
            status = os.stat(self._path)
        except OSError:
            state = (0, 0)  # reading it says what is wrong
        else:
            state = (status.st_mtime_ns, status.st_size)
        return _index(
            self._path, state, self.concepts, self.tokenize, lowercase=self.lowercase
        )

    def score_parts(self, hyp: str, refs: Sequence[str]) -> ScoreParts:
        """Return the documents that contribute most to the score of a segment."""
        import numpy as np

        scores = [self.corpus_score([hyp], [ref]) for ref in refs]
        best = scores.index(max(scores))
        output, ref = (
            np.array(self._index.kernel.concepts(line))
            for line in self.preprocess([str(hyp), str(refs[best])])
        )
        shares = output * ref / max(np.linalg.norm(output) * np.linalg.norm(ref), 1e-99)
        documents = _documents(self._path, self.concepts)
        parts = [
            ScorePart(float(shares[place]), f"document {place + 1}: {quote(text)}")
            for place in np.argsort(-shares, kind="stable")[:_SHOWN].tolist()
            if shares[place] > 0
            for text in [documents[place]]
        ]
        nothing = ScorePart(0.0, "no document has words of both texts")
        return ScoreParts(
            self.spec,
            scores[best],
            f"the documents that contribute most, of {len(documents):,}",
            tuple(parts) or (nothing,),
        )

    def resources(self) -> Mapping[str, str] | None:
        """Return the corpus; see :class:`Metric`."""
        from tertium.metrics.resources import (
            default_resources,
            file_resources,
            joined_resources,
        )

        rest = default_resources(self, without=("corpus",))
        return joined_resources([file_resources({"corpus": self._path}), rest])

    def signature_fields(self) -> dict[str, str]:
        """Return the settings, with a checksum of the corpus instead of its path."""
        index = self._index
        corpus = f"{index.checksum:08x}({index.documents})"
        return {**super().signature_fields(), "corpus": corpus}

    @property
    def label(self) -> str:
        """Semantic ESA, since ESA alone means error spans."""
        return "semantic ESA"


class _Index(NamedTuple):
    """An indexed corpus."""

    kernel: _core.EsaKernel
    documents: int
    checksum: int


@lru_cache(maxsize=4)
def _index(
    path: str,
    state: tuple[int, int],  # noqa: ARG001 - a key: tells versions of a file apart
    concepts: str,
    tokenize: str,
    *,
    lowercase: bool,
) -> _Index:
    """Return the index of a corpus."""
    documents = _documents(path, concepts)
    checksum = 0
    for document in documents:
        checksum = zlib.crc32(document.encode() + b"\n", checksum)
    kernel = _core.esa(tokenize=kernel_tokenizer(tokenize))
    kernel.observe(prepared_lines(documents, tokenize, lowercase=lowercase))
    return _Index(kernel, len(documents), checksum)


def _documents(path: str, concepts: str) -> list[str]:
    lines = open_lines(path)
    texts = _paragraphs(lines) if concepts == "paragraphs" else lines
    documents = [text for text in texts if text.strip()]
    if not documents:
        message = "has no text; semantic-esa needs one document per line"
        raise FormatError(message, path=path)
    return documents


def _paragraphs(lines: Iterator[str]) -> Iterator[str]:
    """Join lines up to an empty one."""
    parts: list[str] = []
    for line in lines:
        if line.strip():
            parts.append(line)
        elif parts:
            yield " ".join(parts)
            parts = []
    if parts:
        yield " ".join(parts)
