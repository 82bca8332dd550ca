# SPDX-License-Identifier: Apache-2.0
"""What helps: trained metrics and word order, measured on WMT data."""
