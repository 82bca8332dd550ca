# SPDX-License-Identifier: Apache-2.0
"""People, their roles, invitations, and the log of what was done."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models

from tertium.campaigns.models.campaign import Campaign

__all__ = [
    "ApiToken",
    "Attempt",
    "Event",
    "Invitation",
    "Membership",
    "Person",
    "Role",
]


class Role(models.TextChoices):
    """What a member of a campaign may do."""

    MANAGER = "manager"  # everything
    ANNOTATOR = "annotator"  # judge; sees no system's name
    OBSERVER = "observer"  # read the dashboard


class People(BaseUserManager["Person"]):
    """Finds people by name, as Django's backend asks for them."""

    def get_by_natural_key(self, username: str | None) -> Person:
        """Return the person of a name."""
        return self.get(name=username)


class Person(AbstractBaseUser):
    """Somebody who can sign in, by password or by a personal link. No e-mail."""

    # Declared by Django without a word of what they are.
    password = models.CharField(
        max_length=128, help_text="A salted Argon2 hash; unusable without a password."
    )
    last_login = models.DateTimeField(
        blank=True, null=True, help_text="When they signed in last."
    )
    name = models.CharField(
        max_length=60,
        unique=True,
        help_text="To sign in with; random if none is given.",
    )
    link = models.CharField(
        max_length=64,
        blank=True,
        db_index=True,
        help_text="SHA-256 of the personal key.",
    )
    is_active = models.BooleanField(default=True, help_text="May they sign in?")
    created = models.DateTimeField(auto_now_add=True, help_text="When they first came.")

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = People()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person in a campaign, with a role and a pseudonym."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="members", help_text="Where."
    )
    person = models.ForeignKey(
        Person, models.CASCADE, related_name="memberships", help_text="Who."
    )
    role = models.CharField(
        max_length=10, choices=Role, help_text="What they may do there."
    )
    code = models.CharField(max_length=12, help_text="The pseudonym in exports.")
    paused = models.BooleanField(
        default=False, help_text="Did a manager stop handing them work?"
    )
    joined = models.DateTimeField(auto_now_add=True, help_text="When they joined.")
    group = models.CharField(
        max_length=60, blank=True, help_text="How recruited, as the invitation says."
    )

    class Meta:
        """A person has one role in a campaign; pseudonyms differ."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "person"], name="member_once"),
            models.UniqueConstraint(fields=["campaign", "code"], name="code_once"),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.code}"


class Invitation(models.Model):
    """A link by which people join; the token in it is signed and expires."""

    campaign = models.ForeignKey(
        Campaign,
        models.CASCADE,
        related_name="invitations",
        help_text="Where it leads to.",
    )
    role = models.CharField(
        max_length=10, choices=Role, help_text="What those who follow it become."
    )
    group = models.CharField(
        max_length=60, blank=True, help_text="Noted with those who follow it."
    )
    uses = models.PositiveIntegerField(default=0, help_text="How many have joined.")
    most = models.PositiveIntegerField(
        null=True, help_text="How many may join; missing: any number."
    )
    expires = models.DateTimeField(help_text="When it stops working.")
    revoked = models.BooleanField(default=False, help_text="Was it withdrawn?")
    created = models.DateTimeField(auto_now_add=True, help_text="When it was made.")

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"


class ApiToken(models.Model):
    """A token of a program that reads or fills a campaign; signed, and it expires."""

    id = models.UUIDField(
        primary_key=True,
        default=uuid.uuid4,
        editable=False,
        help_text="Signed in the token; the token itself is not kept.",
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="tokens", help_text="What it opens."
    )
    role = models.CharField(
        max_length=10, choices=Role, help_text="What it allows: manager or observer."
    )
    expires = models.DateTimeField(help_text="When it stops working.")
    revoked = models.BooleanField(default=False, help_text="Was it made void?")
    created = models.DateTimeField(auto_now_add=True, help_text="When it was made.")

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"

    @property
    def short(self) -> str:
        """Its name in the log and on the command line."""
        return self.id.hex[:12]


class Event(models.Model):
    """A line of the audit log. Lines are only added."""

    time = models.DateTimeField(auto_now_add=True, help_text="When it happened.")
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, null=True, help_text="Where it happened."
    )
    actor = models.CharField(
        max_length=60,
        blank=True,
        help_text="Who did it: a pseudonym, 'cli', or 'api:TOKEN'; empty once deleted.",
    )
    action = models.CharField(max_length=60, help_text="What was done, such as export.")
    detail = models.JSONField(default=dict, help_text="To whom or what; no answers.")

    class Meta:
        """Newest lines are asked for."""

        indexes = (models.Index(fields=["campaign", "-time"], name="newest"),)

    def __str__(self) -> str:
        return f"{self.time} {self.actor} {self.action}"


class Attempt(models.Model):
    """A failed sign-in. The key is a keyed hash: no address of anybody is kept."""

    key = models.CharField(
        max_length=64,
        db_index=True,
        help_text="HMAC of name, address or both, with the server's key.",
    )
    time = models.DateTimeField(
        auto_now_add=True, help_text="When; counted for 15 minutes, then deleted."
    )

    def __str__(self) -> str:
        return f"{self.time}"
