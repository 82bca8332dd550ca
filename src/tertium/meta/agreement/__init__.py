# SPDX-License-Identifier: Apache-2.0
"""How well a metric agrees with human judgements: coefficients, ties, calibration."""
