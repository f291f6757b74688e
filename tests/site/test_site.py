"""The built site (`make docs` runs this): complete, self-contained, and its search of messages works in a browser."""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from sphinx.util.inventory import InventoryFile

import trtcheck

ROOT = Path(__file__).resolve().parents[2]
SITE = Path(os.environ.get("TRTCHECK_SITE", ROOT / "build/docs/html"))
PAGES = sorted(page.relative_to(SITE).as_posix() for page in SITE.rglob("*.html"))
CHROMIUM = shutil.which("chromium")
DRIVER = shutil.which("chromedriver")


class References(HTMLParser):
    """What a page loads, and where it leads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.add(given["id"])
        if tag in ("script", "img", "iframe", "source") and "src" in given:
            self.loaded.append(given["src"])
        if tag == "link":
            self.loaded.append(given.get("href", ""))
        if tag == "a":
            self.links.append(given.get("href", ""))


@pytest.fixture(scope="module")
def pages() -> dict[str, References]:
    assert PAGES, f"{SITE}: not built"
    return {page: References((SITE / page).read_text()) for page in PAGES}


def test_a_page_loads_nothing_from_elsewhere(pages: dict[str, References]) -> None:
    for page, references in pages.items():
        for target in references.loaded:
            assert not re.match(r"[a-z]+:|//", target), (page, target)
    for sheet in SITE.rglob("*.css"):
        assert not re.search(r"@import|url\(\s*['\"]?(https?:)?//", sheet.read_text()), sheet


def test_links_within_the_site_lead_somewhere(pages: dict[str, References]) -> None:
    for page, references in pages.items():
        for link in references.links:
            if re.match(r"[a-z]+:", link) or not link:
                continue
            path, _, place = link.partition("#")
            target = os.path.normpath(Path(page).parent / path) if path else page
            assert (SITE / target).exists(), (page, link)
            if place and target in pages and not page.endswith(("genindex.html", "py-modindex.html")):
                assert place in pages[target].ids, (page, link)


def test_every_page_of_docs_is_there() -> None:
    for source in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.rst")]:
        assert source.relative_to(ROOT / "docs").with_suffix(".html").as_posix() in PAGES


def inventory() -> dict[str, set[str]]:
    """Names by kind of object."""
    found = InventoryFile.loads((SITE / "objects.inv").read_bytes(), uri="")
    return {kind: set(entries) for kind, entries in found.data.items()}


def test_every_public_python_name_is_documented() -> None:
    names = {name for kind, names in inventory().items() if kind.startswith("py:") for name in names}
    for name in trtcheck.__all__:
        value = getattr(trtcheck, name)
        if name.startswith("__"):
            continue
        assert inspect.getdoc(value), name
        assert f"trtcheck.{name}" in names
        if not inspect.isclass(value):
            continue
        for member, what in vars(value).items():
            if not member.startswith("_") and (callable(what) or isinstance(what, property)):
                assert f"trtcheck.{name}.{member}" in names


def test_the_public_headers_are_documented() -> None:
    names = {name for kind, names in inventory().items() if kind.startswith("cpp:") for name in names}
    for name in ("check", "CheckOptions", "Report", "rules_for", "DimTable::floor_div", "Model::graph", "Severity"):
        assert f"trtcheck::{name}" in names


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    webdriver = pytest.importorskip("selenium.webdriver")
    if CHROMIUM is None or DRIVER is None:
        pytest.skip("there is no chromium")
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    profile = tmp_path_factory.mktemp("profile")
    for argument in ("--headless=new", "--no-sandbox", "--window-size=1300,1000", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield driver
    driver.quit()


def test_a_pasted_message_leads_to_its_rule(browser: object) -> None:
    from selenium.webdriver.common.by import By

    browser.get((SITE / "messages.html").as_uri())  # type: ignore[attr-defined]
    field = browser.find_element(By.ID, "message-text")  # type: ignore[attr-defined]
    status = browser.find_element(By.ID, "message-status")  # type: ignore[attr-defined]

    def shown(message: str) -> list[str]:
        field.clear()
        field.send_keys(message or " ")
        rows = browser.find_elements(By.CSS_SELECTOR, "table tbody tr")  # type: ignore[attr-defined]
        return [row.text for row in rows if row.is_displayed()]

    everything = shown("")
    assert len(everything) > 90
    first, *_ = shown("[E] layers.10: kernel weights has count 1474560 but 737280 was expected)")
    assert "WGT101 grouped-conv-unknown-channels" in first
    assert shown("the moon is in the wrong quarter") == []
    assert status.text == "No rule knows this message."
    assert "QDQ102" in shown("Found unsupported input type of UINT8")[0]
    assert shown("") == everything
    folder = os.environ.get("TRTCHECK_SCREENSHOTS")
    if folder:
        shown("kernel weights has count 144 but 72 was expected")
        browser.save_screenshot(f"{folder}/messages.png")  # type: ignore[attr-defined]
        for page in ("index", "rules/grouped-conv-unknown-channels", "reference/python", "reference/cpp", "comparison"):
            browser.get((SITE / f"{page}.html").as_uri())  # type: ignore[attr-defined]
            browser.save_screenshot(f"{folder}/{page.replace('/', '-')}.png")  # type: ignore[attr-defined]


def test_the_search_of_the_site_knows_the_messages() -> None:
    # The index is a script that hands its data to the page.
    index = re.search(r"Search\.setIndex\((.*)\)", (SITE / "searchindex.js").read_text(), re.DOTALL)
    assert index is not None
    data = json.loads(index[1])
    assert "messages" in data["docnames"]
    assert data["terms"].get("kernel") is not None


def test_the_browser_search_agrees_with_the_program(browser: object) -> None:
    """The same messages through both; the page forgives no misspelling, and that is the only difference."""
    from selenium.webdriver.common.by import By

    browser.get((SITE / "messages.html").as_uri())  # type: ignore[attr-defined]
    field = browser.find_element(By.ID, "message-text")  # type: ignore[attr-defined]
    messages = [
        "kernel weights has count 1 but 2 was expected",
        'In function importReduceMax: [8] Assertion failed: "Axis input must be an initializer!"',
        "[defaultAllocator.cpp::deallocateAsync::64] Error Code 1: Cuda Runtime (operation not supported)",
        "Node input was not registered.",
        "_Map_base::at",
        "kernel weights has count",
        "kernel weights",
        "nothing of the kind",
    ]
    for message in messages:
        field.clear()
        field.send_keys(message)
        rows = browser.find_elements(By.CSS_SELECTOR, "table tbody tr")  # type: ignore[attr-defined]
        codes = {code for row in rows if row.is_displayed() for code in re.findall(r"\b[A-Z]{3}\d{3}\b", row.text)}
        assert codes == {match.rule.code for match in trtcheck.rules_for(message)}, message


def test_no_tool_is_missing() -> None:
    """In CI the browser is there; elsewhere its tests are skipped."""
    if os.environ.get("CI"):
        assert CHROMIUM and DRIVER
    assert subprocess.run(["doxygen", "--version"], capture_output=True, check=True).stdout
