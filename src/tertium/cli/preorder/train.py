# SPDX-License-Identifier: Apache-2.0
"""``tertium preorder train``: a model from sentences and word links."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import fields
from typing import TYPE_CHECKING

from tertium._files import check_places
from tertium.cli.preorder.texts import LinkedText, add_linked_text
from tertium.cli.shared import flags
from tertium.cli.shared.executors import threads_of, working_at
from tertium.cli.shared.parsers import note_facts
from tertium.cli.shared.progress import Progress
from tertium.cli.shared.remarks import remark
from tertium.cli.shared.render import emit
from tertium.cli.shared.values import OnCluster, OptionGroup, Run, frozen, parse
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.align.links import Links
    from tertium.preorder.grammar import Alternatives
    from tertium.preorder.model import Preorderer

__all__ = ["train"]

_ABOUT = """\
Learn to put source words into the order of the target language, from sentences and word
links. Without --links, the texts of -s and -t are aligned first.
"""

_EXAMPLES = """\
  tertium preorder train -s train.en --links train.gdfa -o model
  tertium preorder train -s train.en -t train.ja -o model
  tertium preorder train -s train.en --links train.gdfa --model grammar \\
      --variant pet --splits 30 3 --held-out 20 -o model
  tertium preorder train -s train.en --links train.gdfa -o model \\
      --checkpoint model.checkpoint --log model.svg
  tertium preorder train -s train.en --links train.gdfa --links train.intersection \\
      --model grammar -o model
  tertium preorder train -s train.en --links train.gdfa --model grammar -o model \\
      --cluster slurm.toml --checkpoint model.checkpoint

models:
  btg       a discriminative bracketing transduction grammar: features of words and word
            classes decide where a span is split, and whether its parts are exchanged
  grammar   latent-variable grammars of permutation trees, learnt by expectation
            maximisation (Stanojević 2017)
  combined  two of the first kind and one of the second, weighted by how well they do on
            every 40th sentence (--held-out); takes the settings of both

With several --links, a grammar learns from all of them: a sentence counts with each of
its alternatives as much as the grammar finds it probable.

A cluster (--cluster) shares the work on grammars, 16,384 sentences at a time. The model
btg learns sentence after sentence, which cannot be shared.

