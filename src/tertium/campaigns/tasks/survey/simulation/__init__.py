# SPDX-License-Identifier: Apache-2.0
"""A survey answered by simulated judges whose habits are known."""
