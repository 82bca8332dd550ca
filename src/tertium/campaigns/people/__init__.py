# SPDX-License-Identifier: Apache-2.0
"""Who takes part: accounts, invitations, limits on guessing."""
