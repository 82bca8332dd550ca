# SPDX-License-Identifier: Apache-2.0
"""Evaluation of unjudged systems from stored judgements."""
