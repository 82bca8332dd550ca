# SPDX-License-Identifier: Apache-2.0
"""Reports on systems: scores, comparisons, rankings."""
