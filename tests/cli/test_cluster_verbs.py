# SPDX-License-Identifier: Apache-2.0
"""Every verb that takes ``--cluster`` writes the bytes of this process."""

from __future__ import annotations

import gzip
import json
import random
import shlex
import sys
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("distributed")

import tertium
from tertium.cli import main
from tertium.cluster import Cluster, flow
from tertium.cluster.places import place
from tertium.cluster.session import Session
from tertium.data.line_places import PlainFile
from tertium.preorder.combination import Combined
from tertium.preorder.model import load
from tertium.tuning.mbr import mbr
from tertium.tuning.reading import read_nbest
from tests.support import toy_decoder
from tests.support.clusters import running


@pytest.fixture(scope="module")
def there(tmp_path_factory):
    with running(tmp_path_factory.mktemp("cluster")) as cluster:
        cluster.add_worker()
        cluster.add_worker()
        yield cluster.address


@pytest.fixture(autouse=True)
def small_parts(tmp_path, monkeypatch):
    """Work in a folder of our own, on parts so small that short inputs have several."""
    monkeypatch.chdir(tmp_path)
    sizes = {
        "tertium.stats.resample._PART": 40_000,
        "tertium.meta.uncertainty.bootstrap._PART": 400_000,
        "tertium.meta.uncertainty.bootstrap._SYSTEMS_PART": 400_000,
        "tertium.learn.matrices._PART": 50,
        "tertium.tuning.lists._PART": 3,
        "tertium.preorder.application._FAR_PART": 7,
        "tertium.preorder.grammar.shards.SENTENCES": 20,
        "tertium.judgements.estimates._SENT": 20,
    }
    for name, size in sizes.items():
        monkeypatch.setattr(name, size)


@pytest.fixture
def sent(monkeypatch):
    """Return the names of functions that were done on the cluster, as they come."""
    names: list[str] = []
    original = Cluster.map

    def watched(self, function, chunks):
        inner = function.func if isinstance(function, partial) else function
        names.append(getattr(inner, "__name__", type(inner).__name__))
        return original(self, function, chunks)

    monkeypatch.setattr(Cluster, "map", watched)
    return names


@pytest.fixture
def chunks(monkeypatch):
    """Return the chunks as they are sent to workers."""
    sent: list[bytes] = []
    original = flow._pickled

    def watched(chunk):
        sent.append(original(chunk))
        return sent[-1]

    monkeypatch.setattr(flow, "_pickled", watched)
    return sent


def has_texts(chunks):
    """Return whether words of our texts are in chunks."""
    return any(b" cat" in chunk or b" dog" in chunk for chunk in chunks)


def output(capsys, command, *more):
    code = main([*shlex.split(command), *more])
    shown = capsys.readouterr()
    assert code == 0, shown.err
    return shown.out


RATED = {
    "tau-b:none --over segments --slow": {"ChunkRows", "_draw_groups"},
    "tau-b:none --over systems --slow": {"_drawn_systems"},
    "tau-b:item --test permutation": {"_tally", "_draw"},
    "pearson:none --test permutation": {"_tally", "_draw"},
    "acc-eq:item --test permutation": {"_tally"},
    "pearson --test hybrids": {"_draw"},
}


@pytest.mark.parametrize(("coefficient", "works"), RATED.items())
def test_correlate(there, sent, capsys, coefficient, works):
    write_ratings("ratings.jsonl")
    command = f"correlate demo -J ratings.jsonl -m sentbleu chrf --coef {coefficient}"
    command = f"{command} -f json -q"
    expected = output(capsys, command)
    assert not sent
    assert output(capsys, command, "--cluster", there) == expected
    assert works <= set(sent)


@pytest.mark.parametrize(
    ("options", "works"),
    [
        ("", {"_features"}),
        ("--learner polynomial --regularisation 0.01", {"_search"}),
    ],
)
def test_train(there, sent, capsys, options, works):
    command = f"train -t demo -J demo --metrics chrf {options} -f json -q -o"
    expected = output(capsys, f"{command} here.json")
    assert output(
        capsys, f"{command} there.json", "--cluster", there
    ) == expected.replace("here.json", "there.json")
    assert Path("there.json").read_bytes() == Path("here.json").read_bytes()
    assert works <= set(sent)


