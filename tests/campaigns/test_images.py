# SPDX-License-Identifier: Apache-2.0
"""Images next to the source: named in files, kept in the database, shown to members."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from support.campaign_world import jsonl
from support.images import KINDS, bomb, png
from support.span_campaign import answer_of, people, write_spans
from tertium.campaigns.api.tokens import new_token
from tertium.campaigns.config import read_config
from tertium.campaigns.exchange.exporting import raw_lines
from tertium.campaigns.exchange.importing import import_file
from tertium.campaigns.loading import check, load
from tertium.campaigns.models import Campaign, Image, Role
from tertium.campaigns.people.accounts import invite, join
from tertium.campaigns.tasks.testsets import read_shown
from tertium.campaigns.work.leases import next_assignment, submit
from tertium.errors import FormatError, InputError, UntrustedError

pytestmark = pytest.mark.django_db
TASKS = ("esa", "mqm", "cesa", "direct", "edits", "pairs", "ranking")
TEXTS = {"alpha": "one text", "beta": "other words"}


def segment(number: int, image: str, **more: str) -> dict[str, object]:
    return {
        "id": f"s{number}",
        "doc": "doc",
        "src": f"source {number}",
        "tgt": {name: f"{text} {number}" for name, text in TEXTS.items()},
        "image": image,
        **more,
    }


def screen(name: str = "a", **more: object) -> dict[str, object]:
    paragraph = {"id": "1", "src": "source", "tgt": TEXTS}
    return {"screen": name, "paragraphs": [paragraph], **more}


@pytest.fixture
def new(tmp_path):
    """Return a function that writes a campaign with images, and returns its path."""
    (tmp_path / "photos").mkdir()
    for name, data in KINDS.items():
        (tmp_path / "photos" / name).write_bytes(data)

    def write(*lines, task="esa", **settings):
        return write_spans(tmp_path, task, lines=list(lines), **settings)

    return write


def contents(config):
    return [draft.content for draft in check(read_config(config)).drafts]


def sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# ------------------------------------------------------------------- in the files


@pytest.mark.parametrize("task", ["esa", "mqm", "cesa"])
def test_every_paragraph_has_its_image(new, task):
    lines = [
        segment(0, "photos/png", image_alt="A heron"),
        segment(1, "", image_alt=""),
        segment(2, "photos/jpeg", image_alt=""),
    ]
    for content in contents(new(*lines, task=task)):  # checks, too
        first, second, third = content["paragraphs"]
        size = {"width": 3, "height": 2}
        assert first["image"] == {"name": sha(png()), **size, "alt": "A heron"}
        assert "image" not in second
        assert third["image"] == {"name": sha(KINDS["jpeg"]), **size}


@pytest.mark.parametrize("task", ["direct", "edits", "pairs", "ranking"])
def test_segments_have_their_image_in_other_tasks(new, task):
    plain = [{k: v for k, v in segment(9, "").items() if k != "image"}]
    config = new(segment(0, "photos/gif"), segment(1, ""), task=task)
    for content in contents(config):
        shows = content["source"] == "source 0"
        assert content.get("image", {}).get("name") == (
            sha(KINDS["gif"]) if shows else None
        )
    assert all("image" not in one for one in contents(new(*plain, task=task)))


def test_screens_have_images_of_paragraphs_and_of_their_own(new):
    line = screen(image="photos/webp")
    line["paragraphs"][0] |= {"image": "photos/png", "image_alt": "A heron"}
    for content in contents(new(line)):
        assert content["image"]["name"] == sha(KINDS["webp"])
        assert content["paragraphs"][0]["image"]["alt"] == "A heron"
    # One segment per page has room for one image: the nearest.
    del line["paragraphs"][0]["image"]
    for content in contents(new(line, task="direct")):
        assert content["image"]["name"] == sha(KINDS["webp"])


def test_images_are_beside_the_file_that_names_them(new, tmp_path):
    from tertium.campaigns.creating import create_campaign

    config = new(segment(0, "photos/png"))
    text = config.read_text(encoding="utf-8").replace("set.jsonl", "data/set.jsonl")
    config.write_text(text, encoding="utf-8")
    (tmp_path / "data").mkdir()
    for name in ("set.jsonl", "photos"):
        (tmp_path / name).rename(tmp_path / "data" / name)
    assert set(check(read_config(config)).images) == {sha(png())}
    # So a copy of the campaign shows them, too.
    copy = create_campaign(tmp_path / "second", like=str(config), name="Second")
    again = check(read_config(copy.config, allow_outside=copy.outside))
    assert set(again.images) == {sha(png())}


def test_a_table_names_images_in_a_column(new, tmp_path):
    config = new(segment(0, ""))
    text = config.read_text(encoding="utf-8").replace("set.jsonl", "set.tsv")
    config.write_text(text, encoding="utf-8")
    table = "source\tsystem:A\tlayer:image\none\teins\tphotos/png\ntwo\tzwei\t\n"
    (tmp_path / "set.tsv").write_text(table, encoding="utf-8")
    shown = list(read_shown(read_config(config)))
    assert [one.image.get("name") for one in shown] == [sha(png()), None]
    assert [list(one.candidates) for one in shown] == [["eins"], ["zwei"]]
    (tmp_path / "set.tsv").write_text(table.replace("png", "none"), encoding="utf-8")
    with pytest.raises(FormatError, match=r"set\.tsv:2: image 'photos/none'"):
        check(read_config(config))


def test_a_file_that_many_items_show_is_read_once(new, monkeypatch):
    from tertium.campaigns.images import files

    calls = []
    read = files.read_image
    files._facts.cache_clear()
    monkeypatch.setattr(
        files, "read_image", lambda path: calls.append(path) or read(path)
    )
    check(read_config(new(*(segment(n, "photos/png") for n in range(20)))))
    assert len(calls) == 1


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (
            "https://example.org/a.png",
            "is an address; save the image in the campaign's",
        ),
        ("HTTP://example.org/a.png", "is an address"),
        ("//example.org/a.png", "is an address"),
        ("\\\\example.org\\a.png", "is an address"),
        ("data:image/png;base64,iVBORw0KGgo=", "is an address"),
        ("file:///etc/a.png", "is an address"),
        ("javascript:alert(1)", "is an address"),
        ("photos/none.png", "No such file or directory; correct the path"),
        ("photos", "Is a directory; correct the path"),
        ("x" * 300, "cannot be read: .*; correct the path"),
        ("drawing.svg", "SVG images can contain programs; export the image as PNG"),
        ("big.png", "more than 5,000,000 bytes; make it smaller"),
        ("bomb.png", "make it smaller, 10,000 along a side"),
        ("cut.png", "ends too early; copy it again"),
        ("text.png", "neither PNG, JPEG, WebP nor GIF; convert it"),
    ],
)
@pytest.mark.parametrize("form", ["test set", "screen", "paragraph", "training"])
def test_a_bad_image_is_rejected_with_its_line(new, tmp_path, value, problem, form):
    for name, data in {
        "drawing.svg": b"<svg/>",
        "big.png": png() + b"\0" * 5_000_000,
        "bomb.png": bomb(30_000, 30_000),
        "cut.png": png()[:40],
        "text.png": b"no image",
    }.items():
        (tmp_path / name).write_bytes(data)
    file, second = "set.jsonl", screen("b")
    if form == "test set":
        config = new(segment(0, "photos/png"), segment(1, value))
    elif form == "training":
        file, config = "training.jsonl", new(segment(0, ""))
        lesson = {"before": "", "paragraphs": [{"image": value}]}
        lines = "\n" + json.dumps({"content": lesson, "answer": {}}) + "\n"
        (tmp_path / file).write_text(lines, encoding="utf-8")
        with config.open("a", encoding="utf-8") as text:
            text.write(f'[training]\nitems = "{file}"\n')
    else:
        part = second if form == "screen" else second["paragraphs"][0]
        part["image"] = value
        config = new(screen("a"), second)
    with pytest.raises(FormatError, match=problem) as caught:
        check(read_config(config))
    assert (caught.value.path, caught.value.line) == (str(tmp_path / file), 2)


@pytest.mark.parametrize("form", ["test set", "screen"])
def test_files_outside_the_folder_must_be_allowed(new, tmp_path, form):
    outside = tmp_path.parent / f"{tmp_path.name}.png"
    outside.write_bytes(png(text=b"outside"))
    (tmp_path / "link.png").symlink_to(outside)
    for name in (f"../{outside.name}", str(outside), "link.png"):
        line = segment(0, name) if form == "test set" else screen(image=name)
        config = new(line)
        with pytest.raises(UntrustedError, match="--allow-outside") as caught:
            check(read_config(config))
        assert caught.value.line == 1
        allowed = check(read_config(config, allow_outside=True))
        assert set(allowed.images) == {sha(outside.read_bytes())}


def test_a_path_with_a_null_character_is_rejected(new):
    with pytest.raises(FormatError, match="outside the campaign's folder"):
        check(read_config(new(segment(0, "a\0b.png"))))
    config = read_config(new(segment(0, "a\0b.png")), allow_outside=True)
    with pytest.raises(FormatError, match=r"null .*; correct the path"):
        check(config)


def test_a_long_description_is_rejected(new):
    with pytest.raises(FormatError, match="image_alt has 1001 characters; give 1000"):
        check(read_config(new(segment(0, "photos/png", image_alt="x" * 1001))))


def test_what_is_not_a_text_is_rejected(new):
    with pytest.raises(FormatError, match="image is not a text"):
        check(read_config(new(screen(image=1))))


# ------------------------------------------------------------------ in the database


def test_equal_images_are_kept_once_under_no_name_of_a_file(new, tmp_path):
    (tmp_path / "alphasys.png").write_bytes(png())
    lines = [segment(0, "photos/png"), segment(1, "alphasys.png")]
    campaign = load(read_config(new(*lines, segment(2, "photos/gif")))).campaign
    kept = {one.name: (one.kind, bytes(one.content)) for one in Image.objects.all()}
    assert kept == {
        sha(data): (kind, data)
        for kind, data in KINDS.items()
        if kind in ("png", "gif")
    }
    stored = json.dumps([item.content for item in campaign.items.all()])
    assert "alphasys" not in stored
    assert "photos" not in stored
    assert str(tmp_path) not in stored


def test_loading_again_adds_what_is_new_and_changes_nothing(new, tmp_path):
    config = new(segment(0, "photos/png"))
    load(read_config(config))
    config = new(segment(0, "photos/png"), {**segment(1, "photos/gif"), "doc": "b"})
    assert load(read_config(config)).known > 0
    assert Image.objects.count() == 2
    # What people have seen stays, even if the file of the same name is another one.
    (tmp_path / "photos" / "png").write_bytes(png(text=b"another"))
    with pytest.raises(InputError, match="says something else now"):
        load(read_config(config))
    assert Image.objects.filter(name=sha(png())).exists()
    assert Image.objects.count() == 2


def test_items_without_images_are_as_before(new):
    line = segment(0, "")
    campaign = load(read_config(new(line))).campaign
    del line["image"]
    assert load(read_config(new(line))).added == 0
    assert not any("image" in str(one.content) for one in campaign.items.all())


def test_a_file_that_changes_while_it_is_loaded_is_noticed(new, tmp_path, monkeypatch):
    from tertium.campaigns import loading

    def change(*_):
        (tmp_path / "photos" / "png").write_bytes(png(text=b"another"))
        return 1

    monkeypatch.setattr(loading, "_add", change)
    with pytest.raises(FormatError, match="has changed since"):
        load(read_config(new(segment(0, "photos/png"))))
    assert not Campaign.objects.exists()


def test_images_go_with_their_campaign(new):
    campaign = load(read_config(new(segment(0, "photos/png")))).campaign
    campaign.delete()
    assert not Image.objects.exists()


# ------------------------------------------------------------------------- training


def training(config, *images):
    paragraph = {"segment": "t", "source": "s", "reference": "", "prefilled": {}}
    lines = [
        {
            "item": f"t{n}",
            "content": {
                "before": "",
                "paragraphs": [{**paragraph, "outputs": {"a": "word"}, **image}],
            },
            "answer": {"outputs": {"a": [{"marks": [], "score": 100}]}},
        }
        for n, image in enumerate(images)
    ]
    (config.parent / "training.jsonl").write_text(jsonl(lines), encoding="utf-8")
    with config.open("a", encoding="utf-8") as text:
        text.write('[training]\nitems = "training.jsonl"\n')
    return config


def test_training_shows_images_by_path_or_as_exported(new):
    exported = {"image": {"name": sha(KINDS["gif"]), "width": 3, "height": 2}}
    path = {"image": "photos/png", "image_alt": "A heron"}
    config = training(new(segment(0, "photos/gif")), path, exported, {"image": ""})
    load(read_config(config))
    first, second, third = (
        item.content["paragraphs"][0]
        for item in Campaign.objects.get().items.filter(kind="training").order_by("pk")
    )
    assert first["image"]["alt"] == "A heron"
    assert "image_alt" not in first
    assert second["image"]["name"] == sha(KINDS["gif"])
    assert "image" not in third
    assert Image.objects.count() == 2


def test_an_exported_image_must_be_in_the_campaign(new):
    config = training(
        new(segment(0, "photos/gif")),
        {"image": {"name": "0" * 64, "width": 3, "height": 2}},
    )
    with pytest.raises(InputError, match="'t0' shows an image that no other item has"):
        check(read_config(config))


@pytest.mark.parametrize(
    "image",
    [
        {"image": {"file": "/etc/passwd", "name": "x", "width": 1, "height": 1}},
        {"image": {"name": "0" * 64, "width": 0, "height": 1}},
        {"image": 3},
        {"image": "photos/png", "image_alt": 3},
    ],
)
def test_training_takes_no_other_form(new, image):
    config = training(new(segment(0, "photos/gif")), image)
    with pytest.raises(
        FormatError, match=r"training\.jsonl:1: image and image_alt must"
    ):
        check(read_config(config))


def test_a_smuggled_path_is_not_read(new):
    exported = {"name": sha(KINDS["gif"]), "width": 3, "height": 2}
    image = {"image": {**exported, "file": "/etc/passwd"}}
    checked = check(read_config(training(new(segment(0, "photos/gif")), image)))
    assert list(checked.images) == [sha(KINDS["gif"])]
    assert checked.images[sha(KINDS["gif"])].name == "gif"
    assert all("passwd" not in str(one.content) for one in checked.drafts)


# ------------------------------------------------------------------------ who may see


@pytest.fixture
def campaign(new):
    lines = [segment(0, "photos/png", image_alt="A <b>heron</b>")]
    return load(read_config(new(*lines))).campaign


@pytest.fixture
def browse(client):
    """Return a function that gives the browser of somebody with a role."""

    def of(campaign: Campaign, role: str):
        client.logout()
        if role != "nobody":
            joined = join(invite(campaign, Role(role)), name=f"{role} {campaign.pk}")
            client.force_login(joined.member.person)
        return client

    return of


def address(campaign, data=None):
    return f"/c/{campaign.name}/images/{sha(data or png())}"


@pytest.mark.parametrize("role", ["annotator", "manager", "observer"])
def test_members_get_the_image(campaign, browse, role):
    browser = browse(campaign, role)
    reply = browser.get(address(campaign))
    assert reply.status_code == 200
    assert reply.content == png()
    assert reply["Content-Type"] == "image/png"
    assert reply["X-Content-Type-Options"] == "nosniff"
    assert reply["Content-Disposition"] == f'inline; filename="{sha(png())[:16]}.png"'
    assert reply["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "default-src 'none'" in reply["Content-Security-Policy"]
    assert reply["Cross-Origin-Resource-Policy"] == "same-origin"
    assert browser.head(address(campaign)).status_code == 200
    assert browser.post(address(campaign)).status_code == 405


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_its_type(new, browse, kind):
    campaign = load(read_config(new(segment(0, f"photos/{kind}")))).campaign
    reply = browse(campaign, "annotator").get(address(campaign, KINDS[kind]))
    assert reply["Content-Type"] == f"image/{kind.partition(',')[0]}"
    assert reply.content == KINDS[kind]


def test_others_get_nothing(campaign, browse, tmp_path_factory):
    reply = browse(campaign, "nobody").get(address(campaign))
    assert (reply.status_code, reply["Location"][:8]) == (302, "/sign-in")
    assert reply["Cache-Control"] != "private, max-age=31536000, immutable"
    folder = tmp_path_factory.mktemp("other")
    config = write_spans(folder)
    text = config.read_text(encoding="utf-8").replace('"spans"', '"other"', 1)
    config.write_text(text, encoding="utf-8")
    other = load(read_config(config)).campaign
    stranger = browse(other, "manager")
    assert stranger.get(address(campaign)).status_code == 404
    # Nor through a campaign of their own.
    assert stranger.get(address(other)).status_code == 404


def test_who_was_deleted_gets_nothing_more(campaign, browse):
    browser = browse(campaign, "annotator")
    assert browser.get(address(campaign)).status_code == 200
    campaign.members.all().delete()
    assert browser.get(address(campaign)).status_code == 404


@pytest.mark.parametrize("name", ["0" * 64, "x", sha(png()).upper(), "..", "%00"])
def test_what_is_not_an_image_is_not_there(campaign, browse, name):
    reply = browse(campaign, "manager").get(f"/c/{campaign.name}/images/{name}")
    assert reply.status_code in (400, 404)


# ------------------------------------------------------------------------ by programs


@pytest.mark.parametrize("role", ["manager", "observer"])
def test_programs_find_images_with_the_items(campaign, client, role):
    bearer = {"Authorization": f"Bearer {new_token(campaign, Role(role))[1]}"}
    api = f"/api/v1/campaigns/{campaign.name}"
    items = client.get(f"{api}/items", headers=bearer).json()["items"]
    addresses = {address for one in items for address in one["images"]}
    assert addresses == {f"{api}/images/{sha(png())}"}
    reply = client.get(addresses.pop(), headers=bearer)
    assert (reply.content, reply["Content-Type"]) == (png(), "image/png")
    missing = client.get(f"{api}/images/{'0' * 64}", headers=bearer)
    assert missing.status_code == 404
    assert "no such image" in missing.json()["error"]
    assert client.get(f"{api}/images/{sha(png())}").status_code == 401


@pytest.mark.parametrize("name", ["/etc/passwd", "../../x.png", "x.png", "//a/b.png"])
def test_items_from_programs_name_no_file_of_the_server(campaign, client, name):
    bearer = {"Authorization": f"Bearer {new_token(campaign, Role.MANAGER)[1]}"}
    line = json.dumps(segment(5, name))
    reply = client.post(
        f"/api/v1/campaigns/{campaign.name}/items",
        line,
        content_type="application/x-ndjson",
        headers=bearer,
    )
    assert reply.status_code == 422
    assert reply.json()["error"].startswith("items.jsonl:1: image ")
    assert "tertium-upload" not in reply.json()["error"]
    assert Image.objects.count() == 1


@pytest.fixture
def send(campaign, client):
    """Return a function that sends a form of files to a campaign's items."""
    bearer = {"Authorization": f"Bearer {new_token(campaign, Role.MANAGER)[1]}"}

    def post(**fields):
        address = f"/api/v1/campaigns/{campaign.name}/items"
        return client.post(address, fields, headers=bearer)

    return post


