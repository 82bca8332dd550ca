# SPDX-License-Identifier: Apache-2.0
"""Invitations, personal links, and people who want to be deleted."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from support.campaign_data import ANSWER, make_campaign, make_member, taken_is_right
from tertium.campaigns.models import Assignment, Event, Judgement, Person, Role
from tertium.campaigns.people.accounts import (
    InvitationError,
    delete_member,
    invite,
    join,
    new_link,
    person_of_link,
    read_invitation,
    token_of,
)
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(6)


def test_an_invitation_lets_people_in_and_counts(campaign):
    invitation = invite(campaign, Role.ANNOTATOR, most=2, group="friends")
    result = read_invitation(token_of(invitation))
    one, two = join(result).member, join(result).member
    assert one.person != two.person
    assert one.code != two.code
    assert (one.role, one.group) == ("annotator", "friends")
    invitation.refresh_from_db()
    assert invitation.uses == 2
    with pytest.raises(InvitationError, match="already been used"):
        join(result)
    with pytest.raises(InvitationError, match="already been used"):
        read_invitation(token_of(invitation))
    assert campaign.members.count() == 2


def test_joining_twice_takes_one_place(campaign):
    invitation = invite(campaign, Role.ANNOTATOR, most=2)
    person = join(invitation).member.person
    again = join(invitation, person=person)
    assert again.member.person == person
    invitation.refresh_from_db()
    assert invitation.uses == 1
    assert campaign.members.count() == 1


def test_a_second_link_does_not_change_a_role(campaign):
    manager = make_member(campaign, Role.MANAGER)
    again = join(invite(campaign, Role.ANNOTATOR), person=manager.person)
    assert again.member.role == "manager"


@pytest.mark.parametrize("change", ["tamper", "expire", "revoke", "delete"])
def test_invitations_that_let_nobody_in(campaign, change):
    invitation = invite(campaign, Role.MANAGER)
    token = token_of(invitation)
    if change == "tamper":
        token = ("A" if token[0] != "A" else "B") + token[1:]
    elif change == "expire":
        invitation.expires = timezone.now() - timedelta(seconds=1)
        invitation.save()
    elif change == "revoke":
        invitation.revoked = True
        invitation.save()
    else:
        invitation.delete()
    with pytest.raises(InvitationError):
        read_invitation(token)
    if change in ("expire", "revoke"):  # in the meantime, with the form open
        with pytest.raises(InvitationError):
            join(invitation)
        assert not campaign.members.exists()


def test_names_differ_in_more_than_case(campaign):
    invitation = invite(campaign, Role.ANNOTATOR, most=2)
    join(invitation, name="Heron", password="a long password")
    with pytest.raises(InvitationError, match="taken"):
        join(invitation, name=" heron ")
    invitation.refresh_from_db()
    assert invitation.uses == 1  # who did not get in took no place


def test_of_a_personal_link_only_a_hash_is_kept(campaign):
    joined = join(invite(campaign, Role.ANNOTATOR))
    person = joined.member.person
    assert person_of_link(joined.key) == person
    assert joined.key not in str(Person.objects.values().get(pk=person.pk))
    fresh = new_link(person)
    assert person_of_link(joined.key) is None
    assert person_of_link(fresh) == person
    assert person_of_link("") is None
    assert person_of_link("x" * 40) is None
    Person.objects.filter(pk=person.pk).update(is_active=False)
    assert person_of_link(fresh) is None


def test_deleting_somebody_frees_their_items_and_leaves_no_trace(campaign):
    one, two = make_member(campaign), make_member(campaign)
    for _ in range(2):
        work.submit(work.next_assignment(one), ANSWER)
    work.skip(work.next_assignment(one), "")
    held = work.next_assignment(one)
    kept = work.submit(work.next_assignment(two), ANSWER)
    code, person = one.code, one.person.pk
    assert delete_member(one) == 2
    assert not Assignment.objects.filter(pk=held.pk).exists()
    assert list(Judgement.objects.all()) == [kept]
    assert not Person.objects.filter(pk=person).exists()
    assert code not in str(list(Event.objects.values()))
    assert Event.objects.filter(action="delete-member").count() == 1
    assert taken_is_right(campaign)
    free = campaign.items.filter(taken=0).count()
    assert free == 5
    assert delete_member(one) == 0  # a second click


def test_deleting_from_one_campaign_leaves_the_other(campaign):
    member = make_member(campaign)
    other = make_campaign(2)
    kept = join(invite(other, Role.ANNOTATOR), person=member.person).member
    work.submit(work.next_assignment(kept), ANSWER)
    delete_member(member)
    assert Person.objects.filter(pk=kept.person_id).exists()
    assert Judgement.objects.count() == 1
