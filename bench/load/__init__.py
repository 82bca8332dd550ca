# SPDX-License-Identifier: Apache-2.0
"""The annotation server under many people and many items."""
