# SPDX-License-Identifier: Apache-2.0
"""What a survey keeps beside judgements: consent, background, questionnaires."""

from __future__ import annotations

import uuid

from django.db import models

from tertium.campaigns.models.campaign import Campaign, Item
from tertium.campaigns.models.people import Membership

__all__ = ["Background", "Consent", "Questionnaire", "QuestionnaireItem", "Reward"]


class Consent(models.Model):
    """Somebody's consent to a text. No link leads from it to anybody's answers."""

    # Random: numbers in a row would tell who joined when.
    id = models.UUIDField(
        primary_key=True,
        default=uuid.uuid4,
        editable=False,
        help_text="Random, so that it tells no order.",
    )
    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="consents", help_text="The survey."
    )
    version = models.CharField(
        max_length=64, help_text="SHA-256 of the text agreed to."
    )
    answers = models.JSONField(help_text="Statement: agreed or not.")
    day = models.DateField(help_text="A day only: a time would tell whose it is.")

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.day}"


class Background(models.Model):
    """A participant's background; every answer may be missing."""

    class Step(models.TextChoices):
        """The page that a participant has come to."""

        BACKGROUND = "background"
        SAMPLE = "sample"
        ITEMS = "items"
        DONE = "done"

    member = models.OneToOneField(
        Membership,
        models.CASCADE,
        related_name="background",
        help_text="The participant.",
    )
    answers = models.JSONField(
        default=dict, help_text="What they said, by question; all may be missing."
    )
    archive = models.BooleanField(
        default=False, help_text="May the anonymous answers be archived?"
    )
    withdrawal = models.CharField(
        max_length=64, unique=True, help_text="SHA-256 of the withdrawal code."
    )
    step = models.CharField(
        max_length=10,
        choices=Step,
        default=Step.BACKGROUND,
        help_text="How far they have come.",
    )
    finished = models.DateTimeField(null=True, help_text="When they came to the end.")

    def __str__(self) -> str:
        return str(self.member_id)


class Reward(models.Model):
    """A reward code for a participant, stored separately from answers and exports."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="rewards", help_text="The survey."
    )
    code = models.CharField(max_length=200, help_text="A line of the file of rewards.")
    given = models.BooleanField(
        default=False, help_text="Has somebody got it? Still so when they are deleted."
    )
    member = models.OneToOneField(
        Membership,
        models.SET_NULL,
        null=True,
        related_name="reward",
        help_text="Who got it, to be shown it again; missing: nobody, or deleted.",
    )

    class Meta:
        """A code is given once."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "code"], name="reward_once"),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id}: {'given' if self.given else 'free'}"


class Questionnaire(models.Model):
    """A list of items for one participant."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="questionnaires", help_text="The survey."
    )
    number = models.PositiveIntegerField(help_text="From 1.")
    member = models.OneToOneField(
        Membership,
        models.SET_NULL,
        null=True,
        related_name="questionnaire",
        help_text="Who has it; missing: free.",
    )
    items: models.ManyToManyField[Item, QuestionnaireItem] = models.ManyToManyField(
        Item, through="QuestionnaireItem"
    )

    class Meta:
        """Questionnaires are numbered from 1."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "number"], name="number_once"),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.number}"


class QuestionnaireItem(models.Model):
    """An item's place in a questionnaire."""

    questionnaire = models.ForeignKey(
        Questionnaire, models.CASCADE, help_text="The list."
    )
    item = models.ForeignKey(Item, models.CASCADE, help_text="What is asked about.")
    position = models.PositiveIntegerField(help_text="Its place in the list.")

    class Meta:
        """A place holds one item, an item has one place."""

        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(
                fields=["questionnaire", "position"], name="place_once"
            ),
            models.UniqueConstraint(
                fields=["questionnaire", "item"], name="asked_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.questionnaire_id}/{self.position}"
