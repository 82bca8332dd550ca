# SPDX-License-Identifier: Apache-2.0
"""Features of a text and its reference, in blocks that are computed together.

One file a kind of block; :mod:`~tertium.learn.features.blocks` has what they share.
"""

from __future__ import annotations

from tertium.learn.features.blocks import Block, Resources, block

__all__ = ["Block", "Resources", "block"]
