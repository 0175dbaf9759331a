#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment of what a list of requirements names and nothing else. Quick where it is there already.
#   scripts/venv.sh FOLDER REQUIREMENTS WHAT     WHAT: for the message, "JAX"
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 wanted=$2 what=$3

if cmp -s "$wanted" "$venv/requirements.txt"; then exit 0; fi
python3 -c 'import ensurepip, venv' 2>/dev/null || scripts/setup.sh jax
python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
  { echo "millrace: $what needs Python 3.11 or newer; this is $(python3 --version)" >&2; exit 2; }
echo "millrace: installing $what into $venv (once)" >&2
rm -rf "$venv"
python3 -m venv "$venv"
# Nothing beyond the list: what it pulls in is in the list.
"$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps --only-binary :all: -r "$wanted"
cp "$wanted" "$venv/requirements.txt"  # last, so that a broken installation is made anew
