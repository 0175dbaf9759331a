#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Configures a preset of CMakePresets.json where that is still to do, and builds targets of it.
#   scripts/build.sh --jobs N PRESET TARGET...
# Everything it says goes to stderr: stdout belongs to whatever runs afterwards.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ $# -ge 4 && $1 == --jobs ]] || { echo "usage: scripts/build.sh --jobs N PRESET TARGET..." >&2; exit 2; }
jobs=$2 preset=$3
shift 3
folder=build
[[ $preset == release ]] || folder=build-$preset

if [[ ! -f $folder/build.ninja ]]; then
  mkdir -p "$folder"
  if ! cmake --preset "$preset" >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    echo "millrace: configuring $folder/ failed (the log above is $folder/configure.log)" >&2
    exit 1
  fi
fi

# Where nobody watches, one line for a build that does something; nothing for the usual one that has little to do.
quiet=()
if [[ ! -t 2 ]]; then
  quiet=(--quiet)
  steps=$(ninja -C "$folder" -n "$@" 2>/dev/null | grep -c '^\[' || true)
  if ((steps > 4)); then echo "millrace: building in $folder/, $steps steps with $jobs jobs" >&2; fi
fi
exec ninja -C "$folder" -j "$jobs" "${quiet[@]}" "$@" >&2
