# SPDX-License-Identifier: Apache-2.0
"""Keys: hashes of all that a result depends on.

Every value is framed by its type and length, so that different values never have the
same bytes.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from hashlib import blake2b
from itertools import chain

from tertium.data.annotated import Annotated

__all__ = [
    "NoKeyError",
    "digest",
    "encode",
    "has_layers",
    "segment_digests",
    "text_digest",
]

_SEGMENT = 16  # bytes of the digest of a segment
_KEY = 32  # bytes of a key


class NoKeyError(TypeError):
    """A value has no key, so nothing that depends on it is cached."""


def digest(*values: object) -> bytes:
    """Return the key of values.

    Raises
    ------
    NoKeyError
        If a value is not made of texts, numbers, sequences, mappings, sets, arrays and
        dataclasses.

    Examples
    --------
    >>> digest("ab", "c") == digest("a", "bc"), digest([1]) == digest([True])
    (False, False)
    """
    return blake2b(encode(values), digest_size=_KEY).digest()


def encode(value: object) -> bytes:
    """Return bytes that no other value has; see :func:`digest`."""
    if isinstance(value, Annotated):
        return _framed(b"A", _bytes(value), encode(value.layers))
    if isinstance(value, str):
        return _framed(b"s", _bytes(value))
    if isinstance(value, (bytes, bytearray)):
        return _framed(b"y", bytes(value))
    if value is None or isinstance(value, bool):
        return _framed(b"c", repr(value).encode())
    if isinstance(value, int):
        return _framed(b"i", b"%d" % value)
    if isinstance(value, float):
        return _framed(b"f", struct.pack("<d", value))
    if isinstance(value, Mapping):
        items = sorted((encode(key), encode(item)) for key, item in value.items())
        return _framed(b"m", *(part for item in items for part in item))
    if isinstance(value, Set):
        return _framed(b"S", *sorted(map(encode, value)))
    if isinstance(value, Sequence):
        return _framed(b"l", *map(encode, value))
    if is_dataclass(value) and not isinstance(value, type):
        kind = f"{type(value).__module__}.{type(value).__qualname__}".encode()
        parts = (encode(getattr(value, field.name)) for field in fields(value))
        return _framed(b"d", kind, *parts)
    array = getattr(value, "__array_interface__", None)
    if isinstance(array, dict) and not value.dtype.hasobject:  # type: ignore[attr-defined]
        facts = encode((array["typestr"], tuple(array["shape"])))
        return _framed(b"a", facts, value.tobytes())  # type: ignore[attr-defined]
    raise NoKeyError(f"{type(value).__name__} has no key")


def segment_digests(
    systems: Sequence[Sequence[str]],
    references: Sequence[Sequence[str]],
    *,
    context: Sequence[Sequence[str]] | None = None,
) -> tuple[list[bytes], list[list[bytes]]]:
    """Return digests of segments: of their references, and of outputs with these.

    An output's row may depend on whether outputs of *other* systems bring layers, since
    all outputs of a segment are cut into words alike; so the names of layers belong to
    every digest of the segment.

    Parameters
    ----------
    systems : sequence of sequences of str
        The outputs of every system.
    references : sequence of sequences of str
        The references of every segment.
    context : sequence of sequences of str, optional
        What else of every segment is read, such as its source.

    Raises
    ------
    NoKeyError
        If a text brings a layer that has no key.
    """
    shared = [
        blake2b(_joined(refs), digest_size=_SEGMENT).digest() for refs in references
    ]
    if context is not None:
        shared = [
            blake2b(
                refs + encode(read), digest_size=_SEGMENT, person=b"context"
            ).digest()
            for refs, read in zip(shared, context, strict=True)
        ]
    if not has_layers(systems):
        return shared, [_with(hyps, shared) for hyps in systems]
    names = [_layer_names(hyps) for hyps in zip(*systems, strict=True)]
    marked = [
        blake2b(refs + mark, digest_size=_SEGMENT, person=b"layers").digest()
        for refs, mark in zip(shared, names, strict=True)
    ]
    return shared, [_with(hyps, marked) for hyps in systems]


def has_layers(systems: Sequence[Sequence[str]]) -> bool:
    """Tell whether any output brings a layer."""
    # Most are plain texts, which is seen from their types alone.
    kinds = set(chain.from_iterable(map(type, texts) for texts in systems))
    return any(issubclass(kind, Annotated) for kind in kinds)


def text_digest(texts: Iterable[str | Sequence[str]]) -> bytes:
    """Return the digest of a long list of texts, or of references, with layers."""
    whole = blake2b(digest_size=_KEY)
    for refs in texts:
        whole.update(encode((refs,) if isinstance(refs, str) else tuple(refs)))
    return whole.digest()


def _with(hyps: Sequence[str], shared: Sequence[bytes]) -> list[bytes]:
    """Return digests of outputs, each with the digest of what they share."""
    return [
        blake2b(
            refs + (encode(hyp) if isinstance(hyp, Annotated) else _bytes(hyp)),
            digest_size=_SEGMENT,
            person=b"annotated" if isinstance(hyp, Annotated) else b"plain",
        ).digest()
        for hyp, refs in zip(hyps, shared, strict=True)
    ]


def _layer_names(hyps: Sequence[str]) -> bytes:
    return encode(
        sorted({n for hyp in hyps if isinstance(hyp, Annotated) for n in hyp.layers})
    )


def _joined(texts: Sequence[str]) -> bytes:
    return b"".join(map(encode, texts))


def _framed(tag: bytes, *parts: bytes) -> bytes:
    head = struct.pack("<cQ", tag, len(parts))
    return head + b"".join(struct.pack("<Q", len(part)) + part for part in parts)


def _bytes(text: str) -> bytes:
    # Halves of surrogate pairs are an error of every metric, but not of a key.
    return str.encode(text, "utf-8", "surrogatepass")
