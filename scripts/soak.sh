#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The long checks, each by its name or all of them in this order. A part that fails does not keep the others from
# running; the summary says how each one ended, and the exit status is 1 where one failed.
#   scripts/soak.sh [--jobs N] [--fuzz-seconds S] [PART...]
#   compilers   all tests under the second compiler, clang
#   streams     event streams and verdicts of gcc and clang, of one thread and two, byte for byte
#   install     installing, and a project of a user's that builds on it
#   sanitizers  all tests under AddressSanitizer and UndefinedBehaviorSanitizer
#   cases       every case folder under the sanitizers; $MILLRACE_CASES, if set, is a folder of more
#   mutation    every single edit of the clean kernels among the cases; the report is build/mutation.txt
#   random      random programs, on which race checkers, schedules and explorer must agree; 100,000, unless
#               RANDOM_PROGRAMS says otherwise
#   fuzz        the fuzzers of tests/fuzz, half an hour unless --fuzz-seconds says otherwise
set -euo pipefail
cd "$(dirname "$0")/.."

all=(compilers streams install sanitizers cases mutation random fuzz)
jobs=2 fuzz_seconds=1800 parts=()
while (($#)); do
  case $1 in
    --jobs) jobs=$2; shift 2 ;;
    --fuzz-seconds) fuzz_seconds=$2; shift 2 ;;
    *)
      if [[ " ${all[*]} " != *" $1 "* ]]; then echo "millrace soak: no part $1; there are ${all[*]}" >&2; exit 2; fi
      parts+=("$1")
      shift
      ;;
  esac
done
if ((${#parts[@]} == 0)); then parts=("${all[@]}"); fi

say() { echo "millrace soak: $*" >&2; }
tests() { ctest --no-tests=error --output-on-failure -j "$jobs" --test-dir "$@"; }
asan() {
  ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:strict_string_checks=1 \
    UBSAN_OPTIONS=print_stacktrace=1 "$@"
}

run_part() {
  case $1 in
    compilers)
      scripts/build.sh --jobs "$jobs" clang all
      tests build-clang
      ;;
    streams)
      scripts/build.sh --jobs "$jobs" release bin/streams bin/millrace
      scripts/build.sh --jobs "$jobs" clang bin/streams bin/millrace
      scripts/compare_streams.sh build build-clang
      ;;
    install)
      scripts/build.sh --jobs "$jobs" release all
      tests build -R '^install'
      ;;
    sanitizers)
      scripts/build.sh --jobs "$jobs" asan all
      asan tests build-asan
      ;;
    cases)
      scripts/build.sh --jobs "$jobs" asan bin/millrace
      asan build-asan/bin/millrace case tests/cases ${MILLRACE_CASES:+"$MILLRACE_CASES"} --jobs "$jobs" \
        >build-asan/cases.log || { grep -v '^passed' build-asan/cases.log >&2; exit 1; }
      ;;
    mutation)
      scripts/build.sh --jobs "$jobs" release bin/mutate_kernels
      build/bin/mutate_kernels tests/cases ${MILLRACE_CASES:+"$MILLRACE_CASES"} >build/mutation.txt
      sed -n '1,/^all/p; $p' build/mutation.txt >&2
      ;;
    random)
      scripts/build.sh --jobs "$jobs" release bin/random_programs
      build/bin/random_programs "${RANDOM_PROGRAMS:-100000}" >build/random.txt || { cat build/random.txt >&2; exit 1; }
      cat build/random.txt >&2
      ;;
    fuzz) scripts/fuzz.sh --jobs "$jobs" --seconds "$fuzz_seconds" ;;
  esac
}

summary=() failed=0
for part in "${parts[@]}"; do
  began=$SECONDS
  say "$part begins ($((SECONDS / 60)) min so far)"
  # A shell of its own: there `set -e` ends a part at its first failure.
  status=0
  "$BASH" -c "set -euo pipefail; $(declare -p jobs fuzz_seconds); $(declare -f tests asan run_part); run_part $part" ||
    status=$?
  if ((status)); then failed=1; fi
  summary+=("$part: $( ((status)) && echo "FAILED (exit $status)" || echo passed) in $(((SECONDS - began) / 60)) min \
$(((SECONDS - began) % 60)) s")
done
for line in "${summary[@]}"; do say "$line"; done
exit "$failed"
