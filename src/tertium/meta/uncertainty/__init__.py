# SPDX-License-Identifier: Apache-2.0
"""How certain an agreement is, and whether two metrics differ: resampling and tests."""
