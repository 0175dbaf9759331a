#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes a virtual environment with the JAX of tests/jax/requirements.txt. Quick where it is there already.
#   scripts/jax_venv.sh FOLDER
set -euo pipefail
exec "$(dirname "$0")/venv.sh" "$1" tests/jax/requirements.txt "JAX 0.9.2"
