# SPDX-License-Identifier: Apache-2.0
import gzip
import json

import pytest

import tertium
from tertium.errors import FormatError, InputError
from tertium.meta import read_scores, run_metrics
from tertium.scores import score_metrics


def write(folder, name, text):
    path = folder / name
    if name.endswith(".gz"):
        path.write_bytes(gzip.compress(text.encode()))
    else:
        path.write_text(text, encoding="utf-8")
    return path


def test_submissions_of_the_metrics_task(tmp_path):
    seg = write(
        tmp_path,
        "mine.seg.score.gz",
        "mine\tde-en\tnews\tA\t1\t0.5\nmine\tde-en\tnews\tA\t2\t0\n"
        "mine\tfr-en\tnews\tA\t1\t0.9\n",
    )
    sys = write(tmp_path, "mine.sys.score", "mine\tde-en\tnews\tA\t0.25\tno\tyes\n")
    (result,) = read_scores([seg, sys], langpair="de-en")
    assert (result.name, result.langpair) == ("mine", "de-en")
    assert result.segment == {"A": {"1": 0.5, "2": 0.0}}  # nothing is not missing
    assert result.system == {"A": 0.25}
    assert [m.langpair for m in read_scores([seg])] == ["de-en", "fr-en"]


def test_submissions_with_domain_and_reference(tmp_path):
    seg = write(tmp_path, "m.seg.score", "m\ten-de\tnews\tall\trefA\tA\t7\t-1.5\n")
    sys = write(tmp_path, "m.sys.score", "m\ten-de\tnews\tall\trefA\tA\t-1.5\n")
    (result,) = read_scores([seg, sys])
    assert result.segment == {"A": {"7": -1.5}}
    assert result.system == {"A": -1.5}


def test_files_of_mt_metrics_eval_have_segments_in_order(tmp_path):
    path = write(tmp_path, "X-refA.seg.score", "A\t1\nA\tNone\nB\t2\nB\t3\n")
    (result,) = read_scores([path], segments=["p", "q"], langpair="en-de")
    assert result.name == "X-refA"
    assert result.segment == {"A": {"p": 1.0}, "B": {"p": 2.0, "q": 3.0}}
    with pytest.raises(FormatError, match="A has 2 scores for 3 segments"):
        read_scores([path], segments=["p", "q", "r"])
    with pytest.raises(FormatError, match=r":2: .*more than the 1 segments"):
        read_scores([path], segments=["p"])


@pytest.mark.parametrize("separator", ["\t", ",", " "])
def test_tables_with_a_header(tmp_path, separator):
    lines = ["system segment BLEU chrF", "A 1 10 20", "A 2 11 NA"]
    text = "\n".join(line.replace(" ", separator) for line in lines) + "\n"
    result = read_scores([write(tmp_path, "table.tsv", text)])
    assert {m.name: dict(m.segment) for m in result} == {
        "BLEU": {"A": {"1": 10.0, "2": 11.0}},
        "chrF": {"A": {"1": 20.0}},
    }


def test_official_scores_of_systems(tmp_path):
    path = write(tmp_path, "DA.csv", "LP HUMAN SYSTEM\nen-lv 0.2 A\nen-lv -1 B\n")
    (result,) = read_scores([path])
    assert (result.name, result.langpair) == ("HUMAN", "en-lv")
    assert result.system == {"A": 0.2, "B": -1.0}


