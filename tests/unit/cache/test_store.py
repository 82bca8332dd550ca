# SPDX-License-Identifier: Apache-2.0
"""The store: damage, several processes, limits, folders that cannot be written."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.cache import Cache
from tertium.cache.entries import HEADER, pack, unpack
from tertium.cache.eviction import is_due
from tertium.cache.places import parse_size, size
from tertium.errors import InputError

KEY = bytes(range(32))


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "new" / "folder")


def codes(cache):
    return [note.code for note in cache.notes]


def files(cache):
    return [path for path in Path(cache.folder).rglob("*") if path.is_file()]


@given(st.dictionaries(st.binary(min_size=2, max_size=40), st.binary(max_size=99)))
def test_values_come_back_as_they_were(values):
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        for key, value in values.items():
            assert cache.get("rows", key) is None
            cache.put("rows", key, value)
        again = pickle.loads(pickle.dumps(cache))
        assert {key: again.get("rows", key) for key in values} == values
        assert all(cache.get("other", key) is None for key in values)
        assert cache.usage().get("rows", (0,))[0] == len(values)
        assert not cache.notes


@given(
    value=st.binary(max_size=60),
    place=st.integers(0, 10**6),
    change=st.integers(1, 255),
)
def test_any_changed_byte_is_noticed(value, place, change):
    content = bytearray(pack("rows", KEY, value))
    content[place % len(content)] ^= change
    assert unpack("rows", KEY, bytes(content)) is None


def test_every_byte_of_an_entry_is_covered():
    content = pack("rows", KEY, b"some value")
    assert len(content) == HEADER + 10
    for place in range(len(content)):
        for change in (1, 128, 255):
            damaged = bytearray(content)
            damaged[place] ^= change
            assert unpack("rows", KEY, bytes(damaged)) is None


@given(st.one_of(st.binary(max_size=200), st.just(pack("rows", b"other", b"value"))))
def test_foreign_files_are_never_values(content):
    assert unpack("rows", KEY, content) is None


@given(st.binary(max_size=30), st.integers(0, 90))
def test_truncated_and_longer_files_are_noticed(value, length):
    content = pack("rows", KEY, value)
    assert unpack("rows", KEY, (content + bytes(100))[: len(content) + 1 + length]) is (
        None
    )
    assert unpack("rows", KEY, content[: min(length, len(content) - 1)]) is None


def test_a_damaged_entry_is_dropped_written_again_and_noted_once(cache):
    cache.put("rows", KEY, b"value")
    (path,) = files(cache)
    path.write_bytes(path.read_bytes()[:-1])
    assert cache.get("rows", KEY) is None
    assert not path.exists()
    cache.put("rows", KEY, b"value")
    assert cache.get("rows", KEY) == b"value"
    assert codes(cache) == ["cache-damaged"]
    assert str(cache.notes[0]).startswith("1 entry of the cache")


def test_a_folder_in_the_place_of_an_entry_is_a_miss(cache):
    cache.put("rows", KEY, b"value")
    (path,) = files(cache)
    path.unlink()
    path.mkdir()
    assert cache.get("rows", KEY) is None
    cache.put("rows", KEY, b"value")
    assert codes(cache) == ["cache-unwritable"]


def test_a_file_is_not_a_cache(tmp_path):
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(InputError, match="it is a file; name a folder"):
        Cache(file)
    with pytest.raises(InputError, match="above 0, not -1"):
        Cache(tmp_path, size=-1)


def test_kinds_are_names_of_folders(cache):
    with pytest.raises(ValueError, match="not a kind"):
        cache.get("../rows", KEY)


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    cache = Cache(tmp_path)
    keys = [bytes([255 - i]) * 32 for i in range(10)]
    now = time.time()
    for age, key in enumerate(keys):
        cache.put("rows", key, bytes(1000))
        os.utime(cache._path("rows", key), (now - 7200 * age,) * 2)
    assert cache.get("rows", keys[-1]) is not None  # touched: it was used hours ago
    small = Cache(tmp_path, size=5500)
    small.shrink()
    left = [key for key in keys if small.get("rows", key) is not None]
    assert left == [*keys[:3], keys[-1]]
    assert small.usage()["rows"].bytes <= 0.9 * 5500


def test_writing_keeps_the_size(tmp_path):
    cache = Cache(tmp_path, size=40_000)
    largest = 0
    for number in range(200):
        cache.put("rows", os.urandom(32), number.to_bytes(2, "big") * 500)
        largest = max(largest, cache.usage()["rows"].bytes)
    assert 20_000 < largest < 60_000  # looks at the size are due now and then
    cache.put("rows", KEY, bytes(50_000))
    assert cache.get("rows", KEY) is None  # larger than all of it


def test_looks_at_the_size_are_due_sixteen_times_while_it_is_filled():
    due = sum(is_due(os.urandom(8), 100, 160_000) for _ in range(16_000))
    assert 120 < due < 205  # 160 on average, with a standard deviation of 13


def test_other_files_in_the_folder_are_left_alone(cache):
    cache.put("rows", KEY, b"value")
    folder = Path(cache.folder)
    strange = [folder / "mine.txt", folder / "rows" / "ab.txt", folder / "rows/aa/x.y"]
    for path in strange:
        path.parent.mkdir(exist_ok=True)
        path.write_text("mine")
    assert cache.usage()["rows"].entries == 1
    assert cache.clear().entries == 1
    assert sorted(files(cache)) == sorted(strange)


def test_clearing_may_spare_what_was_used_lately(cache):
    for kind, age in (("rows", 0), ("rows", 9000), ("features", 9000)):
        key = os.urandom(32)
        cache.put(kind, key, b"value")
        os.utime(cache._path(kind, key), (time.time() - age,) * 2)
    assert cache.clear(older_than=8000, kinds=["rows"]).entries == 1
    assert cache.clear(older_than=8000).entries == 1
    assert {kind: use.entries for kind, use in cache.usage().items()} == {"rows": 1}


def test_abandoned_temporary_files_are_removed_and_new_ones_kept(cache):
    cache.put("rows", KEY, b"value")
    (entry,) = files(cache)
    old, new = (entry.parent / f".tertium-{n}-{n}234567a.tmp" for n in (1, 2))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 9000,) * 2)
    cache.shrink()
    assert {entry, new} == set(files(cache))


WRITER = """
import sys
from tertium.cache import Cache
cache = Cache(sys.argv[1], size=300_000)
print("ready", flush=True)
for turn in range(int(sys.argv[2])):
    for number in range(40):
        key = number.to_bytes(32, "little")
        value = cache.get("rows", key)
        assert value in (None, bytes([number]) * 5000), number
        cache.put("rows", key, bytes([number]) * 5000)
    cache.put("rows", b"turn" + turn.to_bytes(28, "big"), bytes(9000))
    if turn % 5 == 0:
        cache.shrink()
    if turn % 7 == 0:
        cache.clear(kinds=["rows"])
