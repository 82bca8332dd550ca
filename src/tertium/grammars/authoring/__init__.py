# SPDX-License-Identifier: Apache-2.0
"""Templates and their samples: finding, checking, starting and covering them."""
