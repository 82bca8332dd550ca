# SPDX-License-Identifier: Apache-2.0
"""What a metric reads where it was made, so that copies elsewhere read the same.

A metric is pickled as its spec string, which may name files relative to a folder: a
worker of a cluster has another one. The copy gets absolute paths, and the fingerprints
of everything that the metric reads. They are compared where the copy is made, and they
make a pickled metric another one once a file has changed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from tertium.errors import InputError, TertiumError
from tertium.metrics.settings import ResolvedPath, as_typed, with_paths

if TYPE_CHECKING:
    from tertium.data.batch import References
    from tertium.metrics.base import Metric

__all__ = ["Origin", "check_resources", "origin_of", "remade", "restored"]


#: In ``command:PROGRAM``, which a shell would look for.
_PROGRAM = "command"

#: A parser, whose models may be packages: those come before folders of the same name.
_SPACY = "spacy"


class _NamedFile(NamedTuple):
    """A file or folder that a setting names, and what identifies its content."""

    typed: str
    value: str  # of the setting, with the absolute path
    path: str
    content: str


class Origin(NamedTuple):
    """What a metric reads where it was made.

    Attributes
    ----------
    files : tuple
        Those that its settings name.
    resources : tuple of pairs of str, optional
        Names and values of :meth:`Metric.resources`; None if they are unknown.
    contents : tuple of pairs of str
        Names and values of :meth:`Metric.contents`.
    """

    files: tuple[_NamedFile, ...]
    resources: tuple[tuple[str, str], ...] | None
    contents: tuple[tuple[str, str], ...]


def origin_of(metric: Metric) -> Origin | None:
    """Return what a metric reads here besides texts and Tertium; None for nothing."""
    files = tuple(dict.fromkeys(_named_files(metric)))
    resources, contents = metric.resources(), metric.contents()
    if not (files or resources or contents):
        return None
    known = None if resources is None else tuple(sorted(resources.items()))
    return Origin(files, known, tuple(sorted(contents.items())))


def restored(spec: str, fitted_to: References | None, origin: Origin | None) -> Metric:
    """Return a copy of a metric, fitted to the same references."""
    made = remade(spec, origin)
    return made if fitted_to is None else made.prepare(fitted_to)


def remade(spec: str, origin: Origin | None) -> Metric:
    """Return a copy of a metric that reads what the first one read.

    Raises
    ------
    InputError
        If something is missing here, or is not the same.
    """
    from tertium.metrics.registry import metric

    if origin is None:
        return metric(spec)
    for file in origin.files:
        _check_file(file, spec)
    paths = {file.typed: ResolvedPath(file.value, file.typed) for file in origin.files}
    try:
        with with_paths(paths):
            made = metric(spec)
        resources, contents = made.resources(), made.contents()
    except TertiumError as error:
        options = getattr(error, "options", ())
        raise InputError(f"{_host()}: {error}", options=options) from error
    check_resources(dict(origin.contents), contents, spec)
    if resources is not None and origin.resources is not None:
        check_resources(dict(origin.resources), resources, spec)
    return made


def _named_files(metric: Metric) -> Iterator[_NamedFile]:
    from tertium.cache.fingerprints import fingerprint

    for name, declared in metric.settings.items():
        value = getattr(metric, name)
        if not declared.external or value in ("", *declared.names):
            continue
        prefix, path = _split(str(value))
        if path and _is_spacy_package(metric, str(value)):
            continue  # Workers take the package, too; what they load is compared.
        content = fingerprint(path) if path else None
        if content is not None:
            yield _NamedFile(str(as_typed(value)), prefix + path, path, content)
    for part in metric.components():
        yield from _named_files(part)


def _split(value: str) -> tuple[str, str]:
    """Return the prefix of a value such as ``tsv:words.tsv``, and an absolute path.

    The path is empty if the value names none: it may be a name, or a program.
    """
    head, colon, tail = value.partition(":")
    ways = [("", value)]
    if colon and head != _PROGRAM:
        ways.append((head + colon, tail))
    for prefix, path in ways:
        expanded = os.path.expanduser(path)
        if os.path.exists(expanded):
            return prefix, os.path.abspath(expanded)
    return "", ""


def _is_spacy_package(metric: Metric, value: str) -> bool:
    """Return whether a setting names a model that spaCy takes from a package."""
    from tertium.trees.parsers.models import is_package

    head, _, tail = value.partition(":")
    if head == _SPACY:
        return is_package(tail)
    parsers = (getattr(metric, name) for name in metric.settings)
    return _SPACY in parsers and is_package(value)


def _check_file(file: _NamedFile, spec: str) -> None:
    from tertium.cache.fingerprints import fingerprint

    content = fingerprint(file.path)
    if content == file.content:
        return
    wrong = "is missing" if content is None else "has other content"
    raise InputError(
        f"{_host()}: {file.path}, which {spec} reads, {wrong} there; put it on a disk "
        "that all workers see under the same path, or copy it to each of them"
    )


def check_resources(
    there: Mapping[str, str], here: Mapping[str, str], name: str
) -> None:
    """Raise an error if what `name` reads is not the same here as it was there."""
    if there == here:
        return
    odd = sorted(name for name in there.keys() | here.keys()
                 if there.get(name) != here.get(name))  # fmt: skip
    # Numbers tell parts apart.
    names = ", ".join(dict.fromkeys(each.lstrip("0123456789.") for each in odd))
    raise InputError(
        f"{_host()}: {names}, which {name} reads, is not the same there; install the "
        "same files and versions as here"
    )


def _host() -> str:
    import platform

    return f"worker on {platform.node()}"