assert not cache.notes, cache.notes
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is of POSIX")
def test_processes_share_a_cache_even_if_one_is_killed(tmp_path):
    """Whoever is killed leaves whole entries and at most a temporary file."""
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    killed = [
        subprocess.Popen([*command, "100000"], stdout=subprocess.PIPE) for _ in "ab"
    ]
    for process in killed:
        process.stdout.readline()
    others = [subprocess.Popen([*command, "12"]) for _ in "ab"]
    for process in killed:
        time.sleep(0.15)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
    assert [process.wait(60) for process in others] == [0, 0]
    cache = Cache(tmp_path)
    for number in range(40):
        value = cache.get("rows", number.to_bytes(32, "little"))
        assert value in (None, bytes([number]) * 5000)
    assert not cache.notes


FULL = """
import resource, sys
from tertium.cache import Cache
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
cache = Cache(sys.argv[1])
for number in range(3):
    cache.put("rows", bytes([number]) * 32, bytes(2000))
    assert cache.get("rows", bytes([number]) * 32) is None
print(*cache.notes, sep="\\n")
"""


@pytest.mark.skipif(os.name != "posix", reason="limits are of POSIX")
def test_a_full_disk_is_noted_and_leaves_nothing_behind(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.count("\n") == 1
    assert "not stored in the cache" in done.stdout
    assert not files(Cache(tmp_path))


READER = """
import os, sys
from tertium.cache import Cache
from tertium.notes import templates
templates()  # Another user may not be allowed to import it.
cache = Cache(sys.argv[1])
if os.getuid() == 0:
    os.setuid(65534)  # Permissions are not for root.
print(cache.get("rows", bytes(32)))
cache.put("rows", b"k" * 32, b"new")
print(cache.get("rows", b"k" * 32), *[note.code for note in cache.notes])
"""


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_a_read_only_folder_can_be_read():
    # Not in pytest's folder, which only its owner may enter.
    with tempfile.TemporaryDirectory() as folder:
        cache = Cache(folder)
        cache.put("rows", bytes(32), b"value")
        os.utime(cache._path("rows", bytes(32)), (0, 0))  # a use would be noted
        for path in [Path(folder), *Path(folder).rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        done = subprocess.run(
            [sys.executable, "-c", READER, folder], capture_output=True, text=True
        )
        for path in [Path(folder), *Path(folder).rglob("*")]:
            path.chmod(0o755)
    assert done.stdout == "b'value'\nNone cache-unwritable\n", done.stderr


def test_sizes_have_units(monkeypatch):
    assert parse_size("2 kB") == 2000
    for text in ("", "big", "-1", "1X", "1e9"):
        with pytest.raises(InputError, match="is not a size"):
            parse_size(text)
    monkeypatch.setenv("TERTIUM_CACHE_SIZE", "3G")
    assert size() == Cache("x").size == 3 * 10**9
    monkeypatch.setenv("TERTIUM_CACHE_SIZE", "lots")
    with pytest.raises(InputError, match="TERTIUM_CACHE_SIZE: 'lots'"):
        size()
