# SPDX-License-Identifier: Apache-2.0
"""Who is asking: a program with a token, or a manager's or observer's browser."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest

from tertium.campaigns.api.replies import ApiError
from tertium.campaigns.api.tokens import ForgedTokenError, TokenError, read_token
from tertium.campaigns.models import Campaign, Person, Role
from tertium.campaigns.people.limits import WINDOW, Attempts

__all__ = ["Caller", "caller_of", "callers"]

_BEARER = {"WWW-Authenticate": 'Bearer realm="tertium"'}


@dataclass(frozen=True)
class Caller:
    """Somebody in a campaign, as the API sees them.

    Parameters
    ----------
    actor : str
        For the log: a pseudonym, or the short name of a token.
    token : bool
        Whether they showed a token; cookies change nothing.
    """

    campaign: Campaign
    role: str
    actor: str
    token: bool

    @property
    def is_manager(self) -> bool:
        """Whether they may see systems, and change things."""
        return self.role == Role.MANAGER


def callers(request: HttpRequest) -> list[Caller]:
    """Return whoever is asking, once for every campaign of theirs.

    Raises
    ------
    ApiError
        When nobody signed in, or the token is invalid.
    """
    header = request.headers.get("Authorization")
    if header is not None:
        return [_by_token(request, header)]
    if not isinstance(request.user, Person):
        message = (
            "who is asking? send Authorization: Bearer TOKEN; a manager makes one "
            "with `tertium campaign token`"
        )
        raise ApiError(401, message, headers=_BEARER)
    return [
        Caller(member.campaign, member.role, member.code, token=False)
        for member in request.user.memberships.select_related("campaign").order_by(
            "campaign__name"
        )
    ]


def _by_token(request: HttpRequest, header: str) -> Caller:
    scheme, _, text = header.partition(" ")
    try:
        if scheme.lower() != "bearer":
            message = "only Bearer tokens are known; send Authorization: Bearer TOKEN"
            raise TokenError(message)
        token = read_token(text.strip())
    except ForgedTokenError as error:
        attempts = Attempts(request)
        if attempts.too_many():
            message = "too many bad tokens from here; wait 15 minutes"
            wait = {"Retry-After": str(int(WINDOW.total_seconds()))}
            raise ApiError(429, message, headers=wait) from None
        attempts.note()
        raise ApiError(401, str(error), headers=_BEARER) from None
    except TokenError as error:
        raise ApiError(401, str(error), headers=_BEARER) from None
    return Caller(token.campaign, token.role, f"api:{token.short}", token=True)


def caller_of(
    request: HttpRequest, name: str, *, manager: bool = False, write: bool = False
) -> Caller:
    """Return who is asking, in a campaign.

    Parameters
    ----------
    manager : bool
        Whether only managers may.
    write : bool
        Whether something changes: for managers with a token.

    Raises
    ------
    ApiError
        401 without a token, 403 without the role; 404 for a campaign of others,
        which looks like one that is not there.
    """
    for caller in callers(request):
        if caller.campaign.name == name:
            break
    else:
        raise ApiError(
            404, "no such campaign, or none of yours; list /api/v1/campaigns"
        )
    allowed = (Role.MANAGER,) if manager or write else (Role.MANAGER, Role.OBSERVER)
    if caller.role not in allowed:
        who = " and ".join(f"{role}s" for role in allowed)
        raise ApiError(403, f"this is for {who}; ask for a token with that role")
    if write and not caller.token:
        message = "changes need a token, not a cookie; send Authorization: Bearer TOKEN"
        raise ApiError(401, message, headers=_BEARER)
    return caller