def file(name: str, data: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data)


def test_programs_send_images_with_the_items(campaign, send):
    items = [segment(5, "images/a.png"), segment(6, "images/b.gif")]
    images = [file("a.png", png(text=b"a")), file("b.gif", KINDS["gif"])]
    reply = send(items=file("more.jsonl", jsonl(items).encode()), images=images)
    assert reply.status_code == 200, reply.json()
    assert reply.json()["added"] > 0
    names = set(campaign.images.values_list("name", flat=True))
    assert names == {sha(png()), sha(png(text=b"a")), sha(KINDS["gif"])}


@pytest.mark.parametrize(
    ("images", "more", "problem"),
    [
        ([], {}, "images/a.png': cannot be read"),
        ([("a.png", b"<svg/>")], {}, "SVG images can contain programs"),
        ([("a.png", png()), ("a.png", png())], {}, "different names"),
        ([(".png", png())], {}, "different names"),
        ([("a b.png", png())], {}, "different names"),
        ([("../a.png", png()), ("b.png", png())], {"systems": "x"}, "nothing else"),
        ([], {"items": []}, "one file of items"),
    ],
)
def test_bad_forms_add_nothing(campaign, send, images, more, problem):
    line = jsonl([segment(5, "images/a.png")]).encode()
    fields = {"items": file("more.jsonl", line), **more}
    reply = send(**fields, images=[file(*one) for one in images])
    assert reply.status_code == 422
    assert problem in reply.json()["error"]
    assert campaign.images.count() == 1


