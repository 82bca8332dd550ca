# SPDX-License-Identifier: Apache-2.0
"""What rankings need beyond the core install."""

from __future__ import annotations

from tertium.errors import MissingExtraError

__all__ = ["need_scipy"]


def need_scipy() -> None:
    """Say how to install SciPy where it is missing."""
    try:
        import scipy  # noqa: F401
    except ImportError:
        raise MissingExtraError("ranking systems", extra="meta") from None
