# SPDX-License-Identifier: Apache-2.0
"""What rows depend on: every file that a metric opens is part of its key."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import sysconfig
from pathlib import Path

import numpy as np
import pytest

import tertium
from tertium.align.matchers import register_matcher
from tertium.learn.profile import profile
from tertium.metrics.resources import metric_key

# Prints the files outside of Python and Tertium that a metric opens until it has rows,
# and then those that its key opens.
OPENED = """
import sys
import numpy, importlib.metadata, platform
import tertium
opened = []
def listen(event, arguments):
    if event == "open" and isinstance(arguments[0], str):
        opened.append(arguments[0])
sys.addaudithook(listen)
metric = tertium.metric(sys.argv[1])
metric.statistics(["the cat sat"], ["a cat sat down"])
print(*sorted(set(opened)), sep="\\n")
print("then")
from tertium.metrics.resources import metric_key
opened.clear()
key = metric_key(metric)
assert key is not None
print(*sorted(set(opened)), sep="\\n")
"""


WORDNET = {
    name.format(part)
    for name in ("index.{}", "{}.exc")
    for part in ("noun", "verb", "adj", "adv")
}


def opened(spec, cwd):
    done = subprocess.run(
        [sys.executable, "-c", OPENED, spec],
        capture_output=True,
        text=True,
        check=True,
        cwd=cwd,
    )
    before, _, after = done.stdout.partition("then\n")
    ours = {str(Path(tertium.__file__).parent), *sysconfig.get_paths().values()}
    return [
        {
            str(Path(cwd, line).resolve())
            for line in text.splitlines()
            if Path(cwd, line).is_file()
            and not any(os.path.realpath(line).startswith(path) for path in ours)
        }
        for text in (before, after)
    ]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with small resources of every kind."""
    place = tmp_path_factory.mktemp("resources")
    (place / "function.txt").write_text("the\na\n")
    (place / "paraphrases.txt").write_text("0.5\nsat\nsat down\n")
    (place / "corpus.txt").write_text("the cat sat\nthe dog ran\n")
    wordnet = place / "wordnet"
    wordnet.mkdir()
    for part in ("noun", "verb", "adj", "adv"):
        (wordnet / f"index.{part}").write_text("  1 a licence  \n")
        (wordnet / f"{part}.exc").write_text("sat sit\n")
    (wordnet / "index.noun").write_text("cat n 1 1 @ 1 0 00000007  \n")
    (place / "model.json").write_text(
        Path(tertium.__file__).parent.joinpath("learn/models/beer-3.0.json").read_text()
    )
    return place


@pytest.mark.parametrize(
    ("spec", "files"),
    [
        ("meteor:function_words=function.txt", {"function.txt"}),
        (
            "meteor:match=exact+paraphrase,paraphrases=paraphrases.txt",
            {"paraphrases.txt"},
        ),
        ("kendall:match=exact+synonym,synonyms=wordnet", WORDNET),
        ("mean:(semantic-esa:corpus=corpus.txt)+bleu", {"corpus.txt"}),
        ("beer:model=model.json", {"model.json"}),
        ("layered:flat=yes", set()),
    ],
)
def test_every_file_that_a_metric_opens_is_read_for_its_key(folder, spec, files):
    by_metric, by_key = opened(spec, folder)
    assert by_metric <= by_key
    names = {Path(path).name for path in by_metric}
    assert names == files


def test_missing_and_unknown_resources_have_no_key(tmp_path, monkeypatch):
    assert metric_key(tertium.metric("evalgen")) is not None
    assert metric_key(tertium.metric("evalgen:analyser=voikko")) is None
    corpus = tmp_path / "corpus.txt"
    corpus.write_text("a b c\n")
    metric = tertium.metric(f"semantic-esa:corpus={corpus}")
    assert metric_key(metric) is not None
    corpus.unlink()
    assert metric_key(metric) is None
    monkeypatch.setattr("tertium.align.matchers._registered", {})
    register_matcher("any", lambda _: None)
    assert metric_key(tertium.metric("kendall:match=exact+any")) is None


def test_parsers_are_part_of_the_key(tiny_model, tmp_path):
    from tertium.metrics.treebank import cached_parser, treebank

    brought = metric_key(tertium.metric("dted"))
    parsed = metric_key(tertium.metric(f"dted:parser=udpipe,model={tiny_model}"))
    assert None not in (brought, parsed)
    assert brought != parsed
    changed = tmp_path / "tiny.udpipe"
    changed.write_bytes(Path(tiny_model).read_bytes())
    spec = f"dted:parser=udpipe,model={changed}"
    before = tertium.metric(spec).resources()
    changed.write_bytes(Path(tiny_model).read_bytes() + b"\0")
    cached_parser.cache_clear()
    treebank.cache_clear()
    assert tertium.metric(spec).resources() != before


@pytest.mark.parametrize("cache", ["off", "rows"])
def test_features_from_elsewhere_need_the_resources_of_here(
    cache, tmp_path, monkeypatch
):
    monkeypatch.setenv(
        "TERTIUM_CACHE", "off" if cache == "off" else str(tmp_path / "c")
    )
    from tertium.cluster import Checkpointed
    from tertium.learn.matrices import _feature_work
    from tertium.learn.resources import with_resources

    monkeypatch.chdir(tmp_path)
    table, texts = Path("table.txt"), [("a house", "a home")]
    table.write_text("0.5\nhouse\nhome\n")
    resource = {"paraphrases": "table.txt", "language": "en"}
    equipped = with_resources(profile("treepel"), resource).fitted(["a home"])
    with tertium.use(Checkpointed("kept")):
        sent = pickle.dumps(_feature_work(equipped, 1))
    expected = equipped.features(["a house"], ["a home"])
    (tmp_path / "worker").mkdir()
    monkeypatch.chdir("worker")
    assert np.array_equal(pickle.loads(sent)(texts), expected)
    (tmp_path / "table.txt").write_text("0.5\nhouse\nhut\n")
    with pytest.raises(tertium.InputError, match=r"paraphrases, which .* is not"):
        pickle.loads(sent)(texts)


def test_keys_of_profiles_follow_blocks_and_resources(tmp_path):
    from tertium.learn.keys import profile_key
    from tertium.learn.resources import with_resources

    names = ("beer-3.0", "beer-4")
    keys = [profile_key(profile(name)) for name in names]
    keys += [profile_key(profile("beer-4").without(profile("beer-4").groups[0]))]
    assert len(set(keys)) == 3
    assert None not in keys
    table = tmp_path / "table.txt"
    tables = []
    for number, line in enumerate(("0.5\na\nb\n", "0.5\na\nc\n", "0.5\na\nb\n")):
        table.write_text(line)
        os.utime(table, ns=(number, number))
        resource = {"paraphrases": str(table), "language": "en"}
        tables.append(profile_key(with_resources(profile("treepel"), resource)))
    assert tables[0] == tables[2] != tables[1]
    assert None not in tables
