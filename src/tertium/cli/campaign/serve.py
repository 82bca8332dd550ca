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

from tertium.campaigns.site.addresses import PORT, bracketed, host_names, served_url
from tertium.cli.campaign import database
from tertium.cli.campaign.links import LinkAddress, dashboard_lines, link_line
from tertium.cli.campaign.simulate import (
    Simulation,
    add_simulation,
    check_unused,
    simulate,
)
from tertium.cli.shared import flags
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.values import Remarks, frozen, parse
from tertium.errors import InputError

__all__ = ["demo", "serve"]

_SERVE = """\
Run the server: Waitress, which is made for production. It serves only this machine
unless --host says otherwise. Behind a proxy that speaks TLS give --https, and with
--hosts the names that people type. Ctrl-C stops it; everything people did is saved.
"""
_SERVE_EXAMPLES = """\
  tertium campaign serve
  tertium campaign serve --host 0.0.0.0 --hosts mt.example.org --https
  TERTIUM_DATABASE=postgresql://me@db/mt gunicorn \\
      tertium.campaigns.site.wsgi            another WSGI server
"""
_DEMO = """\
Run a ready campaign on bundled data, and print a link for an annotator and one for
the manager. Everything is kept in one folder; delete it to start over.

With --simulate, the word-order survey is answered by judges whose habits are known:
how severe they are, what each damaged word costs, how noisy they are. They go through
the same steps as people, into the same database. The answers are then exported,
adjusted for judges and correlated with metrics of word order; a page has all tables
and figures, and known effects beside their estimates. The same seed gives the same
answers.
"""
_DEMO_EXAMPLES = """\
  tertium campaign demo
  tertium campaign demo --task survey --port 8080
  tertium campaign demo --task survey --simulate 36
  tertium campaign demo --task survey --simulate 36 --seed 7 --folder study \
      --references de-en.tsv -p spacy --model en_core_web_sm
"""


class Address(LinkAddress, Remarks):
    """Where the server listens."""

    host: str
    threads: int


@frozen
class ServeOptions(Address, database.Database):
    """The options of ``serve``."""

    hosts: str | None
    https: bool
    proxy: str | None


@frozen
class DemoOptions(Address, Simulation):
    """The options of ``demo``."""


def serve(argv: Sequence[str]) -> int:
    """Run the server until interrupted."""
    parser = flags.parser("campaign serve", _SERVE, _SERVE_EXAMPLES)
    _add_address(parser)
    parser.add_argument(
        "--hosts", metavar="NAMES", help="names that people type, separated by commas"
    )
    flags.add_switch(parser, "--https", help="a proxy in front speaks TLS")
    parser.add_argument(
        "--proxy",
        metavar="ADDRESS",
        help="where the proxy calls from; only its headers are trusted (default: "
        "$TERTIUM_PROXY, or this machine)",
    )
    database.add_database(parser)
    options = parse(parser, argv, ServeOptions)
    if options.proxy and not options.https:
        message = "--proxy needs --https; without it no proxy header is trusted"
        raise InputError(message)
    hosts = options.hosts or os.environ.get("TERTIUM_HOSTS")
    answered = hosts or host_names(options.url, host=options.host)
    database.start(options, hosts=answered, https=options.https)
    from django.contrib.sessions.backends.db import SessionStore

    SessionStore.clear_expired()
    proxy = options.proxy or os.environ.get("TERTIUM_PROXY")
    return _run(options, dashboard_lines, hosts=hosts, https=options.https, proxy=proxy)


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
        "from the host and the port)",
    )
    parser.add_argument(
        "--threads",
        type=flags.number(1, 256),
        default=8,
        help="(default: %(default)s)",
    )


def _run(
    options: Address,
    lines: Callable[[str], str],
    *,
    hosts: str | None = None,
    https: bool = False,
    proxy: str | None = None,
) -> int:
    """Serve until interrupted; `lines` makes what is printed first for an address."""
    from tertium.campaigns.site.serving import listen
    from tertium.campaigns.site.serving import serve as run

    sock = listen(options.host, options.port)
    port = sock.getsockname()[1]
    here = f"http://{bracketed(options.host)}:{port}"
    url = served_url(
        options.url, host=options.host, port=port, hosts=hosts, https=https
    )

    def ready() -> None:
        known = "" if url == here else f", reached at {url}"
        sys.stdout.write(f"{lines(url)}serving {here}{known} (Ctrl-C stops)\n")
        sys.stdout.flush()

    def stop(number: int, frame: object) -> None:  # noqa: ARG001 - a signal's
        raise KeyboardInterrupt

    # As service managers stop it: requests at work are answered first.
    signal.signal(signal.SIGTERM, stop)
    with suppress(KeyboardInterrupt):
        run(sock, threads=options.threads, https=https, proxy=proxy, ready=ready)
    remark(options, "stopped; everything is saved")
    return 0


def demo(argv: Sequence[str]) -> int:
    """Make a campaign of bundled data, and serve it."""
    from tertium.campaigns.tasks.names import TASKS

    parser = flags.parser("campaign demo", _DEMO, _DEMO_EXAMPLES)
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
    add_simulation(parser)
    options = parse(parser, argv, DemoOptions)
    if options.simulate is not None:
        return simulate(options, options.simulate)
    check_unused(options)
    from tertium.campaigns.site.setup import need_django

    need_django()
    from tertium.campaigns.creating import create_demo

    path = create_demo(options.folder, options.task)
    place = database.Database(
        quiet=options.quiet,
        database=str(Path(options.folder) / "campaigns.sqlite3"),
        secret_file=None,
    )
    hosts = os.environ.get("TERTIUM_HOSTS")
    database.start(place, hosts=hosts or host_names(options.url, host=options.host))
    from tertium.campaigns.config import read_config
    from tertium.campaigns.loading import load

    campaign = load(read_config(path)).campaign

    def links(url: str) -> str:
        people = (("annotator", None), ("manager", 1))
        return "".join(link_line(campaign, role, url, most=n) for role, n in people)

    return _run(options, links)
