# SPDX-License-Identifier: Apache-2.0
"""The file of one entry: a header that detects damage, then the value.

The checksum covers the kind and the key too, so that an entry under another name is
noticed like a damaged one.
"""

from __future__ import annotations

import struct
from hashlib import blake2b

__all__ = ["HEADER", "pack", "unpack"]

_MAGIC = b"tertium\x01"  # the last byte is the version of this layout
_HEADER = struct.Struct("<8sQ32s")

#: The bytes before the value.
HEADER = _HEADER.size


def pack(kind: str, key: bytes, value: bytes) -> bytes:
    """Return the content of an entry's file."""
    return _HEADER.pack(_MAGIC, len(value), _checksum(kind, key, value)) + value


def unpack(kind: str, key: bytes, content: bytes) -> bytes | None:
    """Return the value of an entry, None if its file is damaged or another's.

    Examples
    --------
    >>> content = pack("rows", b"key", b"value")
    >>> unpack("rows", b"key", content), unpack("rows", b"other", content)
    (b'value', None)
    """
    if len(content) < HEADER:
        return None
    magic, length, checksum = _HEADER.unpack_from(content)
    value = content[HEADER:]
    if magic != _MAGIC or length != len(value):
        return None
    return value if checksum == _checksum(kind, key, value) else None


def _checksum(kind: str, key: bytes, value: bytes) -> bytes:
    name = kind.encode()
    whole = blake2b(struct.pack("<QQ", len(name), len(key)), digest_size=32)
    for part in (name, key, value):
        whole.update(part)
    return whole.digest()
