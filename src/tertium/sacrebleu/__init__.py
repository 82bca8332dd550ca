# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU 2.6.0's command line, number by number and byte by byte.

* `arguments`, `options`: sacreBLEU's options, for a parser and as a dataclass
* `inputs`, `settings`: its texts and metrics
* `scores`: one score, its signature and its line of text or JSON
* `resampling`: sacreBLEU's random samples, and its scores in single precision
* `paired`: its two paired tests
* `tables`, `report`, `run`: what it prints
* `remarks`: warnings that it lacks

sacreBLEU itself is never imported; the tests compare the two. Where its rule is
questionable, the number is the same and a remark says so (`tertium.stats` has better
rules).

References
----------
Post 2018, A Call for Clarity in Reporting BLEU Scores.
"""
