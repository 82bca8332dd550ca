# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable, Container, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

_Refs = list[str] | list[tuple[str, ...]] | list[str | tuple[str, ...]]
_Rows = NDArray[np.float64]

class Scorer:
    @property
    def width(self) -> int: ...
    def score(self, row: Sequence[float]) -> float: ...
    def scores(self, rows: _Rows) -> NDArray[np.float64]: ...

class Sums:
    def __init__(self, width: int) -> None: ...
    def __len__(self) -> int: ...
    def add(self, rows: _Rows) -> None: ...
    def merge(self, other: Sums) -> None: ...
    def append(self, other: Sums) -> None: ...
    def values(self) -> list[float]: ...

class Kernel(Scorer):
    def rows(
        self, systems: list[list[str]], refs: _Refs, threads: int
    ) -> list[_Rows]: ...
    def sums(
        self, systems: list[list[str]], refs: _Refs, threads: int
    ) -> list[Sums]: ...

class NistKernel(Kernel):
    def observe(self, refs: _Refs) -> None: ...
    def finish(self) -> None: ...
    def state(self) -> tuple[float, list[bytes], bytes, bytes]: ...
    def restore(self, state: tuple[float, list[bytes], bytes, bytes]) -> None: ...

class EsaKernel(Kernel):
    def observe(self, documents: list[str]) -> None: ...
    def concepts(self, text: str) -> list[float]: ...

def bleu(
    tokenize: str,
    smooth_method: str,
    smooth_value: float,
    effective_order: bool,
    max_ngram_order: int,
    ref_length: str,
) -> Kernel: ...
def bleu_nrc(tokenize: str, k: float) -> Kernel: ...
def chrf(
    char_order: int,
    word_order: int,
    beta: float,
    whitespace: bool,
    eps_smoothing: bool,
) -> Kernel: ...
def ter(normalized: bool, no_punct: bool, asian_support: bool) -> Kernel: ...
def amber(
    tokenize: str,
    forms: list[str],
    max_ngram_order: int,
    alpha: float,
    theta: tuple[float, float, float],
    gamma: float,
    beta: float,
    weights: Sequence[float],
) -> Kernel: ...
def esa(tokenize: str) -> EsaKernel: ...
def edit(kind: str, tokenize: str) -> Kernel: ...
def character(threshold: float) -> Kernel: ...
def ribes(tokenize: str, alpha: float, beta: float) -> Kernel: ...
def rouge_s(tokenize: str, max_skip: int, beta: float) -> Kernel: ...
def nist(tokenize: str, max_ngram_order: int) -> NistKernel: ...
def tokenize(
    lines: list[str],
    name: str,
    normalized: bool = False,
    no_punct: bool = False,
    asian_support: bool = False,
) -> list[list[str]]: ...
def find_line_ends(
    block: NDArray[np.uint8], length: int, size: int, before: int
) -> tuple[list[int], int]: ...
def mbr_scores(
    kernel: Kernel,
    hyps: list[list[str]],
    refs: list[list[str]],
    weights: list[_Vector],
    aggregate: bool,
    threads: int,
) -> list[_Vector]: ...
def has_aggregate(kernel: Kernel) -> bool: ...
def longest_text(texts: Sequence[str | Sequence[str]]) -> int: ...
def levenshtein(a: list[int], b: list[int], types: int) -> int: ...
def text_distances(first: list[str], second: list[str], threads: int) -> list[int]: ...
def cut_documents(
    documents: list[tuple[list[int], list[int], list[list[list[int]]]]],
    threads: int,
    memory: int = 0,
    progress: Callable[[int], object] | None = None,
) -> list[list[tuple[int, int, int, int, int, int]]]: ...
def link_lines(
    refs: list[list[str]], hyps: list[list[str]], width: int, threads: int
) -> list[list[tuple[int, int, int, int, float]]]: ...
def bootstrap_sums(
    rows: _Rows, trials: int, seed: int, threads: int, first: int = 0
) -> _Rows: ...
def coin_sums(
    rows: _Rows, trials: int, seed: int, threads: int, first: int = 0
) -> _Rows: ...

# ------------------------------------------------------------------------- pairs

def is_punctuation(word: str) -> bool: ...

