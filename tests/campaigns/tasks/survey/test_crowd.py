# SPDX-License-Identifier: Apache-2.0
"""Many participants at once, on the real server."""

from __future__ import annotations

import re
import urllib.error
import urllib.parse
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar

import pytest

from support.campaign_server import Server

NAMES = (
    "read",
    "ask",
    "answered",
    "withdraw",
    "coded",
    "risks",
    "archive",
    "take_part",
)


@pytest.fixture
def server(tmp_path):
    result = Server(tmp_path, ready=True)
    yield result
    result.kill()


class Browser:
    """A person with cookies of their own and no patience: forms are sent twice."""

    def __init__(self, address):
        self.address = address
        self.open = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar())
        ).open
        page = self.open(f"{address}?step=consent").read().decode()
        self.form = dict(
            re.findall(r'name="(csrfmiddlewaretoken|once)" value="([^"]+)"', page)
        ) | {f"consent-{name}": "yes" for name in NAMES}

    def agree(self, _turn):
        data = urllib.parse.urlencode(self.form).encode()
        try:
            return self.open(self.address, data).read().decode()
        except urllib.error.HTTPError as error:
            return error.read().decode()


def test_questionnaires_are_given_once_each(server):
    links = server.load(server.new("survey"))
    server.start()
    people = [Browser(server.url + links["annotator"]) for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        pages = list(pool.map(Browser.agree, people, range(8)))
    joined = [page for page in pages if "Two things to keep" in page]
    assert len(joined) == 4
    codes = {re.search(r'id="code">([^<]+)<', page)[1] for page in joined}
    assert len(codes) == 4
    assert all("Everybody we needed" in page for page in pages if page not in joined)
    server.tertium("campaign", "export", "word-order", "--participants", "p.tsv")
    rows = (server.folder / "p.tsv").read_text().splitlines()[1:]
    assert sorted(row.split("\t")[2] for row in rows) == ["1", "2", "3", "4"]


def test_two_clicks_at_once_are_one_participant(server):
    links = server.load(server.new("survey"))
    server.start()
    one = Browser(server.url + links["annotator"])
    with ThreadPoolExecutor(4) as pool:
        pages = list(pool.map(one.agree, range(4)))
    assert any("Two things to keep" in page for page in pages)
    server.tertium("campaign", "export", "word-order", "--participants", "p.tsv")
    assert len((server.folder / "p.tsv").read_text().splitlines()) == 2
