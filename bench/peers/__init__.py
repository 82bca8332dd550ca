# SPDX-License-Identifier: Apache-2.0
"""Speed and memory beside named peers: ratios of one run."""
