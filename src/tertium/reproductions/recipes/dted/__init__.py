# SPDX-License-Identifier: Apache-2.0
"""McCaffery 2017: structure in the evaluation of word order."""
