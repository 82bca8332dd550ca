# SPDX-License-Identifier: Apache-2.0
"""Published figures, recomputed beside the printed ones."""
