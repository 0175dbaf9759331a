#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Formats every C++ file of the project, or with --check fails where one is not formatted. The version is pinned: each
# clang-format has its own taste.
set -euo pipefail
cd "$(dirname "$0")/.."

folders=()
for folder in include src tests examples bench; do [[ -d $folder ]] && folders+=("$folder"); done
list() { find "${folders[@]}" -type f \( -name '*.h' -o -name '*.cpp' \) -print0 | sort -z; }

if [[ ${1:-} == --check ]]; then
  # clang-format's own complaints run to pages; the names are enough.
  unformatted=$(list | xargs -0 -r clang-format-14 --dry-run -Werror 2>&1 |
    sed -n 's/:[0-9]*:[0-9]*: error: .*//p') || true
  [[ -n $unformatted ]] || exit 0
  sort -u <<<"$unformatted" >&2
  echo "millrace: the files above are not formatted; type: make format" >&2
  exit 1
fi
list | xargs -0 -r clang-format-14 -i
