# SPDX-License-Identifier: Apache-2.0
"""What stored judgements say of systems that nobody judged."""
