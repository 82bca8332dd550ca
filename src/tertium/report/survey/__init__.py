# SPDX-License-Identifier: Apache-2.0
"""The results of a word-order survey as a page."""
