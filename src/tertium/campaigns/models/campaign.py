# SPDX-License-Identifier: Apache-2.0
"""Campaigns, the items that people judge, and who wrote the candidates."""

from __future__ import annotations

from django.db import models

from tertium._seed import SEED

__all__ = ["Campaign", "Image", "Item", "Origin"]


class Campaign(models.Model):
    """One collection of judgements of one kind."""

    class Phase(models.TextChoices):
        """Whether work is handed out."""

        OPEN = "open"
        PAUSED = "paused"
        CLOSED = "closed"

    name = models.SlugField(unique=True, help_text="The name in addresses and exports.")
    title = models.CharField(max_length=200, help_text="The name that people read.")
    task = models.CharField(max_length=40, help_text="The kind of question.")
    source = models.CharField(max_length=20, blank=True, help_text="Source language.")
    target = models.CharField(max_length=20, blank=True, help_text="Target language.")
    instructions = models.TextField(
        blank=True, help_text="What annotators are told, in Markdown."
    )
    plan = models.JSONField(
        default=dict, help_text="How work is handed out: [plan] of campaign.toml."
    )
    options = models.JSONField(
        default=dict, help_text="Settings of the task: [task] of campaign.toml."
    )
    seed = models.BigIntegerField(
        default=SEED, help_text="For everything that is sampled."
    )
    phase = models.CharField(
        max_length=10,
        choices=Phase,
        default=Phase.OPEN,
        help_text="Work is handed out while it is open.",
    )
    created = models.DateTimeField(auto_now_add=True, help_text="When first loaded.")

    def __str__(self) -> str:
        return self.name

    @property
    def langpair(self) -> str | None:
        """The language pair as exports write it, such as ``en-cs``."""
        return f"{self.source}-{self.target}" if self.source and self.target else None


class Item(models.Model):
    """What is shown on one screen. ``content`` never names a system."""

    class Kind(models.TextChoices):
        """What an item is there for."""

        WORK = "work"  # to be judged
        CHECK = "check"  # attention: a damaged or copied twin of `base`
        TRAINING = "training"  # shown first; its answers are not exported

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="items", help_text="Where it is judged."
    )
    key = models.CharField(max_length=200, help_text="Its name in the files loaded.")
    kind = models.CharField(
        max_length=10,
        choices=Kind,
        default=Kind.WORK,
        help_text="To be judged, to see who reads, or to practise.",
    )
    base = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        related_name="twins",
        help_text="Of a check: the item that it was made from.",
    )
    segment = models.CharField(max_length=200, help_text="The segment in exports.")
    document = models.CharField(
        max_length=200, blank=True, help_text="The document in exports."
    )
    content = models.JSONField(help_text="What the page shows; it names no system.")
    meta = models.JSONField(default=dict, help_text="For exports; never shown.")
    parts = models.PositiveIntegerField(
        default=1, help_text="What it asks for: segments, which share its time."
    )
    position = models.PositiveIntegerField(help_text="Its place in the order of work.")
    taken = models.PositiveIntegerField(
        default=0, help_text="First judgements that are done or under way."
    )

    class Meta:
        """An item is loaded once."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "key"], name="item_once"),
        )
        indexes = (
            models.Index(fields=["campaign", "kind", "taken", "position"], name="free"),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.key}"

    def systems(self) -> dict[str, list[str]]:
        """Return who wrote every candidate: for managers alone."""
        candidates: dict[str, list[str]] = {}
        for origin in self.origins.all():
            candidates.setdefault(origin.candidate, []).append(origin.system)
        return {candidate: sorted(names) for candidate, names in candidates.items()}


class Image(models.Model):
    """An image that items show, once in a campaign; no name of a file is kept."""

    campaign = models.ForeignKey(
        Campaign, models.CASCADE, related_name="images", help_text="Where it is shown."
    )
    name = models.CharField(max_length=64, help_text="SHA-256 of the content.")
    kind = models.CharField(max_length=10, help_text="png, jpeg, webp or gif.")
    content = models.BinaryField(help_text="The file.")

    class Meta:
        """Equal images are kept once."""

        constraints = (
            models.UniqueConstraint(fields=["campaign", "name"], name="image_once"),
        )

    def __str__(self) -> str:
        return f"{self.campaign_id}/{self.name[:12]}"


class Origin(models.Model):
    """Which system wrote a candidate: the one table with systems' names."""

    item = models.ForeignKey(
        Item, models.CASCADE, related_name="origins", help_text="Where it is shown."
    )
    candidate = models.CharField(max_length=40, help_text="Its key in the content.")
    system = models.CharField(max_length=200, help_text="Who wrote it.")

    class Meta:
        """A system wrote a candidate once."""

        constraints = (
            models.UniqueConstraint(
                fields=["item", "candidate", "system"], name="origin_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.item_id}/{self.candidate}: {self.system}"
