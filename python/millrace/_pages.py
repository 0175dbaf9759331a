# SPDX-License-Identifier: Apache-2.0
"""The folder of reports: an HTML page for each call, which the library writes, and a table of them."""
import html
import os
import pathlib

from millrace import _report
from millrace._report import MillraceError

INDEX = "index.html"

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="color-scheme" content="light dark">
<title>{title}: Millrace reports</title>
<style>
body {{ font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }}
th, td {{ border-bottom: 1px solid #8886; padding: .4rem 1rem .4rem 0; text-align: left; vertical-align: top; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{summary}. Simulated, not measured.</p>
<table>
<thead><tr><th>Kernel</th><th>Called at</th><th>Runs</th><th>Found</th></tr></thead>
<tbody>
{rows}</tbody>
</table>
</body>
</html>
"""


def write_whole(path, text):
  """Completely or not at all."""
  temporary = f"{path}.part"
  with open(temporary, "w", encoding="utf-8") as file:
    file.write(text)
  os.replace(temporary, path)


def write(folder, name, page):
  """The page of a kernel that was run by itself; its path."""
  path = pathlib.Path(folder) / f"{''.join(c if c.isalnum() or c in '._' else '-' for c in name) or 'kernel'}.html"
  try:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, page)
  except OSError as error:
    raise MillraceError(2, f"{path} cannot be written: {error.strerror}") from None
  return str(path)


def _found(call):
  ids = list(dict.fromkeys(f.id for f in call.findings)) + [_report.KINDS[e["code"]] for e in call.errors]
  return ", ".join(ids) or ("nothing" if call.check != "none" else "not looked")


def _row(call):
  name = html.escape(call.kernel)
  if call.page:
    name = f'<a href="{html.escape(os.path.basename(call.page))}">{name}</a>'
  place = html.escape(call.called_at[0] if call.called_at else call.kernel_at)
  return f"<tr><td>{name}</td><td>{place}</td><td>{call.runs}</td><td>{html.escape(_found(call))}</td></tr>\n"


def write_index(folder, title, report):
  """The table of a program's calls; its path."""
  path = os.path.join(folder, INDEX)
  write_whole(path, _PAGE.format(title=html.escape(title), summary=html.escape(_report.summary(report)),
                                 rows="".join(map(_row, report.calls))))
  return path
