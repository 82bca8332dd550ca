# SPDX-License-Identifier: Apache-2.0
"""Pages in the language that somebody chose, or that their browser asks for."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest
from django.test import Client
from django.utils import translation
from django.utils.translation import ngettext, override

from support.campaign_work import judge, new_campaign, new_member
from tertium.campaigns.dashboard.labels import action_label, flag_label, label
from tertium.campaigns.exchange.exporting import formats
from tertium.campaigns.models import Event, Role
from tertium.campaigns.rendering import render, render_error, render_flag
from tertium.errors import InputError
from tertium.judgements import Judgements, agree
from tertium.judgements.annotators.flag import FLAG_KINDS
from tertium.judgements.judgement import Place, Ranking, Rating
from tertium.judgements.ranking import rank_systems
from tertium.notes import Note

#: For every language: words of signing in, the dashboard, work, and twelve items.
SAID = {
    "cs": ("Nemáte heslo?", "Řídicí panel", "Který překlad je lepší?", "položek"),
    "de": ("Kein Passwort?", "Dashboard", "Welche Übersetzung ist besser?", "Aufgaben"),
    "fi": ("Eikö ole salasanaa?", "Hallintanäkymä", "Kumpi käännös", "tehtävää"),
}
TABS = ("", "people/", "items/", "invitations", "exports", "log")


@pytest.fixture(autouse=True)
def own_language():
    """Keep the language of a reply away from other tests."""
    yield
    translation.deactivate()


def words(reply) -> str:
    """Return what people read, with what is read aloud."""
    html = re.sub(r"<(script|select).*?</\1>", " ", reply.content.decode(), flags=re.S)
    spoken = " ".join(re.findall(r'(?:aria-label|title)="([^"]*)"', html))
    text = re.sub(r"<[^>]*>", " ", html) + " " + spoken
    return re.sub(r"\s+", " ", unescape(text))


@pytest.mark.django_db
@pytest.mark.parametrize("language", SAID)
def test_the_menu_changes_the_language(language):
    client = Client()
    assert "No password?" in words(client.get("/sign-in"))
    client.post("/language", {"language": language, "next": "/sign-in"})
    reply = client.get("/sign-in")
    assert f'<html lang="{language}">' in reply.content.decode()
    assert SAID[language][0] in words(reply)


@pytest.mark.django_db
@pytest.mark.parametrize("language", SAID)
def test_browsers_may_ask_for_a_language(language):
    client = Client(headers={"accept-language": f"{language};q=0.9, en;q=0.5"})
    assert SAID[language][0] in words(client.get("/sign-in"))


@pytest.mark.django_db
@pytest.mark.parametrize("language", SAID)
def test_the_dashboard_and_the_work_have_no_english(language, tmp_path):
    campaign = new_campaign(tmp_path)
    manager = new_member(campaign, Role.MANAGER)
    ann = new_member(campaign)
    judge(ann, 6)
    Event.objects.create(campaign=campaign, actor="cli", action="load")
    client = Client(headers={"accept-language": language})
    client.force_login(manager.person)
    english = r"\b(the|of|and|is|are|not|with|judgements?|items?|yet|who|none)\b"
    for tab in (*TABS, f"people/{ann.code}/"):
        text = words(client.get(f"/m/{campaign.name}/{tab}"))
        assert SAID[language][1] in text
        assert not re.search(english, text), (tab, re.search(english, text), text)
    assert SAID[language][3] in words(client.get(f"/m/{campaign.name}/items/"))
    client.force_login(new_member(campaign).person)
    text = words(client.post(f"/c/{campaign.name}/start", follow=True))
    assert SAID[language][2] in text


@pytest.mark.parametrize(
    ("number", "forms"),
    [
        (1, {"cs": "1 položka", "de": "1 Aufgabe", "fi": "1 tehtävä"}),
        (3, {"cs": "3 položky", "de": "3 Aufgaben", "fi": "3 tehtävää"}),
        (5, {"cs": "5 položek", "de": "5 Aufgaben", "fi": "5 tehtävää"}),
    ],
)
def test_numbers_choose_the_form_of_the_noun(number, forms):
    for language, wanted in forms.items():
        with override(language):
            result = ngettext("%(n)s item", "%(n)s items", number) % {"n": number}
        assert result == wanted


def odd_judgements(odd):
    """Return judgements of six ordinary judges and an odd one."""
    rng = np.random.default_rng(3)
    records = []
    for segment in range(40):
        quality = rng.normal(size=4)
        for one in range(7):
            seen = quality + 0.5 * rng.normal(size=4)
            ranks = (-seen).argsort().argsort() + 1
            seconds = float(rng.uniform(25, 60))
            score = float(np.clip(50 + 15 * seen[0], 0, 100))
            if one == 6:
                ranks, seconds, score = odd(rng, ranks, seconds, score)
            places = (Place((s,), int(r)) for s, r in zip("ABCD", ranks, strict=True))
            name, at = f"j{one}", str(segment)
            records += [
                Ranking(tuple(places), at, judge=name, duration=seconds),
                Rating("A", score, "quality", at, judge=name, duration=seconds),
            ]
    return Judgements.from_iterable(records)


@pytest.mark.parametrize(
    "odd",
    [
        lambda rng, ranks, _s, _score: (rng.permutation(4) + 1, 2.0, 50.0),
        lambda _rng, ranks, _s, score: (5 - ranks, 500.0, 100 - score),
        lambda _rng, ranks, s, score: (ranks * 0 + 1, s, min(score + 40, 100)),
        lambda _rng, ranks, s, score: (ranks, s, max(score - 40, 0)),
    ],
    ids=["dice", "turned", "ties", "strict"],
)
def test_flags_are_shown_in_every_language(odd):
    flags = [f for p in agree(odd_judgements(odd)).judges for f in p.flags]
    assert flags
    for flag in flags:
        with override("en"):
            assert render_flag(flag) == flag.reason
        for language in SAID:
            with override(language):
                assert flag_label(flag.kind) != flag.kind
                assert render_flag(flag) != flag.reason


def test_every_kind_of_flag_has_a_label():
    assert {kind for kind in FLAG_KINDS if not flag_label(kind)} == set()


def odd_rankings():
    """Return notes and errors of rankings of systems that are rare."""
    ratings = [Rating("A", 1.0, "q", str(n), judge="same") for n in range(3)]
    ratings += [Rating("B", float(n), "q", str(n), judge="good") for n in range(3)]
    ratings += [Rating("A", 2.0, "q", "9", judge="once"), Rating("A", 2.0, "q", "9")]
    places = (Place(("A",), 1), Place(("B",), 2))
    parts = [Ranking(places, "1"), Ranking(places, "1", "part")]
    tied = [Ranking((Place(("A",), 1), Place(("B",), 1)), "1")]
    for records, method in (
        (ratings, "z"),
        ([*ratings, ratings[-1]], "z"),
        ([one._replace(judge=None) for one in ratings], "z"),
        (parts, "expected-wins"),
        (tied, "expected-wins"),
    ):
        result = Judgements.from_iterable(records)
        yield from rank_systems(result, method=method, resamples=0).notes
    alone = [Ranking((Place(("A",), 1),), "1")]
    pairs = [
        one._replace(langpair=p) for one, p in zip(parts, ("a-b", "b-c"), strict=True)
    ]
    for records in (alone, pairs):
        with pytest.raises(InputError) as caught:
            rank_systems(Judgements.from_iterable(records), method="expected-wins")
        yield caught.value.note


def test_rare_notes_of_rankings_are_shown_in_every_language():
    notes = set(odd_rankings())
    assert len(notes) >= 8
    for note in notes:
        with override("en"):
            assert render(note) == str(note)
        for language in SAID:
            with override(language):
                assert render(note) != str(note)


def test_the_count_of_a_note_chooses_the_form_of_the_noun():
    with override("cs"):
        shown = [render(Note("z-no-judge", {"count": n})) for n in (1, 3, 5)]
    assert [text.split(": ")[1].split(" nem")[0] for text in shown] == [
        "1 známka",
        "3 známky",
        "5 známek",
    ]


def test_an_error_with_a_note_is_shown_in_the_language_of_the_reader():
    with override("de"):
        shown = render_error(InputError(Note("no-judgements")))
        assert shown.startswith("es gibt keine Urteile")
        assert render_error(InputError("plain English")) == "plain English"


def test_formats_are_described_in_every_language():
    for language in SAID:
        with override(language):
            for about in formats().values():
                assert render(about) != str(about)


def test_a_name_without_a_label_is_shown_as_it_is():
    with override("de"):
        assert label("other") == "other"
        assert action_label("other") == "other"
        assert render("") == ""  # not the header of the translations
