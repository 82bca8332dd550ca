# SPDX-License-Identifier: Apache-2.0
"""The light notation: many references on one line."""