_Text = str | Sequence[str]
_Match = tuple[int, int, int, int, int, float]

class Pairs:
    def __init__(
        self,
        systems: Sequence[Sequence[_Text]] | Sequence[Sequence[str]],
        refs: Sequence[Sequence[_Text]] | Sequence[Sequence[str]],
        tokenize: str,
        lowercase: bool = False,
    ) -> None: ...
    @property
    def systems(self) -> int: ...
    @property
    def segments(self) -> int: ...
    @property
    def plain(self) -> bool: ...
    @property
    def words(self) -> list[str]: ...
    def hyp(self, system: int, segment: int) -> list[str]: ...
    def ref(self, segment: int, ref: int) -> list[str]: ...
    def matches(self, system: int, segment: int, ref: int) -> list[_Match]: ...
    def set_matches(
        self, system: int, segment: int, ref: int, matches: Sequence[_Match]
    ) -> None: ...
    def set_trees(
        self,
        trees: Sequence[tuple[list[int], list[int]]],
        labels: Sequence[str] = ...,
    ) -> None: ...
    def set_function_words(self, words: Container[str]) -> None: ...

class PairKernel(Scorer):
    def rows(self, pairs: Pairs, threads: int) -> list[_Rows]: ...
    def reference_rows(self, pairs: Pairs, threads: int) -> list[_Rows]: ...
    def sums(self, pairs: Pairs, threads: int) -> list[Sums]: ...

# ------------------------------------------------------------------------- align

class PhraseTable:
    def __init__(self) -> None: ...
    def add(self, pairs: Iterable[tuple[str, str]]) -> None: ...
    def close(self) -> None: ...
    def __len__(self) -> int: ...

class Matchers:
    def __init__(self) -> None: ...
    def add_exact(self) -> None: ...
    def add_keys(self, first: list[int], keys: list[int]) -> None: ...
    def add_stems(self, stems: list[str]) -> None: ...
    def add_phrases(self, table: PhraseTable) -> None: ...
    def add_given(self) -> None: ...
    def __len__(self) -> int: ...

def align(
    pairs: Pairs,
    matchers: Matchers,
    given: Sequence[Sequence[tuple[int, int, int, int, int]]],
    beam: int,
    threads: int,
    as_meteor: bool = False,
) -> int: ...

_Words = tuple[NDArray[np.int32], NDArray[np.int64]]
_Stems = tuple[NDArray[np.int32], NDArray[np.float64], list[str]]
_KnownWords = tuple[
    NDArray[np.int32], NDArray[np.int32], NDArray[np.float64], list[str]
]
_LinkLists = tuple[
    NDArray[np.int64], NDArray[np.int32], NDArray[np.int32], NDArray[np.float64]
]

class BilingualTraining:
    def __init__(
        self,
        source: _Words,
        target: _Words,
        sources: _Stems,
        targets: _Stems,
        window: int,
        settings: list[float],
        threads: int,
    ) -> None: ...
    def iterate(self, ordered: bool, agree: bool, threads: int) -> list[float]: ...
    def table(self) -> tuple[NDArray[np.int64], NDArray[np.int32]]: ...
    def counts(self, direction: int) -> NDArray[np.float32]: ...
    def null_counts(self, direction: int) -> NDArray[np.float64]: ...
    def jumps(self, direction: int) -> NDArray[np.float64]: ...

class BilingualModel:
    def __init__(
        self,
        sources: _Stems,
        targets: _Stems,
        rows: NDArray[np.generic],
        table: NDArray[np.generic],
        counts: Sequence[NDArray[np.generic]],
        null: Sequence[NDArray[np.generic]],
        jumps: Sequence[NDArray[np.generic]],
        settings: list[float],
    ) -> None: ...
    def links(
        self,
        source: _Words,
        target: _Words,
        sources: _KnownWords,
        targets: _KnownWords,
        threads: int,
    ) -> tuple[_LinkLists, _LinkLists]: ...
    def soft_links(
        self,
        source: _Words,
        target: _Words,
        sources: _KnownWords,
        targets: _KnownWords,
        threshold: float,
        threads: int,
    ) -> _LinkLists: ...

