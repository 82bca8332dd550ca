# SPDX-License-Identifier: Apache-2.0
"""What drawings are made of: shapes, colours, letters, charts."""
