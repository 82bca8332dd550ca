# SPDX-License-Identifier: Apache-2.0
"""Copies of metrics read what the first one read, or say what is not the same."""

from __future__ import annotations

import os
import pickle
import sys

import pytest

import tertium
from tertium.metrics.resources import metric_key
from tertium.metrics.treebank import cached_parser, treebank
from tertium.trees.parsers import PARSERS, ModelParser
from tertium.trees.parsers.models import is_package

HYPS, REFS = ["the cat sat on mats"], ["the dog sat on a mat"]


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """Work in a folder beside another that has a file of the same name."""
    for name, words in (("here", "the\non\n"), ("there", "cat\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fw.txt").write_text(words)
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.mark.parametrize(
    "spec",
    [
        "meteor:function_words=fw.txt",
        "mean:bleu*1+(meteor:function_words=fw.txt)*2",
    ],
)
def test_a_copy_made_in_another_folder_reads_the_same_file(spec, folders, monkeypatch):
    metric = tertium.metric(spec)
    score, key = metric.corpus_score(HYPS, REFS), metric_key(metric)
    pickled = pickle.dumps(metric)
    monkeypatch.chdir(folders / "there")
    assert tertium.metric(spec).corpus_score(HYPS, REFS) != score
    for _ in range(2):  # a copy of a copy, too
        copy = pickle.loads(pickled)
        assert copy.corpus_score(HYPS, REFS) == score
        assert (copy.spec, copy.signature) == (metric.spec, metric.signature)
        assert (copy, metric_key(copy)) == (metric, key)
        pickled = pickle.dumps(copy)


def test_a_file_behind_a_prefix_is_found_from_elsewhere(folders, monkeypatch):
    (folders / "here" / "words.tsv").write_text("cats\tcat\tNOUN\tNumber=Plur\n")
    metric = tertium.metric("evalgen:analyser=tsv:words.tsv")
    pickled = pickle.dumps(metric)
    monkeypatch.chdir(folders / "there")
    copy = pickle.loads(pickled)
    assert copy.analyser == f"tsv:{folders / 'here' / 'words.tsv'}"
    assert copy.spec == metric.spec == "evalgen:analyser=tsv:words.tsv"


def test_names_are_not_taken_for_files(folders):
    (folders / "here" / "voikko").mkdir()
    metric = tertium.metric("evalgen:analyser=voikko")
    assert pickle.loads(pickle.dumps(metric)).analyser == "voikko"


class PackageFirst(ModelParser):
    """A parser that loads models as spaCy does: a package, or else a folder."""

    name = "spacy"
    version = "1"

    model_signature = ""

    def __init__(self, model, *, tokenize):
        super().__init__(model, tokenize=tokenize)
        if is_package(model):
            self.model_signature = f"package {model}"
        elif os.path.isdir(model):
            self.model_signature = f"folder {os.path.basename(model)}"

    def parse_words(self, texts):
        raise NotImplementedError

    parse_text = parse_words


@pytest.fixture
def models(folders, monkeypatch):
    """Install the package ``both``, and make the folders ``both`` and ``folder``."""
    about = folders / "site" / "both-1.0.dist-info" / "METADATA"
    about.parent.mkdir(parents=True)
    about.write_text("Metadata-Version: 2.1\nName: both\nVersion: 1.0\n")
    for name in ("both", "folder"):
        (folders / "here" / name).mkdir()
        (folders / "here" / name / "model.txt").write_text("ours\n")
    monkeypatch.syspath_prepend(str(folders / "site"))
    monkeypatch.setitem(PARSERS, "spacy", (__name__, "PackageFirst"))
    forget_parsers()
    yield
    forget_parsers()


def forget_parsers():
    """Load parsers again, as another process does."""
    treebank.cache_clear()
    cached_parser.cache_clear()


@pytest.mark.parametrize("name", ["both", "folder"])
def test_a_package_comes_before_a_folder_in_copies_too(
    models, name, folders, monkeypatch
):
    metric = tertium.metric(f"dependency-f:parser=spacy,model={name}")
    signature, pickled = metric.signature, pickle.dumps(metric)
    monkeypatch.chdir(folders / "there")
    forget_parsers()
    copy = pickle.loads(pickled)
    kind = "package" if name == "both" else "folder"
    assert f"{kind} {name}" in copy.signature
    assert (copy.signature, copy.spec) == (signature, metric.spec)


def test_a_folder_in_place_of_the_package_is_an_error(models, folders):
    pickled = pickle.dumps(tertium.metric("dependency-f:parser=spacy,model=both"))
    sys.path.remove(str(folders / "site"))
    forget_parsers()
    with pytest.raises(tertium.InputError, match=r"parser, which .* is not the same"):
        pickle.loads(pickled)


def test_a_package_behind_a_prefix_is_a_name(models, folders, monkeypatch):
    metrics = {
        name: pickle.dumps(tertium.metric(f"evalgen:analyser=spacy:{name}"))
        for name in ("both", "folder")
    }
    monkeypatch.chdir(folders / "there")
    assert pickle.loads(metrics["both"]).analyser == "spacy:both"
    folder = folders / "here" / "folder"
    assert pickle.loads(metrics["folder"]).analyser == f"spacy:{folder}"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda path: path.write_text("cat\n"), "has other content there"),
        (os.remove, "is missing there"),
    ],
)
def test_a_file_that_is_not_the_same_is_named(change, message, folders):
    pickled = pickle.dumps(tertium.metric("meteor:function_words=fw.txt"))
    change(folders / "here" / "fw.txt")
    with pytest.raises(tertium.InputError, match=message) as error:
        pickle.loads(pickled)
    assert str(folders / "here" / "fw.txt") in str(error.value)
    assert str(error.value).startswith(f"worker on {os.uname().nodename}: ")
    assert "the same path" in str(error.value)


def test_other_resources_that_are_not_the_same_are_named(folders, monkeypatch):
    from tertium.metrics.meteor import Meteor

    metric = tertium.metric("meteor")
    monkeypatch.setattr(Meteor, "resources", lambda self: {"0.synonyms": "one"})
    pickled = pickle.dumps(metric)
    assert pickle.loads(pickled) == metric
    monkeypatch.setattr(Meteor, "resources", lambda self: {"0.synonyms": "other"})
    with pytest.raises(
        tertium.InputError, match="synonyms, which meteor reads, is not"
    ):
        pickle.loads(pickled)


def test_metrics_that_read_nothing_are_pickled_as_before():
    assert tertium.metric("bleu").__reduce__()[1] == ("bleu", None, None)
