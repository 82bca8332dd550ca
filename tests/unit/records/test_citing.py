# SPDX-License-Identifier: Apache-2.0
"""Methods paragraphs and BibTeX: everyone who is mentioned is in the bibliography."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli import main
from tertium.metrics import metric_class
from tertium.metrics.papers import METHODS, PAPERS, papers
from tertium.records import cite, read_run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def citation(*words):
    assert main([*words, "-q", "--record", "run.json"]) == 0
    return cite(read_run("run.json"))


def test_every_metric_has_papers_and_every_paper_a_use():
    assert set(PAPERS) == set(tertium.metric_names())
    assert {name for name, keys in PAPERS.items() if not keys} == {"external", "scores"}
    used = {key for keys in (*PAPERS.values(), *METHODS.values()) for key in keys}
    assert used == set(papers())


@pytest.mark.parametrize("name", [name for name, keys in PAPERS.items() if keys])
def test_papers_are_those_that_the_metric_names(name):
    """The fact `paper` is for people; a surname and a year of it must be cited."""
    fact = metric_class(name).paper
    first = papers()[PAPERS[name][0]]
    surname = first.fields["author"].partition(",")[0]
    assert surname in fact or surname in metric_class(name).equal_to, fact


@pytest.mark.parametrize("paper", papers().values(), ids=papers())
def test_entries_are_complete(paper):
    assert {"author", "title", "year"} <= set(paper.fields)
    assert set(paper.fields) & {"booktitle", "journal", "school"}
    assert re.fullmatch(r"\d{4}", paper.fields["year"])
    assert paper.fields["year"] in paper.key
    assert paper.bibtex.count("{") == paper.bibtex.count("}")
    for name in paper.fields["author"].split(" and "):
        assert ", " in name, name


def test_a_scored_test_set_is_described(capsys):
    result = citation(
        "score", "demo", "-m", "bleu", "chrf++", "--interval", "--data-hash"
    )
    assert result.text.startswith("We scored 4 systems on 60 segments (data hash ")
    for part in (
        "against 2 references per segment with Tertium",
        "using BLEU (Papineni et al., 2002; Post, 2018) and chrF2++ (Popović, 2017).",
        (
            "Confidence intervals (95 %) are percentiles of 1,000 bootstrap resamples "
            "of segments (Koehn, 2004). The seed of the random number generator was "
            "12345."
        ),
        "Signatures are BLEU: nrefs:2|bs:1000|seed:12345|data:",
        "The run is recorded in run.json",
    ):
        assert part in result.text, part
    assert list(result.bibtex) == [
        "tertium",
        "papineni-2002-bleu",
        "post-2018-call",
        "popovic-2017-chrf",
        "koehn-2004-statistical",
    ]
    assert f"version = {{{tertium.__version__}}}" in result.bibtex["tertium"]


def test_a_comparison_is_described(capsys):
    result = citation(
        "compare", "demo", "-m", "wer", "--test", "randomisation", "--correction", "bh",
        "--resamples", "100",
    )  # fmt: skip
    assert (
        "tested by paired approximate randomisation (Riezler and Maxwell, 2005) with "
        "100 random assignments; p-values were corrected for multiple comparisons by "
        "the Benjamini-Hochberg procedure (Benjamini and Hochberg, 1995). We call a "
        "difference significant if its p-value is below 0.05."
    ) in result.text
    assert "benjamini-1995-controlling" in result.bibtex


def test_a_report_is_described_as_a_comparison(capsys):
    result = citation(
        "report", "demo", "-m", "chrf", "--resamples", "50", "-o", "a.html"
    )
    assert result.text.startswith("We scored 4 systems on 60 segments against 2 ")
    assert (
        "using chrF2 (Popović, 2015). Differences between systems were" in result.text
    )
    assert "(Koehn, 2004) with 50 resamples; p-values were corrected" in result.text
    assert {"popovic-2015-chrf", "holm-1979-simple"} <= set(result.bibtex)


def test_a_comparison_of_error_spans_is_described(capsys):
    row = {"kind": "span", "system": "A", "category": "", "severity": "minor"}
    row |= {"segment": "1", "start": 0, "end": 3, "langpair": "de-en"}
    head = {"tertium": "judgements", "version": 1}
    Path("a.jsonl").write_text(f"{json.dumps(head)}\n{json.dumps(row)}\n")
    words = ["correlate", "--spans", "-J", "a.jsonl", "--predictions", "a.jsonl"]
    assert citation(*words, "--resamples", "20").text.startswith(
        "We compared predicted error spans with human ones on 1 output of 1 segment, "
        f"with Tertium {tertium.__version__} (The Tertium developers, 2026); "
        "confidence intervals are from 20 resamples of segments. The seed "
    )


def test_a_correlation_names_its_test_set(capsys):
    words = ["correlate", "demo", "-m", "chrf", "--coef", "pearson", "--resamples", "0"]
    named = citation(*words, "--data-hash").text
    expected = "We correlated chrF2 (Popović, 2015) with human judgements (data hash "
    assert named.startswith(expected)
    assert "hash" not in citation(*words).text.partition("Tertium")[0]


def test_settings_bring_their_own_papers(capsys):
    Path("a.txt").write_text("a b\n")
    Path("a.conllu").write_text(
        "1\ta\ta\tX\t_\t_\t0\troot\t_\t_\n2\tb\tb\tX\t_\t_\t1\tdep\t_\t_\n\n"
    )
    result = citation(
        "score",
        "--ref-trees",
        "a.conllu",
        "-i",
        "a.txt",
        "-m",
        "dted:structure=projected",
    )
    assert "(McCaffery, 2017; Hwa et al., 2005)" in result.text


LISTS = [
    {"id": "0", "refs": ["a cat sat"], "hyps": [
        {"text": "a cat", "features": {"lm": 1, "tm": 2}},
        {"text": "the cat sat", "features": {"lm": 2, "tm": 1}}]},
    {"id": "1", "refs": ["a dog ran"], "hyps": [
        {"text": "a dog", "features": {"lm": 1, "tm": 2}},
        {"text": "the dog ran", "features": {"lm": 2, "tm": 1}}]},
]  # fmt: skip


@pytest.fixture
def lists():
    """Write lists to a file, and in shards."""
    Path("lists.jsonl").write_text("".join(f"{json.dumps(x)}\n" for x in LISTS))
    words = ["nbest", "convert", "-n", "lists.jsonl", "-o", "shards", "-q"]
    assert main([*words, "--rows-per-shard", "1"]) == 0


@pytest.mark.parametrize("source", ["lists.jsonl", "shards"])
@pytest.mark.parametrize(
    ("options", "method", "paper"),
    [
        ([], "", "kumar-2004-minimum"),
        (["--aggregate"], "expected n-gram counts", "denero-2009-fast"),
        (["--prune", "0.1"], "hypotheses dropped early", "cheng-2023-faster"),
    ],
)
def test_minimum_bayes_risk_is_described(lists, source, options, method, paper, capsys):
    result = citation("mbr", "-n", source, "-m", "chrf", *options)
    assert result.text.startswith(
        "We chose translations from 2 n-best lists by minimum Bayes risk (Kumar and "
        "Byrne, 2004; Eikema and Aziz, 2022) with Tertium"
    )
    assert "with chrF2 (Popović, 2015) as the utility" in result.text
    assert "Signatures are chrF2: nrefs:1|case:mixed|" in result.text
    assert method in result.text
    assert {paper, "popovic-2015-chrf"} <= set(result.bibtex)
    assert ("seed of the random number" in result.text) == (options[:1] == ["--prune"])


QUALITY = " scores (Fernandes et al., 2022), with chrF2 (Popović, 2015) as the utility"
WEIGHTED = " as the utility, with pseudo-references weighted by "


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (
            ["--scores", "qe.txt", "--keep", "1"],
            f", among the 1 hypothesis per list with the best qe{QUALITY}.",
        ),
        (
            ["--scores", "Kiwi=qe.txt", "--keep", "2", "--prune", "0.1"],
            f", among the 2 hypotheses per list with the best Kiwi{QUALITY}, with hyp",
        ),
        (
            ["--utility-weights", "logprob", "--scale", "0.5"],
            f"{WEIGHTED}the log-probabilities of hypotheses, multiplied by 0.5.",
        ),
        (["--utility-weights", "lm"], f"{WEIGHTED}lm as log-probabilities."),
        (
            ["--references", "lists.jsonl"],
            " as the utility, with pseudo-references from other lists.",
        ),
    ],
)
def test_candidates_and_weights_are_described(options, text, capsys):
    lists = [{"id": n, "hyps": [{"text": x, "score": -1, "features": {"lm": -1}}
             for x in ("a cat", "a dog")]} for n in "01"]  # fmt: skip
    Path("lists.jsonl").write_text("".join(f"{json.dumps(x)}\n" for x in lists))
    Path("qe.txt").write_text("0.1\n0.2\n0.3\n0.4\n")
    result = citation("mbr", "-n", "lists.jsonl", "-m", "chrf", *options)
    assert text in result.text
    assert ("fernandes-2022-quality" in result.bibtex) == ("--keep" in options)


@pytest.mark.parametrize(
    ("method", "who"),
    [
        ("mert", "minimum error rate training (Och, 2003)"),
        ("pro", "pairwise ranking optimisation (Hopkins and May, 2011)"),
        ("mira", "batch MIRA (Cherry and Foster, 2012)"),
    ],
)
def test_tuning_is_described(lists, method, who, capsys):
    result = citation(
        "tune", "batch", "-n", "lists.jsonl", "-m", "bleu", "--method", method
    )
    assert result.text.startswith(
        "We tuned the weights of a decoder for BLEU (Papineni et al., 2002; Post, "
        f"2018) on 2 n-best lists by {who}, with Tertium"
    )
    assert "Signatures are BLEU: nrefs:1|" in result.text


def test_agreement_and_rankings_name_their_methods(capsys):
    text = citation("agree", "demo").text
    assert text.startswith("We measured the agreement of 6 judges with Tertium")
    assert "by pooled kappa (Macháček, 2014), Krippendorff's alpha (Hayes and " in text
    assert "intraclass correlations (Shrout and Fleiss, 1979)" in text
    text = citation("rank", "demo", "--method", "trueskill", "--bootstrap", "50").text
    assert text.startswith("We ranked 4 systems by human judgements with Tertium")
    assert ", by TrueSkill (Sakaguchi et al., 2014); rank ranges are from 50 " in text


def test_judgements_that_are_reused_or_learnt_from_are_described(capsys):
    text = citation("reuse", "demo", "demo", "--leave-one-out", "--by", "exact").text
    assert text.startswith("We scored 4 systems by judgements of other systems with ")
    assert ", from judgements of equal outputs (Macháček, 2014)." in text
    words = ["train", "-t", "demo", "-J", "demo", "--names", "demo", "-o", "m.json"]
    text = citation(*words).text
    assert text.startswith("We trained a metric that ranks texts on human judgements")
    assert ", with the features of beer-4 (Stanojević and Sima'an, 2014; " in text
    assert ", by logistic regression." in text
    known = json.loads(Path("m.json").read_text())["training"]["sha256"]
    assert f" (hash of texts and judgements {known[:8]}) with Tertium" in text


def test_cut_outputs_are_described(capsys):
    Path("ref.txt").write_text("a b c\nd e f\n")
    Path("out.txt").write_text("a b\nc d e f\n")
    words = ["resegment", "-r", "ref.txt", "-i", "out.txt", "-o", "cut.txt", "--always"]
    assert citation(*words).text.startswith(
        "We cut the output into 2 segments of its reference by the smallest word edit "
        "distance (Matusov et al., 2005) with Tertium"
    )


def test_preordering_is_described(capsys):
    Path("s.txt").write_text("a b c\nd e f\n" * 20)
    Path("links.txt").write_text("0-1 1-0 2-2\n" * 40)
    words = ["preorder", "train", "-s", "s.txt", "--links", "links.txt"]
    text = citation(*words, "--model", "btg", "--iterations", "1", "-o", "m").text
    bracketing = "a bracketing transduction grammar (Nakagawa, 2015)"
    assert text.startswith(f"We trained {bracketing} for preordering with Tertium")
    words = ["preorder", "apply", "m", "s.txt", "-f", "orders", "-o", "s.orders"]
    assert main([*words, "--record", "apply.json"]) == 0
    text = cite(read_run("apply.json")).text
    assert f"We put source words into target order by {bracketing}, with" in text
    words = ["preorder", "score", "s.orders", "-s", "s.txt", "--links", "links.txt"]
    text = citation(*words, "-m", "tau", "--resamples", "0").text
    assert text.startswith("We scored 1 system of source word order against gold ")
    assert ", by Kendall's tau (Lapata, 2006; Birch and Osborne, 2010)." in text


def test_other_verbs_are_described_by_their_command(capsys):
    Path("a.txt").write_text("a b c\n")
    result = citation("permute", "a.txt", "-d", "1")
    assert "with the command `tertium permute a.txt -d 1 -q`." in result.text


def test_formats(capsys):
    assert main(["score", "demo", "-m", "bleu", "--record", "run.json"]) == 0
    capsys.readouterr()
    assert main(["cite", "run.json"]) == 0
    both = capsys.readouterr().out
    assert main(["cite", "run.json", "-f", "text"]) == 0
    text = capsys.readouterr().out
    assert main(["cite", "run.json", "-f", "bibtex"]) == 0
    bibtex = capsys.readouterr().out
    assert both == f"{text}\n{bibtex}"
    assert main(["cite", "run.json", "-f", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["text"].split() == text.split()
    assert "\n\n".join(data["bibtex"].values()) + "\n" == bibtex


def test_records_of_strangers_are_cited_without_surprise(capsys):
    main(["score", "demo", "-m", "bleu", "--record", "run.json"])
    content = json.loads(Path("run.json").read_text())
    for data in (None, [], {}, {"metrics": []}, {"metrics": {"x": 1}, "systems": 3}):
        content["results"]["data"] = data
        content["options"] = {"metrics": 3, "coef": 1}
        for verb in ("score", "compare", "correlate", "other"):
            content["command"][0] = verb
            Path("run.json").write_text(json.dumps(content))
            assert main(["cite", "run.json"]) == 0


@pytest.mark.parametrize("value", [None, 3, "x", [], [None, "x", {}], {"x": {"y": 1}}])
def test_facts_of_strangers_are_cited_without_surprise(value, capsys):
    main(["score", "demo", "-m", "bleu", "--record", "run.json"])
    content = json.loads(Path("run.json").read_text())
    content["results"]["data"] = None
    names = ("methods", "metrics", "lists", "judges", "systems", "resamples", "by")
    content["facts"] = dict.fromkeys((*names, "objective", "profile"), value)
    choice = ("keep", "scores", "utility_weights", "scale", "references")
    content["options"] |= dict.fromkeys(choice, value)
    for verb in ("agree", "mbr", "preorder", "rank", "resegment", "reuse", "train"):
        content["command"] = [verb]
        Path("run.json").write_text(json.dumps(content))
        assert main(["cite", "run.json"]) == 0
    capsys.readouterr()
