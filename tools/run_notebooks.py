"""Run the notebooks of ``examples`` and keep their outputs: ``python tools/run_notebooks.py [NAME ...]``.

Each notebook runs from the top in a new process and an empty folder. With ``--check`` or ``--only-run``,
nothing is written. A cell that fails is an error, and with ``--check`` so is text that differs from the text
that is kept in the notebook.
"""

from __future__ import annotations

import difflib
import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
#: Seconds that one cell may take.
PATIENCE = 300
#: Text is 100 characters wide. Frames have no types and shapes, a third of the lines of a small frame.
SHOWN = {
    "COLUMNS": "100",
    "POLARS_FMT_MAX_COLS": "12",
    "POLARS_FMT_MAX_ROWS": "12",
    "POLARS_FMT_STR_LEN": "80",
    "POLARS_FMT_TABLE_HIDE_COLUMN_DATA_TYPES": "1",
    "POLARS_FMT_TABLE_HIDE_DATAFRAME_SHAPE_INFORMATION": "1",
}
#: Notebooks with a program that logs to the standard error. Logs differ from run to run, and are not kept.
WITH_LOGS = {"spark"}


def run(notebook: NotebookNode, has_log: bool) -> NotebookNode:
    """Return a copy of a notebook with new outputs, numbered cells and no traces of when it ran."""
    done = nbformat.from_dict(notebook)
    for cell in done.cells:
        cell.pop("outputs", None)
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    with TemporaryDirectory() as folder:
        client = NotebookClient(
            done,
            timeout=PATIENCE,
            resources={"metadata": {"path": folder}},
            record_timing=False,
            # On a busy machine, a line and its end arrive one by one.
            coalesce_streams=True,
        )
        # Cells may call the commands of this environment.
        commands = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        client.execute(env=os.environ | SHOWN | {"PATH": commands})
    for number, cell in enumerate(done.cells):
        cell.id = f"cell-{number}"
        # Tables are kept as text alone, and pictures as PNG: viewers such as GitHub's remove SVG from HTML.
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("text/html", None)
        if has_log and cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if output.get("name") != "stderr"]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    done.metadata = nbformat.from_dict({"kernelspec": kernel, "language_info": {"name": "python"}})
    return done


def text(notebook: NotebookNode) -> list[str]:
    """List the lines of text that the cells of a notebook print or show. Pictures have none."""
    lines: list[str] = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            shown = output.get("data", {})
            if "image/png" not in shown:
                lines += shown.get("text/plain", output.get("text", "")).splitlines()
    return lines


def main() -> None:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="a notebook, without its ending; default: all"
    )
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--check", action="store_true", help="compare the outputs, and write nothing")
    either.add_argument("--only-run", action="store_true", help="write and compare nothing")
    arguments = parser.parse_args()
    names = arguments.names or sorted(path.stem for path in EXAMPLES.glob("*.ipynb"))
    different = False
    for name in names:
        path = EXAMPLES / f"{name}.ipynb"
        kept = nbformat.read(path, as_version=4)
        new = run(kept, name in WITH_LOGS)
        if not arguments.check and not arguments.only_run:
            nbformat.write(new, path)
        elif arguments.check and text(new) != text(kept):
            different = True
            sys.stderr.writelines(
                f"{line}\n" for line in difflib.unified_diff(text(kept), text(new), "kept", name, lineterm="")
            )
    sys.exit(different)


if __name__ == "__main__":
    main()
