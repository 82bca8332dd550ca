# SPDX-License-Identifier: Apache-2.0
"""BERT and BERTScore, written from the papers in double precision."""

from __future__ import annotations

import math

import numpy as np

__all__ = ["best_cosines", "layers"]


def layers(weights, ids, *, count, heads, epsilon):
    """Return the states of one text after every layer, the embeddings first."""
    weights = {name: np.asarray(w, np.float64) for name, w in weights.items()}

    def linear(x, name):
        return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]

    def norm(x, name):
        mean = x.mean(axis=1, keepdims=True)
        spread = np.sqrt(((x - mean) ** 2).mean(axis=1, keepdims=True) + epsilon)
        return (x - mean) / spread * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = norm(
        x + weights["embeddings.token_type_embeddings.weight"][0],
        "embeddings.LayerNorm",
    )
    out = [x]
    for i in range(count):
        at = f"encoder.layer.{i}"
        query, key, value = (
            np.split(linear(x, f"{at}.attention.self.{name}"), heads, axis=1)
            for name in ("query", "key", "value")
        )
        parts = []
        for q, k, v in zip(query, key, value, strict=True):
            scores = np.exp(q @ k.T / math.sqrt(q.shape[1]))
            parts.append(scores / scores.sum(axis=1, keepdims=True) @ v)
        attended = linear(np.hstack(parts), f"{at}.attention.output.dense")
        x = norm(x + attended, f"{at}.attention.output.LayerNorm")
        hidden = linear(x, f"{at}.intermediate.dense")
        hidden = np.array(
            [
                [0.5 * h * (1 + math.erf(h / math.sqrt(2))) for h in row]
                for row in hidden
            ]
        )
        x = norm(x + linear(hidden, f"{at}.output.dense"), f"{at}.output.LayerNorm")
        out.append(x)
    return out


def best_cosines(hyp, ref, hyp_weights, ref_weights):
    """Return P and R: the weighted means of every piece's best cosine, at least 0."""

    def cosine(a, b):
        return float(a @ b / math.sqrt((a @ a) * (b @ b)))

    def side(left, right, weights):
        best = [max(0.0, *(cosine(a, b) for b in right)) for a in left]
        total = sum(w * b for w, b in zip(weights, best, strict=True))
        return total / sum(weights)

    return side(hyp, ref, hyp_weights), side(ref, hyp, ref_weights)
