#!/usr/bin/env bash
# Build the core with the address and undefined sanitizers into a folder of its
# own and run the kernel tests against it, or only those that are named.
#
#     tools/sanitize.sh .venv/bin/python [TESTS]
set -euo pipefail
cd "$(dirname "$0")/.."
python=$1
target=build/sanitize

rm -rf "$target"
SKBUILD_CMAKE_BUILD_TYPE=Debug SKBUILD_BUILD_DIR=build/sanitize-objects \
  SKBUILD_CMAKE_DEFINE='TERTIUM_SANITIZE=ON;TERTIUM_WERROR=ON' \
  "$python" -m pip install -q --no-deps --no-build-isolation --target "$target" .

# Python frees little of its own at exit, so leaks are not looked for.
export ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
LD_PRELOAD="$(c++ -print-file-name=libasan.so) $(c++ -print-file-name=libubsan.so)" \
  exec "$python" tools/sanitized.py "$target" "${@:2}"
