# SPDX-License-Identifier: Apache-2.0
"""Questionnaires have the composition of the thesis table (McCaffery 2017, 6.3.4)."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest

from tertium.campaigns.config import read_config
from tertium.campaigns.tasks import get_task
from tertium.campaigns.tasks.survey.balance import Sheet, imbalances, report, sheets
from tertium.campaigns.tasks.survey.building import build
from tertium.campaigns.tasks.survey.mixes import Mix, mix
from tertium.campaigns.tasks.survey.pool import read_pool
from tertium.campaigns.tasks.survey.ranks import rank_scores
from tertium.campaigns.tasks.survey.sampled import KINDS, in_order
from tertium.data import Testset
from tertium.errors import FormatError, InputError, UnknownNameError
from tertium.judgements.judgement import Place, Ranking

NOUNS = ["dog", "cat", "fox", "hen", "cow", "pig", "owl", "bee", "ant", "elk"]
VERBS = ["sees", "hears", "likes", "finds", "calls", "helps"]
ADJECTIVES = ["old", "new", "big", "red", "odd", "shy"]
OTHERS = ["boat", "tree", "road", "lake", "hill", "wall", "door", "lamp"]


def sentence(words):
    """Return a text and its tree: determiners and adjectives under nouns."""
    text = " ".join(word for word, _, _ in words)
    rows = [
        f"{i}\t{word}\t_\t{tag}\t_\t_\t{head}\t{'root' if head == 0 else 'dep'}\t_\t_"
        for i, (word, tag, head) in enumerate(words, 1)
    ]
    return text, "\n".join(rows) + "\n\n"


def words(n, nouns, adjectives, verb):
    """Return: the ADJ NOUN VERB the ADJ NOUN near the ADJ NOUN."""
    a, b, c = (nouns[(n + i) % len(nouns)] for i in range(3))
    x, y, z = (adjectives[(n + i) % len(adjectives)] for i in range(3))
    return [
        ("the", "DET", 3), (x, "ADJ", 3), (a, "NOUN", 4), (verb, "VERB", 0),
        (f"the{n}", "DET", 7), (y, "ADJ", 7), (b, "NOUN", 4), ("near", "ADP", 11),
        ("the", "DET", 11), (z, "ADJ", 11), (c, "NOUN", 4),
    ]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with a test set of 80 segments, two systems and their trees."""
    place = tmp_path_factory.mktemp("survey")
    lines, trees = [], {"ref": "", "one": "", "two": ""}
    for n in range(80):
        texts = {}
        for name, nouns, adjectives in (
            ("ref", NOUNS, ADJECTIVES),
            ("one", OTHERS, ["tall", "cold", "soft", "late"]),
            ("two", OTHERS[::-1], ["loud", "warm", "thin"]),
        ):
            verb = VERBS[n % len(VERBS)] + ("" if name == "ref" else "s")
            texts[name], tree = sentence(words(n, nouns, adjectives, verb))
            trees[name] += tree
        row = {"id": f"s{n}", "src": f"Quelle {n}", "ref": texts.pop("ref")}
        lines.append(json.dumps({**row, "tgt": texts}) + "\n")
    (place / "set.jsonl").write_text("".join(lines))
    for name, text in trees.items():
        (place / f"{name}.conllu").write_text(text)
    for name, text in get_task("survey").starter_files().items():
        if name.endswith((".md", "consent.toml")):
            (place / name).write_text(text)
    return place


def config_of(folder, name="campaign.toml", **task):
    settings = {"trees": "ref.conllu", "system_trees": "{system}.conllu", **task}
    lines = [f"{key} = {json.dumps(value)}" for key, value in settings.items()]
    (folder / name).write_text(
        '[campaign]\nname = "s"\ntitle = "S"\ntask = "survey"\nsource = "de"\n'
        'target = "en"\nitems = "set.jsonl"\n[task]\n' + "\n".join(lines) + "\n"
    )
    return read_config(folder / name)


def built_of(folder, questionnaires=3, **how):
    task = get_task("survey")
    config = config_of(folder)
    pool = read_pool(config, task.options(config))
    how = {"items": 50, "shared": 20, **how}
    return build(pool, questionnaires=questionnaires, **how)


def test_the_first_of_several_parses_is_used(folder):
    config = config_of(folder)
    options = get_task("survey").options(config)
    pool = read_pool(config, options)
    first, *others = (folder / "ref.conllu").read_text().split("\n\n")
    parses = "\n\n".join([first, f"# parse = 2\n{first}", *others])
    (folder / "parses.conllu").write_text(parses)
    again = read_pool(config, {**options, "trees": "parses.conllu"})
    assert again.pairs == pool.pairs


