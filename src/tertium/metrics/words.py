# SPDX-License-Identifier: Apache-2.0
"""What metrics over words share: the settings `tokenize` and `lowercase`."""

from __future__ import annotations

from tertium.metrics.native import NativeMetric
from tertium.metrics.settings import setting
from tertium.text.tokenizers import (
    NATIVE_TOKENIZERS,
    TOKENIZERS,
    external_tokenizer,
    tokenizer_signature,
)

__all__ = ["ATTACHED", "WordMetric", "kernel_tokenizer", "prepared_lines"]

#: What becomes of punctuation where words are cut at white space.
ATTACHED = (
    "stays on its word: words are cut at white space, so that cat. is not cat; "
    "tokenize=13a makes marks words of their own, words leaves them out"
)


def kernel_tokenizer(name: str) -> str:
    """Return what is left for a kernel to do after :func:`prepared_lines`."""
    return name if name in NATIVE_TOKENIZERS else "none"


def prepared_lines(lines: list[str], tokenizer: str, *, lowercase: bool) -> list[str]:
    """Return lines lower-cased and tokenised where the core cannot."""
    if lowercase:
        lines = [line.lower() for line in lines]
    if tokenizer not in NATIVE_TOKENIZERS:
        cut = external_tokenizer(tokenizer)
        lines = [cut(line.rstrip()) for line in lines]
    return lines


class WordMetric(NativeMetric):
    """A metric over words, cut by a tokeniser."""

    tokenize: str = setting("none", "the tokeniser", choices=TOKENIZERS)
    lowercase: bool = setting(False, "whether to ignore case")

    @property
    def kernel_tokenizer(self) -> str:
        """What is left for the kernel to do after :meth:`preprocess`."""
        return kernel_tokenizer(self.tokenize)

    def preprocess(self, lines: list[str]) -> list[str]:
        """Return the lines lower-cased and tokenised where the core cannot."""
        return prepared_lines(lines, self.tokenize, lowercase=self.lowercase)

    def signature_fields(self) -> dict[str, str]:
        """Return the settings as fields of a signature, named as in sacreBLEU."""
        fields = super().signature_fields()
        del fields["tokenize"], fields["lowercase"]
        case = "lc" if self.lowercase else "mixed"
        return {"case": case, "tok": tokenizer_signature(self.tokenize), **fields}
