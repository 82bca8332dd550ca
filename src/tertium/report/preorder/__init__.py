# SPDX-License-Identifier: Apache-2.0
"""Preordering explained: diagrams of reordered sentences, and pages."""
