# SPDX-License-Identifier: Apache-2.0
"""People who come when all first judgements are taken."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from support.campaign_data import ANSWER, make_campaign, make_member
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db


def drain(member):
    """Judge until nothing is left; return items and reasons."""
    results = []
    while (held := work.next_assignment(member)) is not None:
        results.append((held.item.position, held.why))
        work.submit(held, ANSWER)
    return results


def test_who_comes_late_judges_what_others_judged():
    campaign = make_campaign(4, extra=1)
    first, late, last = (make_member(campaign) for _ in range(3))
    assert drain(first) == [(n, "first") for n in range(4)]
    assert sorted(drain(late)) == [(n, "inter") for n in range(4)]
    assert drain(last) == []  # the limit is reached
    assert drain(first) == []  # nobody judges their own items as another would


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_an_item_is_judged_by_no_more_people_than_the_plan_says(extra):
    campaign = make_campaign(3, judgements=2, extra=extra)
    for member in [make_member(campaign) for _ in range(6)]:
        drain(member)
    for item in campaign.items.all():
        people = set(item.assignments.values_list("member", flat=True))
        assert len(people) == item.assignments.count() == 2 + extra


def test_first_judgements_come_before_extra_ones():
    campaign = make_campaign(2, extra=1)
    one, two = make_member(campaign), make_member(campaign)
    work.submit(work.next_assignment(one), ANSWER)
    assert work.next_assignment(two).why == "first"
    # The other item is under way, and nobody has judged it: there is nothing to repeat.
    three = make_member(campaign)
    assert [why for _, why in drain(three)] == ["inter"]


def test_skipped_items_are_not_offered_again():
    campaign = make_campaign(1, extra=1)
    drain(make_member(campaign))
    late = make_member(campaign)
    work.skip(work.next_assignment(late), "")
    assert work.next_assignment(late) is None


def test_extra_judgements_give_agreement():
    from tertium.campaigns.exchange.exporting import tables
    from tertium.judgements import pooled_agreement
    from tertium.judgements.agreement.outcomes import outcomes

    campaign = make_campaign(4, extra=1)
    for member in (make_member(campaign), make_member(campaign)):
        drain(member)
    agreement = pooled_agreement(outcomes(tables(campaign).rankings))
    assert agreement.inter.compared == 4


def open_page(member, name):
    client = Client()
    client.force_login(member.person)
    return client.get(reverse(name, args=[member.campaign.name])).content.decode()


def test_the_last_page_says_why_there_is_nothing_to_do():
    campaign = make_campaign(2)
    one, late = make_member(campaign), make_member(campaign)
    held = work.next_assignment(one)
    work.submit(work.next_assignment(late), ANSWER)
    assert work.next_assignment(late) is None
    assert "1 judgement is still missing" in open_page(late, "finished")
    work.submit(held, ANSWER)
    message = open_page(make_member(campaign), "finished")
    assert "The campaign is complete" in message
    assert "You have judged 0 items" not in message
    campaign.phase = "closed"
    campaign.save()
    assert "The campaign is closed" in open_page(late, "finished")


def test_the_campaign_page_says_that_items_can_be_judged_again():
    campaign = make_campaign(1, extra=1)
    drain(make_member(campaign))
    late = make_member(campaign)
    assert "items that others have judged" in open_page(late, "campaign")
    drain(late)
    assert "items that others have judged" not in open_page(late, "campaign")


@pytest.mark.parametrize("training", [0, 1])
def test_the_campaign_page_says_at_once_that_the_campaign_is_complete(training):
    campaign = make_campaign(2)
    one, other = make_member(campaign), make_member(campaign)
    work.submit(work.next_assignment(one), ANSWER)
    held = work.next_assignment(one)
    message = open_page(other, "campaign")
    assert "Nothing left for you to judge" in message
    assert "Start" not in message
    assert "Go on" in open_page(one, "campaign")
    work.submit(held, ANSWER)
    if training:
        first = campaign.items.first()
        campaign.items.create(kind="training", position=9, content=first.content)
    for member in (one, make_member(campaign)):
        message = open_page(member, "campaign")
        assert "The campaign is complete" in message
        assert "Start" not in message
    campaign.phase = "closed"
    campaign.save()
    assert "The campaign is closed" in open_page(other, "campaign")


def test_leases_that_ran_out_are_work_for_others():
    campaign = make_campaign(1)
    held = work.next_assignment(make_member(campaign))
    late = make_member(campaign)
    assert "Start" not in open_page(late, "campaign")
    held.expires = timezone.now() - timedelta(minutes=1)
    held.save()
    assert "Start" in open_page(late, "campaign")
    assert campaign.items.get().assignments.count() == 1  # looking leases nothing