LISTS = random.Random(5)
WORDS = ["the", "a", "red", "blue", "cat", "dog", "sat", "ran", "on", "mat", "log"]


def write_lists(path, count=14, size=9):
    with open(path, "w") as stream:
        for number in range(count):
            truth = LISTS.choices(WORDS, k=8)
            hyps = []
            for _ in range(size):
                text = [
                    LISTS.choice(WORDS) if LISTS.random() < 0.3 else w for w in truth
                ]
                features = {"lm": LISTS.gauss(0, 1), "tm": LISTS.gauss(0, 1)}
                hyps.append({"text": " ".join(text), "features": features})
            line = {"id": str(number), "refs": [" ".join(truth)], "hyps": hyps}
            stream.write(json.dumps(line) + "\n")


@pytest.mark.parametrize(
    "options",
    ["-m chrf bleu", "-m meteor --prune 0.1", "-m kendall", "-m chrf --aggregate"],
)
def test_mbr(there, sent, capsys, options):
    write_lists("lists.jsonl", size=24)
    command = f"mbr -n lists.jsonl {options} --top 3 -f json -q"
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    assert sent == ["Run"]


@pytest.mark.parametrize("more", ["", "--references lists.jsonl shards"])
def test_mbr_sends_places(there, chunks, capsys, more):
    write_lists("lists.jsonl", count=40)
    output(capsys, "nbest convert -n lists.jsonl -o shards --rows-per-shard 15 -q")
    for paths in ("lists.jsonl", "shards", "lists.jsonl shards"):
        command = f"mbr -n {paths} {more} -m chrf -q"
        expected = output(capsys, command)
        assert output(capsys, command, "--cluster", there) == expected
        assert len(chunks) >= 5
        assert not has_texts(chunks)
        chunks.clear()


@pytest.mark.parametrize("seen", [True, False])
def test_mbr_sends_texts_that_workers_cannot_read(
    there, chunks, capsys, monkeypatch, seen
):
    write_lists("lists.jsonl")
    Path("lists.jsonl.gz").write_bytes(gzip.compress(Path("lists.jsonl").read_bytes()))
    monkeypatch.setattr(Session, "shares", lambda *_: seen)
    command = f"mbr -n lists.jsonl{'.gz' * seen} -m chrf --top 2 -f json -q"
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    assert has_texts(chunks)


def test_texts_at_hand_are_sent_on_this_machine(there, chunks, monkeypatch):
    write_lists("lists.jsonl", count=40)
    lists = read_nbest("lists.jsonl")
    with Cluster(there) as cluster, tertium.use(cluster):
        monkeypatch.setattr(cluster._session, "place", place("local:2"))
        assert mbr(lists) == mbr(lists[:])
    assert all(b" cat" in chunk or b" dog" in chunk for chunk in chunks)


def test_texts_are_sent_where_a_file_is_gone_on_the_way(there, chunks, monkeypatch):
    write_lists("lists.jsonl", count=40)
    lists = read_nbest("lists.jsonl")
    expected = mbr(lists)
    Path("lists.jsonl").unlink()
    monkeypatch.setattr(PlainFile, "is_same", lambda _: True)
    monkeypatch.setattr(Session, "shares", lambda *_: True)
    with Cluster(there) as cluster, tertium.use(cluster):
        assert mbr(lists) == expected
    assert not has_texts(chunks[:1])
    assert has_texts(chunks)


