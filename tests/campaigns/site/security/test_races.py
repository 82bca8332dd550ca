# SPDX-License-Identifier: Apache-2.0
"""The same thing at the same moment, from several connections."""

from __future__ import annotations

import threading

import pytest
from django.db import connection
from django.test import Client

from support.campaign_world import make_world
from tertium.campaigns.exchange.exporting import raw_lines
from tertium.campaigns.exchange.importing import import_raw
from tertium.campaigns.models import (
    Assignment,
    Item,
    Judgement,
    Membership,
    Person,
    Role,
)
from tertium.campaigns.people.accounts import (
    InvitationError,
    NameTakenError,
    delete_member,
    invite,
    join,
    new_ticket,
)
from tertium.campaigns.work.leases import NotLeasedError, next_assignment, submit

pytestmark = pytest.mark.django_db(transaction=True)


def together(work, times=4):
    """Run something in threads that start at once; return results and errors."""
    gate, result = threading.Barrier(times), [None] * times

    def run(number):
        try:
            gate.wait(10)
            result[number] = work(number)
        except Exception as error:
            result[number] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(n,)) for n in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    return result


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


def test_one_form_is_one_person(world):
    one, ticket = invite(world.campaign, Role.MANAGER, most=1), new_ticket()
    before = Person.objects.count()
    result = together(lambda _: join(one, ticket=ticket))
    assert len({joined.member.pk for joined in result}) == 1
    assert len({joined.key for joined in result}) == 1
    assert Person.objects.count() == before + 1
    one.refresh_from_db()
    assert one.uses == 1


def test_the_last_place_has_one_taker(world):
    one = invite(world.campaign, Role.MANAGER, most=1)
    outcome = together(lambda _: join(one))
    assert sum(isinstance(result, InvitationError) for result in outcome) == 3
    assert Membership.objects.filter(role=Role.MANAGER).count() == 2


def test_a_name_has_one_owner(world):
    one = invite(world.campaign, Role.ANNOTATOR)
    outcome = together(lambda _: join(one, name="Same"))
    assert sum(isinstance(result, NameTakenError) for result in outcome) == 3
    assert Person.objects.filter(name="Same").count() == 1
    one.refresh_from_db()
    assert one.uses == 1


def test_one_import_at_a_time(world, tmp_path):
    world.judge(times=3)
    lines = [line.encode() for line in raw_lines(world.campaign)]
    copy = make_world(tmp_path, "copy")
    result = together(lambda _: import_raw(copy.campaign, lines))
    assert sorted(done.added for done in result) == [0, 0, 0, 3], result
    held = Judgement.objects.filter(assignment__item__campaign=copy.campaign)
    assert held.count() == 3


def test_deleting_somebody_at_work_ends(world):
    """Who is deleted while they ask for work gets none, and nothing hangs."""
    member = world.joined["annotator"].member

    def work(number):
        if number == 0:
            return delete_member(Membership.objects.get(pk=member.pk))
        return next_assignment(member)

    for result in together(work)[1:]:
        assert result is None or isinstance(result, Assignment), result
    assert not Membership.objects.filter(pk=member.pk).exists()
    # Places are given back: others get every item.
    assert set(Item.objects.values_list("taken", flat=True)) == {0}


def test_deleting_and_submitting_leaves_no_odd_counts(world):
    member = world.joined["annotator"].member
    work = world.work()

    def act(number):
        if number == 0:
            return delete_member(Membership.objects.get(pk=member.pk))
        return submit(work, {"better": "a"})

    gone, message = together(act, times=2)
    assert gone in (0, 1), gone
    assert isinstance(message, Judgement | NotLeasedError)
    assert not Judgement.objects.exists()
    assert set(Item.objects.values_list("taken", flat=True)) == {0}


def test_guesses_side_by_side_are_all_counted(world, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

    def guess(_):
        form = {"name": "N", "password": "wrong-password"}
        return [Client().post("/sign-in", form).status_code for _ in range(6)]

    statuses = [status for some in together(guess) for status in some]
    # Those that were under way together may pass the tenth, one a thread at most.
    assert statuses.count(403) <= 13
    assert statuses.count(429) >= 11
    assert 500 not in statuses
