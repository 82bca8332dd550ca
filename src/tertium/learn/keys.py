# SPDX-License-Identifier: Apache-2.0
"""What features depend on, as keys for a cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, TypeAlias

from tertium.align.matchers import BUILTIN_MATCHERS
from tertium.cache.fingerprints import code_fingerprint, package_version
from tertium.cache.keys import NoKeyError, digest
from tertium.learn.features.blocks import Reduced, Resources
from tertium.metrics.resources import (
    file_resources,
    joined_resources,
    parser_resource,
    tokenizer_resources,
    wordnet_resource,
)

if TYPE_CHECKING:
    from tertium.learn.features.blocks import Block
    from tertium.learn.profile import Profile

    _Found: TypeAlias = Mapping[str, str] | None

__all__ = ["profile_key", "profile_resources"]


def profile_key(profile: Profile) -> bytes | None:
    """Return the key of all that features depend on besides texts; None if unknown."""
    resources = profile_resources(profile)
    if resources is None:
        return None
    try:
        return digest(code_fingerprint(), profile.to_json(), profile.names, resources)
    except NoKeyError:
        return None


def profile_resources(profile: Profile) -> Mapping[str, str] | None:
    """Return what the features of an equipped profile read; None if unknown."""
    return joined_resources(
        part for block in profile.blocks for part in _block_resources(block)
    )


def _block_resources(block: Block) -> Iterator[_Found]:
    whole = block.whole if isinstance(block, Reduced) else block
    yield tokenizer_resources(str(getattr(whole, "tokenize", "")))
    matchers = getattr(whole, "matchers", ())
    yield {} if set(BUILTIN_MATCHERS).issuperset(matchers) else None
    brought = getattr(whole, "resources", None)
    if isinstance(brought, Resources):
        yield from _brought(whole, brought)
    path = str(getattr(whole, "path", ""))
    if whole.kind == "context":
        yield _encoder(path)
    elif whole.kind == "static":
        yield _static(path)
    elif path:
        yield file_resources({"path": path})
    for each in getattr(whole, "metrics", ()):
        yield each.resources()


def _brought(block: Block, resources: Resources) -> Iterator[_Found]:
    if resources.parser and "parser" in block.uses:
        from tertium.metrics.treebank import cached_parser

        model = resources.parser_model
        yield parser_resource(cached_parser(resources.parser, model, tokenize="own"))
    if resources.synonyms and "synonyms" in block.uses:
        yield wordnet_resource(resources.synonyms)
    if resources.paraphrases and "paraphrases" in block.uses:
        yield file_resources({"paraphrases": resources.paraphrases})


def _encoder(folder: str) -> _Found:
    from tertium.encoders.files import default_folder

    runtime = {"onnxruntime": package_version("onnxruntime")}
    model = file_resources({"encoder": folder or default_folder()})
    return joined_resources([model, runtime])


def _static(path: str) -> _Found:
    from tertium.learn.features.static_file import find_static

    return {"static": find_static(path, where="static").fingerprint}
