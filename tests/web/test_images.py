# SPDX-License-Identifier: Apache-2.0
"""Images next to the source in a real browser: by keyboard, on phones, enlarged."""

from __future__ import annotations

import base64

import pytest

from support.accessibility import NARROW, faults, too_wide
from support.images import exif, png
from support.keyboard import tab_to, use
from support.span_campaign import write_spans
from support.span_page import open_item
from tertium.campaigns.images import read_header

LARGE = (1600, 1200)


@pytest.fixture
def shown(server, person, join):
    """Return a function that opens an item whose first paragraph has an image."""

    def open_images(task="esa", size=LARGE, **context):
        folder = server.folder / "c"
        folder.mkdir()
        (folder / "one.png").write_bytes(png(*size))
        (folder / "two.png").write_bytes(png(100, 60, text=b"two"))
        lines = [
            {
                "id": f"s{n}",
                "doc": "d",
                "src": f"The source of paragraph {n}",
                "tgt": {"one": f"Eins {n}", "two": f"Zwei {n}"},
                "image": name,
                "image_alt": "Stripes" if n == 0 else "",
            }
            for n, name in enumerate(["one.png", "", *[""] * 20, "two.png"])
        ]
        settings = {"paragraphs": 0}
        if task != "esa":
            settings = {}
            del lines[1:]
        config = write_spans(folder, task, lines=lines, **settings)
        links = server.load(config)
        server.start()
        page = person(**context)
        requests = []
        page.on("request", lambda one: requests.append(one.url))
        open_item(page, server, links, join)
        return page, requests

    return open_images


def loaded(page, place):
    place.scroll_into_view_if_needed()
    page.wait_for_function("one => one.complete", arg=place.element_handle())
    return place.evaluate("one => [one.naturalWidth, one.naturalHeight]")


def test_keyboard_alone_opens_and_closes_an_image(shown, picture):
    page, _ = shown()
    button = page.get_by_role("button", name="Stripes Enlarge", exact=True)
    assert loaded(page, button.locator("img")) == list(LARGE)
    assert button.locator("img").bounding_box()["width"] <= 640
    picture(page, "image-beside-source", full=False)
    use(page, button)
    dialog = page.get_by_role("dialog", name="Enlarged image")
    dialog.wait_for()
    close = dialog.get_by_role("button", name="Close the image")
    assert close.evaluate("one => one === document.activeElement")
    actual = dialog.get_by_role("button", name="Actual size")
    actual.wait_for()
    large = dialog.get_by_role("img", name="Stripes")
    box = large.bounding_box()
    assert 640 < box["width"] < 1100
    assert box["height"] < 800
    picture(page, "image-enlarged", full=False)
    assert not faults(page)
    # Actual size, then around it by the arrow keys.
    use(page, actual)
    assert large.bounding_box()["width"] == LARGE[0]
    before = large.bounding_box()["y"]
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(300)
    assert large.bounding_box()["y"] < before
    assert not too_wide(page)
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert button.evaluate("one => one === document.activeElement")
    # Again, and out by the button; it fits once more.
    page.keyboard.press("Enter")
    dialog.wait_for()
    assert large.bounding_box()["width"] < 1100
    use(page, close)
    assert not dialog.is_visible()
    assert not faults(page)


def test_a_phone_shows_it_whole(shown, picture):
    page, _ = shown(viewport=NARROW, has_touch=True)
    button = page.get_by_role("button", name="Stripes Enlarge")
    loaded(page, button.locator("img"))
    assert not too_wide(page)
    box = button.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW["width"]
    picture(page, "image-phone", full=False)
    button.tap()
    large = page.get_by_role("dialog").get_by_role("img")
    page.get_by_role("button", name="Actual size").wait_for()
    box = large.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= NARROW["width"]
    assert box["width"] / box["height"] == pytest.approx(4 / 3, abs=0.02)
    assert not too_wide(page)
    picture(page, "image-phone-enlarged", full=False)
    page.touchscreen.tap(5, 735)  # beside it
    assert not page.get_by_role("dialog").is_visible()


def test_images_take_their_room_before_they_come(shown):
    page, requests = shown(viewport=NARROW)
    last = page.locator(".source-image img").last
    size = "one => [one.clientWidth, one.clientHeight]"
    before = last.evaluate(size)
    assert not last.evaluate("one => one.complete && one.naturalWidth > 0")
    images = [url for url in requests if "/images/" in url]
    assert len(images) == 1, "lazy"
    loaded(page, last)
    assert last.evaluate(size) == before == [100, 60]


def test_only_images_of_this_server_are_asked_for(shown, server):
    page, requests = shown()
    loaded(page, page.locator(".source-image img").first)
    assert all(url.startswith(server.url) for url in requests)
    (address,) = {url for url in requests if "/images/" in url}
    assert "one" not in address


def test_a_small_image_has_no_actual_size(shown):
    page, _ = shown(size=(90, 50))
    page.get_by_role("button", name="Stripes Enlarge").click()
    page.wait_for_function("document.querySelector('#enlarged img').complete")
    page.wait_for_timeout(100)
    assert page.get_by_role("dialog").get_by_role("button").count() == 1


@pytest.mark.parametrize("task", ["direct", "ranking"])
def test_keys_of_the_task_do_nothing_behind_the_image(shown, task):
    page, _ = shown(task)
    button = page.get_by_role("button", name="Stripes Enlarge")
    loaded(page, button.locator("img"))
    use(page, button)
    page.get_by_role("dialog").wait_for()
    for key in ("1", "2", "ArrowRight", "z"):
        page.keyboard.press(key)
    page.keyboard.press("Escape")
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert page.locator("#saving").text_content() == ""
    tab_to(page, button)
    assert not faults(page)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp"])
def test_headers_are_read_as_the_browser_writes_them(person, kind):
    page = person()
    data = page.evaluate(
        """(type) => {
          const canvas = document.createElement("canvas");
          [canvas.width, canvas.height] = [321, 123];
          canvas.getContext("2d").fillRect(9, 9, 99, 99);
          return canvas.toDataURL(type).split(",");
        }""",
        f"image/{kind}",
    )
    assert data[0] == f"data:image/{kind};base64"
    image = base64.b64decode(data[1])
    assert read_header(image) == (kind, 321, 123)
    if kind == "jpeg":
        image = image[:2] + exif(6) + image[2:]
        address = f"data:image/jpeg;base64,{base64.b64encode(image).decode()}"
        size = page.evaluate(
            """async (address) => {
              const image = new Image();
              image.src = address;
              await image.decode();
              return [image.naturalWidth, image.naturalHeight];
            }""",
            address,
        )
        assert list(read_header(image)[1:]) == size == [123, 321]
    for cut in (len(image) - 3, len(image) // 2, 20):
        with pytest.raises(ValueError, match=";"):
            read_header(image[:cut])
