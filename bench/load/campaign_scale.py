# SPDX-License-Identifier: Apache-2.0
"""A campaign of 100,000 items and 100,000 judgements: how long everything takes.

``python -m bench campaign_scale [--items N] [--judgements N] [--task NAME]
[--database WHERE]``

WHERE is ``sqlite`` (default), ``postgresql`` (one is started for this), or an address
``postgresql://...`` of an empty database. Texts are generated, and everything is thrown
away at the end. Judgements are written straight into the tables, as submitting them
would have left them: the time of a submission is what ``campaign_load.py`` measures.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics as stats
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests"))

from support.postgresql_cluster import cluster

_NAME = "scale"
_WORDS = [
    "the",
    "a",
    "new",
    "old",
    "red",
    "house",
    "river",
    "bridge",
    "goes",
    "stands",
    "under",
    "over",
    "by",
    "day",
    "night",
]
_DRAWN = 30  # items asked for, of which the median counts
_BATCH = 5000


def main(argv: Sequence[str] | None = None) -> int:
    """Load, judge, look, export; print a line each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--judgements", type=int, default=100_000)
    parser.add_argument("--annotators", type=int, default=50)
    parser.add_argument("--task", choices=["pairs", "direct"], default="pairs")
    parser.add_argument("--database", default="sqlite")
    args = parser.parse_args(argv)
    temporary = args.database == "postgresql"
    with (
        cluster(durable=True) if temporary else nullcontext(args.database) as address,
        tempfile.TemporaryDirectory() as folder,
    ):
        if address == "sqlite":
            address = str(Path(folder, "campaigns.sqlite3"))
        from tertium.campaigns.site.setup import prepare, start

        start(address, hosts="testserver", secret_file=f"{folder}/secret.key")
        prepare()
        try:
            _measure(args, Path(folder))
        finally:
            from django.db import connection

            connection.close()
    return 0


@contextmanager
def _line(what: str) -> Iterator[None]:
    """Print how long something takes, and the most memory of the process in it."""
    _forget_peak()
    start = time.perf_counter()
    yield
    _print(what, time.perf_counter() - start)


def _print(what: str, seconds: float) -> None:
    peak = f"{_peak():>6} MB" if Path("/proc/self/status").exists() else ""
    print(f"{what:<46} {seconds:>9.3f} s {peak}", flush=True)


def _forget_peak() -> None:
    place = Path("/proc/self/clear_refs")
    if place.exists():
        place.write_text("5")


def _peak() -> int:
    text = Path("/proc/self/status").read_text()
    return int(text.split("VmHWM:")[1].split()[0]) // 1024


def _measure(args: argparse.Namespace, folder: Path) -> None:
    from tertium.campaigns import loading
    from tertium.campaigns.config import read_config
    from tertium.campaigns.dashboard import statistics
    from tertium.campaigns.dashboard.progress import progress
    from tertium.campaigns.exchange import exporting
    from tertium.campaigns.models import Item

    print(
        f"{args.task}, {args.items} items, {args.judgements} judgements of "
        f"{args.annotators} people, {args.database}; {os.cpu_count()} cores with a "
        f"load of {os.getloadavg()[0]:.1f}"
    )
    config = read_config(_write(folder, args.items, args.task))
    with _line("load"):
        campaign = loading.load(config).campaign
    with _line("load again, nothing new"):
        loading.load(config)
    people = _join(campaign, args.annotators)
    _next("next item, nothing judged", people)
    with _line("(judgements written)"):
        _judge(campaign, people, args.judgements)
    _next("next item, of people who judged", people)
    _next("next item, of somebody new", _join(campaign, 1) * _DRAWN)
    with _line("progress (campaign status)"):
        progress(campaign)
    pages = _browser(campaign)
    root = f"/m/{_NAME}/"
    with _line("dashboard, first look"):
        pages(root)
    maker = threading.Thread(target=_compute, args=(campaign,))
    with _line("figures of the dashboard"):
        maker.start()
        maker.join()
    with _line("wait for figures and sections"):
        _settle(pages, root)
    with _line("dashboard, nothing new"):
        pages(root)
    maker = threading.Thread(target=_compute, args=(campaign,))
    maker.start()
    with _line("dashboard, while figures are made"):
        pages(root)
    maker.join()
    statistics.forget(campaign)
    last = Item.objects.filter(campaign=campaign).count() // 50
    for what, path in (
        ("people", "people/"),
        ("a person", f"people/{people[0].code}/"),
        ("items, first page", "items/"),
        ("items, last page", f"items/?page={last}"),
        ("items, waiting", "items/?state=free"),
        ("items, under way", "items/?state=open"),
        ("items, judged", "items/?state=judged"),
        ("items, judged, last page", f"items/?state=judged&page={last}"),
        ("items, skipped", "items/?state=skipped"),
        ("items, searched", "items/?q=s99"),
        ("an item", f"items/{Item.objects.filter(campaign=campaign).first().pk}/"),
    ):
        with _line(what):
            pages(root + path)
    for name, file in (("answers", "answers.jsonl"), ("parquet", "store")):
        with _line(f"export, {name}"):
            exporting.write_export(campaign, str(folder / file), name)


