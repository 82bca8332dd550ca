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

    name = models.CharField(max_length=60, unique=True)
    link = models.CharField(
        max_length=64,
        blank=True,
        db_index=True,
        help_text="SHA-256 of the personal key.",
    )
    is_active = models.BooleanField(default=True)
    created = models.DateTimeField(auto_now_add=True)

    USERNAME_FIELD = "name"
    REQUIRED_FIELDS: ClassVar[list[str]] = []
    objects = People()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """A person in a campaign, with a role and a pseudonym."""

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="members")
    person = models.ForeignKey(Person, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role)
    code = models.CharField(max_length=12, help_text="The pseudonym in exports.")
    paused = models.BooleanField(default=False)
    joined = models.DateTimeField(auto_now_add=True)
    group = models.CharField(max_length=60, blank=True, help_text="How recruited.")

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

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=10, choices=Role)
    group = models.CharField(max_length=60, blank=True)
    uses = models.PositiveIntegerField(default=0)
    most = models.PositiveIntegerField(null=True, help_text="Uses allowed; null: any.")
    expires = models.DateTimeField()
    revoked = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"


class ApiToken(models.Model):
    """A token of a program that reads or fills a campaign; signed, and it expires."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="tokens")
    role = models.CharField(max_length=10, choices=Role)
    expires = models.DateTimeField()
    revoked = models.BooleanField(default=False)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.role}"

    @property
    def short(self) -> str:
        """Its name in the log and on the command line."""
        return self.id.hex[:12]


class Event(models.Model):
    """A line of the audit log. Lines are only added."""

    time = models.DateTimeField(auto_now_add=True)
    campaign = models.ForeignKey(Campaign, models.CASCADE, null=True)
    actor = models.CharField(
        max_length=60, blank=True, help_text="A code, 'cli', or 'api:TOKEN'."
    )
    action = models.CharField(max_length=60)
    detail = models.JSONField(default=dict)

    class Meta:
        """Newest lines are asked for."""

        indexes = (models.Index(fields=["campaign", "-time"], name="newest"),)

    def __str__(self) -> str:
        return f"{self.time} {self.actor} {self.action}"


class Attempt(models.Model):
    """A failed sign-in. The key is a keyed hash: no address of anybody is kept."""

    key = models.CharField(max_length=64, db_index=True)
    time = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.time}"