def test_the_json_of_score(tmp_path):
    table = tertium.score(
        {"A": ["a b", "c"]}, ["a b", "d"], metrics=["chrf"], segments=True
    )
    path = write(tmp_path, "scores.json", table.to_json())
    (result,) = read_scores([path])
    assert result.system == {"A": table["A"]["chrf"].score}
    assert result.segment["A"]["2"] == table["A"]["chrf"].segments[1]
    assert result.higher_is_better
    bad = write(tmp_path, "bad.json", json.dumps({"systems": {"A": {"x": 1}}}))
    with pytest.raises(FormatError, match="tertium score -f json"):
        read_scores([bad])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("m.seg.score", "", "empty"),
        ("m.seg.score", "m\tde-en\tnews\tA\t1\tx\n", ":1: 'x' is not a score"),
        ("m.seg.score", "m\tde-en\tnews\tA\t1\tnan\n", ":1: nan is not a score"),
        ("m.sys.score", "m\tde-en\tnews\n", ":1: 3 fields"),
        ("m.sys.score", "A\t1\nB\t2\t3\n", ":2: 3 fields"),
        ("m.sys.score", "A\t1\nA\t2\n", ":2: m has two scores for A"),
        ("m.txt", "A\tone\n", "add a header, or give one number per line"),
        ("m.tsv", "system\tscore\nA\n", ":2: 1 fields where the header names 2"),
        ("m.tsv", "system\tscore\n\t1\n", ":2: a row without a system"),
        ("m.tsv", "system\tscore\n", "a header, and no scores below it"),
        ("m.tsv", "system\tsegment\nA\t1\n", ":1: the header has no scores, only"),
        ("m.tsv", "sys\tscore\nA\t1\n", ":1: .*no column `system`.*is 'sys' meant"),
        ("m.csv", "systm,score\nA,1\n", ":1: .*no column `system`.*'systm' meant"),
        ("m.tsv", "segment\tscore\n1\t1\n", ":1: .*only segment, score; add it"),
        ("m.tsv", "system\tsegmnt\tscore\n", ":1: column 2 .*did you mean segment"),
        ("m.tsv", "system\tscor\nA\t1\n", ":1: column 2 .*did you mean score"),
        ("m.json", '{"systems": {"A": {"m": {}}}}', "no 'score' where"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, name, text, message):
    with pytest.raises(FormatError, match=message):
        read_scores([write(tmp_path, name, text)])


def test_falling_metrics_are_negated(tmp_path):
    path = write(tmp_path, "t.tsv", "system\tTER\nA\t0.5\nB\t0.7\n")
    (result,) = read_scores([path], lower_is_better=["TER"])
    assert not result.higher_is_better
    assert result.rising().system == {"A": -0.5, "B": -0.7}
    assert result.rising().rising().system == {"A": -0.5, "B": -0.7}
    with pytest.raises(InputError, match="no scores of WER, listed as falling"):
        read_scores([path], lower_is_better=["WER"])


def test_metrics_that_users_say_rise_do(tmp_path):
    path = write(tmp_path, "t.tsv", "system\tTER\nA\t0.5\nB\t0.7\n")
    assert read_scores([path])[0].guessed
    (result,) = read_scores([path], higher_is_better=["TER"])
    assert result.higher_is_better
    assert not result.guessed
    with pytest.raises(InputError, match="no scores of WER, listed as rising"):
        read_scores([path], higher_is_better=["WER"])
    with pytest.raises(InputError, match="TER cannot both fall and rise"):
        read_scores([path], lower_is_better=["TER"], higher_is_better=["TER"])


def test_users_overrule_a_file_that_says_a_metric_falls(tmp_path):
    text = (
        '{"metrics": {"m": {"higher_is_better": false}}, '
        '"systems": {"A": {"m": {"score": 1.0}}}}'
    )
    path = write(tmp_path, "m.json", text)
    assert not read_scores([path])[0].higher_is_better
    assert read_scores([path], higher_is_better=["m"])[0].higher_is_better


def test_the_json_of_score_says_which_metrics_fall(tmp_path):
    table = tertium.score({"A": ["a b", "c"]}, ["a b", "d"], metrics=["ter", "chrf"])
    path = write(tmp_path, "scores.json", table.to_json())
    results = {metric.name: metric for metric in read_scores([path])}
    assert not results["ter"].higher_is_better
    assert results["ter"].rising().system == {"A": -table["A"]["ter"].score}
    assert results["chrf"].higher_is_better


def test_metrics_run_on_the_fly_go_by_the_names_of_segments():
    testset = tertium.Testset([("a b",), ("c",)], {"A": ["a b", "x"]}, ids=["p", "q"])
    wer, chrf = run_metrics(testset, ["wer", "chrf"])
    assert not wer.higher_is_better
    assert wer.segment == {"A": {"p": 0.0, "q": 1.0}}
    assert list(chrf.segment["A"]) == ["p", "q"]
    (plain,) = run_metrics(testset, ["wer"], segments=False)
    assert plain.segment == {}


