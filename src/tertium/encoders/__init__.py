# SPDX-License-Identifier: Apache-2.0
"""Contextual vectors of word pieces by a BERT or ONNX model, on a CPU, offline."""

from __future__ import annotations

__all__: list[str] = []
