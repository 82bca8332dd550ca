# SPDX-License-Identifier: Apache-2.0
"""A page by keyboard alone."""

from __future__ import annotations


def tab_to(page, place, most: int = 150) -> None:
    """Press Tab until something has the focus."""
    for _ in range(most):
        if place.evaluate_all("all => all.includes(document.activeElement)"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not lead to {place}")


def use(page, place, key: str = "Enter") -> None:
    """Go to something by Tab, and press a key there."""
    tab_to(page, place)
    page.keyboard.press(key)
