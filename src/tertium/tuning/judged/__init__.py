# SPDX-License-Identifier: Apache-2.0
"""Metrics that read stored rankings of segments (Macháček 2014, sections 3.2, 3.3)."""
