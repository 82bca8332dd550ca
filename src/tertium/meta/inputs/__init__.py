# SPDX-License-Identifier: Apache-2.0
"""What metrics are compared with and trained on: texts, judgements and scores.

Test sets and judgements are paired by language pair (:mod:`.testsets`,
:mod:`.judged`), score files and folders of mt-metrics-eval join them
(:mod:`.pairs`), and metrics are run on the texts (:mod:`.evaluations`).
"""
