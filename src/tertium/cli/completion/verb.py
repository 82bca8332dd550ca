# SPDX-License-Identifier: Apache-2.0
"""``tertium completion``: scripts that complete commands in a shell.

Completions come from the parsers of the verbs, so they are never out of date. The
scripts are static, so that no process is started when Tab is pressed.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from tertium.cli import VERBS
from tertium.cli.shared import flags
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import OptionGroup, frozen, parse
from tertium.errors import MissingExtraError, UnknownNameError

__all__ = ["command"]

_ABOUT = """\
Print a script that completes verbs, options, choices and metric names when Tab is
pressed. Print it again after an update of Tertium.

bash:
  mkdir -p ~/.local/share/bash-completion/completions
  tertium completion bash > ~/.local/share/bash-completion/completions/tertium
  (without the package bash-completion: save it anywhere and source it in ~/.bashrc)
zsh: in a folder of $fpath, before compinit runs
  mkdir -p ~/.zfunc
  tertium completion zsh > ~/.zfunc/_tertium
  (and in ~/.zshrc: fpath+=(~/.zfunc); autoload -Uz compinit && compinit)
fish:
  tertium completion fish > ~/.config/fish/completions/tertium.fish
"""

_EXAMPLES = """\
  source <(tertium completion bash)             try it in this shell
  tertium completion fish -o ~/.config/fish/completions/tertium.fish
"""

_SHELLS = ("bash", "zsh", "fish")
_NO_ACTION = "\0"  # an action that no verb has


@dataclass(frozen=True)
class _Option:
    """An option: its names, its choices, and how many values it takes."""

    names: tuple[str, ...]
    values: tuple[str, ...]
    takes: str  # none, one or many


@dataclass(frozen=True)
class _Level:
    """A verb or an action of a verb, with its options and arguments."""

    path: tuple[str, ...]
    options: tuple[_Option, ...]
    words: tuple[str, ...]
    files: bool


@frozen
class Options(OptionGroup):
    """The options of the verb."""

    shell: str
    output: str | None


def command(argv: Sequence[str]) -> int:
    """Run the verb and return its exit code."""
    parser = flags.parser("completion", _ABOUT, _EXAMPLES)
    parser.add_argument("shell", choices=_SHELLS, help="the shell")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not to stdout"
    )
    options = parse(parser, argv, Options)
    emit(_script(options.shell, list(_levels())), options.output)
    return 0


# ------------------------------------------------------------------------- levels


def _levels() -> Iterator[_Level]:
    """Yield all verbs and actions."""
    for verb in VERBS:
        module = import_module(f"tertium.cli.{verb}")
        yield from _levels_below(verb, (), tuple(getattr(module, "ACTIONS", ())))


def _levels_below(
    verb: str, actions: tuple[str, ...], known: tuple[str, ...] = ()
) -> Iterator[_Level]:
    run = import_module(f"tertium.cli.{verb}").command
    path = (verb, *actions)
    try:
        parser = flags.parser_of(run, [*actions, _NO_ACTION])
    except UnknownNameError as error:
        known = error.known
        yield _Level(path, (_Option(("-h", "--help"), (), "none"),), known, False)
    except MissingExtraError:
        yield _Level(path, (), (), True)
    else:
        yield _level(path, parser, known)
    for action in known:
        yield from _levels_below(verb, (*actions, action))


def _level(
    path: tuple[str, ...], parser: argparse.ArgumentParser, actions: tuple[str, ...]
) -> _Level:
    words = list(actions)
    files = False
    options = []
    for action in parser._actions:
        if action.option_strings and action.help != argparse.SUPPRESS:
            takes = "none" if action.nargs == 0 else "one"
            takes = "many" if action.nargs in ("+", "*") else takes
            names = tuple(action.option_strings)
            options.append(_Option(names, _values(action), takes))
        elif not action.option_strings:
            values = _values(action)
            words += values
            if "TESTSET" in str(action.metavar):
                words.append("demo")
            files = files or not values
    return _Level(path, tuple(options), tuple(words), files)


def _values(action: argparse.Action) -> tuple[str, ...]:
    """Return the possible values of an option or argument, if known."""
    if action.choices is not None:
        return tuple(map(str, action.choices))
    if action.metavar not in ("SPEC", "METRIC"):
        return ()
    from tertium.metrics import metric_names

    return tuple(metric_names())


# ------------------------------------------------------------------------ scripts


def _script(shell: str, levels: Sequence[_Level]) -> str:
    """Return the script of a shell: its template, filled in."""
    parts = _fish(levels) if shell == "fish" else _cases(shell, levels)
    text = Path(__file__).with_name(f"{shell}.template").read_text(encoding="utf-8")
    for name, part in parts.items():
        text = text.replace(f"@{name}@", part)
    return text


def _cases(shell: str, levels: Sequence[_Level]) -> dict[str, str]:
    """Return what the templates of bash and zsh leave open."""
    verbs = " ".join((*VERBS, "--help", "--version"))
    words = "words"
    if shell == "zsh":
        verbs = " ".join(
            shlex.quote(f"{verb}:{about.replace(':', ' -')}")
            for verb, about in VERBS.items()
        )
        words = "words_"  # zsh has an array `words`.
    return {
        "VERBS": shlex.quote(verbs) if shell == "bash" else verbs,
        "PATHS": "|".join(shlex.quote(" ".join(level.path)) for level in levels),
        "CASES": "\n".join(line for level in levels for line in _case(level, words)),
    }


def _case(level: _Level, words: str) -> Iterator[str]:
    """Yield the case that sets options, words, files and values of a level."""
    names = [name for option in level.options for name in option.names]
    yield f"    {shlex.quote(' '.join(level.path))})"
    yield f"      options={shlex.quote(' '.join(names))}"
    yield f"      {words}={shlex.quote(' '.join(level.words))}"
    yield f"      files={'yes' if level.files else ''}"
    yield '      case "$last" in'
    for option in level.options:
        if option.takes != "none":
            pattern = "|".join(map(shlex.quote, option.names))
            values = shlex.quote(" ".join(option.values))
            yield f"        {pattern}) takes={option.takes} values={values};;"
    yield "      esac;;"


def _fish(levels: Sequence[_Level]) -> dict[str, str]:
    """Return what the template of fish leaves open."""
    lines = [
        f"complete -c tertium -n __tertium_just -f -a {verb} -d {_fish_quoted(about)}"
        for verb, about in VERBS.items()
    ]
    for level in levels:
        here = f"__tertium_at {' '.join(level.path)}"
        if level.words:
            just = f"__tertium_just {' '.join(level.path)}"
            lines.append(_fish_words(just, level.words, files=level.files))
        for option in level.options:
            flags = " ".join(map(_fish_flag, option.names))
            lines.append(f"complete -c tertium -n {_fish_quoted(here)} {flags}")
            if option.values:
                after = f"{here}; and __tertium_after {' '.join(option.names)}"
                lines.append(_fish_words(after, option.values, files=False))
    return {"COMMANDS": "\n".join(lines)}


def _fish_words(condition: str, words: Sequence[str], *, files: bool) -> str:
    values = _fish_quoted(" ".join(words))
    no_files = "" if files else "-f "
    return f"complete -c tertium -n {_fish_quoted(condition)} {no_files}-a {values}"


def _fish_flag(name: str) -> str:
    if name.startswith("--"):
        return f"-l {name[2:]}"
    # Options such as -nr are old-style in fish.
    return f"-s {name[1:]}" if len(name) == 2 else f"-o {name[1:]}"


def _fish_quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
