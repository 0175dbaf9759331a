#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails where what two builds print differs in a byte, and shows the first difference: the event streams of bin/streams,
# and of every kept case the verdict as text, as JSON (without the seconds), as SARIF, and explored; on one thread and
# on two.
#   scripts/compare_streams.sh BUILD_FOLDER OTHER_BUILD_FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

without_seconds() { sed '/^  "seconds": {$/,/^  }/d'; }

# A folder's status is part of what is compared; what a check says on stderr too.
verdicts() {
  local millrace=$1/bin/millrace folder
  for folder in tests/cases/*/*/; do
    [[ -f $folder/case.json ]] || continue
    echo "== $folder"
    { "$millrace" check "$folder" --why-wait --sarif "$scratch/sarif" || echo "exit $?"; } 2>&1
    cat "$scratch/sarif" 2>/dev/null || true
    rm -f "$scratch/sarif"
    { "$millrace" check "$folder" --explore --json || echo "exit $?"; } 2>&1 | without_seconds
  done
}

compare() {
  local what=$1
  [[ -s $scratch/first ]] || { echo "compare_streams: nothing was printed" >&2; exit 1; }
  if ! cmp -s "$scratch/first" "$scratch/second"; then
    echo "compare_streams: $what differ:" >&2
    diff "$scratch/first" "$scratch/second" | cut -c 1-200 | head -n 10 >&2
    exit 1
  fi
  echo "compare_streams: $what: $(wc -l <"$scratch/first") lines, equal byte for byte"
}

"$1/bin/streams" >"$scratch/first"
"$2/bin/streams" >"$scratch/second"
compare "the event streams of $1 and $2"
verdicts "$1" >"$scratch/first"
verdicts "$2" >"$scratch/second"
compare "the verdicts of $1 and $2"
"$1/bin/millrace" case tests/cases --json --jobs 1 >"$scratch/first"
"$1/bin/millrace" case tests/cases --json --jobs 2 >"$scratch/second"
compare "one thread and two of $1"
