#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with the JAX of tests/jax/requirements.txt. Quick where it is there already.
#   scripts/jax_venv.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1
wanted=tests/jax/requirements.txt

if cmp -s "$wanted" "$venv/requirements.txt"; then exit 0; fi
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/setup.sh jax
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  { echo "millrace: JAX 0.9.2 needs Python 3.11 or newer; this is $(python3 --version)" >&2; exit 2; }
echo "millrace: installing JAX into $venv (once)" >&2
rm -rf "$venv"
python3 -m venv "$venv"
# Nothing beyond the list: what it pulls in is in the list.
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r "$wanted"
cp "$wanted" "$venv/requirements.txt"  # last, so that a broken installation is made anew
