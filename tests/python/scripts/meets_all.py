# SPDX-License-Identifier: Apache-2.0
"""Calls a faulty kernel of each finding, one after the other, and lets none of their errors end it."""
import contextlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import faults
import faults_of_rules
import jax

for fault in faults.ALL:
  function, args = fault.make(True)
  with contextlib.suppress(jax.errors.JaxRuntimeError):
    jax.block_until_ready(function(*args))
print("the script ends")
