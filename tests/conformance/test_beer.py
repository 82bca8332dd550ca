# SPDX-License-Identifier: Apache-2.0
"""BEER: vectors of the specification and scores of the original program.

The golden scores were printed by BEER 2.0 with its default model and
``--printSentScores`` for the systems of WMT15 German-English.
"""

from __future__ import annotations

import gzip
import shutil

import pytest

import tertium
from conftest import missing
from tertium.learn.features.units import Units
from tertium.learn.model import load_model
from tertium.learn.profile import profile
from tertium.learn.released import read_released

T1 = "the cat sat on the mat", "the cat is sitting on the mat"
T2 = "a b c d", "a b d"
T3 = "he left because it rained", "it rained because he left"
T4 = "yes", "yes"

UNITS = ["char1", "char2", "char3", "char4", "char5", "word1", "word2", "word3",
         "word4", "skip2", "skip"]  # fmt: skip

# ------------------------------------------------------------------- 3.1 features

T1_TABLE = {
    "char1": (21, 22, 29, 0.954545, 0.724138, 0.823529, 0.760870, 0.897436),
    "char2": (18, 21, 28, 0.857143, 0.642857, 0.734694, 0.676692, 0.803571),
    "char3": (15, 20, 27, 0.750000, 0.555556, 0.638298, 0.585938, 0.700935),
    "char4": (13, 19, 26, 0.684211, 0.500000, 0.577778, 0.528455, 0.637255),
    "char5": (11, 18, 25, 0.611111, 0.440000, 0.511628, 0.466102, 0.567010),
    "word1": (5, 6, 7, 0.833333, 0.714286, 0.769231, 0.735294, 0.806452),
    "word2": (3, 5, 6, 0.600000, 0.500000, 0.545455, 0.517241, 0.576923),
    "word3": (1, 4, 5, 0.250000, 0.200000, 0.222222, 0.208333, 0.238095),
    "word4": (0, 3, 4, 0, 0, 0, 0, 0),
    "skip2": (5, 12, 15, 0.416667, 0.333333, 0.370370, 0.347222, 0.396825),
    "skip": (10, 15, 21, 0.666667, 0.476190, 0.555556, 0.505051, 0.617284),
}


def shares(unit, pair, **rule):
    block = Units([unit], ["p", "r"], symmetric=False, **rule)
    return block.features([pair[0]], [pair[1]])[0].tolist()


def named(name, pair):
    model_profile = profile(name)
    row = model_profile.features([pair[0]], [pair[1]])[0].tolist()
    return dict(zip(model_profile.names, row, strict=True))


@pytest.mark.parametrize("unit", UNITS)
def test_t1_has_the_shares_and_means_of_the_table(unit):
    common, hyp, ref, p, r, f1, f2, f05 = T1_TABLE[unit]
    block = Units([unit], ["p", "r", "f1", "f2", "f0.5"], symmetric=False)
    row = block.features([T1[0]], [T1[1]])[0]
    assert row == pytest.approx([p, r, f1, f2, f05], abs=1e-6)
    assert row[:2] == pytest.approx([common / hyp, common / ref], abs=1e-15)


def test_the_symmetric_form_swaps_f2_and_f05_where_precision_is_higher():
    """A9: the formulas take the smaller share first, whichever it is."""
    result = named("beer-3.0", T1)
    assert result["char1.min"] == pytest.approx(21 / 29)
    assert result["char1.max"] == pytest.approx(21 / 22)
    assert result["char1.f2"] == pytest.approx(0.897436, abs=1e-6)
    assert result["char1.f0.5"] == pytest.approx(0.760870, abs=1e-6)
    assert result["length.word"] == pytest.approx(1 / 6)
    assert result["length.char"] == pytest.approx(7 / 22)


@pytest.mark.parametrize(
    ("pair", "unit", "p", "r"),
    [
        (T2, "word1", 0.75, 1),
        (T2, "word2", 1 / 3, 1 / 2),
        (T2, "skip2", 0.5, 1),
        (T2, "char3", 0.4, 2 / 3),
        (T2, "char5", 0, 0),
        (T3, "char2", 22 / 24, 22 / 24),
        (T3, "char5", 13 / 21, 13 / 21),
        (T3, "word2", 0.5, 0.5),
        (T3, "skip2", 2 / 9, 2 / 9),
        (T3, "skip", 0.2, 0.2),
    ],
)
def test_t2_and_t3_have_the_shares_of_the_specification(pair, unit, p, r):
    assert shares(unit, pair) == pytest.approx([p, r], abs=1e-15)


