# SPDX-License-Identifier: Apache-2.0
"""The closest reference of a set, and the edits that lead to it."""
