# SPDX-License-Identifier: Apache-2.0
"""Trained metrics: features of a text and its reference, weighted by human judgements.

A :class:`~tertium.learn.profile.Profile` says which features are computed, a model
(:mod:`tertium.learn.model`) weighs them, and the metric ``beer`` scores with it.
"""

from __future__ import annotations

__all__: list[str] = []
