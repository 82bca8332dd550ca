# SPDX-License-Identifier: Apache-2.0
"""Judgements of parts of segments: who wrote them, what they say of sentences."""
