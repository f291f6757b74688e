"""`trtcheck fix --output-format html` and colours: the graph before and after, side by side."""

from __future__ import annotations

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest
from browser import needs_browser, open_browser
from test_fix import PROGRAM, folder, run

import trtcheck

__all__ = ["folder"]


def test_the_page_shows_both_sides(folder: Path) -> None:
    done = run("--list", "--output-format", "html", "broken.onnx", "hopeless.onnx", cwd=folder)
    assert done.returncode == 1
    page = done.stdout
    assert page.startswith("<!DOCTYPE html>")
    assert page.count("<figcaption>before</figcaption>") == page.count("<figcaption>after</figcaption>") == 1
    assert page.count("<svg") == 2
    assert "<del>- y = Squeeze (x, a)</del><ins>+ y = Squeeze (x, y/folded)</ins>" in page
    assert "store <code>a</code> as a constant" in page
    assert "Not repaired: 1 finding" in page
    assert "<script" not in page
    # Only the first side has a node at fault.
    before, after = (part.partition("</svg>")[0] for part in page.split("<svg")[1:])
    assert "Identity" in before
    assert "Identity" not in after


def test_a_model_that_cannot_be_read(folder: Path) -> None:
    (folder / "<b>.onnx").write_text("no model")
    done = run("--output-format", "html", "<b>.onnx", "healthy.onnx", cwd=folder)
    assert done.returncode == 2
    assert "<code>&lt;b&gt;.onnx</code>" in done.stdout
    assert "nothing to write: the model stays as it is" in done.stdout


def test_cures_have_no_page(folder: Path) -> None:
    done = run("--cures", "--output-format", "html", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--cures has no HTML" in done.stderr


@needs_browser
def test_it_fits_a_phone(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(run("--list", "--output-format", "html", "broken.onnx", cwd=folder).stdout)
    root = "document.documentElement"
    with open_browser(tmp_path / "profile") as browser:
        for dark in (False, True):
            for width in (360, 1400):
                browser.open(page, dark=dark, width=width)
                assert browser.run(f"return {root}.scrollWidth <= {root}.clientWidth")
            assert browser.poor_contrasts(dark=dark) == []
        script = "return [...document.querySelectorAll('.sides figure')].map(f => [f.offsetLeft, f.offsetTop])"
        before, after = browser.run(script)
        assert before[0] < after[0]
        assert before[1] == after[1]
        assert browser.complaints() == []


def test_python_draws_both_sides(folder: Path) -> None:
    (applied,) = trtcheck.fix(folder / "broken.onnx", target="8.2").applied
    assert applied.picture("before").startswith("<svg")
    assert "Identity" in applied.picture("before")
    assert "Identity" not in applied.picture("after")
    with pytest.raises(ValueError, match="which picture"):
        applied.picture("between")


def test_a_terminal_gets_colours(folder: Path) -> None:
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    command = [str(PROGRAM), "fix", "--no-config", "--target", "8.2", "--diff", "broken.onnx"]
    done = subprocess.Popen(command, stdout=theirs, cwd=folder, env=environment)
    os.close(theirs)
    said = b""
    try:
        while part := os.read(ours, 65536):
            said += part
    except OSError:  # the end, as Linux tells it
        pass
    os.close(ours)
    assert done.wait() == 0
    lines = said.decode().splitlines()
    assert any(re.search(r"\x1b\[1;31m- y = Squeeze", line) for line in lines), lines
    assert any(re.search(r"\x1b\[32m\+ y = Squeeze", line) for line in lines), lines
    assert "\x1b" not in run("--diff", "broken.onnx", cwd=folder).stdout
