# SPDX-License-Identifier: Apache-2.0
"""N-best lists at work: choosing the best hypothesis, tuning weights of a decoder."""
