# SPDX-License-Identifier: Apache-2.0
"""Model files: exact round trips, and clear errors for anything changed."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from support.learning_data import NAMES, small_profile
from tertium.errors import FormatError, InputError, NotDefinedError
from tertium.learn.model import Model, Ranges, load_model
from tertium.learn.rankers import Linear, Network, Polynomial, terms
from tertium.learn.scalers import Scaler

RANGES = Ranges((0.0, 0.0, -0.25, 0.0, 0.0), (1.0, 1 / 3, 1.0, 0.0, 7.5))
WEIGHTS = (0.1, 1 / 3, 1e-17, 2.0, -5.0)


def rankers():
    random = np.random.default_rng(3)
    size = len(terms(5, 2))
    return {
        "linear": Linear(WEIGHTS, -0.7),
        "polynomial": Polynomial(2, 0.5, tuple(random.normal(size=size)), 5),
        "network": Network(
            tuple(tuple(row) for row in random.normal(size=(5, 3)).tolist()),
            tuple(random.normal(size=3).tolist()),
            tuple(random.normal(size=3).tolist()),
            0.25,
        ),
    }


SCALERS = {
    "none": Scaler(),
    "quasi": Scaler("quasi", anchor=True),
    "linear": Scaler("linear", 20.5, 8.5),
    "platt": Scaler("platt", 2.5, -0.1, anchor=True),
    "isotonic": Scaler("isotonic", knots=(-1.0, 0.5, 2.0), levels=(0.1, 0.1, 0.9)),
}


def model(ranker="linear", scaler="none", ranges=RANGES) -> Model:
    training = {"data": [{"name": "2015/de-en", "pairs": 3}], "seed": 12345}
    return Model(
        small_profile(),
        rankers()[ranker],
        SCALERS[scaler],
        ranges,
        training,
        {"tau": 0.34, "text": "Ærø"},
        "CC0-1.0",
    )


@pytest.mark.parametrize("scaler", SCALERS)
@pytest.mark.parametrize("ranker", rankers())
def test_files_come_back_byte_for_byte(ranker, scaler, tmp_path):
    path = tmp_path / "a.json"
    first = model(ranker, scaler)
    first.save(path)
    again = load_model(path)
    again.save(tmp_path / "b.json")
    assert path.read_bytes() == (tmp_path / "b.json").read_bytes()
    assert again.to_json() == first.to_json()
    assert (again.ranker, again.scaler) == (first.ranker, first.scaler)
    assert again.fingerprint == first.fingerprint
    rows = np.random.default_rng(1).random((9, 5))
    copy = np.array([1.0, 1, 1, 1, 0])
    assert np.array_equal(first.scores(rows, copy), again.scores(rows, copy))


def test_ranges_may_be_absent(tmp_path):
    first = model(ranges=None)
    assert Model.loads(first.dumps()).to_json() == first.to_json()


def test_weights_stand_beside_names_in_the_order_of_the_profile():
    text = model().dumps()
    weights = json.loads(text)["ranker"]["weights"]
    assert tuple(weights) == NAMES
    assert tuple(weights.values()) == WEIGHTS
    assert '      "char1.max": 0.3333333333333333,\n' in text
    assert '    "char2.min": [-0.25, 1.0],\n' in text


def test_compressed_files_are_read(tmp_path):
    model().save(tmp_path / "a.json.gz")
    assert load_model(tmp_path / "a.json.gz").dumps() == model().dumps()


def test_models_are_read_without_numpy(tmp_path):
    path = tmp_path / "a.json"
    model("linear", "isotonic").save(path)
    code = (
        "import sys; from tertium.learn.model import load_model; "
        f"m = load_model({str(path)!r}); weights, bias = m.plain_weights(); "
        "print(m.scaler.score(sum(weights) + bias), m.copy_is_best, m.fingerprint, "
        "'numpy' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.split()[-1] == "False"


# ---------------------------------------------------------------------- tampering


def changed(**changes) -> dict:
    data = json.loads(model().dumps())
    for key, value in changes.items():
        place = data
        *way, last = key.split("__")
        for name in way:
            place = place[name]
        if value is ...:
            del place[last]
        else:
            place[last] = value
    return data


def weights(**changes):
    table = dict(zip(NAMES, WEIGHTS, strict=True)) | changes
    return {k: v for k, v in table.items() if v is not None}


NETWORK = {
    "kind": "network",
    "activation": "tanh",
    "hidden": 2,
    "inputs": {name: [0.1, 0.2] for name in NAMES},
    "hidden_bias": [0, 0],
    "output": [1, 1],
    "bias": 0,
}
ISOTONIC = {"kind": "isotonic", "knots": [0, 1], "levels": [0, 1], "anchor": False}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"version": 2}, "version 2 of the model format is unknown, only 1"),
        ({"version": 1.0}, "version 1.0 of the model format is unknown"),
        ({"version": True}, "version True of the model format is unknown"),
        ({"version": ...}, "version None of the model format is unknown"),
        ({"format": "other"}, "no model: its format is not 'tertium-model'"),
        ({"scaler": ...}, "the model lacks key 'scaler'; the file is not complete"),
        ({"more": 1}, "the model has key 'more' nobody asked for"),
        ({"licence": 3}, "licence is 3; it must be a text"),
        ({"training": []}, r"training is \[\]; it must be an object"),
        ({"profile": 1}, "profile is 1; it must be an object"),
        ({"profile__features": []}, "no feature"),
        ({"profile__name": ...}, "name"),
        (
            {"ranker__weights": weights(**{"char1.min": None})},
            "ranker.weights lacks feature 'char1.min'; the file is not complete",
        ),
        (
            {"ranker__weights": weights(extra=1.0)},
            "ranker.weights has feature 'extra' nobody asked for",
        ),
        (
            {"ranker__weights": weights(a=1, b=2, c=3, d=4)},
            r"has 4 features \('a', 'b', 'c', ...\) nobody asked for",
        ),
        (
            {"ranker__weights": weights(**{"char1.min": "1"})},
            r"ranker.weights\['char1.min'\] is '1'; it must be a number",
        ),
        (
            {"ranker__weights": weights(**{"char1.min": True})},
            r"ranker.weights\['char1.min'\] is True; it must be a number",
        ),
        (
            {"ranker__weights": weights(**{"char1.min": 10**400})},
            r"ranker.weights\['char1.min'\] is not finite",
        ),
        (
            {"ranker__weights": weights(**{"char1.min": -1e308})},
            r"ranker.weights\['char1.min'\] is -1e\+308; no number may be beyond",
        ),
        (
            {"ranges": {name: [-5e-324, 0] for name in NAMES}},
            r"ranges\['char1.min'\] is .*; a range is 0 or at least 1e-100 wide",
        ),
        ({"ranker__weights": [1, 2]}, r"ranker.weights is \[1, 2\]; it must be an obj"),
        ({"ranker__bias": None}, "ranker.bias is None; it must be a number"),
        ({"ranker__kind": "lineer"}, "unknown ranker 'lineer'; did you mean linear"),
        ({"ranker__kind": 5}, "unknown ranker '5'"),
        ({"ranker__kind": ...}, "unknown ranker 'None'"),
        ({"ranker": NETWORK | {"hidden": 3}}, "has 2 numbers; it must have 3"),
        ({"ranker": NETWORK | {"hidden": 0}}, "ranker.hidden is 0; it must be 1"),
        ({"ranker": NETWORK | {"hidden": 1.5}}, "it must be a whole number"),
        ({"ranker": NETWORK | {"output": [1]}}, "ranker.output has 1 numbers"),
        ({"ranker": NETWORK | {"output": 1}}, "ranker.output is 1; it must be a list"),
        ({"ranker": NETWORK | {"activation": "relu"}}, "only 'tanh' is known"),
        (
            {"ranker": NETWORK | {"inputs": {"char1.min": [1, 2]}}},
            r"ranker.inputs lacks 4 features \('char1.max'",
        ),
        (
            {"ranker": {"kind": "polynomial", "degree": 4, "gamma": 1, "weights": {}}},
            "ranker.degree is 4; it must be 2 or 3",
        ),
        (
            {"ranker": {"kind": "polynomial", "degree": 2, "gamma": 0, "weights": {}}},
            "ranker.gamma is 0.0; it must be above 0",
        ),
        (
            {"ranker": {"kind": "polynomial", "degree": 2, "gamma": 1, "weights": {}}},
            r"ranker.weights lacks 21 features \('1', 'char1.min', 'char1.max', ...\)",
        ),
        ({"scaler__kind": "plat"}, "unknown scaler 'plat'; did you mean platt"),
        ({"scaler__slope": 1}, "scaler has key 'slope' nobody asked for"),
        ({"scaler__anchor": 1}, "scaler.anchor must be true or false"),
        (
            {"scaler": {"kind": "platt", "slope": -1, "intercept": 0, "anchor": False}},
            "slope -1.0; it must be above 0, or better texts would score lower",
        ),
        ({"scaler": ISOTONIC | {"knots": [1, 1]}}, "knots .* must rise"),
        ({"scaler": ISOTONIC | {"levels": [1, 0]}}, "levels .* must not fall"),
        ({"scaler": ISOTONIC | {"levels": [0, 2]}}, "between 0 and 1"),
        ({"scaler": ISOTONIC | {"levels": [0]}}, "has 1 numbers; it must have 2"),
        ({"scaler": ISOTONIC | {"knots": [], "levels": []}}, "at least one"),
        (
            {"ranges": {name: [0.5, 1] for name in NAMES}},
            r"ranges\['char1.min'\] is \[0.5, 1.0\]; the first must be at most 0",
        ),
        ({"ranges": {name: [0] for name in NAMES}}, "has 1 numbers; it must have 2"),
    ],
)
def test_changed_files_are_rejected(changes, message):
    with pytest.raises(FormatError, match=message) as error:
        Model.from_json(changed(**changes), path="m.json")
    assert str(error.value).startswith("m.json: ")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("0.1,", "NaN,", "NaN is not a number; all values must be finite"),
        ("0.1,", "-Infinity,", "-Infinity is not a number"),
        ("0.1,", "1e999,", r"\['char1.min'\] is not finite; it must be a number"),
        ('"char1.max": 0', '"char1.min": 0', "'char1.min' is there twice; keep one"),
    ],
)
def test_numbers_that_are_none_are_rejected(old, new, message):
    text = model().dumps()
    start = text.index('"weights"')
    with pytest.raises(FormatError, match=message):
        Model.loads(text[:start] + text[start:].replace(old, new, 1))


def test_files_cut_short_are_rejected(tmp_path):
    path = tmp_path / "a.json"
    whole = model().dumps()
    for size in range(0, len(whole) - 3, 97):
        path.write_text(whole[:size], encoding="utf-8")
        with pytest.raises(FormatError, match=r"a\.json:\d+: no complete JSON"):
            load_model(path)
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="byte 0 is not UTF-8"):
        load_model(path)
    path.write_text("[" * 100_000)
    with pytest.raises(FormatError, match=r"nested too deeply|no complete JSON"):
        load_model(path)
    path.write_text("[]")
    with pytest.raises(FormatError, match=r"the file is \[\]; it must be an object"):
        load_model(path)
    with pytest.raises(FormatError, match=r"none\.json"):
        load_model(tmp_path / "none.json")


# ------------------------------------------------------------------------ scoring


def test_plain_weights_fold_ranges_in():
    result = model()
    rows = np.random.default_rng(5).random((20, 5))
    plain, bias = result.plain_weights()
    assert rows @ np.array(plain) + bias == pytest.approx(result.raw(rows), abs=1e-12)
    assert model(ranges=None).plain_weights() == (list(WEIGHTS), -0.7)


def test_contributions_add_up_to_raw():
    result = model()
    rows = np.random.default_rng(6).random((20, 5))
    total = result.contributions(rows).sum(axis=1) + result.ranker.bias
    assert total == pytest.approx(result.raw(rows), abs=1e-12)
    with pytest.raises(NotDefinedError, match="network ranker has no contributions"):
        model("network").contributions(rows)
    with pytest.raises(NotDefinedError, match="polynomial ranker has no plain weights"):
        model("polynomial").plain_weights()


def test_ranges_start_and_end_at_zero_and_never_divide_by_it():
    rows = np.array([[0.2, -1.0, 0.0], [0.6, -3.0, 0.0]])
    ranges = Ranges.of(rows)
    assert ranges == Ranges((0.0, -3.0, 0.0), (0.6, 0.0, 0.0))
    scaled = ranges.scale(rows)
    assert scaled == pytest.approx(np.array([[1 / 3, 2 / 3, 0], [1, 0, 0]]))
    assert ranges.scale(np.array([[1.2, 3.0, 9.0]])) == pytest.approx(
        np.array([[2, 2, 0]])
    )


def test_matrices_of_the_wrong_shape_are_rejected():
    with pytest.raises(InputError, match=r"shape \(2, 4\); .* 5 columns"):
        model().raw(np.ones((2, 4)))
    with pytest.raises(InputError, match="identity has 3 rows for 2 texts"):
        model("linear", "quasi").scores(np.ones((2, 5)), np.ones((3, 5)))
    with pytest.raises(InputError, match="quasi with anchor needs the features"):
        model("linear", "quasi").scores(np.ones((2, 5)))


def test_copy_is_best_by_raw_value_if_weights_rise():
    rising = Linear((1.0, 0.0, 2.0, 3.0, -1.0))
    assert Model(small_profile(), rising).copy_is_best
    falling = Linear((1.0, -0.1, 2.0, 3.0, -1.0))
    assert not Model(small_profile(), falling).copy_is_best
    # An anchor cuts scores at that of a copy, which hides what raw values do.
    assert not Model(small_profile(), falling, Scaler(anchor=True)).copy_is_best
    assert not Model(
        small_profile(), falling, Scaler("quasi", anchor=True)
    ).copy_is_best
    assert not Linear((1.0,)).rises_with((0,))
    assert Linear((0.0,)).rises_with((0,))
    assert not model("polynomial").copy_is_best
    assert not model("network").copy_is_best


def test_fingerprints_follow_scores_and_not_notes():
    from dataclasses import replace

    result = model()
    assert replace(result, training={}).fingerprint == result.fingerprint
    other = replace(result, ranker=Linear(WEIGHTS, -0.8))
    assert other.fingerprint != result.fingerprint


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            {"kind": "matches", "function_words_file": "words"},
            "must hold the words themselves",
        ),
        (
            {"kind": "metrics", "metrics": ["evalgen:analyser=command:touch started"]},
            "names a file or a program",
        ),
    ],
)
def test_models_start_no_program_and_read_no_other_file(
    tmp_path, monkeypatch, table, message
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "words").write_text("hunter2\n", encoding="utf-8")
    profile = {**small_profile().to_json(), "features": [table]}
    with pytest.raises(FormatError, match=rf"^m.json: .*{message}") as caught:
        Model.from_json(changed(profile=profile), path="m.json")
    assert "hunter2" not in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["words"]


def test_models_of_the_package_are_read_by_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = load_model("beer-3.0")
    assert result.profile.name == "beer-3.0"
    assert load_model("beer-1.0:en").dumps() != load_model("beer-1.0").dumps()
    model().save(tmp_path / "beer-3.0")  # a file of one's own comes first
    assert load_model("beer-3.0").dumps() == model().dumps()
    with pytest.raises(FormatError):
        load_model("beer-33")