def test_t2_and_t3_have_the_lengths_of_the_specification():
    t2, t3 = named("beer-3.0", T2), named("beer-3.0", T3)
    assert (t2["length.word"], t2["length.char"]) == pytest.approx((1 / 3, 0.4))
    assert (t3["length.word"], t3["length.char"]) == (0, 0)


def test_short_copies_have_all_units_when_backing_off():
    """A7: 0/0 backs off to the next shorter unit."""
    assert [v for k, v in named("beer-3.0", T4).items() if "length" not in k] == [
        1
    ] * 55
    other = named("beer-3.0", ("no", "yes"))
    assert [v for k, v in other.items() if "length" not in k] == [0] * 55


def test_short_copies_lack_long_units_under_the_zero_policy():
    zero = {"char4", "char5", "word2", "word3", "word4", "skip2", "skip"}
    for unit in UNITS:
        expected = [0.0, 0.0] if unit in zero else [1.0, 1.0]
        assert shares(unit, T4, empty="zero") == expected, unit


def test_one_side_without_units_has_no_share():
    """A7: only one side without units gives 0, not the shorter unit."""
    assert shares("word2", ("a", "a b")) == [0, 0]
    assert shares("skip", ("a b", "a")) == [0, 0]
    assert shares("char1", ("", "a")) == [0, 0]
    for unit in UNITS:
        assert shares(unit, ("", "")) == [1, 1]


def test_empty_text_divides_by_one():
    """A8: the length of the other side, and 0 where both are empty."""
    empty = named("beer-3.0", ("", "a b"))
    assert (empty["length.word"], empty["length.char"]) == (2, 3)
    both = named("beer-3.0", ("", ""))
    assert (both["length.word"], both["length.char"]) == (0, 0)
    legacy = named("beer-2.0-released", ("", "a b"))
    assert (legacy["length.word"], legacy["length.char"]) == (1, 100000)


def test_released_pieces_of_t1():
    result = named("beer-2.0-released", T1)
    for name, value in {
        "char1.min": 22 / 29,
        "char1.max": 1,
        "char2.min": 20 / 28,
        "char2.max": 20 / 21,
        "word1.min": 7 / 9,
        "word1.max": 7 / 8,
        "skip1.min": 4 / 11,
        "skip1.max": 4 / 9,
    }.items():
        assert result[name] == pytest.approx(value, abs=1e-15), name


def test_released_characters_are_utf16_units():
    assert named("beer-2.0-released", ("😀", "😀😀"))["length.char"] == 1
    assert named("beer-2.0-released", ("😀b", "ab"))["length.char"] == 0.5


# ------------------------------------------------------------- 3.3 the released model

RELEASED = [
    (T1, 2.599275751483, 0.618986774821),
    (T1[::-1], 2.599275751483, 0.618986774821),
    (T2, 2.560421675947, 0.611016746732),
    (T3, 2.874873513497, 0.675519374665),
    ((T1[0], T1[0]), 4.207598785930, 0.948897590718),
    (("zzz qqq", T1[1]), 0.009077322212, 0.087666599188),
    (("", T1[1]), -4445.117670826, 0),
]


@pytest.fixture(scope="module")
def folder(wmt_data):
    result = wmt_data / "beer20-model"
    if not result.is_dir():
        missing(f"no folder {result}; TERTIUM_DATA needs the weights of BEER 2.0")
    return result


@pytest.mark.wmt
@pytest.mark.parametrize(("pair", "raw", "score"), RELEASED)
def test_the_released_model_has_the_numbers_of_the_specification(
    folder, pair, raw, score
):
    model = read_released(folder)
    features = model.profile.features([pair[0]], [pair[1]])
    assert model.raw(features)[0] == pytest.approx(raw, abs=1e-9)
    metric = tertium.metric(f"beer:model={folder}")
    assert metric.fused
    assert metric.corpus_score([pair[0]], [pair[1]]) == pytest.approx(score, abs=1e-9)


