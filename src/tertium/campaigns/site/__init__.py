# SPDX-License-Identifier: Apache-2.0
"""The Django project: settings from the environment, addresses, serving."""

from __future__ import annotations
