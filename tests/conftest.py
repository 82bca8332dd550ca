# SPDX-License-Identifier: Apache-2.0
"""What all tests share: data that may be missing, and Hypothesis profiles."""

from __future__ import annotations

import gc
import importlib
import json
import os
import signal
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, settings

import tertium

# Settings have no doctests, and reading them twice makes another database.
collect_ignore = ["support/campaign_settings.py"]

settings.register_profile(
    "default",
    deadline=None,
    max_examples=30,
    suppress_health_check=[HealthCheck.too_slow],
)
# pytest --hypothesis-profile thorough looks longer.
settings.register_profile(
    "thorough", settings.get_profile("default"), max_examples=1000
)
# On a server the same examples every time: a red build means a change broke it.
settings.register_profile("ci", settings.get_profile("default"), derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def missing(what: str) -> NoReturn:
    """Skip for lack of something, or fail where everything must be there."""
    if os.environ.get("TERTIUM_NO_SKIP"):
        pytest.fail(f"{what}, and TERTIUM_NO_SKIP is set")
    pytest.skip(what)


def pytest_configure():
    """Let Ctrl-C end what tests start, whoever started the tests.

    A shell without job control ignores it for commands in the background, and whatever
    these start inherits that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection():
    """Collect without searching for garbage: ten thousand tests stay anyway."""
    gc.disable()


def pytest_collection_finish():
    """Search for garbage again, but not among tests and modules."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config, items):
    """Run the longest first, and on another database what asks a database."""
    # Whoever began files of minutes last would keep all waiting.
    items.sort(key=lambda item: "web" not in item.path.parts)
    if os.environ.get("TERTIUM_TEST_DATABASE"):
        other = [item for item in items if not _asks_database(item)]
        items[:] = [item for item in items if _asks_database(item)]
        config.hook.pytest_deselected(items=other)


def _asks_database(item: pytest.Item) -> bool:
    """Return whether a test has a database, of Django's or of a real server."""
    return (
        item.get_closest_marker("django_db") is not None
        or "server" in getattr(item, "fixturenames", ())
        or hasattr(getattr(item, "module", None), "Server")
    )


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Keep the user's cache of parses out of the tests, and the tests out of it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("TERTIUM_CACHE", raising=False)
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def udpipe() -> None:
    """Skip the test where UDPipe is not installed."""
    _need("ufal.udpipe")


@pytest.fixture(scope="session")
def tiny_model(udpipe, tmp_path_factory) -> str:
    """Return the path of a UDPipe model for ``support/treebank.py``."""
    from support.treebank import treebank
    from tertium.trees import parse_conllu
    from tertium.trees.training import train_udpipe

    path = str(tmp_path_factory.mktemp("models") / "tiny.udpipe")
    sentences = list(parse_conllu(treebank().split("\n")))
    details = {
        "tokenizer": "epochs=1;dimension=16;batch_size=1;learning_rate=0.05;"
        "segment_size=10",
        "tagger": "iterations=2",
        "parser": "hidden_layer=20;embedding_form=10",
    }
    train_udpipe(path, sentences, sentences[:3], epochs=3, details=details)
    return path


@pytest.fixture(scope="session")
def udpipe_model() -> str:
    """Return the path of a small UDPipe model for English."""
    return _model("en_ewt_small.udpipe", "ufal.udpipe")


@pytest.fixture(scope="session")
def spacy_model() -> str:
    """Return the path of a small spaCy model for English."""
    return _model("en_ewt_spacy", "spacy")


def _model(name: str, package: str) -> str:
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("TERTIUM_MODELS", root.parent / "shared" / "models"))
    if not (folder / name).exists():
        missing(f"no {folder / name}; set TERTIUM_MODELS to the parser models")
    _need(package)
    return str(folder / name)


def _need(package: str) -> None:
    try:
        importlib.import_module(package)
    except ImportError:
        missing(f"{package} is not installed; pip install 'tertium[parse]'")


@pytest.fixture(scope="session")
def wmt_data() -> Path:
    """Return the folder with the WMT data."""
    root = Path(__file__).resolve().parents[1]
    folder = Path(os.environ.get("TERTIUM_DATA", root.parent / "shared" / "data"))
    if not folder.is_dir():
        missing(f"no folder {folder}; set TERTIUM_DATA to the WMT files")
    return folder


@pytest.fixture(scope="session")
def wmt15(wmt_data: Path) -> tertium.Testset:
    """Return newstest2015 German-English with all its systems."""
    return tertium.read(wmt_data / "wmt15" / "de-en.tsv.gz")


@pytest.fixture(scope="session")
def demo() -> tertium.Testset:
    """Return the bundled demo set."""
    folder = Path(tertium.__file__).parent / "demo"
    return tertium.read(folder / "demo.jsonl")


@pytest.fixture
def write_lines(tmp_path: Path):
    """Return a function that writes lines to a file and returns its path."""

    def write(name: str, lines: list[str]) -> Path:
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return path

    return write


@pytest.fixture
def run_json(capsys):
    """Return a function that runs the command line and reads its JSON."""

    def run(*arguments: str) -> dict:
        from tertium.cli import main

        code = main([*arguments, "-f", "json"])
        captured = capsys.readouterr()
        assert code == 0, captured.err
        return json.loads(captured.out)

    return run
