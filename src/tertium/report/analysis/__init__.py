# SPDX-License-Identifier: Apache-2.0
"""Pages on what systems do differently; see :mod:`tertium.analysis`."""
