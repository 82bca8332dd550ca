# SPDX-License-Identifier: Apache-2.0
"""Reference sets of test sets: files, compilation, selection of sources."""
