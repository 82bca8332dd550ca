# SPDX-License-Identifier: Apache-2.0
"""Error spans: positions, matching, measures."""