def _compute(campaign: Any) -> None:
    from django.db import connection

    from tertium.campaigns.dashboard import statistics

    statistics.compute(campaign)
    connection.close()


def _settle(pages: Callable[[str], str], path: str) -> None:
    """Look until the page holds all figures."""
    while pages(path) == "10":
        time.sleep(0.5)


def _next(what: str, people: Sequence[Any]) -> None:
    """Print the median time of leasing an item."""
    from tertium.campaigns.work.leases import next_assignment, skip

    _forget_peak()
    times = []
    for member in people[:_DRAWN]:
        start = time.perf_counter()
        assignment = next_assignment(member)
        times.append(time.perf_counter() - start)
        if assignment is not None:
            skip(assignment, "measured")
    _print(what, stats.median(times))


def _browser(campaign: Any) -> Callable[[str], str]:
    """Return a function that asks for a page as a manager, and how it refreshes."""
    from django.test import Client

    from tertium.campaigns.people import accounts

    invitation = accounts.invite(campaign, "manager", days=1)
    client = Client()
    token = accounts.token_of(invitation)
    assert (
        client.post(f"/join/{token}", {"name": "", "password": ""}).status_code == 302
    )

    def ask(path: str) -> str:
        response = client.get(path)
        assert response.status_code == 200, (path, response.status_code)
        return response.headers.get("Refresh", "")

    return ask


def _join(campaign: Any, number: int) -> list[Any]:
    from tertium.campaigns.models import Membership, Person

    members = []
    for _n in range(number):
        code = uuid.uuid4().hex[:12]
        person = Person.objects.create(name=code, password="!")
        members.append(
            Membership.objects.create(
                campaign=campaign, person=person, role="annotator", code=code
            )
        )
    return members


def _judge(campaign: Any, people: Sequence[Any], number: int) -> None:
    """Write judgements as submissions leave them; a tenth are repeated ones."""
    from django.db import transaction
    from django.utils import timezone

    from tertium.campaigns.models import Assignment, Item, Judgement

    rng = Random(1)
    left = Item.objects.filter(campaign=campaign, kind="work", taken=0)
    items = list(left.order_by("position").values_list("pk", flat=True))
    items = items[: number - number // 10]
    work = [(item, rng.choice(people), "first") for item in items]
    while len(work) < number:
        item, member, _why = work[rng.randrange(len(items))]
        again = rng.random() < 0.5
        other = rng.choice([one for one in people if one is not member])
        work.append((item, member if again else other, "intra" if again else "inter"))
    start = timezone.now() - timedelta(days=30)
    with transaction.atomic():
        for at in range(0, number, _BATCH):
            held, judgements = [], []
            for place, (item, member, why) in enumerate(work[at : at + _BATCH], at):
                seconds = rng.expovariate(1 / 20)
                then = start + timedelta(days=30 * place / number)
                one = Assignment(
                    item_id=item, member=member, why=why, state="done", seed=place,
                    created=then, opened=then, expires=then + timedelta(minutes=30),
                    closed=then + timedelta(seconds=seconds),
                )  # fmt: skip
                held.append(one)
                judgements.append(
                    Judgement(
                        assignment=one,
                        answer=_answer(campaign.task, rng),
                        created=one.closed,
                        seconds=seconds,
                    )
                )
            Assignment.objects.bulk_create(held)
            Judgement.objects.bulk_create(judgements)
        for at in range(0, len(items), _BATCH):
            Item.objects.filter(pk__in=items[at : at + _BATCH]).update(taken=1)


def _answer(task: str, rng: Random) -> dict[str, object]:
    if task == "direct":
        return {"score": rng.randint(0, 100)}
    return {"better": rng.choice(["a", "b", "equal"])}


def _write(folder: Path, items: int, task: str) -> Path:
    rng = Random(0)
    segments = items if task == "pairs" else items // 2  # an item an output
    with (folder / "set.jsonl").open("w", encoding="utf-8") as file:
        for n in range(segments):
            src, ref, one, two = (" ".join(rng.choices(_WORDS, k=20)) for _ in range(4))
            line = {"id": f"s{n}", "src": src, "ref": [ref],
                    "tgt": {"alphasys": one, "betasys": two}}  # fmt: skip
            file.write(json.dumps(line) + "\n")
    config = folder / "campaign.toml"
    config.write_text(
        f'[campaign]\nname = "{_NAME}"\ntitle = "Scale"\ntask = "{task}"\n'
        'items = "set.jsonl"\nsource = "en"\ntarget = "cs"\n'
        "[plan]\nintra = 0.05\ninter = 0.05\n",
        encoding="utf-8",
    )
    return config


if __name__ == "__main__":
    sys.exit(main())
