# SPDX-License-Identifier: Apache-2.0
"""Parsing with the reordering grammar, and orders of least risk for any model."""
