# SPDX-License-Identifier: Apache-2.0
"""Leases, drafts and submission, one promise per test."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from django.utils.timezone import now

from support.campaign_data import ANSWER, make_campaign, make_member, taken_is_right
from tertium.campaigns.dashboard.activity import activity
from tertium.campaigns.dashboard.progress import members, progress
from tertium.campaigns.models import Assignment, Campaign, Judgement
from tertium.campaigns.tasks import AnswerError
from tertium.campaigns.work import leases as work

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign():
    return make_campaign(4, lease=30)


@pytest.fixture
def one(campaign):
    return make_member(campaign)


@pytest.fixture
def two(campaign):
    return make_member(campaign)


def later(minutes):
    return now() + timedelta(minutes=minutes)


def test_two_people_never_hold_the_same_first_item(one, two):
    assert work.next_assignment(one).item != work.next_assignment(two).item


def test_asking_twice_gives_the_same_screen(one):
    first = work.next_assignment(one)
    assert work.next_assignment(one) == first
    assert first.item.taken == 0  # as it was drawn
    first.item.refresh_from_db()
    assert first.item.taken == 1


def test_items_come_in_order(one):
    seen = []
    while (held := work.next_assignment(one)) is not None:
        seen.append(held.item.position)
        work.submit(held, ANSWER)
    assert seen == [0, 1, 2, 3]


def test_two_judgements_are_by_two_people():
    campaign = make_campaign(2, judgements=2)
    people = [make_member(campaign) for _ in range(3)]
    seen = {}
    for member in people:
        while (held := work.next_assignment(member)) is not None:
            seen.setdefault(held.item.position, []).append(member)
            work.submit(held, ANSWER)
    assert seen == {0: people[:2], 1: people[:2]}


def test_a_lease_that_ran_out_goes_to_others(one, two):
    held = work.next_assignment(one)
    assert work.next_assignment(two, now=later(29)).item != held.item
    other = make_member(one.campaign)
    assert work.next_assignment(other, now=later(31)).item == held.item
    held.refresh_from_db()
    assert held.state == "expired"


def test_a_draft_renews_the_lease(one, two):
    held = work.next_assignment(one)
    work.save_draft(held, {"better": "b"}, 1, now=later(20))
    assert work.next_assignment(two, now=later(45)).item != held.item
    # Even one that was overtaken says that somebody is there.
    work.save_draft(held, {"better": "a"}, 1, now=later(45))
    held.refresh_from_db()
    assert held.draft == {"better": "b"}
    assert held.expires > later(70)


def test_drafts_that_overtake_each_other_keep_the_newest(one):
    held = work.next_assignment(one)
    assert work.save_draft(held, {"n": 3}, 3) == (3, {"n": 3})
    assert work.save_draft(held, {"n": 2}, 2) == (3, {"n": 3})
    held.refresh_from_db()
    assert held.draft == {"n": 3}


def test_a_move_holds_an_item_whose_lease_ran_out(one, two):
    held = work.next_assignment(one)
    work.expire(one.campaign, now=later(31))
    work.save_draft(held, {"better": "a"}, 1, now=later(32))
    assert work.next_assignment(two, now=later(33)).item != held.item
    held.refresh_from_db()
    assert (held.state, held.closed) == ("leased", None)
    assert taken_is_right(one.campaign)


def test_a_move_takes_nothing_from_others(one, two):
    held = work.next_assignment(one)
    assert work.next_assignment(two, now=later(31)).item == held.item
    work.save_draft(held, {"better": "a"}, 1, now=later(32))
    held.refresh_from_db()
    assert (held.state, held.draft) == ("expired", {"better": "a"})
    assert taken_is_right(one.campaign)


def test_an_item_skipped_late_takes_a_place_when_offered_again(one):
    held = work.next_assignment(one)
    work.expire(one.campaign, now=later(31))
    work.skip(held, "", now=later(32))
    assert work.offer_again(held)
    again = work.next_assignment(one, now=later(33))
    assert (again.pk, again.why) == (held.pk, "first")
    assert taken_is_right(one.campaign)


def test_a_late_submission_counts_if_nobody_has_the_item(one, two):
    held = work.next_assignment(one)
    work.expire(one.campaign, now=later(31))
    work.submit(held, ANSWER, now=later(32))
    held.refresh_from_db()
    assert (held.state, held.why) == ("done", "first")
    assert work.next_assignment(two).item != held.item
    assert taken_is_right(one.campaign)


def test_a_late_submission_is_stored_though_others_have_the_item(one, two):
    held = work.next_assignment(one)
    assert work.next_assignment(two, now=later(31)).item == held.item
    work.submit(held, ANSWER, now=later(32))
    held.refresh_from_db()
    assert (held.state, held.why) == ("done", "late")
    assert Judgement.objects.filter(assignment=held).exists()
    assert taken_is_right(one.campaign)


def test_who_comes_back_finds_their_draft(one, two):
    held = work.next_assignment(one)
    work.save_draft(held, {"better": "b"}, 1)
    work.expire(one.campaign, now=later(60))
    assert work.next_assignment(two, now=later(61)).item == held.item
    assert work.next_assignment(one, now=later(62)).item != held.item
    # Another item ran out, and is still free: it comes back as it was left.
    second = work.next_assignment(one, now=later(62))
    work.save_draft(second, {"better": "a"}, 1, now=later(62))
    work.expire(one.campaign, now=later(100))
    again = work.next_assignment(one, now=later(101))
    assert again == second
    assert (again.draft, again.version) == ({"better": "a"}, 1)


def test_a_skipped_item_goes_to_others_only(one, two):
    held = work.next_assignment(one)
    work.skip(held, "both are nonsense\0")
    held.refresh_from_db()
    assert (held.state, held.reason) == ("skipped", "both are nonsense")
    assert work.next_assignment(one).item != held.item
    assert work.next_assignment(two).item == held.item
    with pytest.raises(work.NotLeasedError):
        work.submit(held, ANSWER)


def test_a_skipped_second_showing_is_not_forced_upon_anybody():
    campaign = make_campaign(6, intra=0.5)
    member = make_member(campaign)
    skipped = []
    while (held := work.next_assignment(member)) is not None:
        if held.why == "intra":
            skipped.append(held.item)
            work.skip(held, "")
        else:
            work.submit(held, ANSWER)
    assert len(skipped) == len(set(skipped)) == 6


def test_work_taken_back_goes_to_others(one, two):
    held = work.next_assignment(one)
    work.release(held)
    assert work.next_assignment(one).item != held.item
    assert work.next_assignment(two).item == held.item
    work.release(held)  # it is over: nothing happens
    assert taken_is_right(one.campaign)


def test_work_taken_back_comes_again_when_nothing_else_is_left(one):
    held = work.next_assignment(one)
    work.save_draft(held, {"better": "b"}, 1)
    work.release(held)
    last = None
    while (result := work.next_assignment(one)) is not None:
        last = result
        work.submit(result, ANSWER)
    assert last == held


def test_pause_hands_out_nothing_new(one, two):
    held = work.next_assignment(one)
    Campaign.objects.update(phase="paused")
    assert work.next_assignment(one) == held
    assert work.next_assignment(two) is None
    work.submit(held, ANSWER)
    assert work.next_assignment(one) is None
    Campaign.objects.update(phase="open")
    two.paused = True
    two.save()
    two.paused = False  # an old copy: what counts is in the database
    assert work.next_assignment(two) is None


def test_a_deleted_member_gets_nothing(one):
    copy = type(one).objects.get(pk=one.pk)
    one.delete()
    assert work.next_assignment(copy) is None


def test_submitting_twice_stores_once(one):
    held = work.next_assignment(one)
    first = work.submit(held, ANSWER)
    assert work.submit(held, dict(ANSWER)) == first
    for other in ({"better": "b"}, {"better": "nonsense"}, None):
        with pytest.raises(work.AlreadyJudgedError) as told:
            work.submit(held, other)
        assert told.value.answer == ANSWER
    first.refresh_from_db()
    assert first.answer == ANSWER
    with pytest.raises(work.AlreadyJudgedError):
        work.save_draft(held, {"better": "b"}, 9)


@pytest.mark.parametrize("answer", [None, [], "a", {}, {"better": "c"}, {"better": 1}])
def test_a_wrong_answer_is_rejected_and_the_draft_stays(one, answer):
    held = work.next_assignment(one)
    work.save_draft(held, {"better": "b"}, 1)
    with pytest.raises(AnswerError):
        work.submit(held, answer)
    held.refresh_from_db()
    assert (held.state, held.draft) == ("leased", {"better": "b"})


@pytest.mark.parametrize(
    ("draft", "error"),
    [
        ({"x": "y" * 200_000}, work.LongDraftError),
        ({"x": float("nan")}, work.DraftError),
        ({"x": "nul \0"}, work.DraftError),
        ({"\0": 1}, work.DraftError),
        ({"x": "half \ud83d"}, work.DraftError),
    ],
)
def test_what_no_database_keeps_is_rejected(one, draft, error):
    held = work.next_assignment(one)
    with pytest.raises(error):
        work.save_draft(held, draft, 1)


def test_odd_but_honest_text_is_kept(one):
    held = work.next_assignment(one)
    text = {"x": "\\u0000 is written so; \U0001f642 \u202e مرحبا \x7f"}
    work.save_draft(held, text, 1)
    assert Assignment.objects.get(pk=held.pk).draft == text


def at(minutes):
    return datetime(2026, 1, 1, tzinfo=timezone.utc) + timedelta(minutes=minutes)


def test_the_time_is_from_first_sight(one):
    held = work.next_assignment(one, now=at(0))
    work.look(held, now=at(3))
    assert work.submit(held, ANSWER, now=at(5)).seconds == 120


def test_a_page_that_is_loaded_again_is_the_same_work(one):
    held = work.next_assignment(one, now=at(0))
    for minute in (0, 2, 3):
        work.look(held, now=at(minute))
    assert work.submit(held, ANSWER, now=at(5)).seconds == 300
    held.refresh_from_db()
    assert held.opened == at(0)


def test_a_night_between_two_moves_is_no_work(one):
    night = 12 * 60
    held = work.next_assignment(one, now=at(0))
    work.look(held, now=at(0))
    work.save_draft(held, {"better": "b"}, 1, now=at(2))
    again = work.next_assignment(one, now=at(night))
    assert (again.pk, again.draft) == (held.pk, {"better": "b"})
    work.look(again, now=at(night))
    assert work.submit(again, ANSWER, now=at(night + 1)).seconds == 180


def test_a_page_left_open_counts_a_lease_at_most(one):
    held = work.next_assignment(one, now=at(0))
    work.look(held, now=at(0))
    work.save_draft(held, {"better": "b"}, 1, now=at(12 * 60))
    assert work.submit(held, ANSWER, now=at(12 * 60 + 1)).seconds == 31 * 60


def test_a_draft_comes_back_whyever_the_item_does():
    campaign = make_campaign(4, lease=10, inter=0.5)
    one, two = make_member(campaign), make_member(campaign)
    held = work.next_assignment(one, now=at(0))
    work.save_draft(held, {"better": "b"}, 1, now=at(0))
    work.submit(work.next_assignment(two, now=at(60)), ANSWER, now=at(60))
    for _item in range(2):
        work.submit(work.next_assignment(one, now=at(61)), ANSWER, now=at(61))
    again = work.next_assignment(one, now=at(61))
    assert (again.pk, again.why, again.draft) == (held.pk, "inter", {"better": "b"})


@pytest.mark.parametrize(
    ("seconds", "counts"), [(599, True), (600, False), (1199, False)]
)
def test_long_times_are_left_out(campaign, one, seconds, counts):
    held = work.next_assignment(one, now=at(0))
    work.look(held, now=at(0))
    work.submit(held, ANSWER, now=at(seconds / 60))
    assert (progress(campaign).seconds is not None) == counts
    assert (members(campaign)[0].seconds is not None) == counts
    assert activity(campaign).long == (not counts)


@pytest.mark.parametrize(("seconds", "counts"), [(1199, True), (1200, False)])
def test_long_times_are_those_of_a_segment(campaign, one, seconds, counts):
    campaign.items.update(parts=2)
    test_long_times_are_left_out(campaign, one, seconds, counts)
