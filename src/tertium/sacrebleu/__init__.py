# SPDX-License-Identifier: Apache-2.0
"""sacreBLEU 2.6.0's command line, number by number and byte by byte.

* `inputs`, `settings`: texts and metrics from sacreBLEU's options
* `scores`: one score, its signature and its line of text or JSON
* `resampling`: sacreBLEU's draws, and its scores in single precision
* `paired`: its two paired tests
* `tables`, `report`: what it prints
* `remarks`: what it should say

sacreBLEU itself is never imported: the tests compare the two. Where its rule is
questionable the number stays and a remark says so. (`stats/` has our own rules.)

References
----------
Post 2018, A Call for Clarity in Reporting BLEU Scores.
"""