def test_the_mix_is_that_of_the_thesis():
    assert mix(20, KINDS) == Mix(10, KINDS, 2)
    assert mix(30, KINDS) == Mix(15, KINDS, 7)


@pytest.mark.parametrize("kinds", [(), KINDS[:1], KINDS])
def test_mixes_of_any_size_add_up(kinds):
    for size in range(60):
        made = mix(size, kinds, pairs=2, turn=size)
        assert made.size == size
        assert len(made.pairs) + made.random <= made.hypotheses


def test_questionnaires_have_the_table_exactly(folder):
    built = built_of(folder)
    assert built.notes == ()
    for part, hypotheses, randoms in [
        (built.shared, 10, 2),
        *((one, 15, 7) for one in built.own),
    ]:
        counts = Counter(item.kind for item in part)
        assert counts.pop("hypothesis") == hypotheses
        assert sum(counts.values()) == 8 + randoms
        assert all(counts[kind] >= 2 for kind in KINDS)
        # Two degrees of one base for every kind, and another base for every row.
        typed = {}
        for item in [item for item in part if item.made][:8]:
            typed.setdefault(item.kind, []).append(item)
        assert set(typed) == set(KINDS)
        bases = [{item.pair for item in two} for two in typed.values()]
        assert all(len(base) == 1 for base in bases)
        assert all(a.made.degree != b.made.degree for a, b in typed.values())
        assert len(set.union(*bases)) == 4
        # Bases are hypotheses of the same part; references are not shown twice.
        shown = [item.pair for item in part if item.made is None]
        assert {item.pair for item in part} == set(shown)
        assert len({pair.place for pair in shown}) == len(shown)


def test_own_items_are_nobody_elses(folder):
    built = built_of(folder)
    keys = [item.key for item, _ in built.items()]
    assert len(keys) == len(set(keys)) == 20 + 3 * 30
    shared = {item.pair.place for item in built.shared}
    for one in built.own:
        assert shared.isdisjoint(item.pair.place for item in one)


def test_the_seed_decides_everything(folder):
    keys = [
        [item.key for item, _ in built_of(folder, seed=s).items()] for s in (7, 7, 8)
    ]
    assert keys[0] == keys[1] != keys[2]
    # More questionnaires leave the first ones as they are.
    more = [item.key for item, _ in built_of(folder, questionnaires=4, seed=7).items()]
    assert more[: len(keys[0])] == keys[0]


def test_equally_many_sentences_of_every_system(folder):
    task = get_task("survey")
    config = config_of(folder, per_corpus=7)
    pool = read_pool(config, task.options(config))
    assert pool.corpora == {"set/one": 7, "set/two": 7}
    for two in zip(pool.pairs[::2], pool.pairs[1::2], strict=True):
        assert {pair.corpus for pair in two} == {"set/one", "set/two"}
    everything = read_pool(config, {**task.options(config), "per_corpus": 0})
    assert sum(everything.corpora.values()) == 160


def test_without_trees_there_are_order_permutations_only(folder):
    config = config_of(folder, trees="", system_trees="", questionnaires=1)
    task = get_task("survey")
    drafts = list(task.items(config))
    kinds = Counter(draft.meta["permutation"] for draft in drafts)
    assert kinds == {"hypothesis": 25, "order": 25}
    message = task.describe(config)
    assert "no swap permutations" in message
    assert "no phrase permutations: phrases need trees" in message
    assert "no choice permutations" in message


def test_choice_needs_trees_of_systems(folder):
    task = get_task("survey")
    config = config_of(folder, system_trees="", questionnaires=1)
    drafts = list(task.items(config))
    assert "set system_trees" in task.describe(config)
    assert not any(draft.meta["permutation"] == "choice" for draft in drafts)


def test_both_replaces_and_moves_words_where_asked_for(folder):
    task = get_task("survey")
    usual = list(task.items(config_of(folder, questionnaires=1)))
    assert not any(draft.meta["permutation"] == "both" for draft in usual)
    config = config_of(folder, kinds="order, both", questionnaires=1)
    drafts = list(task.items(config))
    kinds = Counter(draft.meta["permutation"] for draft in drafts)
    assert kinds["both"] >= 4
    assert set(kinds) == {"hypothesis", "order", "both"}
    for draft in drafts:
        if draft.meta["permutation"] == "both":
            ops = Counter(edit["op"] for edit in draft.meta["edits"])
            assert ops["replace"] == ops["move"] == draft.meta["degree"]
    config = config_of(folder, kinds="both", system_trees="", questionnaires=1)
    list(task.items(config))
    assert "no both permutations: they need parts" in task.describe(config)