def chain_posteriors(
    emission: NDArray[np.float64],
    null: NDArray[np.float64],
    jumps: NDArray[np.float64],
    null_probability: float,
) -> tuple[float, NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]: ...
def align_by_context(pairs: Pairs, threads: int) -> None: ...
def word_errors(
    pairs: Pairs, system: int, threads: int
) -> tuple[bytes, bytes, bytes, list[int]]: ...
def aligned_percentage() -> PairKernel: ...
def link_tau() -> PairKernel: ...
def tau_of_links(links: Sequence[tuple[int, int]]) -> float | None: ...

# ------------------------------------------------------------------------ meteor

def add_paraphrases(table: PhraseTable, data: bytes) -> int: ...
def meteor(
    weights: Sequence[float],
    alpha: float,
    beta: float,
    gamma: float,
    delta: float,
    whole_is_free: bool,
    order_only: bool,
) -> PairKernel: ...

# ------------------------------------------------------------------------- order

_Perm = Sequence[int]
_Nodes = tuple[list[int], list[int], list[int], list[int], list[int], list[int]]

class Permutations:
    def __init__(self, perms: Sequence[_Perm], base: int = 1) -> None: ...
    def __len__(self) -> int: ...

class OrderKernel(PairKernel):
    def permutation_rows(self, perms: Permutations, threads: int) -> _Rows: ...
    def sum_permutations(
        self, systems: Sequence[Permutations], threads: int
    ) -> list[Sums]: ...
    def node_values(self, values: _Perm) -> list[float]: ...

def order(
    measure: str,
    *,
    beta: float = 0.6,
    gamma: float = 0.0,
    op_score: str = "binary",
    forest: str = "split",
    child_weight: str = "plain",
    rescale: bool = False,
    branching: str = "left",
    over: str = "tree",
    keep: str = "leftmost",
    unaligned: str = "drop",
    alpha: float = 0.0,
    lexical: str = "bleu1",
    brevity: bool = False,
    weight: str = "segment",
) -> OrderKernel: ...
def permutation_tree(values: _Perm) -> _Nodes: ...
def permutation_tree_sizes(perms: Permutations) -> list[int]: ...
def reduce_matches(
    hyp_words: int,
    matches: Sequence[_Match],
    keep: str = "leftmost",
    unaligned: str = "drop",
) -> tuple[list[int], list[int], list[int]]: ...

# --------------------------------------------------------------------- tree edit

class LabelledForest:
    def __init__(self, parents: Sequence[int], labels: Sequence[int]) -> None: ...

def tree_fault(parents: Sequence[int]) -> tuple[int, str] | None: ...
def tree_distance(a: LabelledForest, b: LabelledForest) -> int: ...
def tree_distances(
    first: list[LabelledForest], second: list[LabelledForest], threads: int
) -> list[int]: ...
def tree_mapping(a: LabelledForest, b: LabelledForest) -> tuple[int, list[int]]: ...
def tree_weighted(
    a: LabelledForest,
    b: LabelledForest,
    renames: Sequence[float],
    removes: Sequence[float],
    inserts: Sequence[float],
    mapping: bool,
) -> tuple[float, list[int]]: ...

class DtedOutcome:
    dist: int
    dist_a: int
    dist_na: int
    words: int
    aligned: int
    prop: float
    weight: float
    score: float
    degenerate: bool

class DtedOptions:
    def __init__(
        self,
        variant: str,
        flat: bool,
        weighting: str,
        log_base: float,
        cap: float,
        mismatch: int,
        virtual_root: bool,
        binarise: bool,
        ignore_punct: bool,
        degenerate: str,
    ) -> None: ...

def dted(options: DtedOptions) -> PairKernel: ...
def dted_mapping(
    options: DtedOptions,
    hyp: list[str],
    hyp_heads: list[int],
    ref: list[str],
    ref_heads: list[int],
    links: list[tuple[int, int]],
) -> tuple[DtedOutcome, list[int]]: ...

# -------------------------------------------------------------------------- derp

_DerpEdge = tuple[int, int, int, int, int, int] | list[int]

