# SPDX-License-Identifier: Apache-2.0
"""How far judges agree on error spans."""
