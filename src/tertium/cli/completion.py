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
    writers = {"bash": _bash, "zsh": _zsh, "fish": _fish}
    parser = flags.parser("completion", _ABOUT, _EXAMPLES)
    parser.add_argument("shell", choices=list(writers), help="the shell")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write there, not to stdout"
    )
    options = parse(parser, argv, Options)
    emit("\n".join(writers[options.shell](list(_levels()))), options.output)
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


# --------------------------------------------------------------------------- bash


def _tables(levels: Sequence[_Level], indent: str) -> Iterator[str]:
    """Yield the cases of bash and zsh that set options, words, files and values."""
    for level in levels:
        names = [name for option in level.options for name in option.names]
        yield f"{indent}{shlex.quote(' '.join(level.path))})"
        yield f"{indent}  options={shlex.quote(' '.join(names))}"
        yield f"{indent}  words={shlex.quote(' '.join(level.words))}"
        yield f"{indent}  files={'yes' if level.files else ''}"
        yield f'{indent}  case "$last" in'
        for option in level.options:
            if option.takes != "none":
                pattern = "|".join(map(shlex.quote, option.names))
                values = shlex.quote(" ".join(option.values))
                yield f"{indent}    {pattern}) takes={option.takes} values={values};;"
        yield f"{indent}  esac;;"


def _paths(levels: Sequence[_Level]) -> str:
    return "|".join(shlex.quote(" ".join(level.path)) for level in levels)


def _bash(levels: list[_Level]) -> Iterator[str]:
    verbs = shlex.quote(" ".join((*VERBS, "--help", "--version")))
    yield f"""\
# bash completion for tertium; made by `tertium completion bash`
_tertium() {{
  local cur="${{COMP_WORDS[COMP_CWORD]}}" options='' words='' files='' values=''
  local takes='' last='' level='' place=1 at word
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W {verbs} -- "$cur"))
    return
  fi
  while [ "$place" -lt "$COMP_CWORD" ]; do
    case "${{level:+$level }}${{COMP_WORDS[place]}}" in
      {_paths(levels)})
        level="${{level:+$level }}${{COMP_WORDS[place]}}";;
      *) break;;
    esac
    place=$((place + 1))
  done
  for ((at = COMP_CWORD - 1; at >= place; at--)); do
    case "${{COMP_WORDS[at]}}" in
      -?*) last="${{COMP_WORDS[at]}}"; break;;
    esac
  done
  case "$level" in"""
    yield from _tables(levels, "    ")
    yield """\
  esac
  if [ "$takes" = one ] && [ "$at" -ne $((COMP_CWORD - 1)) ]; then takes=''; fi
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$cur")); return;;
  esac
  if [ -n "$takes" ]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    if [ -n "$values" ]; then return; fi
    files=yes
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
  if [ -n "$files" ]; then
    compopt -o filenames 2> /dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$cur")
  fi
}
complete -o bashdefault -o default -F _tertium tertium"""


# ---------------------------------------------------------------------------- zsh


def _zsh(levels: list[_Level]) -> Iterator[str]:
    verbs = " ".join(
        shlex.quote(f"{verb}:{about.replace(':', ' -')}")
        for verb, about in VERBS.items()
    )
    yield f"""\
#compdef tertium
# zsh completion for tertium; made by `tertium completion zsh`
_tertium() {{
  local options='' words_='' files='' values='' takes='' last='' level='' at
  local place=2
  local -a verbs
  verbs=({verbs})
  if (( CURRENT == 2 )); then
    _describe -t verbs verb verbs
    return
  fi
  while (( place < CURRENT )); do
    case "${{level:+$level }}${{words[place]}}" in
      {_paths(levels)})
        level="${{level:+$level }}${{words[place]}}";;
      *) break;;
    esac
    (( place++ ))
  done
  for (( at = CURRENT - 1; at >= place; at-- )); do
    case "${{words[at]}}" in
      -?*) last="${{words[at]}}"; break;;
    esac
  done
  case "$level" in"""
    for line in _tables(levels, "    "):
        yield line.replace("  words=", "  words_=")  # zsh has an array `words`.
    yield """\
  esac
  if [[ "$takes" == one ]] && (( at != CURRENT - 1 )); then takes=''; fi
  if [[ "${words[CURRENT]}" == -* ]]; then
    compadd -- ${=options}
    return
  fi
  if [[ -n "$takes" ]]; then
    if [[ -n "$values" ]]; then compadd -- ${=values}; return; fi
    files=yes
  else
    compadd -- ${=words_}
  fi
  if [[ -n "$files" ]]; then _files; fi
}
if [[ "${funcstack[1]}" == _tertium ]]; then
  _tertium "$@"
else
  compdef _tertium tertium
fi"""


# --------------------------------------------------------------------------- fish


def _fish(levels: list[_Level]) -> Iterator[str]:
    yield """\
# fish completion for tertium; made by `tertium completion fish`
function __tertium_at --description 'whether these are the verb and its action'
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l size (count $argv)
    test (count $typed) -ge $size
    and test "$typed[1..$size]" = "$argv"
end
function __tertium_just --description 'whether nothing follows verb and action yet'
    set -l typed (commandline -opc)
    set -e typed[1]
    test "$typed" = "$argv"
end
function __tertium_after --description 'whether the last option is one of these'
    set -l options (string match -r -- '^-.+' (commandline -opc))
    contains -- "$options[-1]" $argv
end
complete -c tertium -e"""
    for verb, about in VERBS.items():
        yield (
            "complete -c tertium -n __tertium_just -f "
            f"-a {verb} -d {_fish_quoted(about)}"
        )
    for level in levels:
        here = f"__tertium_at {' '.join(level.path)}"
        if level.words:
            just = f"__tertium_just {' '.join(level.path)}"
            yield _fish_words(just, level.words, files=level.files)
        for option in level.options:
            flags = " ".join(map(_fish_flag, option.names))
            yield f"complete -c tertium -n {_fish_quoted(here)} {flags}"
            if option.values:
                after = f"{here}; and __tertium_after {' '.join(option.names)}"
                yield _fish_words(after, option.values, files=False)


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
