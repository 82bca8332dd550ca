# SPDX-License-Identifier: Apache-2.0
"""Finite sets of sentences as automata, built from expressions or read from files."""
