# SPDX-License-Identifier: Apache-2.0
"""What other compilers than GCC and Clang compile gives the same results."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

CORE = Path(__file__).resolve().parents[2] / "core"

# Prints what four doubles and eight 16-bit numbers at a time compute on random data.
PROGRAM = """
#include <cstdio>
#include <random>
#include <vector>

#include "base/lanes.hpp"
#include "tuning/roof.hpp"

int main() {
  std::mt19937_64 random(12345);
  for (std::size_t n = 1; n < 120; n += 1 + n / 8) {
    std::vector<double> offsets(n), slopes(n);
    for (auto& x : offsets) x = static_cast<double>(random() % 1000) / 10;
    for (auto& x : slopes) x = static_cast<double>(random() % 100) / 7 - 5;
    std::vector<std::uint8_t> marks(n);
    tertium::mark_candidates(offsets, slopes, marks.data());
    for (const auto mark : marks) std::putchar('0' + mark);
    std::putchar('\\n');
  }
  using tertium::Lanes;
  const auto show = [](Lanes lanes) {
    std::int16_t numbers[tertium::kLanes];
    lanes.store(numbers);
    for (const int number : numbers) std::printf("%d ", number);
    std::putchar('\\n');
  };
  for (int round = 0; round < 20; ++round) {
    std::int16_t a[8], b[8];
    std::uint16_t at[8];
    for (int i = 0; i < 8; ++i) {
      a[i] = static_cast<std::int16_t>(random() % 9);
      b[i] = static_cast<std::int16_t>(random() % 9);
      at[i] = static_cast<std::uint16_t>(random() % 8);
    }
    const Lanes x = Lanes::load(a), y = Lanes::load(b);
    for (const Lanes z : {max(x, y), x + y, x - y, x & y, x | y}) show(z);
    for (const Lanes z : {without(x, y), equal(x, y), x.last()}) show(z);
    for (const Lanes z : {x.prefix_max(), Lanes::all(a[3])}) show(z);
    show(Lanes::gather(a, at));
  }
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_plain_loops_equal_the_vectors_of_the_compiler(tmp_path):
    source = tmp_path / "main.cpp"
    source.write_text(PROGRAM, encoding="utf-8")
    outputs = []
    for name, options in (
        ("native", []),
        ("vectors", ["-DTERTIUM_GENERIC_LANES"]),
        ("plain", ["-DTERTIUM_GENERIC_LANES", "-DTERTIUM_STANDARD_ONLY"]),
    ):
        program = tmp_path / name
        files = [str(source), str(CORE / "tuning" / "roof.cpp")]
        command = ["c++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        subprocess.run(
            [
                *command,
                "-ffp-contract=off",
                f"-I{CORE}",
                *options,
                *files,
                "-o",
                program,
            ],
            check=True,
        )
        done = subprocess.run([program], capture_output=True, check=True)
        outputs.append(done.stdout)
    assert outputs[0].count(b"\n") > 200
    assert outputs[0] == outputs[1] == outputs[2]


def test_kernels_use_extensions_of_compilers_in_one_place_only():
    for path in sorted(CORE.glob("*/*.?pp")):
        text = path.read_text(encoding="utf-8")
        if path.parent.name == "base" and path.stem in ("clones", "compiler"):
            continue
        allowed = {"lanes", "doubles"}  # behind TERTIUM_VECTORS
        for word in ("__attribute__", "__builtin_", "__int128", "__typeof", "unistd.h"):
            assert word not in text or path.stem in allowed, f"{path}: {word}"
