# SPDX-License-Identifier: Apache-2.0
"""python -m millrace: the script as it is, what was found on stderr at the end, and in the exit code."""
import json
import os
import pathlib
import subprocess
import sys

import faults
import pytest

SCRIPTS = pathlib.Path(__file__).with_name("scripts")

pytestmark = pytest.mark.no_door


def millrace(*args, **options):
  return subprocess.run([sys.executable, "-m", "millrace", *map(str, args)], capture_output=True, text=True, **options)


def test_a_script_runs_unchanged_and_stderr_says_what_was_checked_where():
  ran = millrace(SCRIPTS / "lesson.py")
  assert ran.returncode == 0, ran.stderr
  assert ran.stdout == "backend: cpu\nendpoints: -1.75 2.25\n"
  assert ran.stderr == "millrace: 2 kernels ran 8 times on a simulated v5e: clean\n"


@pytest.mark.parametrize("how", ["swallow", "drop"])
def test_a_finding_is_in_the_exit_code_though_the_script_did_not_see_it(how, tmp_path):
  ran = millrace("--json", tmp_path / "found.json", SCRIPTS / "swallows.py", how, "race.read-write", "faulty")
  assert ran.stdout == "the script ends\n"
  assert ran.returncode == 1
  assert ran.stderr.count("error[race.read-write]") == 1
  assert faults.named("race.read-write").places[0] in ran.stderr
  assert "buf[0:8, 0:128]" in ran.stderr
  assert ran.stderr.endswith("1 kernel ran 1 time on a simulated v5e: 1 error\n")
  found = json.loads((tmp_path / "found.json").read_text())
  assert found["verdict"] == "faulty"
  assert [f["id"] for c in found["calls"] for f in c["findings"]] == ["race.read-write"]


def test_an_error_that_ends_the_script_is_told_once():
  ran = millrace(SCRIPTS / "swallows.py", "raise", "deadlock", "faulty")
  assert ran.returncode == 1
  assert ran.stdout == ""
  assert ran.stderr.count("error[deadlock]") == 1
  assert "swallows.py" in ran.stderr and "runpy" not in ran.stderr


def test_the_scripts_own_exit_code_and_arguments_are_kept(tmp_path):
  script = tmp_path / "script.py"
  script.write_text("import sys\nprint(sys.argv[1:], __name__)\nsys.exit(7)\n")
  ran = millrace(script, "a", "--b")
  assert (ran.returncode, ran.stdout) == (7, "['a', '--b'] __main__\n")
  assert ran.stderr == "millrace: no TPU kernel ran\n"


@pytest.mark.parametrize("args, code, said", [
    (("--report", "out", "script.py"), 3, "--report: this build writes no HTML report"),
    (("nowhere.py",), 2, "nowhere.py is no file"),
    (("--chip", "v1", __file__), 2, "there is no chip 'v1' here"),
])
def test_what_cannot_be_is_refused_in_a_line(args, code, said):
  ran = millrace(*args)
  assert ran.returncode == code
  assert ran.stderr.startswith(f"millrace: {said}") and ran.stderr.count("\n") == 1


def test_a_program_that_installs_the_door_itself_tells_at_its_end_what_nobody_read(tmp_path):
  program = tmp_path / "program.py"
  program.write_text("import millrace.jax\nmillrace.jax.install()\n" + (SCRIPTS / "swallows.py").read_text()
                     .replace("__file__", repr(str(SCRIPTS / "swallows.py"))))
  run = lambda kind: subprocess.run([sys.executable, program, "drop", "race.read-write", kind], capture_output=True,
                                    text=True, env={**os.environ, "JAX_PLATFORMS": "cpu"})
  assert run("faulty").stderr.count("error[race.read-write]") == 1
  assert run("right").stderr == ""


def test_importing_millrace_imports_neither_jax_nor_numpy():
  code = "import sys, millrace; print(millrace.version(), sorted({'jax', 'numpy'} & set(sys.modules)))"
  ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
  assert ran.stdout == "0.1.0 []\n", ran.stderr
