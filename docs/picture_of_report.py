"""Takes the picture of the HTML report that the README shows: docs/pictures/report.png. Needs Chromium.

python docs/picture_of_report.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from generate import ROOT, SHOWN, SHOWN_FOR, find_program

PICTURE = ROOT / "docs" / "pictures" / "report.png"
WIDTH, HEIGHT = 1000, 760


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        words = (find_program(), "check", *SHOWN_FOR, "--output-format", "html", "-o", str(page), SHOWN)
        if (status := subprocess.run(words, cwd=ROOT, check=False).returncode) != 1:
            sys.exit(f"{' '.join(words)}: {SHOWN} should be refused, exit code {status}")
        subprocess.run(
            (
                *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *(f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={PICTURE}", page.as_uri()),
            ),
            check=True,
            stderr=subprocess.DEVNULL,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