def test_errors_in_lists_name_file_and_line(there, capsys):
    write_lists("lists.jsonl", count=40)
    output(capsys, "nbest convert -n lists.jsonl -o shards --rows-per-shard 15 -q")
    Path("shards/manifest.json").unlink()  # It would say that the size is wrong.
    shard = Path("shards/part-00001.jsonl")
    lines = shard.read_text().splitlines(keepends=True)
    shard.write_text("".join([*lines[:7], "{]\n", *lines[8:]]))
    for more in ([], ["--cluster", there]):
        assert main([*shlex.split("mbr -n shards -m chrf -q"), *more]) == 2
        assert "part-00001.jsonl:8: not JSON" in capsys.readouterr().err


@pytest.mark.parametrize("method", ["mert", "pro", "mira"])
def test_tune_batch(there, sent, capsys, method):
    write_lists("lists.jsonl")
    command = (
        f"tune batch -n lists.jsonl -m bleu --method {method} --seeds 3 -f json -q"
    )
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    # PRO adds up in NumPy, so its runs stay here.
    assert sent == ["_statistics", "_run"][: 1 if method == "pro" else 2]


def test_tune_batch_sends_places(there, chunks, capsys):
    write_lists("lists.jsonl")
    Path("ref.txt").write_text("all of the references\n" * 14)
    command = "tune batch -n lists.jsonl -r ref.txt -m bleu -f json -q"
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    assert len(chunks) >= 5
    assert not has_texts(chunks)


def test_tune_run(there, sent, capsys):
    decoder = shlex.join([sys.executable, toy_decoder.__file__]) + " {weights} {nbest}"
    Path("dev.txt").write_text("".join(f"{x}\n" for x in toy_decoder.REFERENCES))
    Path("start.json").write_text(json.dumps(dict.fromkeys(toy_decoder.FEATURES, 0.5)))
    command = "tune run -r dev.txt --start start.json --iterations 2 -f json -q"
    command = f"{command} --decoder {shlex.quote(decoder)}"
    expected = output(capsys, command, "--folder", "here")
    shown = output(capsys, command, "--folder", "there", "--cluster", there)
    assert shown == expected
    assert "_statistics" in sent


def write_links(source, links, count=60):
    """Write sentences of which half have their last two words exchanged."""
    rng = random.Random(3)
    texts, orders = [], []
    for _ in range(count):
        words = rng.choices(WORDS, k=rng.randint(3, 7))
        order = list(range(len(words)))
        if rng.random() < 0.5:
            order[-2:] = reversed(order[-2:])
        texts.append(" ".join(words))
        orders.append(" ".join(f"{i}-{order.index(i)}" for i in range(len(words))))
    Path(source).write_text("\n".join(texts) + "\n")
    Path(links).write_text("\n".join(orders) + "\n")


GRAMMAR = "--model grammar --splits 3 2 --iterations 3 --restarts 2 --unknown 0"


@pytest.mark.parametrize("options", ["--held-out 2 --variant pet", "--rounds 1"])
def test_preorder_train(there, sent, capsys, options):
    write_links("a.en", "a.links")
    command = f"preorder train -s a.en --links a.links {GRAMMAR} {options} -q -o"
    output(capsys, f"{command} here")
    output(capsys, f"{command} there --checkpoint state", "--cluster", there)
    assert Path("there").read_bytes() == Path("here").read_bytes()
    assert {"_size", "_chart_counts", "_Expect"} <= set(sent)
    assert ("_Logs" if "held" in options else "_Losses") in sent
    assert Path("state").is_file() or list(Path().glob("state*"))


def test_preorder_apply(there, sent, capsys):
    write_links("a.en", "a.links")
    command = "preorder train -s a.en --links a.links --iterations 2 -q"
    output(capsys, f"{command} -o btg")
    output(capsys, f"{command} --model grammar --splits 2 1 --restarts 2 -o grammar")
    Combined([load("btg"), load("grammar")], [0.6, 0.4]).save("combined")
    for model in ("btg", "grammar", "combined"):
        for action in (
            f"apply {model} a.en -f json --max-displacement 3",
            f"nbest {model} a.en -n 4 -f json",
        ):
            expected = output(capsys, f"preorder {action}")
            assert output(capsys, f"preorder {action}", "--cluster", there) == expected
    assert sent == ["_apply", "_rank"] * 3


