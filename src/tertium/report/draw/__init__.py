# SPDX-License-Identifier: Apache-2.0
"""Building blocks of diagrams and charts: shapes, colours, text, layout."""
