# SPDX-License-Identifier: Apache-2.0
"""Reports: explanations of segments, systems, metrics, error analysis."""