@pytest.fixture
def several(tmp_path):
    """Write scores with two references, of two test sets, and of domains."""
    lines = []
    for testset, shift in (("news", 0), ("tedtalks", 100)):
        for reference, bonus in (("refA", 0), ("refB", 10)):
            for domain, more in (("all", 0), ("news", 1)):
                score = shift + bonus + more
                for system in "AB":
                    row = ["m", "en-de", testset, domain, reference, system, str(score)]
                    lines.append("\t".join(row))
        for system in "AB":
            row = ["qe", "en-de", testset, "all", "src", system, str(shift - 1)]
            lines.append("\t".join(row))
    return write(tmp_path, "m.sys.score", "\n".join(lines) + "\n")


def test_test_sets_and_references_are_never_mixed(several):
    message = "more than one test set: news, tedtalks; choose one by name"
    with pytest.raises(InputError, match=message):
        read_scores([several])
    message = "more than one reference: refA, refB; choose one by name"
    with pytest.raises(InputError, match=message):
        read_scores([several], testset="news")
    with pytest.raises(InputError, match="no scores of reference refC; there are refA"):
        read_scores([several], testset="news", reference="refC")
    with pytest.raises(InputError, match="no scores of test set x; there are news"):
        read_scores([several], testset="x", reference="refA")


@pytest.mark.parametrize(
    ("choice", "score", "free"),
    [
        (("news", "refA", None), 0, -1),
        (("news", "refB", None), 10, -1),
        (("tedtalks", "refB", None), 110, 99),
        (("tedtalks", "refA", "news"), 101, None),
    ],
)
def test_one_test_set_reference_and_domain_is_read(several, choice, score, free):
    testset, reference, domain = choice
    result = read_scores([several], testset=testset, reference=reference, domain=domain)
    want = {"m": score} if free is None else {"m": score, "qe": free}
    assert {one.name: one.system["B"] for one in result} == want  # src needs no choice


def test_domains_without_all_must_be_chosen_from(tmp_path):
    text = "m\ten-de\tn\tnews\tr\tA\t1\nm\ten-de\tn\tchat\tr\tA\t2\n"
    path = write(tmp_path, "m.sys.score", text)
    with pytest.raises(InputError, match="one domain: news, chat; choose one by"):
        read_scores([path])
    assert read_scores([path], domain="chat")[0].system == {"A": 2}
    text = "m\ten-de\tn\tnews\tr\tA\t1\t1\nm\ten-de\tn\tchat\tr\tA\t2\t2\n"
    seg = write(tmp_path, "m.seg.score", text)
    (result,) = read_scores([seg])  # every segment has its own
    assert result.segment == {"A": {"1": 1, "2": 2}}


def test_the_column_of_the_test_set_is_read_from_old_files_too(tmp_path):
    text = "m\tde-en\told\tA\t1\nm\tde-en\tnew\tA\t2\nm\tfr-en\told\tA\t3\n"
    path = write(tmp_path, "m.sys.score", text)
    with pytest.raises(InputError, match="more than one test set: old, new"):
        read_scores([path])
    assert read_scores([path], langpair="fr-en")[0].system == {"A": 3}
    assert read_scores([path], langpair="de-en", testset="new")[0].system == {"A": 2}


def test_both_levels_are_of_the_same_choice(tmp_path):
    sys = write(tmp_path, "m.sys.score", "m\tde-en\tnews14\tA\t1\n")
    seg = write(tmp_path, "m.seg.score", "m\tde-en\tnewstest2014\tA\t1\t1\n")
    with pytest.raises(InputError, match="test set: news14, newstest2014"):
        read_scores([sys, seg])
    with pytest.raises(InputError, match=r"m has scores of segments .*\(newstest2014"):
        read_scores([sys, seg], testset="news14")


def test_tables_may_name_the_test_set(tmp_path):
    text = "system,testset,ref,score\nA,x,r1,1\nA,y,r1,2\n"
    path = write(tmp_path, "m.csv", text)
    with pytest.raises(InputError, match="test set: x, y"):
        read_scores([path])
    assert read_scores([path], testset="y")[0].system == {"A": 2}


