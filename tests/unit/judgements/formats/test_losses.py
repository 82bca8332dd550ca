# SPDX-License-Identifier: Apache-2.0
"""What formats say that they lose is what does not come back, no more and no less."""

from __future__ import annotations

import json
from datetime import datetime

import pytest

from tertium.judgements import (
    FORMATS,
    ImportOptions,
    Judgements,
    Place,
    Ranking,
    Rating,
    Span,
)
from tertium.judgements.formats.losses import LOSSES, lost

WHEN = datetime(2024, 2, 29, 23, 59, 59)
# Ratings with their spans: test_span_formats.py and test_appraise_writing.py have their
# round trips.
BOTH = {"mtme-ratings", "wmt25-humeval", "wmt26-predictions", "esa", "appraise"}
WRITABLE = [
    name
    for name, kind in FORMATS.items()
    if kind.write is not None and name not in BOTH
]
REST = {
    "judge": "j",
    "document": "doc",
    "langpair": "de-en",
    "campaign": "spring",
    "time": WHEN,
    "duration": 2.5,
}
PLAIN = Ranking((Place(("A",), 1), Place(("B",), 2)), "7")
TEXTS = {"source": "s", "target": "Ein Fehler hier.", "doc_seg": "1"}
# By format: the plainest judgement it holds, and what may be added to it.
RATING, SPAN = Rating("A", 71.5, "DA", "7"), Span("A", "Accuracy", "Major", "7", 4, 10)
BASE = {
    "legacy-json": PLAIN._replace(
        places=(Place((), 1, text="x"), Place((), 2, text="y")), part="p"
    ),
    "mqm-tsv": SPAN._replace(meta=json.dumps(TEXTS), judge="j", text="Fehler"),
    "mtme": RATING._replace(langpair="de-en"),
    "likert-tsv": RATING,
}


def _rich(name):
    """Return judgements that differ from the plain one in one thing each."""
    base = BASE.get(name, PLAIN)
    rich = {
        field: [base._replace(**{field: value})]
        for field, value in REST.items()
        if getattr(base, field) is None
    }
    if name != "mqm-tsv":
        rich["meta"] = [base._replace(meta='{"note": "x"}')]
    if base is PLAIN:
        a, b = base.places
        rich["text"] = [base._replace(places=(a._replace(text="x"), b))]
        rich["garbage"] = [base._replace(places=(a, b._replace(garbage=True)))]
        rich["equal"] = [base._replace(places=(a, Place(("B", "C"), 2)))]
        rich["ranks"] = [base._replace(places=(a, b._replace(rank=5)))]
        rich["ties"] = [base._replace(places=(a, b._replace(rank=1)))]
    if name == "legacy-json":
        a, b = base.places
        rich["system"] = [base._replace(places=(a._replace(systems=("A",)), b))]
    if name == "mqm-tsv":
        rich["loose text"] = [base._replace(start=None, end=None)]
    if isinstance(base, Rating):
        rich["averaged"] = [base, base._replace(score=1.0)]
        rich["unlike"] = [base, base._replace(system="B", scale="DA-control")]
    return rich


CASES = [(name, what) for name in WRITABLE for what in _rich(name)]


def _back(name, records, tmp_path):
    kind, path = FORMATS[name], str(tmp_path / "written.tsv")
    kind.write(Judgements.from_iterable(records), path)
    return list(kind.read(path, ImportOptions()))


@pytest.mark.parametrize("name", WRITABLE)
def test_the_plainest_judgement_loses_nothing(name, tmp_path):
    base = BASE.get(name, PLAIN)
    assert lost(Judgements.from_iterable([base]), FORMATS[name]) == {}
    assert _back(name, [base], tmp_path) == [base]


@pytest.mark.parametrize(("name", "what"), CASES)
def test_what_does_not_come_back_is_said(name, what, tmp_path):
    records = _rich(name)[what]
    message = lost(Judgements.from_iterable(records), FORMATS[name])
    assert (_back(name, records, tmp_path) != records) == bool(message)
    if message:
        names = [key for key, label in LOSSES.items() if str(label) in message]
        assert any(what in name for name in names)


def test_rankings_of_one_system_have_no_pairs(tmp_path):
    alone = PLAIN._replace(places=PLAIN.places[:1])
    for name in ("pairs", "wmt-pairs-csv"):
        message = lost(Judgements.from_iterable([PLAIN, alone]), FORMATS[name])
        assert message == {"rankings of a single system": 1}
        assert _back(name, [PLAIN, alone], tmp_path) == [PLAIN]


def test_judgements_are_counted_not_rows():
    both = [PLAIN._replace(time=WHEN), PLAIN._replace(time=WHEN), PLAIN]
    result = Judgements.from_iterable([*both, RATING._replace(time=WHEN)])
    assert lost(result, FORMATS["wmt-csv"]) == {"times": 2}
    assert lost(result, FORMATS["tertium-jsonl"]) == {}


def test_metadata_of_a_hit_has_a_column(tmp_path):
    hit = PLAIN._replace(meta='{"hit": "a\\"b"}')
    more = PLAIN._replace(meta='{"hit": "a", "x": 1}')
    kind = FORMATS["judged-tsv"]
    assert lost(Judgements.from_iterable([hit]), kind) == {}
    assert lost(Judgements.from_iterable([more, hit]), kind) == {
        "metadata except `hit`": 1
    }
    assert _back("judged-tsv", [hit], tmp_path) == [hit]


def test_every_loss_has_a_name():
    used = {name for kind in FORMATS.values() for name in kind.loses}
    assert used == set(LOSSES)
