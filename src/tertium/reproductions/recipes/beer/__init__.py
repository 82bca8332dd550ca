# SPDX-License-Identifier: Apache-2.0
"""Stanojević 2017: how every table and figure of the thesis is computed again."""