The model is one file, a ZIP archive of a JSON header and NumPy arrays. With
--checkpoint, a run that was stopped or killed goes on if the same command is given
again, and ends with the same model. --log writes a list of objects with the figures of
every iteration as JSON, or a diagram if the name ends in .svg; "member" is the number
of the model if there are several.
"""


@frozen
class Settings(OptionGroup):
    """The settings of models; None where the model decides."""

    iterations: int | None
    held_out: int | None
    max_words: int | None
    classes: list[int] | None
    rate: float | None
    penalty: float | None
    rare: int | None
    variant: str | None
    splits: list[int] | None
    rounds: int | None
    restarts: int | None
    patience: int | None
    attach: str | None
    height: str | None
    unknown: int | None
    suffixes: int | None
    smoothing: float | None
    prior: list[float] | None

    @property
    def chosen(self) -> dict[str, object]:
        """Those that the user has set."""
        values = {field.name: getattr(self, field.name) for field in fields(Settings)}
        return {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
            if value is not None
        }


@frozen
class Options(Run, OnCluster, LinkedText, Settings):
    """The options of the action."""

    links: list[str] | None  # type: ignore[assignment]
    target: str | None
    model: str
    output: str
    checkpoint: str | None
    log: str | None


def train(argv: Sequence[str]) -> int:
    """Run the action and return its exit code."""
    options = parse(_parser(), argv, Options)
    inputs = [options.source, *(options.links or []), options.target]
    check_places(inputs, [options.output, options.log, options.checkpoint])
    if options.cluster is not None and options.model == "btg":
        raise InputError(
            "btg learns sentence after sentence, which several machines cannot share; "
            "omit --cluster, or choose --model grammar"
        )
    try:
        model = _train(options)
    except KeyboardInterrupt:
        if options.checkpoint is None:
            raise
        remark(options, "interrupted; the same command goes on from --checkpoint")
        return 130
    model.save(options.output)
    note_facts(methods=[options.model])
    _log(options)
    remark(options, f"the model is in {options.output}")
    return 0


def _train(options: Options) -> Preorderer:
    from tertium.preorder.training import train as learn

    sentences, links = _read(options)
    with working_at(options), Progress(quiet=options.quiet) as progress:
        return learn(
            sentences,
            links,
            model=options.model,
            seed=options.seed,
            threads=threads_of(options, options.threads),
            progress=progress.phase,
            checkpoint=options.checkpoint,
            **options.chosen,
        )


def _read(
    options: Options,
) -> tuple[list[list[str]], list[Links] | list[Alternatives]]:
    """Return the sentences and their links, aligned now if no file has them."""
    if options.links is not None:
        from tertium.preorder.corpus import read_sentences
        from tertium.preorder.grammar import combine_links

        texts = read_sentences(options.source)
        target = options.target
        translations = None if target is None else read_sentences(target)
        files = [
            options.read_links(file, texts, translations) for file in options.links
        ]
        return texts, files[0] if len(files) == 1 else combine_links(files)
    if options.target is None:
        raise InputError("word links are missing; give --links, or a translation (-t)")
    from tertium.align.bilingual import align_bilingual
    from tertium.data.lines import open_lines

    sources, targets = (
        list(open_lines(path)) for path in (options.source, options.target)
    )
    remark(options, "aligning in both directions, which may take a while")
    return [line.split() for line in sources], align_bilingual(sources, targets)


def _log(options: Options) -> None:
    """Write the figures of every iteration, which the model keeps."""
    if options.log is None:
        return
    from tertium.preorder.archive import training_log

    rows = training_log(options.output)
    if options.log.lower().endswith(".svg"):
        from tertium.report.preorder.training import training_diagram

        emit(training_diagram(rows), options.log)
    else:
        emit(json.dumps(rows, indent=2), options.log)


def _parser() -> argparse.ArgumentParser:
    from tertium.preorder.training import DEFAULT_MODEL, MODELS

    parser = flags.parser("preorder train", _ABOUT, _EXAMPLES)
    add_linked_text(parser, links_required=False, several=True)
    parser.add_argument(
        "-t",
        "--target",
        metavar="FILE",
        help="translations, to align with the source; with --links, these are checked "
        "against them",
    )
    parser.add_argument(
        "-o", "--output", required=True, metavar="MODEL", help="where the model goes"
    )
    parser.add_argument(
        "--model",
        choices=MODELS,
        default=DEFAULT_MODEL,
        help=f"(default: {DEFAULT_MODEL})",
    )
    parser.add_argument(
        "--checkpoint",
        metavar="FILE",
        help="keep the state of training there after every iteration",
    )
    parser.add_argument("--log", metavar="FILE", help="figures of every iteration")
    _add_settings(parser)
    flags.add_run(parser)
    flags.add_cluster(parser)
    return parser


def _add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the settings of models; the library has the defaults."""
    natural, count = flags.number(0, 10**9), flags.number(1, 10**9)
    both = parser.add_argument_group("settings of all models")
    both.add_argument("--iterations", type=count, metavar="N", help="at most so many")
    both.add_argument(
        "--held-out",
        type=natural,
        metavar="N",
        help="keep every N-th sentence apart, and log how well the model does on them",
    )
    both.add_argument(
        "--max-words", type=count, metavar="N", help="leave longer sentences out"
    )
    btg = parser.add_argument_group("settings of btg")
    btg.add_argument(
        "--classes",
        nargs=3,
        type=count,
        metavar="N",
        help="three numbers of word classes, from coarse to fine",
    )
    btg.add_argument(
        "--rate", type=float, metavar="X", help="the learning rate at the start"
    )
    btg.add_argument(
        "--penalty", type=float, metavar="X", help="how reliable the links are"
    )
    btg.add_argument(
        "--rare",
        type=natural,
        metavar="N",
        help="words that occur less often are known by suffix and class alone",
    )
    grammar = parser.add_argument_group("settings of grammar")
    grammar.add_argument(
        "--variant",
        choices=("itg", "pet", "left", "right"),
        help="all trees of binary operators (default), all trees of operators with up "
        "to five children, or only the left or right tree of a sentence",
    )
    grammar.add_argument(
        "--splits",
        nargs=2,
        type=count,
        metavar="N",
        help="latent states of binary operators, and of others (default: 30 3)",
    )
    grammar.add_argument(
        "--rounds",
        type=natural,
        metavar="N",
        help="split states in two N times and merge the half of the pairs that matters "
        "least each time, instead of splitting all at once; --splits are then limits "
        "(default: 0)",
    )
    grammar.add_argument(
        "--restarts",
        type=count,
        metavar="N",
        help="grammars that decide together, each from another seed (default: 4)",
    )
    grammar.add_argument(
        "--patience",
        type=count,
        metavar="N",
        help="stop when the perplexity of --held-out has not fallen for N iterations",
    )
    grammar.add_argument(
        "--attach",
        choices=("right", "left"),
        help="the side on which words without links join a neighbour (default: right)",
    )
    grammar.add_argument(
        "--height",
        choices=("low", "high", "both"),
        help="whether they join a phrase or the largest block there, or trees of both "
        "kinds are learnt from (default: low)",
    )
    grammar.add_argument(
        "--unknown",
        type=natural,
        metavar="N",
        help="words that occur at most so often count as unknown (default: 3)",
    )
    grammar.add_argument(
        "--suffixes",
        type=natural,
        metavar="N",
        help="unknown words are grouped by suffixes that N of them share; 0 for none "
        "(default: 0)",
    )
    grammar.add_argument(
        "--smoothing",
        type=float,
        metavar="X",
        help="share of the mean over the states of an operator (default: 0.01)",
    )
    grammar.add_argument(
        "--prior",
        nargs=2,
        type=float,
        metavar="X",
        help="variational training with Dirichlet priors for expansions and for words; "
        "values below 1 make grammars sparse (default: none)",
    )
