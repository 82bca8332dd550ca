# SPDX-License-Identifier: Apache-2.0
"""Real threads, each with a connection of its own."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from support.campaign_data import ANSWER, make_campaign, make_member, taken_is_right
from tertium.campaigns.models import Assignment, Judgement, Membership, Person, Role
from tertium.campaigns.people.accounts import (
    InvitationError,
    delete_member,
    invite,
    join,
)
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = 8


def together(action, arguments):
    """Call an action for every argument at the same moment; return what came."""
    arguments = list(arguments)
    barrier = Barrier(len(arguments))

    def run(argument):
        try:
            barrier.wait()
            return action(argument)
        finally:
            connection.close()

    with ThreadPoolExecutor(len(arguments)) as pool:
        return list(pool.map(run, arguments))


def test_first_items_are_all_different():
    campaign = make_campaign(40)
    members = [make_member(campaign) for _ in range(THREADS)]

    def grab(member):
        results = []
        for _ in range(5):
            held = work.next_assignment(member)
            results.append(held.item_id)
            work.submit(held, ANSWER)
        return results

    results = [item for items in together(grab, members) for item in items]
    assert len(results) == len(set(results)) == 40
    assert taken_is_right(campaign)


def test_nobody_is_sent_home_while_there_is_work():
    # Fewer rows than hands: whoever finds all locked must wait, not go.
    campaign = make_campaign(2, judgements=4)
    members = [make_member(campaign) for _ in range(THREADS)]
    result = together(work.next_assignment, members)
    assert None not in result
    assert taken_is_right(campaign)
    assert sorted(campaign.items.values_list("taken", flat=True)) == [4, 4]


def test_the_last_item_goes_to_one():
    campaign = make_campaign(1)
    members = [make_member(campaign) for _ in range(THREADS)]
    result = together(work.next_assignment, members)
    assert sum(held is not None for held in result) == 1


def test_clicking_start_many_times_gives_one_screen():
    campaign = make_campaign(10)
    member = make_member(campaign)
    result = together(work.next_assignment, [member] * THREADS)
    assert len({held.pk for held in result}) == 1
    assert Assignment.objects.filter(member=member).count() == 1
    assert taken_is_right(campaign)


def test_submitting_many_times_at_once_stores_once():
    campaign = make_campaign(10)
    held = work.next_assignment(make_member(campaign))
    answers = [{"better": "a"}, {"better": "b"}] * (THREADS // 2)

    def send(answer):
        try:
            return work.submit(held, answer).answer
        except work.AlreadyJudgedError as error:
            return error.answer

    result = together(send, answers)
    stored = Judgement.objects.get(assignment__item__campaign=campaign)
    assert result == [stored.answer] * THREADS


def test_drafts_at_once_keep_the_newest():
    campaign = make_campaign(1)
    held = work.next_assignment(make_member(campaign))
    versions = range(1, THREADS + 1)
    together(lambda n: work.save_draft(held, {"n": n}, n), versions)
    held.refresh_from_db()
    assert (held.version, held.draft) == (THREADS, {"n": THREADS})


def test_leases_that_run_out_are_taken_back_once():
    campaign = make_campaign(THREADS, judgements=2, lease=1)
    members = [make_member(campaign) for _ in range(2 * THREADS)]
    held = [work.next_assignment(member) for member in members]
    late = max(one.expires for one in held).replace(year=2999)
    together(lambda _: work.expire(campaign, now=late), range(THREADS))
    assert set(campaign.items.values_list("taken", flat=True)) == {0}
    # Late submissions and new leases of the same items at the same time.
    jobs = [(work.submit, (one, ANSWER)) for one in held[:4]]
    jobs += [(work.next_assignment, (member,)) for member in members[:4]]
    together(lambda job: job[0](*job[1]), jobs)
    assert taken_is_right(campaign)
    done = Judgement.objects.filter(assignment__item__campaign=campaign)
    assert done.count() == 4


def test_deleting_somebody_who_is_working():
    campaign = make_campaign(20)
    members = [make_member(campaign) for _ in range(4)]

    def toil(member):
        for _ in range(5):
            held = work.next_assignment(member)
            if held is None:
                return
            try:
                work.submit(held, ANSWER)
            except work.NotLeasedError:
                return

    jobs = [(toil, m) for m in members] + [(delete_member, m) for m in members]
    together(lambda job: job[0](job[1]), jobs)
    assert not Membership.objects.filter(campaign=campaign).exists()
    assert not Assignment.objects.filter(item__campaign=campaign).exists()
    assert set(campaign.items.values_list("taken", flat=True)) == {0}


def test_the_last_place_of_an_invitation_is_given_once():
    campaign = make_campaign(1)
    invitation = invite(campaign, Role.ANNOTATOR, most=3)

    def follow(_):
        try:
            return join(invitation).member
        except InvitationError:
            return None

    result = together(follow, range(THREADS))
    assert sum(member is not None for member in result) == 3
    assert campaign.members.count() == 3


def test_a_name_is_taken_once():
    campaign = make_campaign(1)
    invitation = invite(campaign, Role.ANNOTATOR)

    def follow(_):
        try:
            return join(invitation, name="heron").member
        except InvitationError:
            return None

    result = together(follow, range(THREADS))
    assert sum(member is not None for member in result) == 1
    assert Person.objects.filter(name="heron").count() == 1
