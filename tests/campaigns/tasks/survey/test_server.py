# SPDX-License-Identifier: Apache-2.0
"""The survey on the server: consent, questionnaires, answers, withdrawal, exports."""

from __future__ import annotations

import csv
import json
import re
from datetime import timedelta

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import ForeignKey
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tertium.campaigns.config import read_config
from tertium.campaigns.dashboard.progress import progress
from tertium.campaigns.exchange.exporting import (
    raw_lines,
    records,
    tables,
    write_export,
)
from tertium.campaigns.loading import check, load
from tertium.campaigns.models import (
    Assignment,
    Attempt,
    Background,
    Campaign,
    Consent,
    Event,
    Judgement,
    Membership,
    Person,
    Questionnaire,
    Reward,
    Role,
)
from tertium.campaigns.people.accounts import (
    InvitationError,
    delete_member,
    invite,
    token_of,
)
from tertium.campaigns.tasks import AnswerError, get_task
from tertium.campaigns.tasks.survey import participants
from tertium.campaigns.tasks.survey.exports import PARTICIPANT
from tertium.campaigns.tasks.survey.flags import flag_participants
from tertium.campaigns.work import leases as work
from tertium.campaigns.work.leases import expire, next_assignment, save_draft, submit
from tertium.errors import InputError
from tertium.judgements import Judgements
from tertium.judgements.annotators.background import read_people
from tertium.judgements.composition import compose

pytestmark = pytest.mark.django_db

AGREED = dict.fromkeys(
    ("read", "ask", "answered", "withdraw", "coded", "risks", "archive", "take_part"),
    True,
)


@pytest.fixture
def config(tmp_path):
    """Write the starter survey, with rewards, and return its configuration."""
    for name, text in get_task("survey").starter_files().items():
        (tmp_path / name).write_text(text)
    (tmp_path / "codes.txt").write_text("r1\n\nr2\nr1\n")
    place = tmp_path / "campaign.toml"
    change(place, 'rewards = ""', 'rewards = "codes.txt"')
    return place


def change(place, old, new):
    text = place.read_text()
    assert old in text
    place.write_text(text.replace(old, new))


@pytest.fixture
def survey(config):
    """Return the loaded survey."""
    return load(read_config(config)).campaign


def participant(campaign, **consent):
    invitation = invite(campaign, Role.ANNOTATOR)
    return participants.take_part(invitation, {**AGREED, **consent}).member


def answer_all(member, adequacy=3, order=4, seconds=20.0):
    """Answer the whole questionnaire; a function of the item may give the box."""
    items = []
    while (assignment := next_assignment(member)) is not None:
        meta = assignment.item.meta
        answer = {
            "adequacy": adequacy(meta) if callable(adequacy) else adequacy,
            "order": order(meta) if callable(order) else order,
        }
        opened = timezone.now()
        work.look(assignment, now=opened)
        submit(assignment, answer, now=opened + timedelta(seconds=seconds))
        items.append(assignment.item)
    return items


def test_the_same_boxes_from_a_second_tab_are_the_same_answer(survey):
    """How long somebody looked is measured by each tab, and nobody's answer."""
    held = next_assignment(participant(survey))
    first = submit(held, {"adequacy": 3, "order": 4, "look": 2.5})
    assert submit(held, {"adequacy": 3, "order": 4, "look": 9.0}) == first
    assert submit(held, {"adequacy": 3, "order": 4}) == first
    with pytest.raises(work.AlreadyJudgedError):
        submit(held, {"adequacy": 3, "order": 5, "look": 2.5})


# ------------------------------------------------------------------------- loading


