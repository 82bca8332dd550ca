# SPDX-License-Identifier: Apache-2.0
"""``tertium campaign serve`` and ``demo``."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from tertium._files import replace_file
from tertium.cli.campaign.links import (
    PORT,
    board_lines,
    host_names,
    link_line,
    served_url,
)
from tertium.cli.campaign.new import make_folder
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.errors import InputError

__all__ = ["demo", "serve"]

_SERVE = """\
Run the server: Waitress, which is meant for production. Only this machine is served
unless --host says otherwise. Behind a proxy that speaks TLS give --https, and with
--hosts the names that people type. Ctrl-C stops it; every move of everybody is kept.
"""

_DEMO = """\
Run a ready campaign on bundled data, and print a link for an annotator and one for
the manager. Everything is kept in one folder; delete it to start anew.
"""


def serve(argv: Sequence[str]) -> int:
    """Run the server until interrupted."""
    from tertium.cli.campaign.verb import add_database, start

    examples = (
        "  tertium campaign serve\n"
        "  tertium campaign serve --host 0.0.0.0 --hosts mt.example.org --https\n"
        "  TERTIUM_DATABASE=postgresql://me@db/mt gunicorn \\\n"
        "      tertium.campaigns.site.wsgi            another WSGI server\n"
    )
    parser = flags.parser("campaign serve", _SERVE, examples)
    _add_address(parser)
    parser.add_argument(
        "--hosts", metavar="NAMES", help="names that people type, with commas"
    )
    parser.add_argument(
        "--https", action="store_true", help="a proxy in front speaks TLS"
    )
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help="where the proxy calls from; only its headers are believed (default: "
        "$TERTIUM_PROXY, or this machine)",
    )
    add_database(parser)
    args = parser.parse_args(argv)
    if args.proxy and not args.https:
        message = "--proxy needs --https; without it no header of a proxy is believed"
        raise InputError(message)
    names = args.hosts or os.environ.get("TERTIUM_HOSTS")
    args.hosts = names or host_names(args)
    start(args)
    from django.contrib.sessions.backends.db import SessionStore

    SessionStore.clear_expired()
    return _run(args, board_lines, names=names)


def _add_address(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", default="127.0.0.1", help="(default: %(default)s)")
    parser.add_argument(
        "--port",
        type=flags.number(0, 65535),
        default=PORT,
        help="0 takes any that is free (default: %(default)s)",
    )
    parser.add_argument(
        "--url",
        help="where people find the server, for links (default: $TERTIUM_URL, or made "
        "of the host and the port)",
    )
    parser.add_argument(
        "--threads",
        type=flags.number(1, 256),
        default=8,
        help="(default: %(default)s)",
    )


def _run(
    args: argparse.Namespace, lines: Callable[[str], str], *, names: str | None = None
) -> int:
    """Serve until interrupted.

    Parameters
    ----------
    lines : callable
        Makes what is printed first, for the address that people reach.
    names : str, optional
        The host names that people type.
    """
    from tertium.campaigns.site.serving import listen
    from tertium.campaigns.site.serving import serve as run

    sock = listen(args.host, args.port)
    host = f"[{args.host}]" if ":" in args.host else args.host
    port = sock.getsockname()[1]
    here, url = f"http://{host}:{port}", served_url(args, port, names)

    def ready() -> None:
        sys.stdout.write(lines(url))
        known = "" if url == here else f", reached at {url}"
        sys.stdout.write(f"serving {here}{known} (Ctrl-C stops)\n")
        sys.stdout.flush()

    def stop(number: int, frame: object) -> None:  # noqa: ARG001 - a signal's
        raise KeyboardInterrupt

    # As service managers stop it: what is being answered is answered first.
    signal.signal(signal.SIGTERM, stop)
    with suppress(KeyboardInterrupt):
        run(
            sock,
            threads=args.threads,
            https=getattr(args, "https", False),
            proxy=getattr(args, "proxy", None) or os.environ.get("TERTIUM_PROXY"),
            ready=ready,
        )
    remark(args, "stopped; everything is saved")
    return 0


def demo(argv: Sequence[str]) -> int:
    """Make a campaign of bundled data, and serve it."""
    from tertium.campaigns.tasks.names import TASKS
    from tertium.cli.campaign.verb import start

    examples = (
        "  tertium campaign demo\n  tertium campaign demo --task survey --port 8080\n"
    )
    parser = flags.parser("campaign demo", _DEMO, examples)
    parser.add_argument(
        "--task",
        choices=list(TASKS),
        metavar="TASK",
        default=next(iter(TASKS)),
        help=f"{', '.join(TASKS)} (default: %(default)s)",
    )
    parser.add_argument(
        "--folder", default="tertium-demo", help="(default: %(default)s)"
    )
    _add_address(parser)
    parser.add_argument("-q", "--quiet", action="store_true", help="no remarks")
    args = parser.parse_args(argv)
    folder = Path(args.folder)
    make_folder(folder / args.task)
    args.database = str(folder / "campaigns.sqlite3")
    args.secret_file = None
    args.hosts = os.environ.get("TERTIUM_HOSTS") or host_names(args)
    start(args)
    from tertium.campaigns.config import read_config
    from tertium.campaigns.loading import load
    from tertium.campaigns.tasks import get_task

    for name, text in get_task(args.task).starter_files().items():
        place = folder / args.task / name
        if not place.exists():
            with replace_file(place) as file:
                file.write(text.encode())
    campaign = load(read_config(folder / args.task / "campaign.toml")).campaign

    def links(url: str) -> str:
        return link_line(campaign, "annotator", url, most=None) + link_line(
            campaign, "manager", url, most=1
        )

    return _run(args, links)
