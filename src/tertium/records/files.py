# SPDX-License-Identifier: Apache-2.0
"""The files of a run: which are inputs, resources and results, and their hashes."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from tertium._watching import Watch, stamp
from tertium.records.run import File

__all__ = ["RunFiles", "find_resource", "hash_file", "paths_in"]

_BLOCK = 1 << 20
_MARKS = 12  # that a word of a command line has, if it names files
#: Files of installed packages that are code, or about the package.
_ABOUT = ("METADATA", "RECORD", "entry_points.txt", "WHEEL", "top_level.txt")
_PARTS = ("__pycache__", ".dist-info", ".egg-info")


def hash_file(path: str) -> str:
    """Return the SHA-256 of a file, in hexadecimal digits."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
    return digest.hexdigest()


def paths_in(word: str) -> Iterator[str]:
    """Yield every path that a word of a command line may name.

    Examples
    --------
    >>> list(paths_in("A=a.txt,b.txt"))
    ['A=a.txt,b.txt', 'A', 'A=a.txt', 'a.txt', 'a.txt,b.txt', 'b.txt']
    >>> list(paths_in("dted:parser=udpipe:en.model"))[-1]
    'en.model'
    """
    yield word
    marks = [place for place, char in enumerate(word) if char in "=,:"]
    if len(marks) > _MARKS:  # a sentence
        return
    starts = [0, *(place + 1 for place in marks)]
    ends = [*marks, len(word)]
    for start in starts:
        for end in ends:
            if start < end and word[start:end] != word:
                yield word[start:end]


class RunFiles:
    """Sorts the files that a watch has seen.

    Parameters
    ----------
    command : sequence of str
        Words; those that name files count as inputs even if nobody saw them opened.
    record : str
        Where the record goes; it is not a file of the run.
    """

    def __init__(self, command: Sequence[str], record: str) -> None:
        self._folder = os.getcwd()
        self._scratch: list[str] = []
        self._record = os.path.abspath(record)
        words = [path for word in command for path in paths_in(word)]
        self._absolute = [word for word in words if os.path.isabs(word)]
        self._meant = [self._folder, os.path.dirname(self._record)]
        self._meant += [os.path.abspath(word) for word in words]
        self._named = {
            os.path.abspath(word): stamp(word) for word in words if os.path.isfile(word)
        }

    def ignore(self, folder: str) -> None:
        """Ignore a folder whose files are neither inputs nor results."""
        self._scratch.append(os.path.abspath(folder))

    @property
    def folder(self) -> str:
        """The folder of the run, relative to the record."""
        return _slashes(os.path.relpath(self._folder, os.path.dirname(self._record)))

    def results(self, watch: Watch) -> list[File]:
        """Return what was written and is still there."""
        paths: dict[str, bool] = {}
        for path in watch.writes:
            for each in _files(path):
                if not self._ignored(each):
                    paths[each] = True
        return [self._file(path) for path in sorted(paths)]

    def folders(self, watch: Watch) -> list[str]:
        """Return the folders for results that were there before the run."""
        old = set()
        for file in self.results(watch):
            path = os.path.normpath(os.path.join(self._folder, file.path))
            new = list(_made(path, watch))
            old.add(self._name(os.path.dirname(new[-1] if new else path)))
        return sorted(old)

    def inputs(self, watch: Watch) -> list[File]:
        """Return the user's files that were read, in the order of their names."""
        seen = {**self._named, **watch.reads}
        files = []
        for path in sorted(seen):
            unread = path in watch.writes and path not in watch.reads
            if unread or any(_made(path, watch)) or self._ignored(path):
                continue
            if _resource(path) is None:
                files.append(self._file(path, as_read=seen[path]))
        return files

    def resources(self, watch: Watch) -> list[File]:
        """Return files of packages and of folders for resources that were read."""
        names = {
            name: path
            for path in watch.reads
            if os.path.isfile(path) and (name := _resource(path))
        }
        return [
            File(name, hash_file(path), os.path.getsize(path))
            for name, path in sorted(names.items())
        ]

    def _file(self, path: str, as_read: tuple[int, int] | None = None) -> File:
        name = self._name(path)
        if not os.path.isfile(path) or (as_read and stamp(path) != as_read):
            return File(name, None, None)
        return File(name, hash_file(path), os.path.getsize(path))

    def _ignored(self, path: str) -> bool:
        scratch = any(_within(path, folder) for folder in self._scratch)
        compiled = os.path.basename(os.path.dirname(path)) == "__pycache__"
        if scratch or compiled or path == self._record or _private(path):
            return True
        # Libraries put locks and the like there; a user may work there, too.
        temporary = _within(path, os.path.abspath(tempfile.gettempdir()))
        return temporary and not any(_within(path, place) for place in self._meant)

    def _name(self, path: str) -> str:
        """Return a path relative to the folder, or as the command has it."""
        if any(_within(path, word) for word in self._absolute):
            return _slashes(path)
        try:
            return _slashes(os.path.relpath(path, self._folder))
        except ValueError:  # another drive
            return _slashes(path)