@pytest.mark.wmt
def test_the_importer_keeps_the_scaler_as_it_is(folder):
    scaler = read_released(folder).scaler
    assert scaler.intercept == pytest.approx(8.580459341343, abs=1e-12)
    assert scaler.slope == pytest.approx(20.512720941721, abs=1e-12)
    metric = tertium.metric(f"beer:model={folder}")
    assert metric.symmetric
    assert metric.copy_exception  # identity scores .949


@pytest.mark.wmt
def test_segments_equal_the_original_program(wmt_data, wmt15, folder):
    metric = tertium.metric(f"beer:model={folder}")
    golden = wmt_data / "golden" / "beer20"
    lines = (golden / "wmt15.sys.txt").read_text(encoding="utf-8").split("\n")
    systems = {line.split()[1]: float(line.split()[2]) for line in lines if line}
    assert len(systems) == 13
    for name, mean in systems.items():
        path = golden / f"wmt15.de-en.{name}.seg.gz"
        expected = [float(x) for x in gzip.decompress(path.read_bytes()).split()]
        hyps = wmt15.systems[name]
        scores = metric.segment_scores(hyps, wmt15.references)
        assert scores == pytest.approx(expected, abs=1e-6, rel=0), name
        # The program divides the sum by one too many; we do not.
        corpus = metric.corpus_score(hyps, wmt15.references)
        assert corpus * len(hyps) / (len(hyps) + 1) == pytest.approx(mean, abs=1e-6)


@pytest.mark.wmt
def test_an_imported_model_survives_as_a_file(folder, tmp_path):
    model = read_released(folder)
    model.save(tmp_path / "released.json")
    assert load_model(tmp_path / "released.json").to_json() == model.to_json()
    metric = tertium.metric(f"beer:model={tmp_path / 'released.json'}")
    assert metric.corpus_score([T3[0]], [T3[1]]) == pytest.approx(RELEASED[3][2])


@pytest.mark.wmt
@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("core_model", "0.1453012787604123", "nan", r"core_model:7: .*finite number"),
        ("core_model", "0.1453012787604123 \n", "", "61 weights for 62 features"),
        ("core_model", "w\n", "", "no line 'w'"),
        ("feature_names_mapping", "char1.a", "char9.a", "features differ"),
        ("feature_names_mapping", "1 char1.b", "7 char1.b", ":2: .*number features"),
        ("feature_values_scaling", "0.0 2.25", "0.5 2.25", ":25: .*does not hold 0"),
        ("feature_values_scaling", "0.0 2.25\n", "", "61 ranges for 62 features"),
        ("kernel.properties", "Degree=1", "Degree=2", "polynomial kernel"),
        ("feature_template.yaml", "exponential: false", "exponential: true", "lengths"),
    ],
)
def test_a_damaged_folder_is_refused(folder, tmp_path, file, old, new, message):
    path = tmp_path / "model"
    shutil.copytree(folder, path)
    path.chmod(0o755)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (path / file).chmod(0o644)
    (path / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(tertium.FormatError, match=message):
        read_released(path)


@pytest.mark.wmt
def test_properties_may_have_spaces(folder, tmp_path):
    path = tmp_path / "model"
    shutil.copytree(folder, path)
    path.chmod(0o755)
    (path / "kernel.properties").chmod(0o644)
    text = (folder / "kernel.properties").read_text(encoding="utf-8")
    for degree, fits in (("= 1", True), (" =  1 ", True), ("= 12", False)):
        new = text.replace("Degree=1", f"Degree{degree}")
        (path / "kernel.properties").write_text(new, encoding="utf-8")
        if fits:
            assert read_released(path).ranker == read_released(folder).ranker
        else:
            with pytest.raises(tertium.FormatError, match="polynomial kernel"):
                read_released(path)


@pytest.mark.wmt
def test_weights_of_the_other_label_are_turned(folder, tmp_path):
    path = tmp_path / "model"
    shutil.copytree(folder, path)
    path.chmod(0o755)
    (path / "core_model").chmod(0o644)
    text = (folder / "core_model").read_text(encoding="utf-8")
    text = text.replace("label 1 -1", "label -1 1")
    (path / "core_model").write_text(text, encoding="utf-8")
    assert read_released(path).ranker.weights[0] == -0.1453012787604123
    (path / "output_scaling").unlink()
    with pytest.raises(tertium.FormatError, match="is missing"):
        read_released(path)
