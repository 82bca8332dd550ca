# SPDX-License-Identifier: Apache-2.0
"""Random sequences of what people do, beside a slow model."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from fractions import Fraction

import pytest
from django.db import connection
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from oracles.leases import Lease, Model
from support.campaign_data import ANSWER, make_campaign, make_member, taken_is_right
from tertium.campaigns.models import Assignment, Campaign, Judgement
from tertium.campaigns.people.accounts import delete_member
from tertium.campaigns.work import leases as work

START = datetime(2026, 1, 1, tzinfo=timezone.utc)
LEASE = 10
people = st.integers(0, 2)


class Leases(RuleBasedStateMachine):
    """Three people at a few items."""

    @initialize(
        items=st.integers(1, 5),
        judgements=st.integers(1, 2),
        intra=st.sampled_from(["0", "0.5"]),
        inter=st.sampled_from(["0", "0.5"]),
        lessons=st.integers(0, 2),
    )
    def begin(self, items, judgements, intra, inter, lessons):
        self.campaign = make_campaign(
            items,
            judgements=judgements,
            intra=float(intra),
            inter=float(inter),
            lease=LEASE,
            lessons=lessons,
        )
        self.members = [make_member(self.campaign) for _ in range(3)]
        self.codes = [0, 1, 2]  # of the members, in the model
        self.places = {item.pk: item.position for item in self.campaign.items.all()}
        self.model = Model(
            items, judgements, Fraction(intra), Fraction(inter), LEASE, lessons
        )
        self.rows: list[tuple[Lease, Assignment]] = []
        self.minutes = 0
        self.fresh = 3

    @property
    def now(self):
        return START + timedelta(minutes=self.minutes)

    def at(self, number):
        return self.rows[number % len(self.rows)]

    @rule(person=people)
    def ask_for_work(self, person):
        result = work.next_assignment(self.members[person], now=self.now)
        code, model = self.codes[person], self.model
        expires = self.minutes + LEASE
        held = model.open(code)
        if held is None and not model.paused:
            model.expire(self.minutes)
            begun = model.begun(code)
            if begun and model.lesson(code) is None:
                # Two of one minute are alike: either is right.
                same = [one for one in begun if one.closed == begun[0].closed]
                held = next((o for o in same if self.row(o).pk == result.pk), None)
                assert held is not None
                held.state, held.closed = "leased", None
            elif (pool := model.pool(code)) is not None:
                why, items = pool
                assert result is not None
                assert result.why == why
                assert self.places[result.item_id] in items
                place = self.places[result.item_id]
                held = model.left(code, place)  # with its draft, for any reason
                if held is None:
                    held = Lease(place, code, why, self.minutes, expires)
                    model.held.append(held)
                    self.rows.append((held, result))
                held.state, held.why, held.closed = "leased", why, None
        if held is None:
            assert result is None
        else:
            held.expires = expires
            assert result.pk == self.row(held).pk
            assert result.expires == START + timedelta(minutes=expires)

    def row(self, held):
        return next(row for one, row in self.rows if one is held)

    @precondition(lambda self: self.rows)
    @rule(number=st.integers(0, 100))
    def look(self, number):
        held, row = self.at(number)
        if held.state in ("leased", "expired"):
            work.look(row, now=self.now)
            held.work(self.minutes, LEASE, page=True)

    @rule(minutes=st.sampled_from([0, 1, LEASE, LEASE + 1, 3 * LEASE]))
    def wait(self, minutes):
        self.minutes += minutes

    @precondition(lambda self: self.rows)
    @rule(number=st.integers(0, 100), version=st.integers(1, 6))
    def draft(self, number, version):
        held, row = self.at(number)
        if held.state in ("done", "skipped"):
            with pytest.raises(work.NotLeasedError):
                work.save_draft(row, {"v": version}, version, now=self.now)
            return
        model = self.model
        at_work = not model.paused and model.open(held.member) is None
        if at_work and any(one is held for one in model.begun(held.member)):
            held.state, held.closed = "leased", None
        if held.state == "leased":
            held.expires = self.minutes + LEASE
        if version > held.version:
            held.version, held.draft = version, {"v": version}
        held.work(self.minutes, LEASE)
        kept = work.save_draft(row, {"v": version}, version, now=self.now)
        assert kept == (held.version, held.draft)

    @precondition(lambda self: self.rows)
    @rule(number=st.integers(0, 100))
    def submit(self, number):
        held, row = self.at(number)
        if held.state == "skipped":
            with pytest.raises(work.NotLeasedError):
                work.submit(row, ANSWER, now=self.now)
            return
        full = self.model.taken(held.item) >= self.model.judgements
        if held.state == "expired" and held.why == "first" and full:
            held.why = "late"
        if held.state != "done":
            held.state, held.closed, held.draft = "done", self.minutes, None
            held.work(self.minutes, LEASE)
        one = work.submit(row, ANSWER, now=self.now)
        assert one.assignment_id == row.pk
        assert one.seconds == 60 * held.spent

    @precondition(lambda self: self.rows)
    @rule(number=st.integers(0, 100))
    def skip(self, number):
        held, row = self.at(number)
        work.skip(row, "unclear", now=self.now)
        if held.state == "expired" and held.why == "first":
            held.why = "late"
        if held.state in ("leased", "expired"):
            held.state, held.closed = "skipped", self.minutes

    @precondition(lambda self: self.rows)
    @rule(number=st.integers(0, 100))
    def release(self, number):
        held, row = self.at(number)
        work.release(row, now=self.now)
        if held.state == "leased":
            held.state, held.closed = "expired", self.minutes

    @rule()
    def leases_run_out(self):
        work.expire(self.campaign, now=self.now)
        self.model.expire(self.minutes)

    @rule(person=people)
    def delete(self, person):
        code = self.codes[person]
        mine = [one for one in self.model.held if one.member == code]
        lost = delete_member(self.members[person])
        assert lost == sum(one.state == "done" for one in mine)
        gone = [row for one, row in self.rows if one.member == code]
        self.model.held = [one for one in self.model.held if one.member != code]
        self.rows = [(one, row) for one, row in self.rows if one.member != code]
        for row in gone[:1]:  # a page of theirs is still open somewhere
            with pytest.raises(work.NotLeasedError):
                work.submit(row, ANSWER, now=self.now)
            with pytest.raises(work.NotLeasedError):
                work.save_draft(row, {}, 1, now=self.now)
            work.skip(row, "", now=self.now)
            work.release(row, now=self.now)
        self.members[person] = make_member(self.campaign)
        self.codes[person] = self.fresh
        self.fresh += 1

    @rule(paused=st.booleans())
    def pause(self, paused):
        phase = Campaign.Phase.PAUSED if paused else Campaign.Phase.OPEN
        Campaign.objects.filter(pk=self.campaign.pk).update(phase=phase)
        self.model.paused = paused

    @invariant()
    def database_and_model_agree(self):
        if not hasattr(self, "model"):
            return
        rows = {
            row.pk: row
            for row in Assignment.objects.filter(item__campaign=self.campaign)
        }
        assert set(rows) == {row.pk for _, row in self.rows}
        for held, old in self.rows:
            row = rows[old.pk]
            assert (row.state, row.why) == (held.state, held.why)
            assert (row.version, row.draft) == (held.version, held.draft)
            assert row.spent == 60 * held.spent
            if held.state == "leased":
                assert row.expires == START + timedelta(minutes=held.expires)
        for item in self.campaign.items.all():
            assert item.taken == self.model.taken(item.position)
            assert item.taken <= self.model.judgements
        assert taken_is_right(self.campaign)
        done = sum(held.state == "done" for held in self.model.held)
        judged = Judgement.objects.filter(assignment__item__campaign=self.campaign)
        assert judged.count() == done


@pytest.mark.django_db
def test_leases_are_as_the_model_has_them():
    # One transaction, which on PostgreSQL becomes slower with every change in it.
    examples = 20 if connection.vendor == "sqlite" else 6
    run_state_machine_as_test(
        Leases, settings=settings(max_examples=examples, stateful_step_count=30)
    )
