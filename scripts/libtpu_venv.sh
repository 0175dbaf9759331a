#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with what tests/tpu/requirements.txt names: libtpu, the TPU compiler, under its owner's
# terms (docs/tpu.md), and two small PJRT plugins for CPUs, which the tests run. Quick where it is there already. Its
# last line on stdout is the path of libtpu.
#   scripts/libtpu_venv.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1

[[ $(uname -m) == x86_64 ]] || { echo "millrace: there is a libtpu for x86-64 only; this is $(uname -m)" >&2; exit 2; }
scripts/venv.sh "$venv" tests/tpu/requirements.txt "libtpu (700 MB)"
ls "$PWD/$venv"/lib/python3*/site-packages/libtpu/libtpu.so
