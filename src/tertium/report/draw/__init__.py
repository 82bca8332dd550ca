# SPDX-License-Identifier: Apache-2.0
"""What diagrams are made of: shapes, colours, letters, charts."""
