#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with the JAX of tests/jax/requirements.txt, pytest and Millrace in it, around a
# libmillrace_c.so that is built already. The last line on stdout is the path of its python.
#   scripts/python_env.sh FOLDER LIBRARY
set -euo pipefail
cd "$(dirname "$0")/.."
venv=$1 library=$(realpath "$2")
extras=tests/python/requirements.txt

scripts/jax_venv.sh "$venv"
pip=("$venv/bin/pip" --quiet --disable-pip-version-check)
if ! cmp -s "$extras" "$venv/extras.txt"; then
  "${pip[@]}" install --only-binary :all: -r "$extras" >&2
  cp "$extras" "$venv/extras.txt"
fi

# Anew where anything of the package has changed: pip copies it.
stamp=$(cat "$library" pyproject.toml $(find python -name '*.py' | sort) | sha256sum)
if [[ $stamp != "$(cat "$venv/millrace.txt" 2>/dev/null)" ]]; then
  "${pip[@]}" install --no-deps --no-build-isolation --force-reinstall \
    -C cmake.define.MILLRACE_PREBUILT="$library" -C build-dir="$venv/wheel" . >&2
  echo "$stamp" >"$venv/millrace.txt"
fi
realpath -s "$venv/bin/python"
