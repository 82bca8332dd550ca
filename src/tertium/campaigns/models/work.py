# SPDX-License-Identifier: Apache-2.0
"""Work handed out, and the judgements that came back."""

from __future__ import annotations

import uuid

from django.db import models
from django.db.models import Q

from tertium.campaigns.models.campaign import Item
from tertium.campaigns.models.people import Membership

__all__ = ["Assignment", "Judgement", "State", "Why"]


class State(models.TextChoices):
    """Where an assignment is."""

    LEASED = "leased"  # on somebody's screen
    DONE = "done"
    SKIPPED = "skipped"  # the annotator could not judge it
    EXPIRED = "expired"  # the lease ran out, or a manager took it back


class Why(models.TextChoices):
    """Why an item was handed to somebody."""

    FIRST = "first"  # nobody had judged it (often enough)
    INTRA = "intra"  # to see whether the person agrees with themself
    INTER = "inter"  # to see whether the person agrees with others
    CHECK = "check"  # to see whether the person reads
    TRAINING = "training"
    LATE = "late"  # the lease had run out and somebody else had the item


class Assignment(models.Model):
    """One item on one person's screen: a lease, a draft, then a judgement."""

    id = models.UUIDField(
        primary_key=True,
        default=uuid.uuid4,
        editable=False,
        help_text="The name in addresses, and of the answer in exports.",
    )
    # Both have an index below that begins with them.
    item = models.ForeignKey(
        Item,
        models.CASCADE,
        related_name="assignments",
        db_index=False,
        help_text="What is judged.",
    )
    member = models.ForeignKey(
        Membership,
        models.CASCADE,
        related_name="assignments",
        db_index=False,
        help_text="Who judges.",
    )
    why = models.CharField(
        max_length=10, choices=Why, help_text="Why it was handed to them."
    )
    state = models.CharField(
        max_length=10, choices=State, default=State.LEASED, help_text="Where it is."
    )
    seed = models.BigIntegerField(help_text="Of the order in which candidates stand.")
    draft = models.JSONField(
        null=True, help_text="The answer so far, saved with every move."
    )
    version = models.PositiveIntegerField(
        default=0, help_text="Of the draft: an older one never replaces a newer."
    )
    created = models.DateTimeField(help_text="When it was handed out.")
    opened = models.DateTimeField(null=True, help_text="When it was first seen.")
    seen = models.DateTimeField(
        null=True, help_text="The last sign of life: the page, a move."
    )
    spent = models.FloatField(
        default=0.0, help_text="Seconds of work until then; not those away."
    )
    expires = models.DateTimeField(
        help_text="When others may get the item; every move puts it off."
    )
    closed = models.DateTimeField(
        null=True, help_text="When it was done, skipped or taken back."
    )
    reason = models.CharField(
        max_length=500, blank=True, help_text="Why it was skipped."
    )

    class Meta:
        """Nobody has two screens of a campaign: a double click gets the first."""

        constraints = (
            models.UniqueConstraint(
                fields=["member"], condition=Q(state="leased"), name="one_screen"
            ),
        )
        indexes = (
            models.Index(fields=["state", "expires"], name="leases"),
            # Sampling counts what a person did, and who else judged an item.
            models.Index(fields=["member", "state", "why", "item"], name="by_member"),
            models.Index(fields=["item", "state", "member"], name="by_item"),
        )

    def __str__(self) -> str:
        return str(self.id)


class Judgement(models.Model):
    """What an annotator submitted for an item: one per assignment, never changed.

    Its content, in the form of the task, is the ``answer``.
    """

    assignment = models.OneToOneField(
        Assignment,
        models.CASCADE,
        related_name="judgement",
        help_text="What was handed to whom.",
    )
    answer = models.JSONField(help_text="What they said, in the form of the task.")
    created = models.DateTimeField(help_text="When it was submitted.")
    seconds = models.FloatField(
        null=True,
        help_text="Of work, from first sight to submission, without time away; "
        "missing: not known, of a file.",
    )

    def __str__(self) -> str:
        return str(self.assignment_id)