def test_orders_are_random_and_keep_references_apart(folder):
    built = built_of(folder)
    made = sheets(built, seed=1)
    assert [len(sheet.items) for sheet in made] == [50] * 3
    shared = {item.key for item in built.shared}
    orders = [[i.key for i in sheet.items if i.key in shared] for sheet in made]
    assert orders[0] != orders[1]
    for sheet in made:
        neighbours = pairwise(item.pair.segment for item in sheet.items)
        assert not any(a == b for a, b in neighbours)
    assert in_order([], str, seed=1, number=1) == []


def test_imbalances_are_named(folder):
    built = built_of(folder)
    made = sheets(built, seed=1)
    assert imbalances(made) == []
    assert "balance: no questionnaire" in report(built, seed=1)
    sorted_items = [
        Sheet(s.number, sorted(s.items, key=lambda i: i.made.degree if i.made else 0))
        for s in made
    ]
    assert any("position" in what for what in imbalances(sorted_items))
    worst = sorted(
        (i for sheet in made for i in sheet.items if i.made),
        key=lambda item: -item.made.degree,
    )
    odd = [*made[:2], Sheet(3, worst[:20])]
    assert any(
        "degree of permutations in questionnaire 3" in w for w in imbalances(odd)
    )


def test_shared_items_can_be_picked_by_hand(folder):
    (folder / "shared.tsv").write_text("# mine\ns1\tone\ns1\tone\torder\t3\n")
    task = get_task("survey")
    config = config_of(
        folder, shared_list="shared.tsv", shared=2, items=6, questionnaires=2
    )
    drafts = list(task.items(config))
    shared = [draft for draft in drafts if draft.meta["shared"]]
    assert [draft.meta["permutation"] for draft in shared] == ["hypothesis", "order"]
    assert shared[1].base == shared[0].key
    assert all(draft.meta["segment"] != "s1" for draft in drafts[2:])


def test_curators_may_note_what_they_picked(folder, tmp_path):
    (folder / "noted.tsv").write_text(
        "s1\tone\t\t\tshort\tgood\tslight\ns2\ttwo\torder\t3\t\tbad\tprime\n"
    )
    task = get_task("survey")
    config = config_of(
        folder, shared_list="noted.tsv", shared=2, items=6, questionnaires=1
    )
    first, second, *others = task.items(config)
    notes = {"note_length": "short", "note_quality": "good", "note_order": "slight"}
    assert notes.items() <= first.meta.items()
    assert "note_length" not in second.meta
    assert second.meta["note_order"] == "prime"
    assert not any("note_order" in draft.meta for draft in others)
    message = task.describe(config)
    assert "noted order of shared items: slight 50 %, prime 50 %" in message


RANKINGS = """\
hit\tseg\tdocument\tjudge\ttime\tduration\tlangpair\tcampaign\tsystem(s)=rank ...
1\ts1\t\tann\t\t\tde-en\t\tone=1\ttwo=2
2\ts1\t\tbob\t\t\tde-en\t\tone=2\ttwo=1
3\ts2\t\tann\t\t\tde-en\t\tone=2\ttwo=1
4\ts3\t\tann\t\t\tfr-en\t\tone=2\ttwo=1
"""


def ranks_of(folder, **task):
    (folder / "set.ranks.tsv").write_text(RANKINGS)
    config = config_of(folder, ranks="{set}.ranks.tsv", per_corpus=0, **task)
    pool = read_pool(config, get_task("survey").options(config))
    return {
        (pair.segment, *pair.systems): pair.rank
        for pair in pool.pairs
        if pair.rank is not None
    }


def test_hypotheses_have_the_scores_of_ranks(folder):
    two = {("s3", "one"): 0.5, ("s3", "two"): 1}
    want = {("s1", "one"): 0.75, ("s1", "two"): 0.75, ("s2", "one"): 0.5,
            ("s2", "two"): 1, **two}  # fmt: skip
    assert ranks_of(folder) == want
    lowest = {key: 2 * value - 1 for key, value in want.items()}
    assert ranks_of(folder, lowest="zero") == lowest


def test_rankings_of_other_pairs_of_languages_are_left_out():
    testset = Testset([("r",)], {"a": ["x"]}, ids=["1"], langpair="de-en")
    ours = Ranking((Place(("a",), 1),), "1", langpair="de-en")
    for ranking, result in (
        (ours, 1),
        (ours._replace(langpair=None), 1),
        (ours._replace(langpair="fr-en"), 0),
        (ours._replace(segment="2"), 0),
        (ours._replace(part="x"), 0),
    ):
        assert len(rank_scores([ranking], testset)) == result


