#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with what tests/tpu/requirements.txt names: libtpu, the TPU compiler, under its owner's
# terms (docs/tpu.md), and two small PJRT plugins for CPUs, which the tests run. Quick where it is there already. Its
# last line on stdout is the path of libtpu.
#   scripts/libtpu_venv.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1
wanted=tests/tpu/requirements.txt

library() { ls "$PWD/$venv"/lib/python3*/site-packages/libtpu/libtpu.so; }

if ! cmp -s "$wanted" "$venv/requirements.txt"; then
  python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/setup.sh jax
  [[ $(uname -m) == x86_64 ]] ||
    { echo "millrace: there is a libtpu for x86-64 only; this is $(uname -m)" >&2; exit 2; }
  echo "millrace: installing libtpu (700 MB) into $venv (once)" >&2
  rm -rf "$venv"
  python3 -m venv "$venv"
  # Nothing beyond the list.
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r "$wanted"
  cp "$wanted" "$venv/requirements.txt"  # last, so that a broken installation is made anew
fi
library
