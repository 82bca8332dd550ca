# SPDX-License-Identifier: Apache-2.0
"""Nieminen 2018: multilingual paraphrase grammars."""
