# SPDX-License-Identifier: Apache-2.0
"""The version, apart so that reading it imports nothing else."""

__version__ = "0.2.0"

#: The year of this version, for citations.
__year__ = "2026"
