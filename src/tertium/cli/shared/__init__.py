# SPDX-License-Identifier: Apache-2.0
"""What verbs share: their options, the terminal, tables."""
