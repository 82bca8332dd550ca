# SPDX-License-Identifier: Apache-2.0
"""Tuning with a decoder in the loop: decode, merge the lists, tune, decode again."""
