# SPDX-License-Identifier: Apache-2.0
"""Formats of n-best lists, one file per format."""
