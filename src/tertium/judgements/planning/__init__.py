# SPDX-License-Identifier: Apache-2.0
"""How many judgements are enough, and which ones to ask for next."""
