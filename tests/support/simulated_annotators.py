# SPDX-License-Identifier: Apache-2.0
"""Many annotators at a real server, as browsers would behave: cookies and CSRF.

Every acknowledged submission is noted, and compared with the export at the end.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from urllib.parse import urlencode

from support.campaign_server import Server

__all__ = ["Outcome", "simulate"]

_NAME = "load"
_SEVERITIES = ("minor", "major")
_WORDS = ("boat", "night", "letter", "bridge", "garden", "winter", "music", "stone")


@dataclass
class Outcome:
    """What annotators saw, and what the export says."""

    seconds: float = 0.0
    times: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    broken: int = 0
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    double_clicks: int = 0
    cpu: float | None = None  # seconds of the server, where it can be known
    exported: list[dict[str, object]] = field(default_factory=list)

    @property
    def requests(self) -> int:
        """The number of answers that came."""
        return sum(map(len, self.times.values()))

    @property
    def lost(self) -> Counter[tuple[int, str]]:
        """Submissions that were acknowledged and are not in the export."""
        return Counter(self.acknowledged) - self._kept()

    @property
    def doubled(self) -> Counter[tuple[int, str]]:
        """Judgements in the export beyond those that were acknowledged."""
        return self._kept() - Counter(self.acknowledged)

    def _kept(self) -> Counter[tuple[int, str]]:
        return Counter((_number(line), _text(line["answer"])) for line in self.exported)

    def problems(self) -> list[str]:
        """Return what is lost, doubled or shared; nothing when all is well."""
        results = [f"error: {error}" for error in self.errors[:5]]
        if lost := self.lost:
            results.append(f"{lost.total()} acknowledged, not in the export: {lost}")
        if more := self.doubled:
            results.append(f"{more.total()} in the export, not acknowledged: {more}")
        first = Counter(line["item"] for line in self.exported if _is_first(line))
        if twice := [item for item, times in first.items() if times > 1]:
            results.append(f"items with two first judgements: {twice}")
        if late := sum(line["why"] == "late" for line in self.exported):
            results.append(f"{late} judgements of items that others had")
        return results


def _number(line: dict[str, object]) -> int:
    """Return the number of an item's first segment."""
    return int(re.match(r"s(\d+)", str(line["segment"]))[1])


def _text(answer: object) -> str:
    return json.dumps(answer, sort_keys=True)


def _is_first(line: dict[str, object]) -> bool:
    return line["why"] == "first"


