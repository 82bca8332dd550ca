# SPDX-License-Identifier: Apache-2.0
"""Dependency trees."""

from tertium.trees.tree import DependencyTree

__all__ = ["DependencyTree"]
