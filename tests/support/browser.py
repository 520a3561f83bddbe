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
    from collections.abc import Sequence
    from pathlib import Path

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")

# A page, unchanged, in a frame of a given width.
_FRAME = """<iframe style="width: {width}px; height: 900px; border: 0" {source}="{page}"></iframe>"""
# The values of the expression replace the frames.
_FRAMES = """<!doctype html>
<meta charset="utf-8">
{frames}
<script>
addEventListener("load", () => {{
  const box = (element) => element.getBoundingClientRect().toJSON();
  const shown = (page) => ({expression});
  const found = [...document.querySelectorAll("iframe")].map((frame) => shown(frame.contentDocument));
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
    (found,) = ask_each([page], expression, folder, width, dark)
    return found


def ask_each(
    pages: Sequence[str | Path], expression: str, folder: Path, width: int = 1200, dark: bool = False
) -> list[Any]:
    """Show several pages as `ask` shows one, in one browser, whose start takes longest."""
    frames = [
        _FRAME.format(
            width=width,
            source="srcdoc" if isinstance(page, str) else "src",
            page=escape(page if isinstance(page, str) else page.as_uri()),
        )
        for page in pages
    ]
    frame = folder / "frames.html"
    frame.write_text(_FRAMES.format(frames="\n".join(frames), expression=expression), encoding="utf-8")
    # The frame may look into a page of another file.
    flags = [f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--allow-file-access-from-files"]
    dom = dump(frame, *flags)
    found = re.search(r"<body>\{(.*)\}", dom, re.DOTALL)
    assert found, dom
    answers: list[Any] = json.loads(unescape(found[1]))
    assert len(answers) == len(pages)
    return answers
