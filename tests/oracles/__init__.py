# SPDX-License-Identifier: Apache-2.0
"""Slow, obvious twins of the kernels: one file a family, no tricks."""
