# SPDX-License-Identifier: Apache-2.0
"""What each judge did: amount, speed, consistency, checks, background."""
