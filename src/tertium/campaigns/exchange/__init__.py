# SPDX-License-Identifier: Apache-2.0
"""Judgements out of a campaign and into it: formats, tables, downloads."""
