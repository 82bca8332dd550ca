# SPDX-License-Identifier: Apache-2.0
"""Predicted and human error spans over each other."""
