# SPDX-License-Identifier: Apache-2.0
"""TOML files, on every Python that Tertium runs on."""

from __future__ import annotations

import sys
from typing import Any

from tertium.errors import FormatError

__all__ = ["read_toml"]


def read_toml(path: str) -> dict[str, Any]:
    """Return the content of a TOML file.

    Raises
    ------
    FormatError
        When there is no such file, or it is not TOML.
    """
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    try:
        with open(path, encoding="utf-8-sig") as stream:
            return dict(tomllib.loads(stream.read()))
    except OSError as error:
        message = f"cannot be read ({error.strerror}); check the path"
        raise FormatError(message, path=path) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        message = f"not TOML ({error}); correct it"
        raise FormatError(message, path=path) from None
