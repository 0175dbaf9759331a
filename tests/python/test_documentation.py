# SPDX-License-Identifier: Apache-2.0
"""docs/jax.md: its samples are what is printed, its tables are complete, its Python runs."""
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import pytest

import faults
import millrace
import millrace.__main__
import millrace.jax

HERE = pathlib.Path(__file__).parent
PAGE = (HERE.parents[1] / "docs/jax.md").read_text()


def blocks(language):
  return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.no_door
def test_the_sample_of_a_script_is_what_is_printed():
  command = [sys.executable, "-m", "millrace", "scripts/swallows.py", "swallow", "race.read-write", "faulty"]
  ran = subprocess.run(command, capture_output=True, text=True, cwd=HERE)
  (sample,) = blocks("text")
  assert ran.stderr == sample


@pytest.mark.no_door
def test_the_table_of_options_is_that_of_the_command():
  told = set(re.findall(r"^\| `(--[a-z-]+)", PAGE, re.M))
  there = {option for action in millrace.__main__.parser()._actions for option in action.option_strings
           if option.startswith("--")}
  assert told == there - {"--help"}


def test_the_python_in_it_runs(tmp_path, monkeypatch, capsys):
  """With a step that has a race, so that there is something to print."""
  monkeypatch.chdir(tmp_path)
  inside, marks = blocks("python")
  function, (x,) = faults.named("race.read-write").make(True)
  right, _ = faults.named("race.read-write").make(False)
  module = jax.jit(right).trace(x).lower(lowering_platforms=("tpu",)).as_text()
  (tmp_path / "kernel.mlirbc").write_text(module)
  names = {"step": lambda x, y: function(x) + y, "train": lambda n: right(x), "x": x, "y": jnp.ones_like(x)}
  # A call of its own, for the line that only shows the argument; the module takes one array.
  text = inside.replace("pl.pallas_call(..., ", "options_of(").replace("[x, y])", "[x])")
  names["options_of"] = lambda interpret: names.setdefault("given", interpret)
  exec(compile(text, "jax.md", "exec"), names)
  assert "race.read-write" in capsys.readouterr().out
  assert names["report"].ids == ("race.read-write",)
  assert (tmp_path / "out").is_dir()
  assert names["given"] == millrace.Params(schedule="lazy", on_finding="report")
  assert (names["outputs"][0] == right(x)).all()
  assert '@pytest.mark.millrace("race.read-write")' in marks
