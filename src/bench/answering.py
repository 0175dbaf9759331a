# SPDX-License-Identifier: Apache-2.0
"""A program that answers on its standard output, a line for a line, as peer.h asks."""
import os
import sys


def answer(who, commands):
  """Says `hello WHO`, then to each line `WORD ARGUMENT...` what commands[WORD](ARGUMENT...) returns, until there are no
  more lines; `error SENTENCE` for whatever goes wrong."""
  answers = os.fdopen(os.dup(1), "w")
  os.dup2(2, 1)  # whatever else is printed must not be taken for an answer
  print("hello", who, file=answers, flush=True)
  for line in sys.stdin:
    try:
      what, *rest = line.split()
      said = commands[what](*rest)
    except Exception as error:
      said = f"error {type(error).__name__}: {' '.join(str(error).split())}"
    print(said, file=answers, flush=True)
