# SPDX-License-Identifier: Apache-2.0
"""What rows of metrics depend on, as keys for a cache.

Resources are identified by their content: a table that is edited, or a model that is
trained again under the same name, gives other keys.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from tertium.cache.fingerprints import (
    code_fingerprint,
    fingerprint,
    package_version,
)
from tertium.cache.keys import NoKeyError, digest, text_digest
from tertium.metrics.settings import as_typed
from tertium.text.tokenizers import MODEL_VARIABLES, PACKAGES

if TYPE_CHECKING:
    from tertium.metrics.base import Metric
    from tertium.trees.cache import CachedParser

__all__ = [
    "default_resources",
    "file_resources",
    "joined_resources",
    "metric_key",
    "parser_resource",
    "tokenizer_resources",
    "wordnet_resource",
]


def metric_key(metric: Metric) -> bytes | None:
    """Return the key of all that rows depend on besides texts; None if unknown.

    Metrics with different settings, resources or fitted state have different keys, and
    so have metrics computed by different code.
    """
    resources = metric.resources()
    if resources is None or metric.needs_names:
        return None
    kind = type(metric)
    settings = {name: as_typed(getattr(metric, name)) for name in metric.settings}
    fitted = metric.fitted_state()
    try:
        return digest(
            code_fingerprint(),
            f"{kind.__module__}.{kind.__qualname__}",
            metric.spec,
            settings,
            resources,
            None if fitted is None else _state_digest(fitted),
        )
    except NoKeyError:
        return None


def _state_digest(state: object) -> bytes:
    """Return the digest of references, or of other plain data."""
    return text_digest(state) if isinstance(state, Sequence) else digest(state)


def default_resources(
    metric: Metric, *, without: Collection[str] = ()
) -> Mapping[str, str] | None:
    """Return the files that settings name, and the tokeniser's; None if unknown.

    Parameters
    ----------
    metric : Metric
    without : collection of str
        Settings that name something else than a file.
    """
    if any(_elsewhere(kind) for kind in type(metric).__mro__):
        return None
    named = {
        name: str(getattr(metric, name))
        for name, declared in metric.settings.items()
        if declared.external
        and name not in without
        and getattr(metric, name) != declared.default
    }
    return joined_resources([file_resources(named), _tokenizers(metric)])


def file_resources(paths: Mapping[str, str]) -> Mapping[str, str] | None:
    """Return the fingerprints of files or folders; None if one does not exist."""
    values = {name: fingerprint(path) for name, path in paths.items()}
    known = {name: value for name, value in values.items() if value is not None}
    return known if len(known) == len(values) else None


def joined_resources(
    parts: Iterable[Mapping[str, str] | None],
) -> Mapping[str, str] | None:
    """Return all resources of several parts; None if those of one are unknown."""
    joined: dict[str, str] = {}
    for number, part in enumerate(parts):
        if part is None:
            return None
        joined.update({f"{number}.{name}": value for name, value in part.items()})
    return joined


def tokenizer_resources(name: str) -> Mapping[str, str] | None:
    """Return the model or the packages of a tokeniser; none for most of them."""
    if name in MODEL_VARIABLES:
        path = os.environ.get(MODEL_VARIABLES[name], "")
        model = file_resources({"model": path})
        version = {"sentencepiece": package_version("sentencepiece")}
        return joined_resources([model, version])
    return {package: package_version(package) for package in PACKAGES.get(name, ())}


def wordnet_resource(path: str) -> Mapping[str, str] | None:
    """Return the content of a WordNet, of the usual places if none is named."""
    from tertium.text.wordnet import find_wordnet

    named = path if path not in ("", "auto") else find_wordnet()
    return file_resources({"synonyms": named})


def parser_resource(parser: CachedParser | None) -> Mapping[str, str]:
    """Return the signature of a parser, None for trees that texts bring."""
    return {} if parser is None else {"parser": parser.signature}


def _tokenizers(metric: Metric) -> Mapping[str, str] | None:
    name = metric.__dict__.get("tokenize")
    return tokenizer_resources(name) if isinstance(name, str) else {}


def _elsewhere(kind: type) -> bool:
    home = kind.__module__.partition(".")[0]
    return home not in ("tertium", "builtins", "abc", "typing", "collections")