def test_equal_outputs_are_ranked_once():
    testset = Testset([("r",)], {"a": ["x"], "b": ["x"], "c": ["y"], "d": ["z"]})
    places = [Place((name,), rank) for rank, name in enumerate("abcd", 1)]
    # Three different texts; judges put the equal ones first and second.
    want = {(0, "x"): (1 + 2 / 3) / 2, (0, "y"): 1 / 3, (0, "z"): 1 / 3}
    assert rank_scores([Ranking(tuple(places), "1")], testset) == pytest.approx(want)
    thrown = [*places[2:], Place(("a",), 1, garbage=True)]
    result = rank_scores([Ranking(tuple(thrown), "1")], testset)
    assert result[0, "x"] == pytest.approx(1 / 3)


def test_segments_of_documents_are_told_apart():
    testset = Testset(
        [("r",), ("r",)], {"a": ["x", "x"]}, ids=["1", "1"], docs=["m", "n"]
    )
    ranking = Ranking((Place(("a",), 1),), "1", document="n")
    assert rank_scores([ranking], testset) == {(1, "x"): 1}


def test_ranks_of_another_test_set_are_rejected(folder):
    (folder / "other.tsv").write_text(
        "".join(RANKINGS.splitlines(keepends=True)[:2]).replace("s1", "z1")
    )
    config = config_of(folder, ranks="other.tsv")
    with pytest.raises(InputError, match="ranks no output"):
        list(get_task("survey").items(config))


def test_items_say_how_much_of_them_is_aligned(folder):
    config = config_of(folder, aligners="exact, exact+stem", questionnaires=1)
    for draft in get_task("survey").items(config):
        share = draft.meta["aligned"]
        assert set(share) == {"exact", "exact+stem"}
        assert 0 <= share["exact"] <= share["exact+stem"] <= 1
        if draft.meta["permutation"] in ("order", "swap", "phrase"):
            assert share["exact"] == 1


@pytest.mark.parametrize(
    ("line", "message"),
    [("s1 one", "with a tab"), ("s1\tone\torder\tx", "not KIND"),
     ("s1\tone\t\t3", "not KIND"), ("s1\tone\t\t\t\t\tmuch", "slight, equal, prime"),
     ("zz\tone", "not in the pool"),
     ("s1\tone\torder\t99", "no permutation order 99")],
)  # fmt: skip
def test_wrong_picks_are_rejected(folder, line, message):
    (folder / "wrong.tsv").write_text(f"{line}\n")
    config = config_of(folder, shared_list="wrong.tsv", shared=1, items=4)
    with pytest.raises((InputError, FormatError), match=message):
        list(get_task("survey").items(config))


def test_too_small_a_pool_is_rejected_with_the_cure(folder):
    with pytest.raises(InputError, match="fewer or shorter questionnaires"):
        built_of(folder, questionnaires=40)


def test_wrong_settings_are_rejected(folder):
    task = get_task("survey")
    with pytest.raises(UnknownNameError, match="mirror"):
        task.options(config_of(folder, kinds="order, mirror"))
    with pytest.raises(FormatError, match="shared is more than items"):
        task.options(config_of(folder, items=5, shared=6))
    with pytest.raises(InputError, match="other texts"):
        list(task.items(config_of(folder, trees="one.conllu")))


@pytest.mark.parametrize(
    ("text", "message"),
    [("", "no statement"), ("[[statement]]\nid = 'A'\ntext = 'x'\n", "small letters"),
     ("[[statement]]\nid = 'a'\ntext = 'x'\n", "no statement is needed"),
     ("[[statement]]\nid = 'archive'\ntext = 'x'\nneeded = true\n", "free to decline"),
     ("[[statement]]\nid = 'a'\ntext = 'x'\nneded = true\n", "more than")],
)  # fmt: skip
def test_wrong_consent_is_rejected(folder, text, message):
    (folder / "bad.toml").write_text(text)
    with pytest.raises(FormatError, match=message):
        get_task("survey").options(config_of(folder, consent="bad.toml"))


def test_content_shows_no_source_and_no_system(folder):
    config = config_of(folder, questionnaires=1)
    for draft in get_task("survey").items(config):
        shown = json.dumps(draft.content)
        assert set(draft.content) == {"hypothesis", "reference", "language"}
        assert "Quelle" not in shown
        assert not {"one", "two"} & set(draft.key.split(":"))
