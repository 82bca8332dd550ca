# SPDX-License-Identifier: Apache-2.0
"""Finite sets of sentences as automata: made from expressions, read from files."""
