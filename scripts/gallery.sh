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
cp "$lesson/timeline-narrow.svg" "$folder/lesson-narrow.svg"
cp "$lesson/figures.svg" "$folder/tiles.svg"
cp "$lesson/figures-narrow.svg" "$folder/tiles-narrow.svg"

# Each for a page, and for a phone.
draw() {
  "$millrace" view "$2" --svg "$folder/$1.svg"
  "$millrace" view "$2" --svg "$folder/$1-narrow.svg" --width 390
}
draw flash-attention own/fa_alibi
draw softmax ../data/kernels/softmax_rows
draw cross-entropy kernels_small/cross_entropy
draw race-slot-rewritten faults_small/slot_rewritten_under_store
draw race-one-semaphore faults_small/kv_share_one_semaphore
draw race-next-slot faults_small/other_slot_read_in_flight
draw deadlock faults_small/dma_awaited_twice
draw deadlock-two-cores two_cores/each_core_waits_for_the_other

# Tiles of a larger matrix, with more shapes and slots than the lesson has.
shapes=(--block 8x128 --block 16x128 --block 16x256 --block 64x256 --block 128x128 --block 128x512)
more_tiles() {
  "$millrace" tiles --shape 1000x777 "${shapes[@]}" --buffers 2,3,4 --svg "$folder/$1.svg" "${@:2}" >/dev/null
}
more_tiles more-tiles
more_tiles more-tiles-narrow --width 390
