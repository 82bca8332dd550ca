# SPDX-License-Identifier: Apache-2.0
"""What the log says: one line per denied request, and nobody's secrets.

Django logs a traceback with every denial, twice for some, and the path of the request,
which for invitations and personal links is a key. Whoever reads the log of a server
must not be able to sign in as others.
"""

from __future__ import annotations

import copy
import logging
import re

__all__ = ["OncePerRequest", "PlainFormatter", "unsaved"]

_LINKS = re.compile(r"(/(?:join|me)/+)[^\s'\"]+", re.IGNORECASE)
# What django.core.signing makes: data, time and signature, with colons.
_SIGNED = re.compile(r"[\w.-]{8,}:[0-9A-Za-z]{5,8}:[\w-]{20,}")
_BEARER = re.compile(r"(bearer\s+)[^\s'\"]+", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def unsaved(error: BaseException | None) -> bool:
    """Return whether the database could not write: a full disk, a lock, a lost server.

    A table that is not there is another matter: no disk helps.
    """
    from django.db import OperationalError

    if isinstance(error, OSError):
        import errno

        return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS)
    return isinstance(error, OperationalError) and "no such" not in str(error)


class OncePerRequest(logging.Filter):
    """Drops what is logged of a request after its first line."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a line is the first one of its request."""
        request = getattr(record, "request", None)
        if request is None:
            return True
        first = not getattr(request, "tertium_logged", False)
        request.tertium_logged = True
        return first


class PlainFormatter(logging.Formatter):
    """Writes a line without secrets; a traceback only where a program failed."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of a record."""
        plain = copy.copy(record)
        plain.msg, plain.args = _one_line(record.getMessage()), ()
        error = record.exc_info[1] if record.exc_info else None
        denied = getattr(record, "status_code", 500) < 500
        if denied or unsaved(error):
            plain.exc_info = plain.exc_text = plain.stack_info = None
            if error is not None and not denied:
                plain.msg += _one_line(f" ({error})")
        else:
            plain.exc_text = None  # made anew: another handler's is not ours
        return _without_secrets(super().format(plain))


def _one_line(text: str) -> str:
    return _CONTROL.sub(lambda match: f"\\x{ord(match[0]):02x}", text)


def _without_secrets(text: str) -> str:
    for pattern in (_LINKS, _BEARER):
        text = pattern.sub(r"\1[hidden]", text)
    return _SIGNED.sub("[hidden]", text)
