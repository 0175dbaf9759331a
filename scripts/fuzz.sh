#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds and runs the fuzzers of tests/fuzz under AddressSanitizer and UndefinedBehaviorSanitizer.
#   scripts/fuzz.sh --jobs N [--seconds S] [--seed K] [TARGET...]
# S seconds of wall clock for all targets together (default 120), N of them at a time. New inputs are kept under
# build-fuzz/kept; what Millrace does not survive lies in build-fuzz/found, and the exit status is then 1: give such a
# file a name, put it into tests/fuzz/corpus/TARGET, and mend its kind.
set -euo pipefail
cd "$(dirname "$0")/.."

jobs=2 seconds=120 seed=1 targets=()
while (($#)); do
  case $1 in
    --jobs) jobs=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --seed) seed=$2; shift 2 ;;
    --run-one) shift; break ;;
    -*) echo "usage: scripts/fuzz.sh --jobs N [--seconds S] [--seed K] [TARGET...]" >&2; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
say() { echo "millrace fuzz: $*" >&2; }
home=build-fuzz

# LLVM's libraries are built without sanitizers: a std::vector that crosses the border looks overrun when it is not.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:strict_string_checks=1
export UBSAN_OPTIONS=print_stacktrace=1

# A target has a share of the time for what hides behind it.
share_of() {
  case $1 in
    bytecode) echo 30 ;;
    text) echo 25 ;;
    stablehlo | call | case) echo 13 ;;
    *) echo 6 ;;
  esac
}

run_one() {
  local target=$1 time=$2 log=$home/log/$1 status=0
  local corpora=("$home/kept/$target" "$home/seeds/$target")
  if [[ -d tests/fuzz/corpus/$target ]]; then corpora+=("tests/fuzz/corpus/$target"); fi
  "$home/bin/fuzz_$target" "${corpora[@]}" -seed="$seed" -max_total_time="$time" -max_len=65536 -timeout=20 \
    -report_slow_units=20 -detect_leaks=0 -rss_limit_mb=3000 -malloc_limit_mb=2000 -print_final_stats=1 \
    -artifact_prefix="$home/found/$target-" >"$log" 2>&1 || status=$?
  local runs
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  say "$target: ${runs:-?} inputs in $time s, $(find "$home/kept/$target" -type f | wc -l) new ones kept, exit $status"
  if ((status)) || [[ -z $runs ]]; then
    echo "exit $status, see $log" >"$home/found/$target-status"  # also where it did not even begin
    grep -m 1 -E "ERROR|runtime error|terminate called|what\(\)" "$log" >&2 || tail -n 3 "$log" >&2
  fi
}

if (($#)); then run_one "$@"; exit 0; fi

if ((${#targets[@]} == 0)); then targets=(bytecode text stablehlo call case npy); fi
scripts/build.sh --jobs "$jobs" fuzz fuzzers
rm -rf "$home/found" "$home/seeds"
mkdir -p "$home/found" "$home/log"
"$home/bin/write_seeds" "$home/seeds"

total=0
for target in "${targets[@]}"; do
  mkdir -p "$home/kept/$target"
  total=$((total + $(share_of "$target")))
done
for target in "${targets[@]}"; do
  time=$((seconds * jobs * $(share_of "$target") / total))
  printf '%s\0%s\0' "$target" "$((time > 5 ? time : 5))"
done | xargs -0 -n 2 -P "$jobs" scripts/fuzz.sh --seed "$seed" --run-one

found=("$home"/found/*)
if [[ -e ${found[0]} ]]; then
  say "not survived: ${found[*]}"
  exit 1
fi
say "nothing found"
