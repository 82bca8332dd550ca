# SPDX-License-Identifier: Apache-2.0
"""Files of metrics tasks: mt-metrics-eval, scores of metrics, result files."""
