#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs case folders and holds the result against disputed.txt: those it names must fail, all others pass.
#   tests/cases/run_disputed.sh MILLRACE FOLDER
set -euo pipefail
if [[ ! -d $2 ]]; then echo "$2 is not there: nothing to run"; exit 0; fi
here=$(cd "$(dirname "$0")" && pwd)
disputed=$(sed -n 's/^\([a-z0-9_]*\):.*/\1/p' "$here/disputed.txt")
result=$("$1" case "$2" --jobs 2 || true)
echo "$result" | grep -v '^passed ' || true
[[ $(tail -1 <<<"$result") =~ ^[0-9]+\ passed ]] || { echo "no summary: the run broke off"; exit 1; }
wrong=0
while read -r name; do
  grep -qx "$name" <<<"$disputed" || { echo "fails: $name"; wrong=1; }
done < <(sed -n 's/^FAILED \([^:]*\):.*/\1/p' <<<"$result")
for name in $disputed; do
  ! grep -qx "passed $name" <<<"$result" || { echo "no longer disputed: $name"; wrong=1; }
done
exit $wrong