def derp(
    flat: bool,
    ordinality: str,
    normalise: str,
    ignore_punct: bool,
    labels: str,
    degenerate: str,
) -> PairKernel: ...
def derp_edges(
    pairs: Pairs,
    system: int,
    segment: int,
    ref: int,
    flat: bool,
    ordinality: str,
    normalise: str,
    ignore_punct: bool,
    labels: str,
    degenerate: str,
) -> tuple[float, list[int], list[list[int]]]: ...
def derp_join(
    pairs: Sequence[_DerpEdge], hyps: int, refs: int, exact: bool
) -> list[int]: ...
def headword_chain(flat: bool, max_length: int) -> PairKernel: ...
def dependency_overlap(flat: bool, arcs: str, score: str) -> PairKernel: ...

# -------------------------------------------------------------------------- meta

_Vector = NDArray[np.float64]

def pair_counts(
    human: _Vector, metric: _Vector, epsilon: float = 0.0
) -> tuple[int, int, int, int, int, int, int]: ...
def correlation(
    kind: str, human: _Vector, metric: _Vector, epsilon: float = 0.0
) -> float: ...
def correlate_rows(
    kind: str, human: _Rows, metric: _Rows, epsilon: float, threads: int
) -> _Vector: ...
def calibrate_ties(human: _Rows, metric: _Rows) -> tuple[float, float, int]: ...
def bootstrap_groups(
    kind: str,
    group: str,
    human: _Rows,
    metric: _Rows,
    epsilon: float,
    trials: int,
    seed: int,
    threads: int,
    first: int = 0,
) -> _Vector: ...
def permute_metrics(
    kind: str,
    group: str,
    human: _Rows,
    metrics: _Rows,
    pairs: list[tuple[int, int]],
    swap: str,
    trials: int,
    seed: int,
    threads: int,
    first: int = 0,
    plain: bool = False,
) -> _Rows: ...
def swapped_moments(
    group: str,
    human: _Rows,
    metrics: _Rows,
    swap: str,
    trials: int,
    seed: int,
    threads: int,
    first: int = 0,
) -> _Rows: ...
def swap_masks(
    segments: int, systems: int, swap: str, trials: int, seed: int, first: int = 0
) -> NDArray[np.bool_]: ...

# --------------------------------------------------------------------- trueskill

_Numbers = NDArray[np.int32]

def trueskill(
    first: _Numbers,
    second: _Numbers,
    outcome: _Numbers,
    starts: _Numbers,
    draws: _Numbers,
    players: int,
    sigma: float,
    beta: float,
    tau: float,
    margin: float,
    seed: int,
    first_run: int,
    threads: int,
) -> _Rows: ...

# ----------------------------------------------------------------------- surface

_Source = tuple[str, int, bool, bool, bool, float]
_Column = tuple[int, str, float]

def surface_features(
    sources: list[_Source], columns: list[_Column], released: bool
) -> Kernel: ...
def surface_model(
    sources: list[_Source],
    columns: list[_Column],
    released: bool,
    model: LinearModel,
) -> Kernel: ...

class LinearModel:
    def __init__(
        self,
        weights: list[float],
        bias: float,
        scaling: str,
        slope: float,
        offset: float,
        knots: list[float],
        heights: list[float],
        anchor: bool,
    ) -> None: ...

class WordList:
    def __init__(
        self,
        counts: NDArray[np.uint8],
        fingerprints: NDArray[np.uint16],
        bands: NDArray[np.uint8],
    ) -> None: ...
    def band(self, word: str) -> int: ...

def word_hash(word: str) -> int: ...
def lexemes(texts: list[str]) -> list[list[str]]: ...
def read_lexemes(
    text: str,
) -> tuple[str, list[int], list[tuple[int, int, str, str, str, bool, bool]]]: ...
def lexical_features(word_list: WordList | None) -> Kernel: ...
def lexical_model(word_list: WordList | None, model: LinearModel) -> Kernel: ...

# ------------------------------------------------------------------------- dense

def product(a: _Rows, b: _Rows, threads: int) -> _Rows: ...
def transposed_product(a: _Rows, b: _Rows, threads: int) -> _Rows: ...

# ------------------------------------------------------- features of structure

def order_features() -> PairKernel: ...
def arc_features(relations: int, root: int, flat: int, longer: bool) -> PairKernel: ...
def valencies() -> PairKernel: ...
def chain_counts(flat: bool, max_length: int) -> PairKernel: ...
def soft_match(vectors: _Rows, weights: Sequence[float] = ()) -> PairKernel: ...

