# SPDX-License-Identifier: Apache-2.0
"""Who gets which item, and what becomes of the answer."""
