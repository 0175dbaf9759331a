#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Draws the pictures of docs/gallery anew: the lesson's schedules and tiles, a few kernels, races and a deadlock.
#   scripts/gallery.sh MILLRACE FOLDER
set -euo pipefail
[[ $# -eq 2 ]] || { echo "usage: scripts/gallery.sh MILLRACE FOLDER" >&2; exit 2; }
millrace=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/../tests/cases"

lesson=$(mktemp -d)
trap 'rm -rf "$lesson"' EXIT
"$millrace" lab --out "$lesson" >"$lesson/printed" || { cat "$lesson/printed" >&2; exit 1; }
cp "$lesson/timeline.svg" "$folder/lesson.svg"
cp "$lesson/figures.svg" "$folder/tiles.svg"

draw() { "$millrace" view "$2" --svg "$folder/$1.svg"; }
draw flash-attention own/fa_alibi
draw softmax ../data/kernels/softmax_rows
draw cross-entropy kernels_small/cross_entropy
draw race-slot-rewritten faults_small/slot_rewritten_under_store
draw race-one-semaphore faults_small/kv_share_one_semaphore
draw race-next-slot faults_small/other_slot_read_in_flight
draw deadlock faults_small/dma_awaited_twice
draw deadlock-two-cores two_cores/each_core_waits_for_the_other
