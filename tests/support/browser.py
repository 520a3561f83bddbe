"""Pages in a headless browser that has no access to the network."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from html import escape, unescape
from typing import TYPE_CHECKING, Any

from support.skipping import skip_unless_ci

if TYPE_CHECKING:
    from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# The page, unchanged, in a frame of a given width. The value of the expression replaces the text around the
# frame.
_FRAME = """<!doctype html>
<meta charset="utf-8">
<iframe style="width: {width}px; height: 900px; border: 0" {source}="{page}"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument;
  const box = (element) => element.getBoundingClientRect().toJSON();
  const found = ({expression});
  document.body.textContent = "{{" + JSON.stringify(found) + "}}";
}});
</script>
"""


def dump(path: Path, *flags: str) -> str:
    """Open a file, and return its DOM after all scripts. A message on the console fails the test."""
    browser = next(filter(None, map(shutil.which, _NAMES)), None) or skip_unless_ci("there is no Chromium")
    done = subprocess.run(
        [
            browser,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            "--enable-logging=stderr",
            "--virtual-time-budget=5000",
            f"--user-data-dir={path.parent / 'profile'}",
            *flags,
            "--dump-dom",
            path.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def ask(page: str | Path, expression: str, folder: Path, width: int = 1200, dark: bool = False) -> Any:
    """Show a page at a width, and return the value of an expression over `page` and `box(element)`.

    The page is its text, or the path of a file with others beside it.
    """
    frame = folder / "frame.html"
    source, shown = ("srcdoc", page) if isinstance(page, str) else ("src", page.as_uri())
    text = _FRAME.format(source=source, page=escape(shown), width=width, expression=expression)
    frame.write_text(text, encoding="utf-8")
    # The frame may look into a page of another file.
    flags = [f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--allow-file-access-from-files"]
    dom = dump(frame, *flags)
    found = re.search(r"<body>\{(.*)\}", dom, re.DOTALL)
    assert found, dom
    return json.loads(unescape(found[1]))
