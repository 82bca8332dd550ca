# SPDX-License-Identifier: Apache-2.0
"""Text before it is measured: tokenisers."""

from __future__ import annotations

from tertium.text.tokenizers import (
    NATIVE_TOKENIZERS,
    TOKENIZERS,
    tokenize,
    tokenizer_signature,
)

__all__ = ["NATIVE_TOKENIZERS", "TOKENIZERS", "tokenize", "tokenizer_signature"]
