# SPDX-License-Identifier: Apache-2.0
"""The database of the annotation server, one file a subject."""

from __future__ import annotations

from tertium.campaigns.models.campaign import Campaign, Image, Item, Origin
from tertium.campaigns.models.people import (
    ApiToken,
    Attempt,
    Event,
    Invitation,
    Membership,
    Person,
    Role,
)
from tertium.campaigns.models.survey import (
    Background,
    Consent,
    Questionnaire,
    QuestionnaireItem,
    Reward,
)
from tertium.campaigns.models.work import Assignment, Judgement, State, Why

__all__ = [
    "ApiToken",
    "Assignment",
    "Attempt",
    "Background",
    "Campaign",
    "Consent",
    "Event",
    "Image",
    "Invitation",
    "Item",
    "Judgement",
    "Membership",
    "Origin",
    "Person",
    "Questionnaire",
    "QuestionnaireItem",
    "Reward",
    "Role",
    "State",
    "Why",
]
