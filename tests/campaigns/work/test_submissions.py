# SPDX-License-Identifier: Apache-2.0
"""Answers sent twice, as browsers send them."""

from __future__ import annotations

import pytest
from django.urls import reverse

from support.campaign_world import make_world
from tertium.campaigns.models import Judgement

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(tmp_path):
    return make_world(tmp_path, "first")


def send(client, name, held, **body):
    address = reverse(name, args=[held.pk])
    return client.post(address, body, content_type="application/json")


def test_the_same_answer_again_is_a_success(world):
    client, held = world.client("annotator"), world.work()
    for _ in range(2):
        reply = send(client, "submit", held, answer={"better": "a"})
        assert reply.status_code == 200
        assert reply.json()["next"].startswith("/work/")
    assert Judgement.objects.count() == 1


@pytest.mark.parametrize("answer", [{"better": "b"}, {"better": "equal"}, {}, "b"])
def test_another_answer_is_rejected_with_the_one_that_stands(world, answer):
    client, held = world.client("annotator"), world.work()
    send(client, "submit", held, answer={"better": "a"})
    reply = send(client, "submit", held, answer=answer)
    assert reply.status_code == 409
    message = reply.json()
    assert message["stands"] == {"better": "a"}
    assert "already submitted" in message["error"]
    assert message["next"] == reverse("campaign", args=["first"])
    assert Judgement.objects.get().answer == {"better": "a"}


def test_a_draft_of_a_finished_item_hears_which_answer_stands(world):
    client, held = world.client("annotator"), world.work()
    send(client, "submit", held, answer={"better": "a"})
    reply = send(client, "draft", held, answer={"better": "b"}, version=3)
    assert (reply.status_code, reply.json()["stands"]) == (409, {"better": "a"})


def test_a_skipped_item_takes_no_answer_and_has_none(world):
    client, held = world.client("annotator"), world.work()
    client.post(reverse("skip", args=[held.pk]), {"reason": "unclear"})
    reply = send(client, "submit", held, answer={"better": "a"})
    assert reply.status_code == 409
    assert "skipped" in reply.json()["error"]
    assert "stands" not in reply.json()
