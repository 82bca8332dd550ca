# SPDX-License-Identifier: Apache-2.0
"""Tokenisers, function words and other resources for texts."""

from __future__ import annotations

from tertium.text.tokenizers import (
    NATIVE_TOKENIZERS,
    TOKENIZERS,
    tokenize,
    tokenizer_signature,
)

__all__ = ["NATIVE_TOKENIZERS", "TOKENIZERS", "tokenize", "tokenizer_signature"]