def test_loading_makes_questionnaires_and_says_what_they_are(config):
    checked = check(read_config(config))
    assert "4 questionnaires of 10 items, 4 of them shared" in checked.report
    loaded = load(read_config(config))
    assert loaded.report == checked.report
    assert loaded.added == 4 + 4 * 6
    assert list(Questionnaire.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    for sheet in Questionnaire.objects.all():
        places = sheet.questionnaireitem_set.values_list("position", flat=True)
        assert list(places) == list(range(1, 11))
    again = load(read_config(config))
    assert (again.added, again.known) == (0, 28)
    assert Questionnaire.objects.count() == 4
    assert Reward.objects.count() == 2


def test_more_questionnaires_can_be_added_but_none_changed(config, survey):
    change(config, "questionnaires = 4", "questionnaires = 5")
    assert load(read_config(config)).added == 6
    change(config, "shared = 4", "shared = 5")
    with pytest.raises(InputError, match="under another name"):
        load(read_config(config))
    assert Questionnaire.objects.count() == 5


def test_permutations_know_their_base(survey):
    for item in survey.items.exclude(base=None):
        assert item.base.meta["kind"] == "hypothesis"
        assert item.base.content["reference"] == item.content["reference"]
        assert not item.origins.exists()
    assert {item.origins.count() for item in survey.items.filter(base=None)} == {1}


# ------------------------------------------------------------------------- consent


def test_rows_of_consent_do_not_lie_in_the_order_of_participants(survey, monkeypatch):
    """Rows of a day are written anew in random order, whoever comes."""
    monkeypatch.setattr(
        participants.secrets.SystemRandom, "shuffle", lambda self, rows: rows.reverse()
    )
    for archive in (True, False, False):
        participant(survey, **{participants.ARCHIVE: archive})
    with connection.cursor() as cursor:
        hidden = "rowid" if connection.vendor == "sqlite" else "ctid"
        cursor.execute(f"SELECT answers FROM campaigns_consent ORDER BY {hidden}")
        rows = [json.loads(row[0]) for row in cursor.fetchall()]
    assert [row[participants.ARCHIVE] for row in rows] == [False, True, False]
    assert Consent.objects.count() == 3


def test_progress_counts_what_questionnaires_ask(survey):
    result = progress(survey)
    asked = sum(sheet.items.count() for sheet in survey.questionnaires.all())
    assert result.wanted == asked > result.items
    answer_all(participant(survey))
    assert progress(survey).first == survey.questionnaires.first().items.count()


def test_no_path_leads_from_consent_to_a_member(survey):
    links = {
        field.related_model
        for field in Consent._meta.get_fields()
        if isinstance(field, ForeignKey)
    }
    assert links == {Campaign}
    for model in apps.get_app_config("campaigns").get_models():
        targets = {f.related_model for f in model._meta.fields if f.is_relation}
        assert Consent not in targets, model
    member = participant(survey)
    consent = Consent.objects.get()
    kept = json.dumps([str(consent.pk), consent.version, consent.answers])
    for secret in (
        member.code,
        member.person.name,
        participants.withdrawal_code(member),
    ):
        assert secret not in kept
    assert consent.version == survey.options["texts"]["version"]
    assert not hasattr(consent.day, "hour")


def test_a_changed_text_is_another_version(config, survey):
    before = survey.options["texts"]["version"]
    (config.parent / "information.md").write_text("Something else.")
    assert load(read_config(config)).campaign.options["texts"]["version"] != before


def test_nobody_is_asked_for_a_name(survey):
    client = Client()
    path = reverse("join", args=[token_of(invite(survey, Role.ANNOTATOR))])
    assert b"password" not in client.get(path).content
    message = client.post(path, {})
    assert message.status_code == 422
    assert Consent.objects.count() == Person.objects.count() == 0
    yes = {f"consent-{name}": "yes" for name in AGREED}
    message = client.post(path, {**yes, "consent-take_part": "no"})
    assert b"Nothing was stored" in message.content
    assert Consent.objects.count() == Person.objects.count() == 0
    message = client.post(path, {**yes, "consent-archive": "no"})
    assert message.status_code == 302
    member = Membership.objects.get()
    assert not member.background.archive
    assert not member.person.has_usable_password()
    # Who takes part already does not join again.
    assert client.get(path).status_code == 302
    assert Membership.objects.count() == 1


def test_a_second_click_joins_nobody_else(survey):
    path = reverse("join", args=[token_of(invite(survey, Role.ANNOTATOR))])
    form = Client().get(f"{path}?step=consent").context["once"]
    sent = {**{f"consent-{name}": "yes" for name in AGREED}, "once": form}
    first, second, other = Client(), Client(), Client()
    first.post(path, sent)
    assert second.post(path, sent).status_code == 302
    assert Membership.objects.count() == Consent.objects.count() == 1
    assert second.session["_auth_user_id"] == first.session["_auth_user_id"]
    # What can be guessed brings back nobody.
    other.post(path, {**sent, "once": ""})
    Client().post(path, {**sent, "once": ""})
    assert Membership.objects.count() == 3
    assert form not in Person.objects.first().name


# ------------------------------------------------------------------ questionnaires


def test_everybody_has_a_questionnaire_of_their_own_until_all_are_taken(survey):
    members = [participant(survey) for _ in range(4)]
    numbers = [member.questionnaire.number for member in members]
    assert numbers == [1, 2, 3, 4]
    assert participants.is_full(survey)
    with pytest.raises(InvitationError):
        participant(survey)
    assert Membership.objects.count() == Background.objects.count() == 4
    assert Consent.objects.count() == 4


def test_questionnaires_can_be_handed_out_again(config):
    change(config, "reuse = false", "reuse = true")
    survey = load(read_config(config)).campaign
    members = [participant(survey) for _ in range(6)]
    first, fifth = members[0].questionnaire, members[4].questionnaire
    assert fifth.number == 5
    assert set(first.items.all()) == set(fifth.items.all())
    assert list(first.items.order_by("questionnaireitem__position")) != list(
        fifth.items.order_by("questionnaireitem__position")
    )
    assert set(members[5].questionnaire.items.all()) == set(
        members[1].questionnaire.items.all()
    )


def test_items_come_in_the_order_that_is_stored(survey):
    member = participant(survey)
    places = member.questionnaire.questionnaireitem_set.order_by("position")
    assert answer_all(member) == [place.item for place in places]
    assert participants.complete(member)


def test_a_lease_never_runs_out(survey):
    member = participant(survey)
    assignment = next_assignment(member)
    save_draft(assignment, {"adequacy": 2, "order": "", "look": 3.0}, 1)
    later = timezone.now() + timedelta(days=30)
    assert expire(survey, now=later) == 0
    again = next_assignment(member, now=later)
    assert again == assignment
    assert again.draft["adequacy"] == 2


def test_pages_come_in_their_order(survey):
    client = Client()
    member = participant(survey)
    client.force_login(member.person)
    page = reverse("campaign", args=[survey.name])
    assert client.get(page).url.endswith("/survey/about-you")
    assert client.post(reverse("start", args=[survey.name])).status_code == 302
    assert not Assignment.objects.exists()
    client.post(reverse("survey-background", args=[survey.name]), {"age": "200"})
    assert client.get(page).url.endswith("/survey/about-you")
    answers = {
        "age": "34",
        "gender": "other",
        "language_1": "Czech",
        "level_1": "fluent",
    }
    client.post(reverse("survey-background", args=[survey.name]), answers)
    assert client.get(page).url.endswith("/survey/sample")
    message = client.post(
        reverse("survey-sample", args=[survey.name]), {"adequacy": "1"}
    )
    assert message.url.startswith("/work/")
    assert Judgement.objects.count() == 0
    member.background.refresh_from_db()
    assert member.background.answers == {
        "age": 34,
        "gender": "other",
        "languages": [{"name": "Czech", "level": "fluent", "exam": ""}],
    }
    work = client.get(message.url).content.decode()
    for item in survey.items.all():
        for origin in item.origins.all():
            assert f'"{origin.system}"' not in work
    assert "Item 1 of 10" in work
    assert (
        reverse("survey-information", args=[survey.name])
        in client.get(page).content.decode()
    )
    message = client.get(reverse("survey-information", args=[survey.name]))
    assert b"What we keep" in message.content


# ------------------------------------------------------------------------- answers


@pytest.mark.parametrize(
    "answer",
    [None, {}, {"adequacy": 1}, {"adequacy": 0, "order": 1},
     {"adequacy": 6, "order": 1}, {"adequacy": "3", "order": 1},
     {"adequacy": True, "order": 1}, {"adequacy": 1, "order": ""}],
)  # fmt: skip
def test_wrong_answers_are_rejected(answer):
    with pytest.raises(AnswerError):
        get_task("survey").check({}, answer, {})


def test_answers_may_be_missing_and_are_flagged(survey):
    task = get_task("survey")
    assert task.check({}, {"adequacy": None, "order": 2, "look": 1.23}, {}) == {
        "adequacy": None,
        "order": 2,
        "look": 1.2,
    }
    member = participant(survey)
    answer_all(member, adequacy=None, order=2)
    ratings = list(records(survey))
    assert {one.scale for one in ratings} == {"likert-order"}
    assert {one.score for one in ratings} == {0.25}
    assert all(json.loads(one.meta)["missing"] == ["adequacy"] for one in ratings)
    assert all(
        json.loads(line)["answer"]["adequacy"] is None for line in raw_lines(survey)
    )
    (result,) = flag_participants(survey)
    assert result.missing == 10
    assert any("missing" in flag for flag in result.flags)


def test_records_say_what_slices_and_compositions_read(survey):
    one, two = participant(survey), participant(survey)
    answer_all(one)
    answer_all(two, adequacy=5)
    ratings = list(records(survey))
    assert len(ratings) == 2 * 2 * 10
    assert {rating.system for rating in ratings} == {"survey"}
    assert {rating.langpair for rating in ratings} == {"de-en"}
    metas = [json.loads(rating.meta) for rating in ratings]
    for meta in metas:
        wanted = {"permutation", "degree", "shared", "position", "questionnaire"}
        lengths = {"source_words", "reference_words", "shown_words"}
        assert wanted | lengths <= set(meta)
        assert (meta["degree"] is None) == (meta["permutation"] == "hypothesis")
    shared = {r.segment for r, m in zip(ratings, metas, strict=True) if m["shared"]}
    assert len(shared) == 4
    (adequacy, order) = compose(tables(survey))
    assert [part.name for part in adequacy.questionnaires] == ["1", "2"]
    assert len(order.positions) == 10
    assert order.lengths.outputs == 16
    assert [part.name for part in order.languages] == ["de"]


# ---------------------------------------------------------------------- withdrawal


def test_withdrawal_deletes_everything(survey):
    stays, goes = participant(survey), participant(survey)
    answer_all(stays)
    answer_all(goes)
    code, number = participants.withdrawal_code(goes), goes.questionnaire.number
    name, pseudonym = goes.person.name, goes.code
    client = Client()
    client.force_login(goes.person)
    path = reverse("survey-withdraw", args=[survey.name])
    assert b"10 judgements" in client.post(path, {"code": code}).content
    assert Judgement.objects.count() == 20
    message = client.post(path, {"code": f" {code.upper()} ", "confirm": "yes"})
    assert b"deleted" in message.content
    assert "_auth_user_id" not in client.session
    assert Judgement.objects.count() == Assignment.objects.count() == 10
    assert list(Membership.objects.all()) == [stays]
    assert Background.objects.count() == 1
    assert not Person.objects.filter(name=name).exists()
    assert not Event.objects.filter(actor=pseudonym).exists()
    assert pseudonym not in "".join(raw_lines(survey))
    # The questionnaire is free again, and items count as judged once.
    assert Questionnaire.objects.get(number=number).member is None
    assert max(survey.items.values_list("taken", flat=True)) == 1
    assert client.post(path, {"code": code}).status_code == 404


def test_withdrawal_codes_cannot_be_guessed(survey):
    member = participant(survey)
    client = Client()
    path = reverse("survey-withdraw", args=[survey.name])
    for _ in range(50):
        assert client.post(path, {"code": "aaaa-aaaa-aaaa"}).status_code == 404
    code = participants.withdrawal_code(member)
    assert client.post(path, {"code": code}).status_code == 429
    assert Attempt.objects.count() == 50
    assert member.background.withdrawal != code
    assert len(code.replace("-", "")) == 12


def test_codes_of_other_surveys_do_nothing(config, survey):
    change(config, 'name = "word-order"', 'name = "other"')
    other = load(read_config(config)).campaign
    code = participants.withdrawal_code(participant(survey))
    assert participants.by_withdrawal_code(other, code) is None


# -------------------------------------------------------------------------- the end


def test_everybody_gets_one_reward_while_there_are_some(survey):
    members = [participant(survey) for _ in range(3)]
    results = [participants.give_reward(member) for member in members]
    assert sorted(results[:2]) == ["r1", "r2"]
    assert results[2] == ""
    assert [participants.give_reward(member) for member in members] == results
    # Who is deleted leaves no code to others, who could not use it.
    delete_member(members[0])
    assert not Reward.objects.filter(given=False).exists()
    assert Reward.objects.get(code=results[0]).member is None


def test_a_reward_waits_for_a_click_and_is_shown_again(survey, tmp_path):
    member = participant(survey)
    client = Client()
    client.force_login(member.person)
    path = reverse("finished", args=[survey.name])
    give = reverse("survey-reward", args=[survey.name])
    client.post(give)
    assert not Reward.objects.filter(given=True).exists()  # nothing done yet
    answer_all(member)
    assert 'id="reward"' not in client.get(path).content.decode()
    assert client.get(give).status_code == 405
    assert not Reward.objects.filter(given=True).exists()  # by looking
    page = client.post(give, follow=True).content.decode()
    code = participants.reward_of(member)
    assert f'id="reward">{code}<' in page
    client.post(give)
    assert Reward.objects.filter(given=True).count() == 1
    other = Client()
    other.force_login(member.person)
    assert f'id="reward">{code}<' in other.get(path).content.decode()
    # No export knows of it.
    write_export(survey, str(tmp_path / "answers.jsonl"))
    get_task("survey").write_side(
        survey, "participants", str(tmp_path / "people.tsv"), all=True
    )
    for file in tmp_path.glob("*.[jt]s*"):
        assert code not in file.read_text(encoding="utf-8").split('"')
        assert code not in re.split(r"\s", file.read_text(encoding="utf-8"))


def test_who_was_done_can_work_again(survey):
    member = participant(survey)
    member.background.step = "items"
    member.background.save()
    answer_all(member)
    client = Client()
    client.force_login(member.person)
    assert b"Thank you!</h1>" in client.get(f"/c/{survey.name}/", follow=True).content
    held = member.assignments.first()
    Assignment.objects.filter(pk=held.pk).update(state="skipped")
    assert work.offer_again(held)
    page = client.get(f"/c/{survey.name}/")
    assert page.status_code == 200
    assert b"Thank you!</h1>" not in page.content
    reply = client.post(f"/c/{survey.name}/start")
    assert reply["Location"] == f"/work/{held.pk}/"
    Judgement.objects.filter(assignment=held).delete()
    answer = {"adequacy": 3, "order": 3}
    reply = client.post(
        f"/work/{held.pk}/submit", {"answer": answer}, "application/json"
    )
    assert reply.json() == {"next": f"/c/{survey.name}/finished"}


def test_finishing_early_is_not_possible(survey):
    member = participant(survey)
    client = Client()
    client.force_login(member.person)
    message = client.get(reverse("finished", args=[survey.name]))
    assert b"Thank you!</h1>" not in message.content
    member.background.refresh_from_db()
    assert member.background.finished is None


# -------------------------------------------------------------------------- exports


def test_participants_are_told_coarsely_and_only_if_they_agreed(survey, tmp_path):
    yes, no = participant(survey), participant(survey, archive=False)
    answer_all(yes, order=None)
    answers = {
        "age": 37,
        "nationality": "=cmd|evil",
        "first_language": "no",
        "years": 7,
        "reading": "yes",
        "reading_what": "a secret",
        "languages": [
            {"name": "Czech", "level": "native", "exam": ""},
            {"name": "German; or so", "level": "fluent", "exam": "C1"},
            {"name": "Finnish", "level": "a few words", "exam": ""},
        ],
    }
    Background.objects.update(answers=answers)
    task = get_task("survey")
    place = tmp_path / "people.tsv"
    task.write_side(survey, "participants", str(place))
    text = place.read_text()
    (row,) = csv.DictReader(text.splitlines(), delimiter="\t")
    assert list(row) == list(PARTICIPANT)
    assert row["judge"] == yes.code
    assert row["age_group"] == "30-39"
    assert row["years_fluent"] == "5-9"
    assert row["nationality"] == "other"
    assert row["language_points"] == "12"
    assert (row["judged"], row["missing_order"]) == ("10", "10")
    for secret in ("37", "secret", "C1", no.code):
        assert secret not in text.replace(row["judge"], "")
    (known,) = read_people(place)
    assert known.points == 12
    lines = tmp_path / "people.jsonl"
    task.write_side(survey, "participants", str(lines), all=True)
    assert len(lines.read_text().splitlines()) == 2


def test_nationalities_that_many_share_are_told_without_formulas(config, tmp_path):
    change(config, "reuse = false", "reuse = true")
    survey = load(read_config(config)).campaign
    for _ in range(5):
        participant(survey)
    Background.objects.update(answers={"nationality": "=1+1"})
    place = tmp_path / "people.csv"
    get_task("survey").write_side(survey, "participants", str(place))
    rows = list(csv.DictReader(place.read_text().splitlines()))
    assert {row["nationality"] for row in rows} == {"'=1+1"}


def test_an_archive_holds_those_who_agreed(survey, tmp_path):
    yes, no = participant(survey), participant(survey, archive=False)
    answer_all(yes)
    answer_all(no)
    judges = get_task("survey").judges_to_archive(survey)
    assert judges == {yes.code}
    place = str(tmp_path / "a.tsv")
    write_export(survey, place, "likert-tsv", judges=judges)
    assert Judgements.read(place).names("judge") == [yes.code]


def test_items_are_a_test_set_and_the_codebook_knows_every_column(survey, tmp_path):
    from tertium import read

    task = get_task("survey")
    task.write_side(survey, "items", str(tmp_path / "items.jsonl"))
    testset = read(tmp_path / "items.jsonl")
    assert len(testset) == 28
    assert set(testset.ids) == set(survey.items.values_list("key", flat=True))
    assert set(testset.layers["permutation"]) >= {"hypothesis", "order"}
    task.write_side(survey, "codebook", str(tmp_path / "codebook.md"))
    text = (tmp_path / "codebook.md").read_text()
    for name in (*PARTICIPANT, *testset.layers, "score"):
        column = "aligned_NAME" if name.startswith("aligned_") else name
        assert f"| {column} |" in text
    assert {float(share) for share in testset.layers["aligned_exact"]} >= {1.0}
    with pytest.raises(InputError, match="no weather"):
        task.write_side(survey, "weather", "x")
    with pytest.raises(InputError, match="have no participants"):
        get_task("pairs").write_side(survey, "participants", "x")


# ---------------------------------------------------------------------------- flags


def test_flags_name_what_stands_out_and_delete_nothing(survey):
    good, fast, lazy = (participant(survey) for _ in range(3))
    answer_all(good, adequacy=lambda m: 1 + m["shown_words"] % 5,
               order=lambda m: 5 if m["permutation"] != "order" else 2)  # fmt: skip
    answer_all(fast, adequacy=lambda m: 1 + m["shown_words"] % 5,
               order=lambda m: 1 + m["reference_words"] % 3, seconds=1.0)  # fmt: skip
    answer_all(lazy, adequacy=3, order=1)
    results = {one.code: one for one in flag_participants(survey)}
    assert results[good.code].flags == ()
    assert any("less than 3 seconds" in flag for flag in results[fast.code].flags)
    message = " / ".join(results[lazy.code].flags)
    assert "same box for Adequacy" in message
    assert results[lazy.code].boxes == {"adequacy": {3: 10}, "order": {1: 10}}
    assert Judgement.objects.count() == 30


def test_the_dashboard_shows_quota_composition_and_flags(survey):
    task = get_task("survey")
    quota, composition, known, flags = task.report(survey)
    assert [number for _, number in quota.rows] == [4, 0, 0, 0, 2]
    assert known.rows[0] == ("ranks by others", 0, None, None, None, None)
    assert flags.rows == []
    member = participant(survey)
    answer_all(member, adequacy=3, order=5)
    participants.finish(member)
    participants.give_reward(member)
    quota, composition, known, flags = task.report(survey)
    assert [number for _, number in quota.rows] == [4, 1, 1, 1, 1]
    assert composition.rows[0] == ("hypothesis", 14, "0.50", "1.00")
    ((code, judged, missing, seconds, adequacy, order, *_, message),) = flags.rows
    assert (code, judged, missing, seconds) == (member.code, 10, 0, "20.0")
    assert (adequacy, order) == ("0 0 10 0 0", "0 0 0 0 10")
    assert "same box" in message


def damage(survey, kind="order"):
    """Make permutations of all items, of degrees whose scores are 0 to 1."""
    for place, item in enumerate(survey.items.order_by("pk")):
        item.meta |= {"permutation": kind, "quality": place % 5 / 4}
        item.save()


def test_scores_are_held_against_the_degree(survey):
    damage(survey)
    reader, other = participant(survey), participant(survey)
    answer_all(reader, order=lambda m: 1 + round(4 * m["quality"]))
    answer_all(other, order=lambda m: 5 - round(4 * m["quality"]))
    results = {one.code: one for one in flag_participants(survey)}
    assert results[reader.code].damage == pytest.approx(1)
    assert not any("moved" in flag for flag in results[reader.code].flags)
    assert results[other.code].damage == pytest.approx(-1)
    assert any(
        "when more words are moved" in flag for flag in results[other.code].flags
    )
    other.assignments.all().delete()
    rows = {row[0]: row[1:] for row in get_task("survey").report(survey)[2].rows}
    # Adequacy is the same everywhere: there is nothing to correlate.
    assert rows["order: words are moved"] == (10, None, "1.00", None, "1.00")


def test_words_replaced_and_moved_are_held_against_the_degree(survey):
    damage(survey, "both")
    answer_all(participant(survey), order=lambda m: 1 + round(4 * m["quality"]))
    (result,) = flag_participants(survey)
    assert result.damage == pytest.approx(1)
    sections = get_task("survey").report(survey)
    rows = {row[0]: row[1:] for row in sections[2].rows}
    assert rows["both: words are replaced, then moved"][2] == "1.00"
    kinds = [row[0] for row in sections[1].rows]
    assert "both: words are replaced, then moved" in kinds


def test_exchanged_words_say_nothing_of_moved_ones(survey):
    damage(survey, "choice")
    answer_all(participant(survey), order=lambda m: 5 - round(4 * m["quality"]))
    (result,) = flag_participants(survey)
    assert result.damage is None


def test_adequacy_is_held_against_ranks(survey):
    member = participant(survey)
    items = answer_all(member, adequacy=lambda m: 1 + m["shown_words"] % 5)
    for item in items[:6]:
        item.meta["rank_score"] = (item.meta["shown_words"] % 5) / 4
        item.save()
    rows = {row[0]: row[1:] for row in get_task("survey").report(survey)[2].rows}
    assert rows["ranks by others"] == (6, "1.00", None, "1.00", None)


def test_bad_order_of_exchanged_words_is_flagged(survey):
    member = participant(survey)
    survey.items.update(meta={"permutation": "choice"})
    answer_all(member, adequacy=3, order=lambda _: 2)
    (result,) = flag_participants(survey)
    assert result.choice_order == 0.25
    assert any("only words were exchanged" in flag for flag in result.flags)


# ---------------------------------------------------------------------------- paper


def test_paper_is_for_managers(survey):
    from tertium.campaigns.people.accounts import join

    manager = join(invite(survey, Role.MANAGER)).member
    client = Client()
    client.force_login(manager.person)
    path = reverse("survey-print", args=[survey.name, 1])
    assert client.get(path).content.count(b'class="paper-item"') == 10
    assert client.get(reverse("survey-print", args=[survey.name, 9])).status_code == 404
    client.force_login(participant(survey).person)
    assert client.get(path).status_code == 403
    assert Client().get(path).status_code == 302
