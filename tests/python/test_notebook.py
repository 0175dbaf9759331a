# SPDX-License-Identifier: Apache-2.0
"""The notebook of examples/: it runs, shows a race and its mend with pictures, and holds what it really gives."""
import json
import pathlib

import pytest

import notebook

pytestmark = pytest.mark.no_door

PATH = pathlib.Path(__file__).resolve().parents[2] / "examples/jax_race.ipynb"


def words_of(outputs):
  """Without the pictures, which may be drawn better one day."""
  return ["".join(o.get("text", o.get("data", {}).get("text/html", []))).partition("<svg")[0] for o in outputs]


def test_the_notebook_shows_a_race_and_its_mend_and_holds_what_it_gives():
  stored = json.loads(PATH.read_text())
  outputs, values = notebook.run(stored)
  faulty, mended = values[2], values[3]
  assert set(faulty.ids) == {"race.read-write"} and {f.memory for f in faulty} == {"buf"}
  assert list(mended) == []
  for report in (faulty, mended):
    assert report.calls[0].svg.startswith("<svg") and report.calls[0].svg in report._repr_html_()
  kept = [cell["outputs"] for cell in stored["cells"] if cell["cell_type"] == "code"]
  assert list(map(words_of, kept)) == list(map(words_of, outputs)), \
      "type: python tests/python/notebook.py examples/jax_race.ipynb"