# ----------------------------------------------------------------------- closest

# Kind of edit, hypothesis token or -1, symbol or -1, whether the token moved.
_Edit = tuple[int, int, int, bool]
_Correction = tuple[int, list[int], list[_Edit]]
_Found = tuple[list[_Correction], list[int], int, bool, bool]

class Closest:
    def __init__(
        self,
        arcs: Sequence[Sequence[tuple[int, int]]],
        finals: Sequence[bool],
        costs: Sequence[int],
        move: int,
        join: int,
        insert: int,
        moves: int,
        window: int,
        compounds: Sequence[tuple[int, int]],
    ) -> None: ...
    def add_token(
        self, kinds: bytes, drop: int, parts: Sequence[tuple[int, int]]
    ) -> int: ...
    def search(
        self,
        hypotheses: Sequence[Sequence[int]],
        corrections: int,
        slack: int,
        references: int,
        nodes: int,
        seconds: float,
        threads: int,
    ) -> list[_Found]: ...

def move_permutations(
    tokens: int, moves: int, window: int
) -> list[tuple[list[int], int]]: ...
def move_states(tokens: int, moves: int, window: int) -> int: ...

# ------------------------------------------------------------------------ tuning

# As one row.
def model_scores(
    features: _Rows, weights: NDArray[np.float64], threads: int
) -> _Rows: ...

# Cuts as one row, statistics of the winners between them.
def sweep_line(
    offsets: NDArray[np.float64],
    slopes: NDArray[np.float64],
    statistics: _Rows,
    first: NDArray[np.int64],
    threads: int,
) -> tuple[_Rows, _Rows]: ...

# New weights and the sum of all weights on the way; the loss.
def mira_pass(
    features: _Rows,
    gains: NDArray[np.float64],
    first: NDArray[np.int64],
    order: NDArray[np.int32],
    weights: NDArray[np.float64],
    aggressiveness: float,
) -> tuple[_Rows, float]: ...

# ---------------------------------------------------------------- preorder: risk

_Limits = tuple[list[tuple[int, int]], list[int], list[tuple[int, int]], int]

# Per sentence: orders, best first, and their expected tau.
def best_orders(
    expectations: Sequence[_Rows],
    limits: Sequence[_Limits],
    count: int,
    threads: int,
) -> list[tuple[NDArray[np.int32], NDArray[np.float64]]]: ...
def expected_taus(
    expectations: _Rows, orders: NDArray[np.int32]
) -> NDArray[np.float64]: ...

# Boundaries whose words stay neighbours, walls, pairs in order; one row per sentence,
# or none at all.
_TreeLimits = tuple[Sequence[int], Sequence[int], Sequence[tuple[int, int]]]

# ----------------------------------------------------------------- preorder: btg

# The class of every word; the log-likelihood at the start and after each iteration.
def word_classes(
    words: NDArray[np.uint32],
    starts: NDArray[np.uint64],
    types: int,
    classes: int,
    iterations: int,
    seed: int,
) -> tuple[NDArray[np.uint32], list[float]]: ...

# Changes weights and squares, and returns the objective.
def btg_train(
    attributes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    ranks: NDArray[np.int32],
    order: NDArray[np.uint32],
    weights: NDArray[np.float32],
    squares: NDArray[np.float32],
    penalty: float,
    batch: int,
    first_rate: float,
    last_rate: float,
    threads: int,
) -> float: ...

# n × n numbers per sentence, one after the other.
def btg_expectations(
    attributes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    weights: NDArray[np.float32],
    limits: Sequence[_TreeLimits],
    threads: int,
) -> NDArray[np.float64]: ...

# Of one sentence: a row per node, by start, end and cut.
def btg_scores(
    attributes: NDArray[np.uint64], weights: NDArray[np.float32]
) -> _Rows: ...

# The objective and its gradient.
def btg_gradient(
    attributes: NDArray[np.uint64],
    starts: NDArray[np.uint64],
    ranks: NDArray[np.int32],
    weights: NDArray[np.float32],
    penalty: float,
) -> tuple[float, _Rows]: ...

# ------------------------------------------------------------ reordering grammars

