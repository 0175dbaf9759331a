# SPDX-License-Identifier: Apache-2.0
"""The shared library beside the package: it shows what include/millrace/c_api.h names, and nothing else."""
import os
import pathlib
import re
import shutil
import subprocess

import pytest

from millrace import _library

pytestmark = pytest.mark.no_door

HEADER = pathlib.Path(__file__).resolve().parents[2] / "include/millrace/c_api.h"


@pytest.mark.skipif(not shutil.which("nm"), reason="no nm here")
def test_it_shows_the_functions_of_its_header_and_nothing_else():
  shown = subprocess.run(["nm", "-D", "--defined-only", _library.path()], capture_output=True, text=True, check=True)
  named = re.findall(r"^MILLRACE_C_API .*?(millrace_\w+)\(", HEADER.read_text(), re.M)
  assert len(named) > 15
  assert {line.split()[2] for line in shown.stdout.splitlines()} == set(named)


def test_it_is_small_enough_to_be_installed_everywhere():
  assert os.path.getsize(_library.path()) < 60e6
