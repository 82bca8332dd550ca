# SPDX-License-Identifier: Apache-2.0
"""A cluster gives the results of one thread, to the last bit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

import pytest

pytest.importorskip("distributed")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tertium
from support.specs import metric_specs
from tertium.cluster import Cluster, flow
from tertium.cluster.places import place
from tertium.data import TestsetFiles, write
from tertium.data.origins import _FileSegments
from tertium.data.slices import LineSlice
from tertium.engine import open_testset, score_stream
from tests.support import cluster_work as work

METRICS = ["bleu", "chrf", "nist", "ribes", "kendall", "mean:bleu+ter", "beer", "pef"]


@pytest.fixture(scope="module")
def there():
    with Cluster("local:2") as cluster:
        # Workers of this machine find the tests as we do.
        cluster._session.client.run(_find_tests, str(Path(__file__).parents[3]))
        yield cluster


def _find_tests(folder):
    import sys

    sys.path.insert(0, folder)


def test_results_come_in_the_order_of_chunks(there):
    assert list(there.map(work.square, range(200))) == [n * n for n in range(200)]
    assert list(there.map(work.square, [])) == []


def test_what_a_function_raises_is_raised_here(there):
    with pytest.raises(tertium.InputError, match="0 is rejected") as error:
        list(there.map(work.reject, range(5)))
    assert error.value.options == ("references",)
    assert list(there.map(work.square, [3])) == [9]


def test_a_module_that_workers_lack_is_named(there):
    class Missing:
        def __reduce__(self):
            return (__import__, ("no_such_module_of_anyone",))

    with pytest.raises(tertium.InputError, match="lack the Python module no_such_mod"):
        list(there.map(Missing(), [1]))


def test_what_is_defined_in_a_notebook_is_refused(there):
    class Notebook:
        def __reduce__(self):
            return attrgetter("no_such_name"), (work.square,)

    with pytest.raises(tertium.InputError, match=r"lack a name .*'no_such_name'"):
        list(there.map(Notebook(), [1]))


def test_a_worker_with_another_version_is_refused(there, monkeypatch):
    monkeypatch.setattr("tertium.cluster.worker.__version__", "99.0")
    with pytest.raises(tertium.InputError, match=r"and this is 99\.0, so results"):
        list(there.map(work.square, [1]))


@pytest.mark.parametrize("keep", [True, False])
def test_scores_are_those_of_one_thread(there, keep):
    demo = tertium.read("demo")
    how = {"metrics": METRICS, "segments": keep, "documents": keep}
    expected = tertium.score(demo, **how, threads=1)
    with tertium.use(there):
        assert tertium.score(demo, **how, threads=1).to_dict() == expected.to_dict()


def test_comparisons_are_those_of_one_thread(there):
    demo = tertium.read("demo")
    for test in ("bootstrap", "randomisation"):
        how = {"metrics": ["chrf", "nist"], "resamples": 400, "test": test}
        expected = tertium.compare(demo, **how).to_dict()
        with tertium.use(there):
            assert tertium.compare(demo, **how).to_dict() == expected


@pytest.fixture
def files(tmp_path):
    demo = tertium.read("demo")
    for name, texts in {"ref": [r[0] for r in demo.references], **demo.systems}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(texts), encoding="utf-8")
    systems = {name: tmp_path / f"{name}.txt" for name in demo.systems}
    return TestsetFiles(references=tmp_path / "ref.txt", systems=systems)


def test_files_are_read_by_the_workers(there, files):
    expected = tertium.score(files.read(), metrics=METRICS).to_dict()
    chunks = open_testset(files, metrics=METRICS, slices=True)
    assert all(isinstance(chunk, LineSlice) for chunk in chunks())
    with tertium.use(there):
        assert score_stream(chunks, metrics=METRICS).to_dict() == expected


def test_files_that_workers_do_not_see_are_sent(there, files, monkeypatch):
    expected = tertium.score(files.read(), metrics=["chrf"]).to_dict()
    chunks = open_testset(files, metrics=["chrf"], slices=True)
    for answer in (False, True):
        # Told that workers see the files, we learn by an error that they do not.
        monkeypatch.setattr(there._session, "shares", lambda _, answer=answer: answer)
        if answer:
            monkeypatch.setattr(LineSlice, "__getstate__", _elsewhere, raising=False)
        with tertium.use(there):
            assert score_stream(chunks, metrics=["chrf"]).to_dict() == expected


@pytest.mark.parametrize("lost", [False, True])
def test_test_sets_of_correlate_are_read_by_the_workers(
    there, tmp_path, monkeypatch, lost
):
    path = tmp_path / "set.jsonl"
    demo = tertium.read("demo")
    write(demo, path)
    how = {"metrics": ["bleu", "chrf"], "gold": "rankings"}
    expected = tertium.correlate(path, "demo", **how).to_json()
    sent = []

    def pickled(chunk):
        sent.append(pickle.dumps(chunk))
        return sent[-1]

    monkeypatch.setattr(flow, "_pickled", pickled)
    # Workers started on this machine would be sent what is at hand.
    network = replace(there._session.place, kind="address")
    monkeypatch.setattr(there._session, "place", network)
    if lost:
        monkeypatch.setattr(_FileSegments, "__getstate__", _changed, raising=False)
    with tertium.use(there):
        assert tertium.correlate(path, "demo", **how).to_json() == expected
    text = demo.systems["good"][0].encode()
    # A worker that does not find the file is sent the texts.
    assert [text in chunk for chunk in sent] == [False, True][: 1 + lost]


def _changed(self):
    pieces = [
        piece._replace(file=piece.file._replace(changed=1)) for piece in self.pieces
    ]
    return vars(self) | {"pieces": tuple(pieces)}


def _elsewhere(self):
    return vars(self) | {
        "folder": "/nowhere",
        "columns": tuple(map(_lost, self.columns)),
    }


def _lost(column):
    return column._replace(path=f"lost/{Path(column.path).name}")


@settings(max_examples=15, suppress_health_check=list(HealthCheck), deadline=None)
@given(lengths=st.lists(st.integers(1, 9), max_size=12))
def test_any_partition_gives_the_same_bits(there, lengths):
    demo = tertium.read("demo")
    expected = tertium.score(demo, metrics=["beer", "bleu"], segments=True).to_dict()

    def chunks():
        start = 0
        for length in (*lengths, len(demo)):
            if start < len(demo):
                yield demo.select(range(start, min(start + length, len(demo))))
            start += length

    with tertium.use(there):
        table = score_stream(chunks, metrics=["beer", "bleu"], segments=True)
    assert table.to_dict() == expected


@pytest.fixture(scope="module")
def every_metric():
    """Return short texts, and how every metric scores them as a whole."""
    demo = tertium.read("demo").select(range(6))
    return demo, tertium.score(demo, metrics=metric_specs(), segments=True).to_json()


@settings(max_examples=5, suppress_health_check=list(HealthCheck), deadline=None)
@given(lengths=st.lists(st.integers(1, 4), max_size=8), here=st.booleans())
def test_any_partition_gives_the_same_bits_by_every_metric(
    there, every_metric, lengths, here
):
    demo, expected = every_metric

    def chunks():
        start = 0
        for length in (*lengths, len(demo)):
            if start < len(demo):
                yield demo.select(range(start, min(start + length, len(demo))))
            start += length

    with tertium.use(None if here else there):
        table = score_stream(chunks, metrics=metric_specs(), segments=True)
    assert table.to_json() == expected


def test_every_metric_gives_the_bits_of_one_thread(there):
    specs = metric_specs()
    demo = tertium.read("demo").select(range(12))
    expected = tertium.score(demo, metrics=specs, segments=True, threads=1)
    with tertium.use(there):
        table = tertium.score(demo, metrics=specs, segments=True, threads=1)
    assert table.to_json() == expected.to_json()


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("local:0", "needs workers"),
        ("nobody", "is not a cluster"),
        ("LOCAL:2", r"'LOCAL:2' is not a cluster; did you mean local:2\?"),
        ("Local", r"did you mean local\?"),
        ("local:two", "give local:N"),
        ("gone.json", "no such file"),
        ("gone.toml", "cannot be read"),
        ("http://localhost:80", "begins with one of tcp, tls"),
        ("tcp://localhost", "is not a host with a port"),
        ("localhost:99999", "is not a number from 1 to 65535"),
        (
            "local:9999999",
            r"9,999,999 workers are too many .* give at most \d+ \(8 per",
        ),
    ],
)
def test_a_place_that_is_none_is_refused(where, message):
    with pytest.raises(tertium.InputError, match=message):
        place(where)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("cluster = 'slurm'", "the number of workers is missing"),
        ("cluster = 'cloud'\nworkers = 2", "give one of slurm, pbs"),
        ("address = 3", "address must be a text, not 3"),
        ("adress = 'tcp://a:1'", "adress"),
        ("cluster = 'address'", "the address is missing"),
        ("address = 'abc'", "'abc' is not a host with a port"),
        ("cluster = 'local'\nworkers = -2", "workers must be at least 1, not -2"),
        ("cluster = 'ssh'\nworkers = 0", "workers must be at least 1, not 0"),
        ("cluster = 'local'\nworkers = 9999", "9,999 workers are too many"),
        ("cluster = ", "not TOML"),
    ],
)
def test_a_file_that_describes_no_cluster_is_refused(tmp_path, text, message):
    path = tmp_path / "cluster.toml"
    path.write_text(text)
    with pytest.raises(tertium.FormatError, match=message) as error:
        place(str(path))
    assert str(path) in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "has no address of a scheduler"),
        ("[]", "has no address of a scheduler"),
        ('{"address": 3}', "has no address of a scheduler"),
        ('{"address": "abc"}', "'abc' is not a host with a port"),
        ("{", "not JSON"),
        ("\xff", "not JSON"),
    ],
)
def test_a_file_that_no_scheduler_wrote_is_refused(tmp_path, text, message):
    path = tmp_path / "scheduler.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(tertium.FormatError, match=message) as error:
        place(str(path))
    assert str(path) in str(error.value)


def test_an_option_that_a_local_cluster_does_not_have_is_named(tmp_path):
    path = tmp_path / "cluster.toml"
    path.write_text("cluster = 'local'\nworkers = 1\n[options]\nthread_per_worker = 1")
    with pytest.raises(tertium.InputError, match=r"'thread_per_worker'.*threads_per_w"):
        Cluster(str(path)).__enter__()


def test_a_scheduler_that_wants_a_certificate_is_an_error(tmp_path):
    path = tmp_path / "scheduler.json"
    path.write_text('{"address": "tls://127.0.0.1:9"}')
    for where in (str(path), "tls://127.0.0.1:9"):
        with pytest.raises(tertium.InputError, match=r"at tls:.* wants a certificate"):
            Cluster(where).__enter__()


def test_nobody_at_an_address_is_an_error(monkeypatch):
    from tertium.cluster import session

    connect = session._client
    monkeypatch.setattr(session, "_client", lambda address: connect(address, timeout=1))
    with pytest.raises(tertium.InputError, match="no scheduler answers at"):
        list(Cluster("tcp://127.0.0.1:9").map(work.square, [1]))
