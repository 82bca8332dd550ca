# SPDX-License-Identifier: Apache-2.0
"""Where people reach the server: the addresses in links, and the names it answers to.

This file needs no Django.
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from tertium.errors import InputError

__all__ = ["PORT", "bracketed", "host_names", "public_url", "served_url"]

#: The port on which the server listens by default.
PORT = 8000
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - looked for, not listened on
_LOCAL = "localhost,127.0.0.1,[::1]"


def public_url(url: str | None = None, *, port: int = PORT) -> str:
    """Return the address that links begin with, without a slash at the end.

    Parameters
    ----------
    url : str, optional
        By default ``TERTIUM_URL``, or this machine with the port.
    port : int

    Raises
    ------
    InputError
        When it is not a web address.

    Examples
    --------
    >>> public_url("https://mt.example.org/")
    'https://mt.example.org'
    """
    return _configured(url) or f"http://127.0.0.1:{port}"


def _configured(url: str | None) -> str:
    """Return the address from the argument or the environment; empty if neither."""
    address = url or os.environ.get("TERTIUM_URL", "")
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:  # half an IPv6 address
        usable = False
    if not usable:
        message = f"{address!r} is not the address of a server"
        raise InputError(f"{message}; give one such as https://mt.example.org")
    return address.rstrip("/")


def served_url(
    url: str | None = None,
    *,
    host: str,
    port: int,
    hosts: str | None = None,
    https: bool = False,
) -> str:
    """Return where people reach a server that listens on this machine.

    Parameters
    ----------
    url : str, optional
        By default ``TERTIUM_URL``, or an address made of the other arguments.
    host : str
        The address listened on.
    port : int
    hosts : str, optional
        The host names that people type, separated by commas; the first one is used.
    https : bool
        Whether a proxy in front speaks TLS, on the usual port.

    Examples
    --------
    >>> served_url(host="0.0.0.0", port=8000, hosts="mt.example.org", https=True)
    'https://mt.example.org'
    """
    if address := _configured(url):
        return address
    named = [name for name in (hosts or "").split(",") if name.strip("*. ")]
    local = "127.0.0.1" if host in _EVERYWHERE else bracketed(host)
    name = named[0].lstrip("*.") if named else local
    return f"https://{name}" if https else f"http://{name}:{port}"


def host_names(url: str | None = None, *, host: str) -> str:
    """Return the host names that the server answers to, unless they are listed.

    They are those of this machine, of the address listened on, and of the links.

    Examples
    --------
    >>> host_names("https://mt.example.org", host="0.0.0.0")
    'localhost,127.0.0.1,[::1],mt.example.org'
    """
    names = _LOCAL.split(",")
    if host not in _EVERYWHERE:
        names.append(bracketed(host))
    if address := _configured(url):
        names.append(bracketed(urlsplit(address).hostname or ""))
    return ",".join(dict.fromkeys(names))


def bracketed(host: str) -> str:
    """Return a host as it stands in an address: IPv6 has brackets."""
    return f"[{host}]" if ":" in host else host