@pytest.mark.parametrize("compressed", [False, True])
def test_preorder_apply_sends_places(there, chunks, capsys, compressed):
    write_links("a.en", "a.links")
    output(capsys, "preorder train -s a.en --links a.links --iterations 2 -q -o btg")
    Path("a.en.gz").write_bytes(gzip.compress(Path("a.en").read_bytes()))
    for action in ("apply -f json --max-displacement 3", "lattice -n 4"):
        name, *more = action.split()
        text = "a.en.gz" if compressed else "a.en"
        command = f"preorder {name} btg {text} {' '.join(more)}"
        expected = output(capsys, command)
        assert output(capsys, command, "--cluster", there) == expected
        assert len(chunks) >= 60 / 7
        assert any(b"cat" in chunk for chunk in chunks) == compressed
        chunks.clear()


def test_btg_is_not_trained_on_a_cluster(capsys):
    write_links("a.en", "a.links")
    command = "preorder train -s a.en --links a.links -o model --cluster local:2"
    assert main(shlex.split(command)) == 2
    assert "choose --model grammar" in capsys.readouterr().err


def write_ratings(path, langpair="en-de"):
    rng = random.Random(7)
    with open(path, "w") as stream:
        for segment, segment_id in enumerate(tertium.read("demo").ids):
            for level, system in enumerate(("copy", "words", "order", "good")):
                for judge in rng.sample(range(6), 2):
                    score = 30 + 5 * judge + rng.gauss(9 * level, 8) + 6 * (segment % 5)
                    line = {
                        "kind": "rating",
                        "langpair": langpair,
                        "segment": segment_id,
                        "system": system,
                        "judge": f"j{judge}",
                        "scale": "DA",
                        "score": round(min(100.0, max(0.0, score)), 2),
                    }
                    stream.write(json.dumps(line) + "\n")


@pytest.mark.parametrize("adjust", ["judge+segment", "z"])
def test_agree(there, sent, capsys, adjust):
    write_ratings("ratings.jsonl")
    command = f"agree ratings.jsonl --intervals --resamples 60 --adjust {adjust}"
    expected = output(capsys, f"{command} -f json -q")
    assert output(capsys, f"{command} -f json -q", "--cluster", there) == expected
    assert {"_statistics", "_rows"} <= set(sent)
    assert ("_judge_variances" in sent) == (adjust != "z")


def test_agree_of_rankings(there, sent, capsys):
    command = "agree demo --intervals --resamples 60 -f json -q"
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    assert "_statistics" in sent


def test_only_intervals_of_agreement_take_a_cluster(capsys):
    assert main(["agree", "demo", "--cluster", "local:2"]) == 2
    assert "ask for --intervals" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [
        "correlate demo -m chrf ter --test permutation -f json -q",
        "agree demo --intervals --resamples 60 -f json -q",
        "mbr -n lists.jsonl -m chrf -f json -q",
    ],
)
def test_finished_chunks_are_not_done_again(capsys, command):
    write_lists("lists.jsonl")
    expected = output(capsys, command)
    assert output(capsys, command, "--checkpoint", "kept") == expected
    kept = {path: path.stat().st_mtime_ns for path in Path("kept").iterdir()}
    assert kept
    assert output(capsys, command, "--checkpoint", "kept") == expected
    assert {p: p.stat().st_mtime_ns for p in Path("kept").iterdir()} == kept


def test_folds_of_training(there, sent, capsys):
    for langpair in ("xx-de", "yy-de"):
        tertium.write(tertium.read("demo"), f"{langpair}.jsonl")
        write_ratings(f"{langpair}.ratings.jsonl", langpair)
    command = "train -t xx-de.jsonl yy-de.jsonl -J xx-de.ratings.jsonl "
    command += "yy-de.ratings.jsonl --cross-validate language --metrics chrf -f json -q"
    expected = output(capsys, command)
    assert output(capsys, command, "--cluster", there) == expected
    assert sent == ["_left_out"]
