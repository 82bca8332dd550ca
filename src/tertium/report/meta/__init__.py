# SPDX-License-Identifier: Apache-2.0
"""Reports on metrics and human judgements."""
