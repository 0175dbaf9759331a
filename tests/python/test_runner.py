# SPDX-License-Identifier: Apache-2.0
"""python -m millrace: the script as it is, what was found on stderr at the end, and in the exit code."""
import json
import os
import pathlib
import re
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


def data_of(page):
  return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', page, re.S)[1])


def test_a_report_is_a_page_a_call_and_a_table_of_them(tmp_path):
  ran = millrace("--report", tmp_path / "out", SCRIPTS / "swallows.py", "drop", "race.read-write", "faulty")
  assert ran.returncode == 1
  assert ran.stderr.endswith("index.html\n")
  line = next(n for n, text in enumerate((SCRIPTS / "swallows.py").read_text().splitlines(), 1) if "sort(" in text)
  name = f"kernel-swallows.py-{line}.html"
  assert {f.name for f in (tmp_path / "out").iterdir()} == {"index.html", name}
  table = (tmp_path / "out/index.html").read_text()
  assert f'href="{name}"' in table and "race.read-write" in table and "1 error" in table
  page = (tmp_path / "out" / name).read_text()
  data = data_of(page)
  fault = faults.named("race.read-write")
  assert [f["id"] for f in data["check"]["findings"]] == ["race.read-write"]
  assert [f["id"] for f in data["timeline"]["faults"]] == ["race.read-write"]
  file, _, number = fault.places[0].rpartition(":")
  source = next(lines for name, lines in data["sources"].items() if name.endswith(file))
  assert source[number] == pathlib.Path(faults.__file__).read_text().splitlines()[int(number) - 1]
  assert data["title"].startswith("kernel, called at ")
  assert str(pathlib.Path(__file__).parent) not in page and str(tmp_path) not in page


def test_clean_kernels_have_reports_too_of_their_first_runs(tmp_path):
  ran = millrace("--report", tmp_path / "out", SCRIPTS / "lesson.py")
  assert (ran.returncode, ran.stdout) == (0, "backend: cpu\nendpoints: -1.75 2.25\n")
  pages = sorted((tmp_path / "out").glob("*-*.html"))
  assert [data_of(p.read_text())["check"]["verdict"] for p in pages] == ["clean", "clean"]
  assert all(data_of(p.read_text())["timeline"]["lanes"] for p in pages)


def test_the_scripts_own_exit_code_and_arguments_are_kept(tmp_path):
  script = tmp_path / "script.py"
  script.write_text("import sys\nprint(sys.argv[1:], __name__)\nsys.exit(7)\n")
  ran = millrace(script, "a", "--b")
  assert (ran.returncode, ran.stdout) == (7, "['a', '--b'] __main__\n")
  assert ran.stderr == "millrace: no TPU kernel ran\n"


@pytest.mark.parametrize("args, code, said", [
    (("--report", __file__, __file__), 2, f"{os.path.abspath(__file__)} cannot be made a folder of reports"),
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
