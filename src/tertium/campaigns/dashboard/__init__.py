# SPDX-License-Identifier: Apache-2.0
"""What managers see and do: figures, charts, labels, actions."""