# ---------------------------------------------------------------------- on the page


@pytest.mark.parametrize("task", TASKS)
def test_the_page_shows_it_next_to_the_source(new, browse, task):
    line = segment(0, "photos/png", image_alt="A <b>heron</b>")
    campaign = load(read_config(new(line, task=task))).campaign
    person = browse(campaign, "annotator")
    work = next_assignment(campaign.members.get())
    page = person.get(f"/work/{work.pk}/").content.decode()
    assert page.count('class="source-image"') == 1
    assert f'<img src="{address(campaign)}" width="3" height="2" loading="lazy"' in page
    assert 'alt="A &lt;b&gt;heron&lt;/b&gt;"' in page
    assert "campaigns/images.js" in page
    texts = re.search(r">(one|other)\b", page).start()
    assert page.index("source 0") < page.index("source-image") < texts


def test_large_images_keep_their_shape(new, browse, tmp_path):
    (tmp_path / "wide.png").write_bytes(png(2000, 500))
    (tmp_path / "high.png").write_bytes(png(100, 1000))
    lines = [segment(0, "wide.png"), segment(1, "high.png")]
    campaign = load(read_config(new(*lines))).campaign
    person = browse(campaign, "annotator")
    work = next_assignment(campaign.members.get())
    page = person.get(f"/work/{work.pk}/").content.decode()
    assert 'width="640" height="160"' in page
    assert 'width="32" height="320"' in page