class ReorderingGrammar:
    def __init__(
        self,
        ranks: Sequence[Sequence[int]],
        emitters: Sequence[int],
        splits: Sequence[int],
        root: NDArray[np.float64],
        unary: NDArray[np.float64],
        first: NDArray[np.uint32],
        slot: NDArray[np.uint32],
        value: NDArray[np.float64],
        slot_backoff: NDArray[np.float64],
        terminal_backoff: NDArray[np.float64],
    ) -> None: ...
    @property
    def states(self) -> int: ...
    @property
    def slots(self) -> int: ...
    def emissions(self, terminal: int) -> NDArray[np.float64]: ...

# Where the units of each sentence start; first word, end, rank.
def minimal_units(
    words: NDArray[np.uint32],
    first: NDArray[np.uint32],
    source: NDArray[np.uint32],
    target: NDArray[np.uint32],
) -> tuple[
    NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32]
]: ...

# Start, end, operator or -1, the parts of each inference.
def forest_rows(
    ranks: Sequence[Sequence[int]],
    emitters: Sequence[int],
    unit_ranks: NDArray[np.uint32],
    branching: str,
    attach: str,
    height: str,
) -> list[tuple[int, int, int, list[list[int]]]]: ...

class ForestCorpus:
    def __init__(
        self,
        ranks: Sequence[Sequence[int]],
        emitters: Sequence[int],
        branching: str,
        attach: str,
        height: str,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def units(self) -> int: ...
    @property
    def edges(self) -> int: ...
    # 0 for an alternative that was added, 1 if too few units are aligned, 2 if the
    # operators do not suffice.
    def add(
        self,
        first: NDArray[np.uint32],
        terminal: NDArray[np.uint32],
        rank: NDArray[np.uint32],
        sentence: NDArray[np.uint32],
        weight: NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.uint8]: ...
    # Roots by operator, children by operator, emissions: terminal, child, count.
    def chart_counts(
        self,
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.uint32],
        NDArray[np.uint32],
        NDArray[np.float64],
    ]: ...
    # Log-probabilities, counts of root, unary rules and emissions.
    def expect(
        self, grammar: ReorderingGrammar, threads: int
    ) -> tuple[
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
        NDArray[np.float64],
    ]: ...
    # What the log-likelihood loses when states s and s + 1 are merged, for each of
    # `states`; two shares per pair.
    def merge_losses(
        self,
        grammar: ReorderingGrammar,
        states: NDArray[np.uint32],
        shares: NDArray[np.float64],
        threads: int,
    ) -> NDArray[np.float64]: ...
    def log_probabilities(
        self, grammar: ReorderingGrammar, threads: int
    ) -> NDArray[np.float64]: ...

# The number of words; terminals: start, end, number or -1.
_Encoded = tuple[int, Sequence[tuple[int, int, int]]]
# Start, end, operator or -1, split, children.
_TreeNode = tuple[int, int, int, int, int]

# The second item of all results: how each sentence was parsed.
class ReorderingParser:
    def __init__(self, grammar: ReorderingGrammar) -> None: ...
    def expectations(
        self,
        sentences: Sequence[_Encoded],
        limits: Sequence[_TreeLimits],
        max_span: int,
        prune: float,
        threads: int,
    ) -> tuple[list[_Rows], list[int]]: ...
    def log_probabilities(
        self,
        sentences: Sequence[_Encoded],
        limits: Sequence[_TreeLimits],
        max_span: int,
        threads: int,
    ) -> tuple[list[float], list[int]]: ...
    def order_log_probabilities(
        self,
        sentences: Sequence[_Encoded],
        orders: Sequence[Sequence[int]],
        threads: int,
    ) -> list[float]: ...
    def samples(
        self,
        sentences: Sequence[_Encoded],
        limits: Sequence[_TreeLimits],
        count: int,
        seed: int,
        max_span: int,
        threads: int,
    ) -> tuple[list[tuple[NDArray[np.int32], NDArray[np.int64]]], list[int]]: ...
    def derivations(
        self,
        sentences: Sequence[_Encoded],
        limits: Sequence[_TreeLimits],
        count: int,
        max_span: int,
        threads: int,
    ) -> tuple[list[list[tuple[float, list[_TreeNode], list[int]]]], list[int]]: ...
