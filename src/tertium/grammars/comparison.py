# SPDX-License-Identifier: Apache-2.0
"""Compares systems by paraphrase grammars or reference files (Nieminen 2018)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from tertium._seed import SEED
from tertium.data.lines import StrPath
from tertium.errors import InputError
from tertium.grammars.analysis.evaluation import Evaluation
from tertium.grammars.analysis.outputs import evaluate_outputs
from tertium.grammars.analysis.sensitivity import MOVES
from tertium.grammars.authoring.catalogue import Templates, as_list
from tertium.grammars.demo import read_demo
from tertium.grammars.morphology import Analyser
from tertium.grammars.morphology.analysers import choose_analyser
from tertium.grammars.search.edits import EditCosts
from tertium.grammars.sets.exchange import as_paths
from tertium.grammars.sets.testset import (
    Sources,
    Systems,
    read_grammar_testset,
    read_systems,
)

__all__ = ["evaluate"]


def evaluate(
    systems: Systems,
    templates: Templates = (),
    *,
    references: StrPath | Sequence[StrPath] = (),
    testset: Sources | None = None,
    target: str = "",
    input_format: str = "auto",
    human: Iterable[str] = (),
    analyser: Analyser | str | None = None,
    costs: EditCosts | str = "default",
    resamples: int | None = None,
    seed: int = SEED,
    top: int = 20,
    moves: Sequence[int] = MOVES,
    allow_commands: bool = False,
    allow_outside: bool = False,
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Correct the outputs of systems into reference sets, and compare the systems.

    For every output the cheapest correction into the reference set of its segment is
    found. The score of a system is the cost of its corrections per reference word: 0
    is perfect, lower is better.

    Parameters
    ----------
    systems : mapping of name to path or outputs, or sequence
        Files with one line per segment, or JSON lines by id (``.jsonl``); or outputs
        in the order of segments. ``"demo"`` stands for the imitated systems of
        ``tertium grammar demo``, with its test set and templates.
    templates : Template, str, path, or sequence of these
        Paraphrase grammars that references come from: folders, or names of bundled
        templates.
    references : path or sequence of paths
        Instead of templates: light notation, OpenFst text, lattices, JSON lines, with
        segment ids as in the test set, or in its order.
    testset : path or sequence of SourceSentence, optional
        ``testset.jsonl``, written by ``tertium grammar testset``. Without it,
        reference files are the test set.
    target : str
        The target language, such as ``Fin``; the first of each template by default.
    input_format : str
        The format of reference files; detected by default.
    human : iterable of str
        Which of the systems are people.
    analyser : Analyser or str, optional
        What analyses words of the target language, such as ``voikko`` or
        ``tsv:FILE``; what the templates name by default.
    costs : EditCosts or str
        A cost profile: ``default``, ``thesis-table`` or ``fig8``, with changes such
        as ``default,move=0.5``.
    resamples : int, optional
        Bootstrap resamples; 0 for no intervals. By default 1,000, and more for many
        systems.
    seed : int
        The seed of the bootstrap.
    top : int
        How many recurring edits to keep.
    moves : sequence of int
        Other move costs to try, in ten-thousandths.
    allow_commands : bool
        Whether the analysers that templates name may start programs or load models
        that can run code.
    allow_outside : bool
        Whether files may be read from outside their folder.
    threads : int, optional
        All cores by default; results do not depend on it.
    progress : callable, optional
        Called with how many different outputs are done, and how many there are.

    Returns
    -------
    Evaluation
        Scores with intervals, kinds of errors, differences between systems, and every
        correction.

    Raises
    ------
    InputError
        When outputs, references and test set do not fit together.

    Examples
    --------
    The template ``size`` comes with the package; ``tertium.evaluate("demo")``
    evaluates the four systems of the demo.

    >>> import tertium
    >>> from tertium.grammars import SourceSentence
    >>> source = "The digger is enormous, but it moves very precisely."
    >>> sentence = SourceSentence("1", "size", "1a,2a,3a", source)
    >>> outputs = {"A": ["Kaivuri on valtavan, mutta liikkuu hyvin tarkasti."]}
    >>> result = tertium.evaluate(outputs, "size", testset=[sentence], resamples=0)
    >>> print(result.segments[0].best)
    kaivuri on [CASESHIFT-GEN-NOM: valtavan/valtava (0.35)] mutta liikkuu hyvin tarkasti
    >>> round(result.system("A").score, 3)
    0.05
    """
    if systems == "demo":
        if as_list(templates) or as_paths(references) or testset is not None:
            message = "the demo has its own templates and test set; omit others"
            raise InputError(message)
        data, outputs = read_demo(target or "Fin")
    else:
        data = read_grammar_testset(
            templates,
            references=references,
            testset=testset,
            target=target,
            input_format=input_format,
            allow_commands=allow_commands,
            allow_outside=allow_outside,
        )
        outputs = read_systems(systems, data.segments)
    return evaluate_outputs(
        data.segments,
        outputs,
        data.references,
        analyser=choose_analyser(analyser, data.templates, data.target),
        costs=EditCosts.read(costs) if isinstance(costs, str) else costs,
        human=human,
        resamples=resamples,
        seed=seed,
        moves=moves,
        top=top,
        threads=threads,
        progress=progress,
        notes=data.notes,
    )
