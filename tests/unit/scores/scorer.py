# SPDX-License-Identifier: Apache-2.0
"""A program for tests: scores by length, notes what it was asked, and can misbehave."""

import json
import os
import sys
import time


def main(log, how=""):
    with open(log, "a") as notes:
        print("start", file=notes, flush=True)
        waiting = []
        for line in sys.stdin:
            if line.strip():
                waiting.append(json.loads(line))
                continue
            answer(waiting, notes, how)
        answer(waiting, notes, how)


def answer(waiting, notes, how):
    if how == "fail":
        sys.stderr.write("loading\nno such model: xyz\n")
        sys.exit(3)
    if how == "close":  # its output, but it lives on
        sys.stdout.flush()
        os.close(1)
        time.sleep(60)
    if how == "sleep":
        time.sleep(60)
    if how == "slow" and waiting:
        time.sleep(0.2)
    for number, segment in enumerate(waiting):
        print(json.dumps(segment), file=notes, flush=True)
        score = len(segment["hypothesis"]) / 100
        score += len(segment.get("source") or "") / 10
        score -= len(segment.get("reference") or "")
        if how == "few" and number == 1:
            sys.exit(0)
        if how == "nan" and number == 1:
            score = float("nan")
        if how == "plain":
            sys.stdout.write(f"{score}\n")
        elif how == "digits":
            sys.stdout.write("9" * 400 + "\n")
        elif how == "words" and number == 1:
            sys.stdout.write("sorry\n")
        else:
            sys.stdout.write(json.dumps({"score": score, "why": "length"}) + "\n")
        if how == "many":
            sys.stdout.write("1\n")
    waiting.clear()
    sys.stdout.flush()
    if how == "linger":
        os.close(1)
        time.sleep(60)


if __name__ == "__main__":
    main(*sys.argv[1:])