COMET_JSON = """{
  "out/a.txt": [
    {"src": "eins", "mt": "one", "ref": "one", "COMET": 0.5},
    {"src": "zwei", "mt": "two", "ref": "two", "COMET": 0.25}
  ],
  "b.txt": [
    {"src": "eins", "mt": "a", "ref": "one", "COMET": 0.125, "errors": []},
    {"src": "zwei", "mt": "b", "ref": "two", "COMET": -1}
  ]
}"""
COMET_TEXT = """Seed set to 1
out/a.txt\tSegment 0\tscore: 0.5000
b.txt\tSegment 0\tscore: 0.1250
out/a.txt\tSegment 1\tscore: 0.2500
b.txt\tSegment 1\tscore: -1.0000
out/a.txt\tscore: 0.3750
b.txt\tscore: -0.4375
"""
METRICX = """{"source": "eins", "hypothesis": "one", "prediction": 0.5, "system": "a"}
{"source": "zwei", "hypothesis": "two", "prediction": 0.25, "system": "a"}
{"source": "eins", "hypothesis": "a", "prediction": 0.125, "system": "b"}
{"source": "zwei", "hypothesis": "b", "prediction": -1, "system": "b"}
"""
TABLE = """{"system": "a", "segment": 1, "score": 0.5}
{"system": "a", "segment": 2, "score": 0.25}
{"system": "b", "segment": 1, "score": 0.125}
{"system": "b", "segment": 2, "score": -1}
"""


@pytest.mark.parametrize(
    ("name", "text", "metric"),
    [
        ("comet.json", COMET_JSON, "COMET"),
        ("whatever", COMET_JSON, "COMET"),
        ("comet.txt", COMET_TEXT, "COMET"),
        ("out.jsonl", METRICX, "MetricX"),
        ("table.jsonl", TABLE, "table"),
        ("list.json", f"[{','.join(TABLE.splitlines())}]", "list"),
        ("mine.tsv", "a\t0.5\na\t0.25\nb\t0.125\nb\t-1\n", "mine"),
    ],
)
def test_output_of_programs_is_known_by_its_content(tmp_path, name, text, metric):
    (result,) = read_scores([write(tmp_path, name, text)])
    assert result.name == metric
    assert result.segment == {
        "a": {"1": 0.5, "2": 0.25},
        "b": {"1": 0.125, "2": -1},
    }
    (named,) = read_scores([write(tmp_path, name, text)], position_mark="#")
    positions = "segment" not in text
    assert set(named.segment["a"]) == ({"#1", "#2"} if positions else {"1", "2"})


def test_files_of_one_system_each(tmp_path):
    a = write(tmp_path, "a.comet", "0.5\n0.25\n")
    b = write(tmp_path, "b.comet", "0.125\n-1\n\n")
    (result,) = read_scores([f"A={a}", f"B={b}"])
    assert (result.name, result.segment["B"]) == ("comet", {"1": 0.125, "2": -1})
    table = write(tmp_path, "c.tsv", "score\tlength\n1\t3\n2\t4\n")
    (result,) = read_scores([f"C={table}"])
    assert result.segment == {"C": {"1": 1, "2": 2}}
    jsonl = write(tmp_path, "d.jsonl", '{"prediction": 1}\n{"prediction": 2}\n')
    (result,) = read_scores([f"D={jsonl}"], segments=["x", "y"])
    assert result.segment == {"D": {"x": 1, "y": 2}}


def test_files_of_one_system_each_are_one_metric(tmp_path):
    files = [
        f"{system}={write(tmp_path, name, text)}"
        for system, name, text in [
            ("A", "mx_a.txt", "1\n2\n"),
            ("B", "mx_b.txt", "3\n4\n"),
        ]
    ]
    (result,) = read_scores(files)
    assert result.name == "scores"
    assert result.segment == {"A": {"1": 1, "2": 2}, "B": {"1": 3, "2": 4}}
    again = write(tmp_path, "other_a.txt", "5\n6\n")
    with pytest.raises(
        FormatError, match=r"two scores for A.*by extensions, as in A.c"
    ):
        read_scores([*files, f"A={again}"])
    for folder in "xy":
        (tmp_path / folder).mkdir()
    named = [
        f"{system}={write(tmp_path / folder, name, '1')}"
        for system, folder in ("Ax", "By")
        for name in ("mx.txt", "kiwi.txt")
    ]
    assert [each.name for each in read_scores(named)] == ["mx", "kiwi"]


