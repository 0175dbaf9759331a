# SPDX-License-Identifier: Apache-2.0
"""Runs the cells of a notebook as Jupyter would, without Jupyter, and can write what they give back into it.

  python tests/python/notebook.py NOTEBOOK      runs it and writes its outputs
"""
import ast
import contextlib
import io
import json
import sys


def outputs_of(source, number, names):
  """What one cell prints, and the value of its last expression."""
  tree = ast.parse(source)
  last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
  file, printed, value = f"<cell {number}>", io.StringIO(), None
  with contextlib.redirect_stdout(printed):
    exec(compile(tree, file, "exec"), names)
    if last:
      value = eval(compile(ast.Expression(last.value), file, "eval"), names)
  outputs = []
  if printed.getvalue():
    outputs.append({"name": "stdout", "output_type": "stream", "text": printed.getvalue().splitlines(True)})
  if value is not None:
    data = {"text/plain": repr(value).splitlines(True)}
    if hasattr(value, "_repr_html_"):
      data["text/html"] = value._repr_html_().splitlines(True)
    outputs.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
  return outputs, value


def run(notebook):
  """The outputs of its code cells, in their order, and the values of their last expressions."""
  names, outputs, values = {"__name__": "__main__"}, [], []
  for cell in notebook["cells"]:
    if cell["cell_type"] == "code":
      output, value = outputs_of("".join(cell["source"]), len(outputs) + 1, names)
      outputs.append(output)
      values.append(value)
  return outputs, values


def main():
  path = sys.argv[1]
  with open(path, encoding="utf-8") as file:
    notebook = json.load(file)
  outputs, _ = run(notebook)
  code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
  for number, (cell, output) in enumerate(zip(code, outputs), 1):
    cell["outputs"], cell["execution_count"] = output, number
  with open(path, "w", encoding="utf-8") as file:
    json.dump(notebook, file, indent=1, ensure_ascii=False)
    file.write("\n")


if __name__ == "__main__":
  main()
