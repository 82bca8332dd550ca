# SPDX-License-Identifier: Apache-2.0
"""Tokens by which programs use the API: of one campaign, with one role."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.core import signing
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from tertium.campaigns.models import ApiToken, Campaign, Event, Role
from tertium.errors import InputError

__all__ = ["ForgedTokenError", "TokenError", "new_token", "read_token", "revoke"]

_SALT = "tertium.api"
_LONGEST = 3650  # days


class TokenError(InputError):
    """A token that is expired, revoked or not one of ours."""


class ForgedTokenError(TokenError):
    """A token that was never ours: altered, cut, or a guess."""


def new_token(
    campaign: Campaign, role: Role, *, days: float = 90, actor: str = "cli"
) -> tuple[ApiToken, str]:
    """Return a new token, and the text of it, which is kept nowhere.

    Raises
    ------
    InputError
        For any role but manager and observer, or more than ten years.
    """
    if not 0 < days <= _LONGEST:
        message = f"days must be above 0 and at most {_LONGEST}"
        raise InputError(message, options=("days",))
    if role not in (Role.MANAGER, Role.OBSERVER):
        message = f"no tokens for {role}s; give manager or observer"
        raise InputError(message)
    expires = timezone.now() + timedelta(days=days)
    made = ApiToken.objects.create(campaign=campaign, role=role, expires=expires)
    detail = {"token": made.short, "role": str(role)}
    Event.objects.create(
        campaign=campaign, actor=actor, action="new-token", detail=detail
    )
    return made, signing.dumps({"t": made.id.hex, "r": made.role}, salt=_SALT)


def read_token(text: str, *, now: datetime | None = None) -> ApiToken:
    """Return the token that a text stands for.

    Raises
    ------
    ForgedTokenError
        When it is not signed by this server.
    TokenError
        When it expired or was revoked.
    """
    try:
        payload = signing.loads(text, salt=_SALT)
        key, role = UUID(hex=payload["t"]), str(payload["r"])
    except (signing.BadSignature, KeyError, TypeError, ValueError, AttributeError):
        message = "this token is not complete; copy all of it"
        raise ForgedTokenError(message) from None
    token = ApiToken.objects.select_related("campaign").filter(pk=key).first()
    if token is None or token.revoked or not constant_time_compare(token.role, role):
        message = "this token was revoked; make one with `tertium campaign token`"
        raise TokenError(message)
    if token.expires < (now or timezone.now()):
        message = "this token has expired; make one with `tertium campaign token`"
        raise TokenError(message)
    return token


def revoke(campaign: Campaign, short: str, *, actor: str = "cli") -> ApiToken:
    """Make a token void, by its short name.

    Raises
    ------
    InputError
        When the campaign has no such token.
    """
    for token in campaign.tokens.filter(revoked=False):
        if token.short == short:
            token.revoked = True
            token.save(update_fields=["revoked"])
            detail = {"token": token.short}
            Event.objects.create(
                campaign=campaign, actor=actor, action="revoke-token", detail=detail
            )
            return token
    message = (
        f"campaign {campaign.name!r} has no token {short!r}; look at "
        f"`tertium campaign token {campaign.name} --list`"
    )
    raise InputError(message)
