# SPDX-License-Identifier: Apache-2.0
"""Variants and configurations of metrics.

A *variant* is a metric with the settings that change what it measures; a
*configuration* is the parser, the aligner and the like that it uses (McCaffery 2017,
section 7.1.2). ``dted:variant=c,parser=udpipe`` is the variant ``dted:variant=c`` in
the configuration ``parser=udpipe``. Scores from files may name a configuration after
an @: ``dted:variant=c@malt+giza``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tertium.metrics.settings import YES

__all__ = ["CONFIGURATION", "Variant", "flat_variant", "variant_of"]

#: Settings that choose a tool, or what it knows, and not what a metric measures.
CONFIGURATION = (
    "aligner",
    "beam",
    "language",
    "match",
    "model",
    "paraphrases",
    "parser",
    "pretokenized",
    "synonyms",
    "tagger",
    "tokenize",
)
_NAMED = "@"  # before the name of a configuration
_TREES = ("nbest", "parses", "structure")  # which trees are read: flat ones are not
_ALIASES = {"o": "co", "l": "cl", "fo": "fco", "fl": "fcl"}  # of variants of DTED


@dataclass(frozen=True)
class Variant:
    """A metric, taken apart.

    Parameters
    ----------
    tool : str
        The name of the metric.
    name : str
        The metric without its configuration.
    configuration : dict of str to str
        Settings that choose tools; ``@`` is the name after an @.
    """

    tool: str
    name: str
    configuration: Mapping[str, str] = field(default_factory=dict)

    def fits(self, other: Variant) -> bool:
        """Return whether no setting differs that both configurations have."""
        shared = self.configuration.keys() & other.configuration.keys()
        return all(
            self.configuration[name] == other.configuration[name] for name in shared
        )


def variant_of(metric: str) -> Variant:
    """Return the variant and the configuration of a metric.

    Examples
    --------
    >>> variant = variant_of("dted:variant=c,parser=udpipe")
    >>> variant.tool, variant.name, variant.configuration
    ('dted', 'dted:variant=c', {'parser': 'udpipe'})
    >>> variant_of("derp@malt").configuration
    {'@': 'malt'}
    >>> variant_of("dted").name, variant_of("dted:flat=yes,variant=o").name
    ('dted:variant=c', 'dted:variant=fco')
    """
    spec, marked, label = metric.partition(_NAMED)
    tool, _, settings = spec.partition(":")
    values = _values(settings)
    if tool in ("dted", "derp"):
        values = _usual(tool, values)
    configuration = {name: values.pop(name) for name in CONFIGURATION if name in values}
    if marked:
        configuration[_NAMED] = label
    return Variant(tool, _spec(tool, values), configuration)


def flat_variant(name: str) -> str | None:
    """Return the variant that ignores the structure of trees; None without one.

    Parameters
    ----------
    name : str
        Of a variant, as :func:`variant_of` has it.

    Examples
    --------
    >>> flat_variant("dted:variant=co"), flat_variant("derp"), flat_variant("bleu")
    ('dted:variant=fco', 'derp:flat=yes', None)
    >>> flat_variant("dted:structure=projected,variant=c")
    'dted:variant=fc'
    """
    tool, _, settings = name.partition(":")
    values = _values(settings)
    others = {name: value for name, value in values.items() if name not in _TREES}
    if tool == "dted" and not values.get("variant", "f").startswith("f"):
        return _spec(tool, others | {"variant": f"f{values['variant']}"})
    if tool == "derp" and "flat" not in values:
        return _spec(tool, others | {"flat": "yes"})
    return None


def _usual(tool: str, values: dict[str, str]) -> dict[str, str]:
    """Return settings in which one variant has one name."""
    flat = values.pop("flat", "no").lower() in YES
    if tool == "derp":
        return values | {"flat": "yes"} if flat else values
    variant = values.get("variant", "c")
    variant = _ALIASES.get(variant, variant)
    if flat and not variant.startswith("f"):
        variant = f"f{variant}"
    return values | {"variant": variant}


def _values(settings: str) -> dict[str, str]:
    pairs = (setting.partition("=") for setting in settings.split(",") if setting)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _spec(tool: str, values: Mapping[str, str]) -> str:
    """Return a metric by its settings, which need not have values."""
    settings = [f"{n}={v}" if v else n for n, v in sorted(values.items())]
    return f"{tool}:{','.join(settings)}" if settings else tool
