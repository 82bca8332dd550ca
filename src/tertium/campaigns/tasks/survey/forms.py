# SPDX-License-Identifier: Apache-2.0
"""The background questions (McCaffery 2017, appendix A, in words of our own).

Every question may be left out, and those with answers to choose from say so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

__all__ = ["LANGUAGES", "LEVELS", "BackgroundForm"]

#: Rows for languages.
LANGUAGES = 4
_NOT_SAID = ("not-said", gettext_lazy("Prefer not to say"))
_Choices = list[tuple[str, "str | StrPromise"]]
_YES_NO: _Choices = [
    ("yes", gettext_lazy("Yes")),
    ("no", gettext_lazy("No")),
    _NOT_SAID,
]
#: Levels as exports spell them; they have points.
LEVELS: _Choices = [
    ("", gettext_lazy("How well?")),
    ("native", gettext_lazy("Native")),
    ("fluent", gettext_lazy("Fluent")),
    ("a few words", gettext_lazy("A few words")),
]
_GENDERS: _Choices = [
    ("female", gettext_lazy("Female")),
    ("male", gettext_lazy("Male")),
    ("other", gettext_lazy("Other")),
    _NOT_SAID,
]
_EDUCATION: _Choices = [
    ("", gettext_lazy("Choose …")),
    ("school", gettext_lazy("School, or none")),
    ("college", gettext_lazy("College diploma, or training for a job")),
    ("undergraduate", gettext_lazy("Undergraduate degree")),
    ("masters", gettext_lazy("Master's degree")),
    ("doctorate", gettext_lazy("Doctorate, or higher")),
    _NOT_SAID,
]
_BOXES: _Choices = [(str(box), str(box)) for box in range(1, 6)]


def _radio(choices: _Choices, label: str | StrPromise) -> forms.ChoiceField:
    return forms.ChoiceField(
        choices=choices, required=False, label=label, widget=forms.RadioSelect
    )


class BackgroundForm(forms.Form):
    """The participants' background; every question may be skipped."""

    first_language = _radio(_YES_NO, "")
    years = forms.IntegerField(
        required=False,
        min_value=0,
        max_value=120,
        label=gettext_lazy("If not: for how many years have you used it fluently?"),
    )
    gender = _radio(_GENDERS, gettext_lazy("Your gender"))
    nationality = forms.CharField(
        required=False, max_length=60, label=gettext_lazy("Your nationality")
    )
    education = forms.ChoiceField(
        choices=_EDUCATION,
        required=False,
        label=gettext_lazy("Your highest education"),
    )
    reading = _radio(
        _YES_NO,
        gettext_lazy("Does anything, such as dyslexia, make reading harder for you?"),
    )
    reading_what = forms.CharField(
        required=False, max_length=200, label=gettext_lazy("If so: what is it?")
    )
    grammar = _radio(_BOXES, gettext_lazy("How much do mistakes in language matter?"))
    age = forms.IntegerField(
        required=False, min_value=1, max_value=129, label=gettext_lazy("Your age")
    )

    def __init__(self, *args: object, language: str = "", **kwargs: object) -> None:
        super().__init__(*args, **kwargs)  # type: ignore[arg-type]
        first = self.fields["first_language"]
        first.label = (
            _("Is {language} your first language?").format(language=language)
            if language
            else _("Is the language of the texts your first language?")
        )
        for number in range(1, LANGUAGES + 1):
            self.fields[f"language_{number}"] = forms.CharField(
                required=False,
                max_length=40,
                label=_("Language {number}").format(number=number),
                widget=forms.TextInput(attrs={"placeholder": _("Language")}),
            )
            self.fields[f"level_{number}"] = forms.ChoiceField(
                choices=LEVELS,
                required=False,
                label=_("How well language {number}").format(number=number),
            )
            self.fields[f"exam_{number}"] = forms.CharField(
                required=False,
                max_length=60,
                label=_("Qualification in language {number}").format(number=number),
                widget=forms.TextInput(attrs={"placeholder": _("Qualification")}),
            )

    def rows(self) -> list[list[forms.BoundField]]:
        """Return the fields of languages, a row each."""
        return [
            [self[f"{name}_{number}"] for name in ("language", "level", "exam")]
            for number in range(1, LANGUAGES + 1)
        ]

    def answers(self) -> dict[str, object]:
        """Return what was answered; languages as a list."""
        values = {
            name: value.strip() if isinstance(value, str) else value
            for name, value in self.cleaned_data.items()
        }
        languages = []
        for number in range(1, LANGUAGES + 1):
            name, level, exam = (
                values.pop(f"{part}_{number}") for part in ("language", "level", "exam")
            )
            if name:
                languages.append({"name": name, "level": level, "exam": exam})
        cleaned = {
            name: value for name, value in values.items() if value not in ("", None)
        }
        return cleaned | ({"languages": languages} if languages else {})
