# SPDX-License-Identifier: Apache-2.0
"""Steps from one form of the database to the next."""