@pytest.mark.parametrize("name", ["one.json", "one.txt", "one.jsonl", "one.tsv"])
def test_the_system_of_a_file_is_what_the_user_says(tmp_path, name):
    text, more = {
        "one.json": (
            '{"x/out.txt": [{"COMET": 1}]%s}',
            ', "y/out.txt": [{"COMET": 2}]',
        ),
        "one.txt": ("x/out.txt\tSegment 0\tscore: 1\n%s", "y\tSegment 0\tscore: 2\n"),
        "one.jsonl": (
            '{"system": "x", "segment": 1, "score": 1}\n%s',
            '{"system": "y", "segment": 2, "score": 2}\n',
        ),
        "one.tsv": ("system\tsegment\tscore\nx\t1\t1\n%s", "y\t2\t2\n"),
    }[name]
    (result,) = read_scores([f"A={write(tmp_path, name, text % '')}"])
    assert result.segment == {"A": {"1": 1}}
    with pytest.raises(FormatError, match="given as that of A alone; give one system"):
        read_scores([f"A={write(tmp_path, name, text % more)}"])


@pytest.mark.parametrize(
    ("name", "scores", "higher"),
    [
        ("MetricX", (2.5, -0.01), False),
        ("MetricX", (-2.5, 0.01), True),
        ("COMET", (2.5, 1), True),
    ],
)
def test_the_direction_follows_the_mean_of_error_metrics(
    tmp_path, name, scores, higher
):
    lines = [f"A\t{i}\t{score}\n" for i, score in enumerate(scores, 1)]
    path = write(tmp_path, "t.tsv", f"system\tsegment\t{name}\n{''.join(lines)}")
    (result,) = read_scores([path])
    assert (result.higher_is_better, result.guessed) == (higher, not higher)
    (metric,) = score_metrics([path])
    assert metric.higher_is_better is higher


def test_files_of_the_same_name_keep_their_folders(tmp_path):
    text = '{"A/out.txt": [{"COMET": 1}], "B/out.txt": [{"COMET": 2}]}'
    (result,) = read_scores([write(tmp_path, "comet.json", text)])
    assert result.segment == {"A/out.txt": {"1": 1}, "B/out.txt": {"1": 2}}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", '{"a": [{"COMET": NaN}]}', "a, segment 1: nan is not a score"),
        ("a.json", '{"a": [{"src": "x"}]}', "segment 1: no field `score` among src"),
        ("a.json", '{"a": [3]}', "segment 1: not an object with a score"),
        ("a.json", '{"a": [', "not JSON"),
        (
            "a.jsonl",
            '{"score": 1}\n{"score": 1%s}\n' % ("0" * 400),
            ":2: 10*... is not",
        ),
        (
            "a.json",
            '{"systems": {"A": {"m": {"score": 1%s}}}}' % ("0" * 400),
            "too large",
        ),
        ("a.jsonl", '{"prediction": 1}\n{"prediction": "x"}\n', ":2: 'x' is not a"),
        ("a.jsonl", '{"prediction": 1}\nx\n', ":2: not JSON"),
        ("a.jsonl", '{"prediction": 1}\n3\n', ":2: '3' is not an object"),
        ("a.txt", "0.5\nabc\n", ":2: 'abc' is not a score; write a finite number"),
        ("a.txt", "0.5\n\n0.5\n", ":2: '' is not a score"),
        ("a.txt", "a\tSegment 0\tscore: inf\n", ":1: 'inf' is not a score"),
        ("a.txt", "a\tSegment 0\tscore: 1\nwhat\n", ":2: 'what' is not a line"),
    ],
)
def test_wrong_output_of_programs_is_said_with_its_place(tmp_path, name, text, message):
    with pytest.raises(FormatError, match=message):
        read_scores([write(tmp_path, name, text)])
