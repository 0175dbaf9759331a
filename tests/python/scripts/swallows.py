# SPDX-License-Identifier: Apache-2.0
"""A faulty kernel whose error nobody sees: swallowed with "swallow", never read with "drop", not caught with
"raise"."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import faults
import jax

function, args = faults.named(sys.argv[2]).make(sys.argv[3] == "faulty")
how = sys.argv[1]
if how == "swallow":
  try:
    jax.block_until_ready(function(*args))
  except jax.errors.JaxRuntimeError:
    pass
elif how == "drop":
  kept = jax.jit(lambda x: function(jax.numpy.sort(x)))(args[0])
else:
  jax.block_until_ready(function(*args))
print("the script ends")
