# SPDX-License-Identifier: Apache-2.0
"""A log-linear bracketing transduction grammar (BTG) over source words."""
