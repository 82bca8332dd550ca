# SPDX-License-Identifier: Apache-2.0
"""How published tables and figures are repeated, a file per document or chapter."""
