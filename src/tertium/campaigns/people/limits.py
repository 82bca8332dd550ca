# SPDX-License-Identifier: Apache-2.0
"""How often somebody may guess: passwords, personal links, tokens; and join.

Failures of the last 15 minutes are counted three ways:

* by name and address together, 10: a person who mistypes, and whoever tries their
  password from one place;
* by address, 50: a class behind one address does not lock itself out, and a guesser
  gets nowhere;
* by name, 100: guesses from many addresses. One address alone never gets there, so
  a bad neighbour cannot lock anybody out.

Personal links and tokens are too long to be guessed. A good one is let in whatever
others at the same address try; bad ones are slowed down.

Joining is not a failure, but a program could make accounts for ever: an address has 200
in 15 minutes, which lets a lecture hall in.

Kept are keyed hashes: neither names nor addresses.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta
from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from tertium.campaigns.models import Attempt

__all__ = ["WINDOW", "Attempts"]

#: How long a failure counts.
WINDOW = timedelta(minutes=15)
_BOTH, _ADDRESS, _NAME, _JOIN = 10, 50, 100, 200


class Attempts:
    """The failures of whoever is asking.

    Parameters
    ----------
    request : HttpRequest
    name : str, optional
        Whose password is tried; links and tokens have no name.
    joining : bool
        They join by an invitation, which is counted apart.
    """

    def __init__(
        self, request: HttpRequest, name: str | None = None, *, joining: bool = False
    ) -> None:
        address = _network(str(request.META.get("REMOTE_ADDR", "")))
        self.limits = {_hash("address", address): _ADDRESS}
        if joining:
            self.limits = {_hash("join", address): _JOIN}
        if name is not None:
            name = name.casefold()
            self.limits[_hash("name", name)] = _NAME
            self.limits[_hash("both", f"{address} {name}")] = _BOTH
        self.noted: list[int] = []

    def too_many(self) -> bool:
        """Return whether there were too many failures to go on."""
        since = timezone.now() - WINDOW
        return any(
            Attempt.objects.filter(key=key, time__gte=since).count() >= most
            for key, most in self.limits.items()
        )

    def note(self) -> None:
        """Count a failure; before it is one, so that guesses side by side count."""
        Attempt.objects.filter(time__lt=timezone.now() - WINDOW).delete()
        self.noted = [Attempt.objects.create(key=key).pk for key in self.limits]

    def forgive(self) -> None:
        """Take back an attempt that was not a failure."""
        Attempt.objects.filter(pk__in=self.noted).delete()


def _network(address: str) -> str:
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if isinstance(ip, IPv6Address):
        # A home has 2^64 addresses of IPv6: they are one.
        return str(ip.ipv4_mapped or ip_network((ip, 64), strict=False))
    return str(ip)


def _hash(kind: str, text: str) -> str:
    key = str(settings.SECRET_KEY).encode()
    content = f"{kind}:{text}".encode()
    return hmac.new(key, content, hashlib.sha256).hexdigest()
