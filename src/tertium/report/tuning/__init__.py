# SPDX-License-Identifier: Apache-2.0
"""Pages on tuning."""
