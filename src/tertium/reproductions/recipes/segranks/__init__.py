# SPDX-License-Identifier: Apache-2.0
"""Macháček 2014: measures of machine translation quality."""
