# SPDX-License-Identifier: Apache-2.0
"""Benchmarks against named peers: same run, same text, ratios."""
