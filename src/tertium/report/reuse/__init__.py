# SPDX-License-Identifier: Apache-2.0
"""Reports on systems that are scored from stored judgements."""