class Annotator(threading.Thread):
    """Somebody in a hurry, with a browser."""

    def __init__(
        self, server: Server, invitation: str, number: int, think: float, run: _Run
    ) -> None:
        super().__init__(daemon=True)
        self.server, self.invitation, self.run_ = server, invitation, run
        self.rng = Random(number)
        self.think = think
        self.arrival = 2 * think
        self.cookies: dict[str, str] = {}
        self.lines: dict[int, HTTPConnection] = {}

    # A thread does not report what it raises: the outcome does.
    def run(self) -> None:
        try:
            self._work()
        except Exception as error:
            self.run_.error(f"{type(error).__name__}: {error}")
        finally:
            for line in self.lines.values():
                line.close()

    def _work(self) -> None:
        if self.run_.over.wait(self.rng.uniform(0, self.arrival)):
            return
        page = self._ask("join page", "GET", self.invitation)
        form = {"csrfmiddlewaretoken": _token(page), "name": "", "password": ""}
        place = self._ask("join", "POST", self.invitation, form=form)
        page = self._ask("page", "GET", place)
        page = self._ask("page", "GET", f"/c/{_NAME}/")
        form = {"csrfmiddlewaretoken": _token(page)}
        place = self._ask("start", "POST", f"/c/{_NAME}/start", form=form)
        while "/work/" in place:
            page = self._ask("page", "GET", place)
            item = int(re.search(r"source (\d+)\b", page)[1])
            if self._gone():
                return
            answer = answer_to(page, self.rng)
            for version in range(1, self.rng.randint(1, 2) + 1):
                draft = {"version": version, "answer": answer}
                self._ask("draft", "POST", f"{place}draft", data=draft)
                if self._gone():
                    return
            message = self._submit(f"{place}submit", {"answer": answer})
            self.run_.acknowledge(item, _text(answer))
            place = json.loads(message)["next"]

    def _gone(self) -> bool:
        """Think, and return whether it is over: then they leave as they are.

        Were they to finish, all would do so at once: a crowd that is none.
        """
        thought = self.rng.expovariate(1 / self.think) if self.think else 0.0
        return self.run_.over.wait(thought)

    def _submit(self, path: str, data: dict[str, object]) -> str:
        if self.rng.random() > 0.1:
            return self._ask("submit", "POST", path, data=data)
        # A double click: the second request leaves before the first is answered.
        self.run_.double_click()
        second = threading.Thread(
            target=lambda: self._ask("submit", "POST", path, data=data, line=1),
            daemon=True,
        )
        second.start()
        message = self._ask("submit", "POST", path, data=data)
        second.join()
        return message

    def _ask(
        self,
        kind: str,
        method: str,
        path: str,
        *,
        form: dict[str, str] | None = None,
        data: dict[str, object] | None = None,
        line: int = 0,
    ) -> str:
        """Return the body, or where a redirection leads; ask until answered."""
        headers, body = {}, None
        if form is not None:
            body = urlencode(form)
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        elif data is not None:
            body = json.dumps(data)
            headers["Content-Type"] = "application/json"
            headers["X-CSRFToken"] = self.cookies.get("csrftoken", "")
        until = time.monotonic() + 60
        while True:
            headers["Cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
            try:
                start = time.monotonic()
                connection = self.lines.get(line) or HTTPConnection(
                    "127.0.0.1", self.server.port, timeout=30
                )
                self.lines[line] = connection
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                message = answer.read().decode()
                taken = time.monotonic() - start
                break
            except (OSError, HTTPException):
                self.lines.pop(line).close()
                self.run_.cut()
                if time.monotonic() > until:
                    raise
                time.sleep(self.rng.uniform(0.1, 0.5))  # not in step
        self.run_.note(kind, taken)
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if answer.status == 302:
            return answer.headers["Location"]
        if answer.status != 200:
            raise ValueError(f"{method} {path}: {answer.status} {message[:200]}")
        return message


def answer_to(page: str, rng: Random) -> dict[str, object]:
    """Return an answer to the item that a page shows, as the server will store it."""
    cells = re.findall(
        r'data-key="(\w)" data-number="\d+">.*?data-text="([^"]*)"', page, re.S
    )
    if not cells:
        return {"better": rng.choice(["a", "b", "equal"])}
    scored = 'class="scale' in page
    outputs: dict[str, list[object]] = {}
    for key, text in cells:
        words = [match.span() for match in re.finditer(r"\w+", text)]
        marks: list[dict[str, object]] = []
        for start, end in sorted(rng.sample(words, rng.randint(0, 3))):
            marks.append(
                {"start": start, "end": end, "severity": rng.choice(_SEVERITIES)}
            )
        if rng.random() < 0.2:
            marks.append({"start": None, "end": None, "severity": "major"})
        if not scored:
            for mark in marks:
                mark["category"] = "Accuracy/Mistranslation"
        rest: dict[str, object] = {"clean": True} if not marks else {}
        if scored:
            rest["score"] = rng.randint(0, 100)
        else:
            rest["clean"] = not marks
        outputs.setdefault(key, []).append({"marks": marks, **rest})
    if not scored:
        return {"outputs": outputs}
    return {
        "outputs": outputs,
        "document": {key: rng.randint(0, 100) for key in outputs},
    }


def _token(page: str) -> str:
    return re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]


