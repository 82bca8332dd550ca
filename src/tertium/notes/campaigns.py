# SPDX-License-Identifier: Apache-2.0
"""Templates of notes on the files of campaigns."""

from __future__ import annotations

__all__ = ["CAMPAIGNS"]

#: English templates by code; a pair is a singular and a plural.
CAMPAIGNS: dict[str, str | tuple[str, str]] = {
    "foreign-repeats": (
        "%(count)s repeated paragraph is left out; [plan] chooses repeats (intra)",
        "%(count)s repeated paragraphs are left out; [plan] chooses repeats (intra)",
    ),
    "foreign-media": (
        "%(count)s paragraph has media in HTML, which is shown as text",
        "%(count)s paragraphs have media in HTML, which is shown as text",
    ),
    "foreign-spans": (
        "%(count)s error span has no place in its text and is left out",
        "%(count)s error spans have no place in their texts and are left out",
    ),
    "foreign-token-categories": (
        "%(count)s error on a special token keeps the token, not its category",
        "%(count)s errors on special tokens keep the token, not their categories",
    ),
    "foreign-shared": (
        "%(count)s screen was for several people; set judgements in [plan]",
        "%(count)s screens were for several people; set judgements in [plan]",
    ),
    "foreign-batches": (
        "%(count)s batch is not kept together; items go to whoever asks next",
        "%(count)s batches are not kept together; items go to whoever asks next",
    ),
    "foreign-checks": (
        "%(count)s attention check is left out, as no item goes with it",
        "%(count)s attention checks are left out, as no items go with them",
    ),
    "foreign-rules": (
        "%(count)s validation rule of a document that is judged is left out",
        "%(count)s validation rules of documents that are judged are left out",
    ),
    "foreign-forms": (
        "%(count)s form is left out; only a survey asks for background",
        "%(count)s forms are left out; only a survey asks for background",
    ),
    "foreign-goodbye": (
        "%(count)s document after the work (data_goodbye) is left out",
        "%(count)s documents after the work (data_goodbye) are left out",
    ),
    "foreign-unruled": (
        "%(count)s tutorial without rules is left out, as nothing is expected",
        "%(count)s tutorials without rules are left out, as nothing is expected",
    ),
    "foreign-lessons": (
        "%(count)s tutorial item does not fit the task and is left out",
        "%(count)s tutorial items do not fit the task and are left out",
    ),
    "prefilled-some": "%(path)s covers %(count)s of %(total)s outputs; the others "
    "start without marks",
    "prefilled-judged": (
        (
            "%(judge)s judged %(count)s output: marks in %(path)s, answers in "
            "%(answers)s (new: %(asked)s, kept before: %(kept)s%(cost)s)"
        ),
        (
            "%(judge)s judged %(count)s outputs: marks in %(path)s, answers in "
            "%(answers)s (new: %(asked)s, kept before: %(kept)s%(cost)s)"
        ),
    ),
    "prefilled-unparsable": (
        (
            "the answer on %(count)s output cannot be read (%(reasons)s); it starts "
            "without marks"
        ),
        (
            "the answers on %(count)s outputs cannot be read (%(reasons)s); they "
            "start without marks"
        ),
    ),
    "prefilled-unlocated": (
        (
            "%(count)s error has no place in the output (words that it does not have, "
            "or an error of the source); it is left out"
        ),
        (
            "%(count)s errors have no place in the outputs (words that they do not "
            "have, or errors of the source); they are left out"
        ),
    ),
    "prefilled-missing": (
        "%(count)s mark of missing content is left out, as missing = false in [task]",
        "%(count)s marks of missing content are left out, as missing = false in [task]",
    ),
    "foreign-settings": "settings without a counterpart are ignored: %(names)s",
    "foreign-tokens": "special tokens cannot be marked: %(names)s",
}
