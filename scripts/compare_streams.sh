#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fails where the event streams that two builds print differ in a byte, and shows the first difference.
#   scripts/compare_streams.sh BUILD_FOLDER OTHER_BUILD_FOLDER
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1/bin/streams" >"$scratch/first"
"$2/bin/streams" >"$scratch/second"
[[ -s $scratch/first ]] || { echo "compare_streams: $1/bin/streams printed nothing" >&2; exit 1; }
if ! cmp -s "$scratch/first" "$scratch/second"; then
  echo "compare_streams: the event streams of $1 and $2 differ:" >&2
  diff "$scratch/first" "$scratch/second" | cut -c 1-200 | head -n 10 >&2
  exit 1
fi
echo "compare_streams: $(wc -l <"$scratch/first") lines, equal byte for byte"