def test_pages_without_images_load_no_script_for_them(new, browse):
    campaign = load(read_config(new(segment(0, "")))).campaign
    person = browse(campaign, "annotator")
    work = next_assignment(campaign.members.get())
    page = person.get(f"/work/{work.pk}/").content.decode()
    assert "images.js" not in page
    assert "enlarged" not in page


def test_answers_keep_the_name_of_the_image(campaign):
    (member,) = people(campaign)
    work = next_assignment(member)
    submit(work, answer_of(work.item.content, lambda *_: ([], 50), campaign.options))
    (line,) = map(json.loads, raw_lines(campaign))
    assert line["content"]["paragraphs"][0]["image"]["name"] == sha(png())


@pytest.mark.parametrize(
    "image",
    [
        "x",
        {"name": "../../x", "width": 1, "height": 1},
        {"name": "0" * 64, "width": "wide", "height": 1},
        {"name": "0" * 64, "width": 1, "height": 1, "alt": 3},
        {},
    ],
)
def test_images_of_imported_answers_break_no_page(campaign, browse, tmp_path, image):
    (member,) = people(campaign)
    work = next_assignment(member)
    submit(work, answer_of(work.item.content, lambda *_: ([], 50), campaign.options))
    (line,) = map(json.loads, raw_lines(campaign))
    line |= {"item": "new", "id": None}
    del line["id"]
    line["content"]["paragraphs"][0]["image"] = image
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    done = import_file(campaign, str(path))
    assert done.added == 1, done
    item = campaign.items.get(key="new")
    reply = browse(campaign, "manager").get(
        f"/m/{campaign.name}/items/{item.pk}/preview"
    )
    assert reply.status_code == 200
