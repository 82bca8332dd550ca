# SPDX-License-Identifier: Apache-2.0
"""The production server: Waitress, pure Python, threads."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any

from tertium.errors import InputError

__all__ = ["listen", "serve"]

_LARGEST = (
    34_000_000  # bytes of a request, kept on disk before anybody is asked who sent it
)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; port 0 takes any that is free.

    Raises
    ------
    InputError
        When the port is taken or not ours to take.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    # On POSIX, a port that was just left can be taken again; on Windows the same option
    # would let two servers share it.
    if os.name != "nt":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host, port))
    except OSError as error:
        sock.close()
        message = f"cannot listen on {host}:{port}: {error.strerror}"
        raise InputError(f"{message}; choose another port", options=("port",)) from None
    return sock


def serve(
    sock: socket.socket,
    *,
    ready: Callable[[], None],
    threads: int = 8,
    https: bool = False,
    proxy: str | None = None,
) -> None:
    """Answer requests until interrupted.

    Parameters
    ----------
    ready : callable
        Called when the first request can come.
    https : bool
        Whether a proxy in front speaks TLS; its headers are then believed.
    proxy : str, optional
        The address that the proxy calls from; by default this machine's own. From
        anybody else ``X-Forwarded-For`` is a lie, and dropped.
    """
    from waitress.server import create_server

    from tertium.campaigns.site.wsgi import application

    local = "::1" if sock.family == socket.AF_INET6 else "127.0.0.1"
    believed: dict[str, Any] = {}
    if https:
        believed["trusted_proxy"] = proxy or local
        believed["trusted_proxy_count"] = 1
        believed["trusted_proxy_headers"] = "x-forwarded-for x-forwarded-proto"
    server = create_server(
        application,
        sockets=[sock],
        threads=threads,
        ident=None,  # nobody needs to know what answers
        connection_limit=1000,
        clear_untrusted_proxy_headers=True,
        max_request_body_size=_LARGEST,
        **believed,
    )
    ready()
    try:
        server.run()
    finally:
        server.close()
