# SPDX-License-Identifier: Apache-2.0
"""Files without judgements in stores: batches, campaigns, items, documents."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tertium.errors import FormatError, InputError
from tertium.judgements import Judgements, import_judgements
from tertium.judgements.items import (
    ITEM_FORMATS,
    add_items,
    export_items,
    item_format,
    read_items,
    stored_items,
)

BATCHES = [
    {
        "items": [
            {
                "mqm": [],
                "documentID": "d#A",
                "targetID": "wmt23.A",
                "itemID": 1,
                "sourceText": "Größe 😀",
                "targetText": "size",
            }
        ],
        "task": {"batchNo": 1},
    }
]
CAMPAIGN = {
    "info": {"assignment": "task-based", "protocol": "ESA"},
    "campaign_id": "spring",
    "data": [[[{"item_id": "1", "src": "a", "tgt": {"A": "ä"}}]]],
}
ITEM = {
    "item_id": "official_###_eng_Latn_###_deu_Latn_###_news_###_a_###_0",
    "src": "One.",
    "ref": {"text": "Eins.", "type": "human"},
    "hyps": {"A": "Ein."},
}
DOCUMENT = {"doc_id": "x", "src_text": "a", "refs": {}, "tgt_lang": "deu_Latn"}
OUTPUT = {"doc_id": "x", "hypothesis": "<p>ä</p>", "metadata": {}}
SCORES = {"document_id": "x", "metric_scores": {"chrF++": [1.0, 0.5]}}
FILES = {
    "appraise-batches": json.dumps(BATCHES, indent=2),
    "pearmut-campaign": json.dumps(CAMPAIGN, indent=2, ensure_ascii=False),
    "wmt26-items": f"{json.dumps(ITEM, ensure_ascii=False)}\n" * 2,
    "wmt-documents": f"{json.dumps(OUTPUT, ensure_ascii=False)}\n",
    "wmt25-scores": f"{json.dumps(SCORES)}\n",
}


@pytest.mark.parametrize("store", ["store", "store.sqlite"])
@pytest.mark.parametrize("name", FILES)
def test_files_are_found_by_content_and_come_back(name, store, tmp_path):
    path, out = tmp_path / "file", tmp_path / "out"
    path.write_text(FILES[name], encoding="utf-8")
    result = import_judgements([path], out=tmp_path / store)
    assert result.formats == {str(path): name}
    assert result.number == 0
    assert Judgements.read(tmp_path / store).counts()["ratings"] == 0
    number = export_items([tmp_path / store], out, name=name)
    assert number == len(result.items[0].contents)
    assert out.read_text(encoding="utf-8") == FILES[name]
    assert export_items([path], out, name=name) == number


@pytest.mark.parametrize("store", ["store", "store.sqlite"])
def test_lines_come_back_as_they_were_spelled(store, tmp_path):
    lines = (
        json.dumps(OUTPUT),
        json.dumps(OUTPUT, ensure_ascii=False, separators=(",", ":")),
        '{"doc_id": "y", "hypothesis": "z", "x": 1.50e0}',
    )
    path, out = tmp_path / "file", tmp_path / "out"
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    import_judgements([path], out=tmp_path / store)
    (items,) = stored_items(tmp_path / store)
    assert items.contents == tuple(map(json.loads, lines))
    for source in (path, tmp_path / store):
        export_items([source], out, name="wmt-documents")
        assert out.read_bytes() == path.read_bytes()


def test_test_sets_are_documents(tmp_path):
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(DOCUMENT) + "\n")
    assert item_format(path) == ITEM_FORMATS["wmt-documents"]


def test_batches_beside_an_export_are_used_for_it(tmp_path):
    csv = tmp_path / "esa.csv"
    csv.write_text("j,wmt23.A,1,TGT,eng,deu,90,d#A,False,[],1.0,2.0\n")
    batches = tmp_path / "batches.json"
    batches.write_text(FILES["appraise-batches"])
    result = import_judgements([csv, batches], out=tmp_path / "store")
    assert set(result.formats.values()) == {"esa", "appraise-batches"}
    (rating,) = result.judgements.iterate("ratings")
    assert json.loads(rating.meta)["length"] == 4
    again = import_judgements([csv], batches=str(batches)).judgements
    assert list(again.iterate()) == list(result.judgements.iterate())


def test_equal_files_are_kept_once(tmp_path):
    path = tmp_path / "b.json"
    path.write_text(FILES["appraise-batches"])
    import_judgements([path], out=tmp_path / "store")
    items = read_items(path, ITEM_FORMATS["appraise-batches"])
    add_items(tmp_path / "store", [items])
    assert stored_items(tmp_path / "store") == [items]


def test_wrong_files_are_named(tmp_path):
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(ITEM) + "\n" + json.dumps({"item_id": 1}) + "\n")
    with pytest.raises(FormatError, match=r"x.jsonl:2: not a line of wmt26-items"):
        import_judgements([path], out=tmp_path / "store")
    assert not (tmp_path / "store").exists()
    with pytest.raises(FormatError, match="not pearmut-campaign"):
        import_judgements([path], format="pearmut-campaign")
    path.write_text(json.dumps(ITEM))
    with pytest.raises(InputError, match="there are wmt26-items, not wmt-documents"):
        export_items([path], tmp_path / "o", name="wmt-documents")
    with pytest.raises(InputError, match="holds one campaign, and there are 2"):
        ITEM_FORMATS["pearmut-campaign"].text([CAMPAIGN, CAMPAIGN])
    import_judgements([path], out=tmp_path / "store")
    (tmp_path / "store" / "items.jsonl").write_text("{}\n")
    with pytest.raises(FormatError, match="damaged"):
        stored_items(tmp_path / "store")


@pytest.mark.parametrize("name", FILES)
def test_verbs_that_need_judgements_say_what_it_is(name, tmp_path):
    path = tmp_path / "file"
    path.write_text(FILES[name], encoding="utf-8")
    wanted = "Appraise batches|output of a system|not judgements"
    with pytest.raises(FormatError, match=wanted):
        Judgements.read(path)


@pytest.mark.parametrize("text", ["", "a b", "{", "[1]", "[]", '{"a": 1}'])
def test_other_files_are_no_items(text, tmp_path):
    path = tmp_path / "x"
    path.write_text(text)
    assert item_format(path) is None
    assert item_format(tmp_path) is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(rest=st.dictionaries(st.text(), json_values, max_size=3))
@example(rest={"0,0": [{}]})
def test_any_content_comes_back(rest, tmp_path_factory):
    folder = tmp_path_factory.mktemp("items")
    rows = [rest | ITEM, ITEM | {"note": rest}]
    path = folder / "x.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    for store in ("a", "b.sqlite"):
        import_judgements([path], out=folder / store)
        export_items([folder / store], folder / "o", name="wmt26-items")
        lines = (folder / "o").read_text(encoding="utf-8").split("\n")[:-1]
        assert [json.loads(line) for line in lines] == rows


@pytest.mark.wmt
def test_published_files_come_back_byte_for_byte(wmt_data, tmp_path):
    paths = [
        *(wmt_data / "esa").glob("appraise-batches*.gz"),
        *(wmt_data / "formats").glob("*.gz"),
    ]
    assert len(paths) > 7
    for path in paths:
        store, out = tmp_path / path.name, tmp_path / f"{path.name}.json"
        (name,) = import_judgements([path], out=store).formats.values()
        export_items([store], out, name=name)
        assert out.read_bytes() == gzip.decompress(path.read_bytes())
