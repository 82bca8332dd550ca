# SPDX-License-Identifier: Apache-2.0
"""Direct assessments of WMT."""

from __future__ import annotations

import json

import pytest

from tertium.errors import FormatError
from tertium.judgements import Bad, ImportOptions, Rating, import_judgements
from tertium.judgements.formats import FORMATS


def read(path, options=None):
    return list(FORMATS["wmt-da"].read(str(path), options or ImportOptions()))


def test_segments(tmp_path):
    path = tmp_path / "seg.csv"
    path.write_text(
        "LP DATA SYSTEM SID HUMAN\nde-en newstest2017 A.1 7 -0.25\n\n"
        "de-en newstest2017 A.1 8\nde-en newstest2017 A.1 9 high\n"
        "de-en newstest2017 B.2 7 nan\n"
    )
    assert read(path) == [
        Rating("A.1", -0.25, "DA", "7", langpair="de-en"),
        Bad(4, "4 fields where the header names 5", "de-en newstest2017 A.1 8"),
        Bad(5, "score 'high' is not a number", "de-en newstest2017 A.1 9 high"),
        Bad(6, "score 'nan' is not a number", "de-en newstest2017 B.2 7 nan"),
    ]
    assert import_judgements([path]).formats == {str(path): "wmt-da"}


def test_sample_without_systems(tmp_path):
    path = tmp_path / "sample.tsv"
    path.write_text(
        "LP\tsource\ttranslation\treference\tHUMAN_score\tsentBLEU\n"
        "cs-en\tPes .\tA dog .\tThe dog .\t-1.5\t0.1\n"
        "cs-en\tKočka .\tA cat .\tThe cat .\t0.5\t0.2\n"
    )
    assert read(path, ImportOptions(scale="z", campaign="c")) == [
        Rating("translation", -1.5, "z", "1", langpair="cs-en", campaign="c"),
        Rating("translation", 0.5, "z", "2", langpair="cs-en", campaign="c"),
    ]


def test_judges_and_their_checks(tmp_path):
    path = tmp_path / "ad-csen-good-stnd.csv"
    head = "HITId WorkerId Input.src Input.trg Input.item hit sys_id rid type sid score"
    path.write_text(
        f"{head} time\nH1\tw1\tcs\ten\tad\t97\tA.6\t100\tSYSTEM\t11\t0.5\t3015.0\n"
        "H1\tw1\tcs\ten\tad\t97\tA.6\t100\tBAD_REF\t12\t-0.5\t3015.0\n"
    )
    system, check = read(path)
    assert system[:7] == ("A.6", 0.5, "DA-z", "11", "w1", None, "cs-en")
    assert json.loads(system.meta) == {"hit": "H1", "hit_seconds": "3015.0"}
    assert check.scale == "DA-z-control"
    assert json.loads(check.meta)["item"] == "BAD_REF"
    path = path.rename(tmp_path / "ad-csen.csv")
    assert {record.scale for record in read(path)} == {"DA", "DA-control"}


def test_scores_of_systems_are_rejected(tmp_path):
    path = tmp_path / "sys.csv"
    path.write_text("LP HUMAN SYSTEM\nde-en 0.1 A\n")
    with pytest.raises(FormatError, match="correlate --human-scores"):
        import_judgements([path])


def test_other_headers_are_rejected(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("LP SYSTEM LP\n")
    with pytest.raises(FormatError, match="same name"):
        read(path)
    path.write_text("a b c\n")
    with pytest.raises(FormatError, match="no header"):
        read(path)


@pytest.mark.wmt
def test_wmt17(wmt_data):
    imported = import_judgements(
        [wmt_data / "wmt17" / "DA-seglevel.csv.gz"], strict=True
    )
    assert imported.formats.popitem()[1] == "wmt-da"
    # 5,040 rows; some outputs are those of several systems.
    assert imported.judgements.counts()["ratings"] == 5292
    samples = sorted((wmt_data / "wmt17").glob("daseg560.*.tsv.gz"))
    imported = import_judgements(samples, strict=True)
    assert set(imported.formats.values()) == {"wmt-da"}
    assert imported.judgements.counts()["ratings"] == 6 * 560 + 435  # lv-en has fewer
    assert len(imported.judgements.names("langpair")) == len(samples)
    for name in ("DA-syslevel", "wmt18.DA-syslevel", "wmt19.DA-syslevel"):
        with pytest.raises(FormatError, match="--human-scores"):
            import_judgements([wmt_data / "wmt17" / f"{name}.csv.gz"])
