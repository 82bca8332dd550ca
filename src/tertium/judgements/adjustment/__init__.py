# SPDX-License-Identifier: Apache-2.0
"""Ratings freed from the habits of judges, and scales made comparable."""
