# SPDX-License-Identifier: Apache-2.0
"""MetricX for Tertium: JSON lines in, predictions out, through its own files."""

import json
import os
import subprocess
import sys
import tempfile

with tempfile.TemporaryDirectory() as folder:
    given, written = os.path.join(folder, "in.jsonl"), os.path.join(folder, "out.jsonl")
    with open(given, "w", encoding="utf-8") as file:
        file.writelines(line for line in sys.stdin if line.strip())
    files = ["--input_file", given, "--output_file", written]
    command = [sys.executable, "-m", "metricx24.predict", *sys.argv[1:], *files]
    # What it prints is not an answer.
    subprocess.run(command, check=True, stdout=sys.stderr)
    with open(written, encoding="utf-8") as file:
        for line in file:
            sys.stdout.write(f"{json.loads(line)['prediction']}\n")