def find_resource(name: str) -> str | None:
    """Return where a resource lies on this machine, or None."""
    place, _, rest = name.partition(":")
    for folder in dict(_places()).get(place, ()):
        path = os.path.join(folder, *rest.split("/"))
        if os.path.isfile(path) and _within(os.path.realpath(path), folder):
            return path
    return None


def _resource(path: str) -> str | None:
    """Return the name of a resource; empty for a file of no interest, None for inputs.

    Examples
    --------
    >>> import tertium
    >>> _resource(os.path.join(os.path.dirname(tertium.__file__), "demo", "x.tsv"))
    'tertium:demo/x.tsv'
    >>> _resource(os.path.abspath("x.tsv")) is None
    True
    """
    for place, folders in _places():
        for folder in folders:
            if not _within(path, folder):
                continue
            rest = _slashes(os.path.relpath(path, folder))
            about = os.path.basename(path) in _ABOUT
            if (
                place in ("python", "config")
                or about
                or any(part in rest for part in _PARTS)
            ):
                return ""
            return f"{place}:{rest}"
    return None


@cache
def _library() -> tuple[tuple[str, tuple[str, ...]], ...]:
    import sysconfig

    import tertium

    paths = sysconfig.get_paths()
    packages = {paths["purelib"], paths["platlib"]}
    packages |= {path for path in sys.path if path.endswith("-packages")}
    python = {paths["stdlib"], paths["platstdlib"], sys.prefix, sys.base_prefix}
    return (
        ("tertium", tuple(map(os.path.abspath, tertium.__path__))),
        ("packages", tuple(sorted(map(os.path.abspath, packages)))),
        ("python", tuple(sorted(map(os.path.abspath, python - {"/usr", "/"})))),
    )


def _places() -> list[tuple[str, tuple[str, ...]]]:
    """Return the folders of resources by the name of their place, inner ones first."""
    home = os.path.expanduser("~")
    data = os.environ.get("XDG_DATA_HOME", "") or os.path.join(home, ".local", "share")
    named = {
        name: os.environ.get(name, "").split(os.pathsep)
        for name in ("TERTIUM_RESOURCES", "TERTIUM_MODELS", "WNSEARCHDIR")
    }
    # What libraries are told by their users' settings, which is not data.
    settings = os.environ.get("XDG_CONFIG_HOME", "") or os.path.join(home, ".config")
    named["config"] = [settings]
    named["user"] = [data, os.path.join(home, "stanza_resources")]
    named["system"] = ["/usr", "/lib"] if os.name == "posix" else []
    return [
        *_library(),
        *(
            (name, tuple(os.path.abspath(folder) for folder in folders if folder))
            for name, folders in named.items()
        ),
    ]


def _private(path: str) -> bool:
    """Return whether a file is of no interest: a device, a cache, one that is gone."""
    from tertium.trees.cache import default_path

    cache = default_path()
    if cache and _within(path, os.path.dirname(cache)):
        return True
    device = path.startswith("/dev/") and not path.startswith("/dev/fd/")
    return device or not os.path.exists(path)


def _files(path: str) -> Iterable[str]:
    """Yield a file, or all files of a folder."""
    if os.path.isfile(path):
        yield path
    elif os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                yield os.path.join(folder, name)


def _made(path: str, watch: Watch) -> Iterator[str]:
    """Yield the folders above a file that the run has made, the uppermost last."""
    folder = os.path.dirname(path)
    while os.path.dirname(folder) != folder:
        if folder in watch.folders or folder in watch.writes:
            yield folder
        folder = os.path.dirname(folder)


def _within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def _slashes(path: str) -> str:
    return path.replace(os.sep, "/")
