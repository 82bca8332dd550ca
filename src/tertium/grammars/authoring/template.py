# SPDX-License-Identifier: Apache-2.0
"""A semantic template: a folder with a grammar, samples, and ``template.toml``.

::

    id = "have"
    prototype = "Anna has a big apple tree now"   # the meaning, in a sentence
    source = "Eng"                                # HaveEng.gf
    target = ["Fin"]                              # one or several
    notes = ["the tree bears apples: not a data structure"]  # which sense is meant
    minimum = 10          # smaller reference sets get a warning
    abstract = "Have.gf"  # only if the folder has several grammars

    [samples.Fin]
    positive = "positive.fin.txt"   # must be accepted; one file or a list
    negative = "negative.fin.txt"   # must not

    [analysers]
    Fin = "voikko"                  # as `load_analyser` takes it

A template may come from someone else. So it starts no program, and names no file
outside its folder, unless whoever loads it allows that.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tertium.data.containment import is_inside
from tertium.errors import FormatError, UntrustedError
from tertium.grammars.authoring.bundled import FILE, bundled_templates, root_of
from tertium.grammars.authoring.samples import Sample, read_samples
from tertium.grammars.authoring.validation import Finding, check_template
from tertium.grammars.gf.grammar import Grammar, load_grammar
from tertium.grammars.gf.problems import did_you_mean

__all__ = ["Finding", "Samples", "Template", "check_template", "load_template"]

_KEYS = (
    "id",
    "prototype",
    "source",
    "target",
    "notes",
    "minimum",
    "abstract",
    "samples",
    "analysers",
)


@dataclass(frozen=True)
class Samples:
    """Sentences of one language that must be accepted, and that must not."""

    positive: tuple[Sample, ...] = ()
    negative: tuple[Sample, ...] = ()


@dataclass(frozen=True)
class Template:
    """A semantic template.

    Attributes
    ----------
    id : str
        Its name in test sets and reports.
    prototype : str
        The meaning, as a sentence.
    source : str
        The language that is translated from.
    targets : tuple of str
        Those translated into.
    grammar : Grammar
        The sentences of each.
    samples : dict
        By language.
    notes : tuple of str
        Which senses are meant.
    analysers : dict
        By language, what analyses its words, as ``load_analyser`` takes it.
    minimum : int
        The size below which a reference set gets a warning.
    folder : Path
        Where it is.
    root : Path or None
        The folder that its files must lie in; None if they may lie anywhere.
    allow_commands : bool
        Whether its analysers may start programs.
    """

    id: str
    prototype: str
    source: str
    targets: tuple[str, ...]
    grammar: Grammar = field(repr=False)
    samples: Mapping[str, Samples] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    analysers: Mapping[str, str] = field(default_factory=dict)
    minimum: int = 10
    folder: Path = Path()
    root: Path | None = None
    allow_commands: bool = False

    @property
    def languages(self) -> tuple[str, ...]:
        """The source language, then the target languages."""
        return (self.source, *self.targets)

    def file(self, name: str) -> Path:
        """Return a file that the template names.

        Raises
        ------
        UntrustedError
            If it lies outside the root folder.
        """
        return _file(self.folder, name, self.root)


def load_template(
    folder: Path | str,
    *,
    allow_commands: bool = False,
    allow_outside: bool = False,
    root: Path | str | None = None,
) -> Template:
    """Read a template from its folder.

    Parameters
    ----------
    folder : Path or str
        The folder, or the name of a bundled template such as ``shop``; a folder of
        that name comes first.
    allow_commands : bool
        Whether the analysers that it names may start programs or load models that
        can run code.
    allow_outside : bool
        Whether it may read files anywhere.
    root : Path or str, optional
        The folder that its files must lie in; by default its own.

    Raises
    ------
    FormatError
        If ``template.toml`` or a file of samples is wrong; a GrammarError, which is
        one, if the grammar is; an UntrustedError, which is one, if it names a file
        outside its folder.

    Examples
    --------
    >>> load_template("shop").targets
    ('Fin', 'Ger', 'Cze')
    """
    folder = Path(folder)
    if not folder.exists():
        folder = bundled_templates().get(str(folder), folder)
    root = root_of(folder, root, allow_outside=allow_outside)
    reader = _Reader(folder / FILE, root)
    name = reader.text("id", default=folder.resolve().name)
    abstract = reader.text("abstract", default="")
    source = reader.text("source")
    targets = reader.texts("target", needed=True)
    prototype = reader.text("prototype", default="")
    minimum = reader.number("minimum", default=10)
    notes = reader.texts("notes")
    grammar = load_grammar(
        _file(folder, abstract, root) if abstract else folder,
        root=root,
        allow_outside=allow_outside,
    )
    for language in (source, *targets):
        reader.known_language(language, grammar)
    if source in targets:
        raise reader.wrong(
            f"{source!r} is both source and target", "name two languages"
        )
    samples = {}
    for language, files in reader.tables("samples").items():
        reader.known_language(language, grammar)
        samples[language] = Samples(
            *(
                reader.samples(language, files, kind)
                for kind in ("positive", "negative")
            )
        )
    analysers = reader.strings("analysers")
    for language in analysers:
        reader.known_language(language, grammar)
    return Template(
        id=name,
        prototype=prototype,
        source=source,
        targets=targets,
        grammar=grammar,
        samples=samples,
        notes=notes,
        analysers=analysers,
        minimum=minimum,
        folder=folder,
        root=root,
        allow_commands=allow_commands,
    )


def _file(folder: Path, name: str, root: Path | None) -> Path:
    path = folder / os.path.expanduser(name)
    if root is None or is_inside(path, root):
        return path
    what = f"{name!r} lies outside the folder {root}"
    cure = "move it there, or allow it with allow_outside=True"
    raise UntrustedError(
        f"{what}; {cure}", path=str(folder / FILE), options=("allow_outside",)
    )


class _Reader:
    """Takes values out of a TOML file, each of the type it must have."""

    def __init__(self, path: Path, root: Path | None) -> None:
        self.path = path
        self.root = root
        self.content = self._read()
        self._reject_unknown(self.content, _KEYS)

    def wrong(self, what: str, cure: str) -> FormatError:
        return FormatError(f"{what}; {cure}", path=str(self.path))

    def _read(self) -> dict[str, object]:
        try:
            import tomllib
        except ImportError:
            import tomli as tomllib
        _file(self.path.parent, self.path.name, self.root)  # it may be a link
        try:
            return dict(tomllib.loads(self.path.read_text(encoding="utf-8-sig")))
        except OSError:
            raise self.wrong(
                "this file is missing", "write it, at least with source and target"
            ) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            what = f"this is not TOML ({error})"
            raise self.wrong(what, 'write key = "value"') from None

    def _reject_unknown(self, content: Collection[str], keys: Collection[str]) -> None:
        for key in content:
            if key not in keys:
                raise self.wrong(
                    f"unknown key {key!r}",
                    did_you_mean(key, keys, f"choose from {', '.join(keys)}"),
                )

    def text(self, key: str, *, default: str | None = None) -> str:
        value = self.content.get(key, default)
        if value is None:
            raise self.wrong(f"{key!r} is missing", f'write {key} = "..."')
        if not isinstance(value, str):
            raise self.wrong(f"{key!r} is not a text", f'write {key} = "..."')
        return value

    def texts(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        value = self.content.get(key, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(x, str) for x in listed):
            raise self.wrong(f"{key!r} is not a list of texts", f'{key} = ["..."]')
        if needed and not listed:
            raise self.wrong(f"{key!r} is missing", f'write {key} = ["..."]')
        return tuple(listed)

    def number(self, key: str, *, default: int) -> int:
        value = self.content.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise self.wrong(f"{key!r} is not a number", f"write {key} = {default}")
        return value

    def tables(self, key: str) -> dict[str, dict[str, object]]:
        value = self.content.get(key, {})
        if isinstance(value, dict) and all(isinstance(x, dict) for x in value.values()):
            return value
        raise self.wrong(f"{key!r} is not written by language", f"write [{key}.Eng]")

    def strings(self, key: str) -> dict[str, str]:
        value = self.content.get(key, {})
        if isinstance(value, dict) and all(isinstance(x, str) for x in value.values()):
            return value
        raise self.wrong(f"{key!r} is not written by language", f"write [{key}]")

    def samples(
        self, language: str, files: Mapping[str, object], kind: str
    ) -> tuple[Sample, ...]:
        self._reject_unknown(files, ("positive", "negative"))
        value = files.get(kind, [])
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not all(isinstance(x, str) for x in listed):
            raise self.wrong(
                f"{kind!r} of samples.{language} is not a file",
                f'write {kind} = "{kind}.{language.lower()}.txt"',
            )
        return tuple(
            sample
            for name in listed
            for sample in read_samples(_file(self.path.parent, name, self.root))
        )

    def known_language(self, language: str, grammar: Grammar) -> None:
        if language not in grammar.languages:
            known = ", ".join(grammar.languages)
            raise self.wrong(
                f"the grammar has no language {language!r}",
                did_you_mean(language, grammar.languages, f"it has {known}"),
            )
