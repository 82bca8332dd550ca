# SPDX-License-Identifier: Apache-2.0
"""Resources that features of a profile read: a parser, tables, embeddings."""

from __future__ import annotations

import os
from collections.abc import Mapping

from tertium.errors import InputError, UnknownNameError
from tertium.learn.features.blocks import Resources
from tertium.learn.profile import Profile

__all__ = ["absolute_paths", "with_resources"]

#: Resources that are not files.
_NAMES = ("language", "parser")


def with_resources(profile: Profile, resource: Mapping[str, str]) -> Profile:
    """Return a profile with resources, all of which its features read.

    Parameters
    ----------
    profile : Profile
    resource : mapping of str to str
        By name: ``language``, ``parser``, ``parser_model``, ``synonyms``,
        ``paraphrases``, ``embeddings``, ``roles``, ``wordlist``, ``context`` or
        ``static``.

    Raises
    ------
    InputError
        If there is no such resource, or no feature reads it.

    Examples
    --------
    >>> from tertium.learn.profile import profile
    >>> with_resources(profile("beer-3.0"), {"synonyms": "wordnet"})
    Traceback (most recent call last):
      ...
    tertium.errors.InputError: no feature of beer-3.0 reads the resource synonyms...
    """
    for name in resource:
        if name not in Resources._fields:
            raise UnknownNameError("resource", name, Resources._fields)
    if not resource:
        return profile
    equipped = profile.equipped(Resources(**absolute_paths(resource)))
    for name in resource:
        # A language may bring features that read more.
        if name != "language" and name not in equipped.uses:
            read = ", ".join(equipped.uses) or "none"
            message = (
                f"no feature of {equipped.name} reads the resource {name} (they read: "
                f"{read}); omit it"
            )
            raise InputError(message, options=("resource",))
    return equipped


def absolute_paths(resource: Mapping[str, str]) -> dict[str, str]:
    """Return resources with absolute paths: workers may run in another folder."""
    return {
        name: os.path.abspath(value)
        if name not in _NAMES and os.path.exists(value)
        else value
        for name, value in resource.items()
    }
