#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long checks, in the order of what they cost: the second compiler and its event streams, then the sanitizers.
#   scripts/soak.sh JOBS
# (Installing is part of every `make test`. Fuzzing and long explorations belong here once there are such.)
set -euo pipefail
cd "$(dirname "$0")/.."
jobs=$1

step() { echo "millrace soak: $* ($((SECONDS / 60)) min so far)" >&2; }

step "building with gcc and with clang"
scripts/build.sh --jobs "$jobs" release all
scripts/build.sh --jobs "$jobs" clang all

step "all tests under clang"
ctest --no-tests=error --output-on-failure --test-dir build-clang -j "$jobs"

step "event streams of gcc and clang, byte for byte"
scripts/compare_streams.sh build build-clang

step "all tests under the sanitizers"
make --no-print-directory test-asan JOBS="$jobs"
step "done"
