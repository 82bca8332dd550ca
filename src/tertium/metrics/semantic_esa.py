# SPDX-License-Identifier: Apache-2.0
"""Explicit semantic analysis against a background corpus.

A text is described by how similar it is to every document of the corpus, the concepts:
the cosine of their tf-idf vectors, with weights (1 + ln tf) · ln(1 + documents / document
frequency). The score is the cosine of the descriptions of output and reference, so that
words which occur in the same documents count as related. Words that the corpus lacks
are ignored.

The corpus is a text file in the target language, compressed or not; every line is a
document, or every paragraph with ``concepts=paragraphs``. Choose one that does not contain
the test set. ``corpus=demo`` is a tiny one for the demo. The metric is not called ESA,
which now stands for error span annotation.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from functools import cached_property, lru_cache
from typing import NamedTuple

from tertium import _core
from tertium.data.io import demo_path, wants_demo
from tertium.data.lines import open_lines
from tertium.errors import FormatError, InputError
from tertium.metrics.settings import setting
from tertium.metrics.words import WordMetric, kernel_tokenizer, prepared_lines
from tertium.text.tokenizers import TOKENIZERS

__all__ = ["SemanticEsa"]


class SemanticEsa(WordMetric):
    """Explicit semantic analysis; the row is (cosine, 1), the corpus score the mean."""

    name = "semantic-esa"
    summary = "whether output and reference resemble the same documents of a corpus"
    formula = (
        "cos(c(hyp), c(ref)); c(text) has cos(text, document) for every document of the "
        "corpus, on tf-idf vectors; corpus score = mean"
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
    def _index(self) -> _Index:
        if not self.corpus:
            message = (
                "semantic-esa needs a background corpus, a text file in the target "
                "language with one document per line; add corpus=FILE"
            )
            raise InputError(message)
        path = self.corpus
        if wants_demo(path):
            path = os.path.join(os.path.dirname(demo_path()), "background.txt")
        try:
            status = os.stat(path)
        except OSError:
            state = (0, 0)  # reading it says what is wrong
        else:
            state = (status.st_mtime_ns, status.st_size)
        return _index(path, state, self.concepts, self.tokenize, self.lowercase)

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
    path: str, state: tuple[int, int], concepts: str, tokenize: str, lowercase: bool
) -> _Index:
    """Return the index of a corpus; `state` tells versions of a file apart."""
    lines = open_lines(path)
    documents = list(_paragraphs(lines) if concepts == "paragraphs" else lines)
    documents = [document for document in documents if document.strip()]
    if not documents:
        message = "has no text; semantic-esa needs one document per line"
        raise FormatError(message, path=path)
    checksum = 0
    for document in documents:
        checksum = zlib.crc32(document.encode() + b"\n", checksum)
    kernel = _core.esa(tokenize=kernel_tokenizer(tokenize))
    kernel.observe(prepared_lines(documents, tokenize, lowercase=lowercase))
    return _Index(kernel, len(documents), checksum)


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
