# SPDX-License-Identifier: Apache-2.0
"""English names of languages."""

from __future__ import annotations

__all__ = ["LANGUAGES", "language_name"]

#: The names of languages whose word lists come with Tertium, and of a few others.
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish",
    "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian",
    "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hu": "Hungarian",
    "id": "Indonesian", "is": "Icelandic", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "mk": "Macedonian",
    "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sh": "Serbo-Croatian",
    "sk": "Slovak", "sl": "Slovene", "sr": "Serbian", "sv": "Swedish", "tr": "Turkish",
    "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}  # fmt: skip


def language_name(code: str) -> str:
    """Return the name of a language, with its region; the code itself if unknown.

    Examples
    --------
    >>> language_name("de"), language_name("pt_BR"), language_name("xx")
    ('German', 'Portuguese (BR)', 'xx')
    """
    language, _, region = code.replace("-", "_").partition("_")
    name = LANGUAGES.get(language.lower())
    if name is None:
        return code
    return f"{name} ({region})" if region else name
