# SPDX-License-Identifier: Apache-2.0
"""Stanojević and Sima'an 2014: word order over permutation forests."""