class _Run:
    """What all annotators note, one at a time."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.outcome = Outcome()
        self._lock = threading.Lock()

    def note(self, kind: str, seconds: float) -> None:
        with self._lock:
            self.outcome.times.setdefault(kind, []).append(seconds)

    def acknowledge(self, item: int, answer: str) -> None:
        with self._lock:
            self.outcome.acknowledged.append((item, answer))

    def double_click(self) -> None:
        with self._lock:
            self.outcome.double_clicks += 1

    def cut(self) -> None:
        with self._lock:
            self.outcome.broken += 1

    def wait(self, seconds: float, enough: int | None) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            if enough is not None and len(self.outcome.acknowledged) >= enough:
                return
            time.sleep(0.05)

    def error(self, text: str) -> None:
        with self._lock:
            self.outcome.errors.append(text)


def simulate(
    server: Server,
    *,
    annotators: int,
    seconds: float,
    think: float = 5.0,
    kill: bool = False,
    enough: int | None = None,
    items: int = 5000,
    task: str = "pairs",
) -> Outcome:
    """Run annotators at a server that is not started yet, and count.

    Parameters
    ----------
    think : float
        Mean seconds between two moves of somebody.
    kill : bool
        Kill the server in the middle (SIGKILL), and start it again.
    enough : int, optional
        Submissions after which it is over, however quick the machine is.
    items : int
        Segments, or documents of three paragraphs for tasks with error spans.
    task : {"pairs", "esa", "mqm", "cesa"}
    """
    invitation = server.load(_write(server.folder, items, task))["annotator"]
    server.start()
    run = _Run()
    people = [Annotator(server, invitation, n, think, run) for n in range(annotators)]
    start = time.monotonic()
    for person in people:
        person.start()
    if kill:
        run.wait(seconds / 2, enough and enough // 2)
        server.kill()
        server.start()
    run.wait(start + seconds - time.monotonic(), enough)
    run.over.set()
    for person in people:
        person.join(90)
        if person.is_alive():
            run.error("an annotator did not get an answer")
    run.outcome.seconds = time.monotonic() - start
    if not kill:
        run.outcome.cpu = _cpu(server)
    server.stop()
    server.tertium("campaign", "export", _NAME, "-o", "answers.jsonl")
    text = (server.folder / "answers.jsonl").read_text(encoding="utf-8")
    run.outcome.exported = [json.loads(line) for line in text.splitlines()]
    return run.outcome


def _cpu(server: Server) -> float | None:
    place = Path(f"/proc/{server.process.pid}/stat")
    if not place.exists():
        return None
    fields = place.read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _write(folder: Path, items: int, task: str) -> Path:
    lines = _pairs(items) if task == "pairs" else _documents(items)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "set.jsonl").write_text(text, encoding="utf-8")
    checks = "" if task == "pairs" else "checks = 0.1\n"
    config = folder / "campaign.toml"
    config.write_text(
        f'[campaign]\nname = "{_NAME}"\ntitle = "Load"\ntask = "{task}"\n'
        'items = "set.jsonl"\nsource = "en"\ntarget = "cs"\n'
        f"[plan]\nintra = 0.05\ninter = 0.05\n{checks}",
        encoding="utf-8",
    )
    return config


def _pairs(items: int) -> Iterator[dict[str, object]]:
    for n in range(items):
        yield {"id": f"s{n}", "src": f"source {n}", "ref": ["as it should be"],
               "tgt": {"alphasys": f"left {n}", "betasys": f"right {n}"}}  # fmt: skip


def _documents(items: int) -> Iterator[dict[str, object]]:
    """Yield documents of three paragraphs of 40 words by two systems."""
    rng = Random(1)
    for n in range(items):
        for part in range(3):
            one, two = (" ".join(rng.choices(_WORDS, k=40)) for _ in range(2))
            outputs = {"alphasys": f"{one} {n}", "betasys": f"{two} {n}"}
            src = f"source {n} and what comes after it"
            yield {"id": f"s{n}-{part}", "doc": f"d{n}", "src": src, "ref": [one],
                   "tgt": outputs}  # fmt: skip
