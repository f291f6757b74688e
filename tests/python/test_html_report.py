"""The HTML report in a real browser."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import onnx.parser
import pytest
from browser import Page, needs_browser, open_browser
from test_cli import PROGRAM

ROOT = Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "examples/models").glob("*.onnx"))
HOSTILE = "</script><img src=x onerror=alert(1)><b>`</details>&lt;\x1b]0;x\x07‮"


def report(target: Path, *words: Path | str) -> str:
    command = [PROGRAM, "check", "--output-format", "html", "--output", str(target), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, timeout=60)
    assert done.returncode in (0, 1), done.stderr
    return target.read_text(encoding="utf-8")


def model(path: Path, text: str) -> Path:
    path.write_bytes(onnx.parser.parse_model(text).SerializeToString())
    return path


def hostile_model(path: Path) -> Path:
    made = onnx.parser.parse_model(
        """<ir_version: 8, opset_import: ["" : 17, "my.ops" : 1]>
        g (float[N,4] x) => (float[N,4] y) { a = my.ops.Foo (x)  y = my.ops.Bar (a) }"""
    )
    for node in made.graph.node:
        node.name = HOSTILE + node.op_type
    made.graph.node[0].op_type = HOSTILE
    made.graph.node[0].output[0] = made.graph.node[1].input[0] = HOSTILE
    made.graph.input[0].type.tensor_type.shape.dim[0].dim_param = HOSTILE
    path.write_bytes(made.SerializeToString())
    return path


def many_findings(path: Path, count: int) -> Path:
    lines = "\n".join(f"u{i} = my.ops.Foo{i} (x)" for i in range(count))
    head = '<ir_version: 8, opset_import: ["" : 17, "my.ops" : 1]>'
    return model(path, f"{head} g (float[N] x) => (float[N] y) {{ {lines} y = Relu (x) }}")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    report(folder / "models.html", *MODELS)
    report(folder / "hostile.html", hostile_model(folder / "hostile.onnx"))
    report(folder / "many.html", "--all-findings", "--ignore", "MDL401", many_findings(folder / "many.onnx", 7000))
    return folder


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with open_browser(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


class Outline(HTMLParser):
    """Start tags, and whether they are closed in order."""

    VOID = frozenset({"meta", "input", "br", "wbr", "img", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open, tag
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", ["models", "hostile", "many"])
def test_the_markup_is_whole(pages: Path, name: str) -> None:
    outline = Outline((pages / f"{name}.html").read_text(encoding="utf-8"))
    assert outline.open == []
    ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    links = {str(a["href"]) for tag, a in outline.tags if tag == "a" and str(a["href"]).startswith("#")}
    assert links <= {f"#{name}" for name in ids}
    # one script and one style, both with their hash in the policy; no inline handlers or styles at all
    assert [tag for tag, _ in outline.tags].count("script") == 1
    assert [tag for tag, _ in outline.tags].count("style") == 1
    assert not [a for _, a in outline.tags if "style" in a or any(key.startswith("on") for key in a)]


def test_nothing_comes_from_elsewhere(pages: Path) -> None:
    text = (pages / "models.html").read_text(encoding="utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy[1]
    outline = Outline(text)
    assert not [a for tag, a in outline.tags if tag in ("link", "img", "iframe", "object") or "src" in a]


def test_what_the_terminal_says_stands_in_the_page(pages: Path) -> None:
    text = (pages / "models.html").read_text(encoding="utf-8")
    for expected in ("WGT101", "grouped-conv-unknown-channels", "unit.conv", "convnets.py", "refused", "clean"):
        assert expected in text
    assert "write 4 instead of -1 at index 1 of the target shape" in text
    assert text.count('id="rule-WGT101"') == 1  # the rule's text once, however often it is named
    assert text.count('class="trtcheck-picture"') >= 5


def test_a_page_has_an_end(pages: Path) -> None:
    text = (pages / "many.html").read_text(encoding="utf-8")
    assert len(text) < 8_000_000
    assert text.count('<details class="finding"') == 500
    assert text.count('<div class="finding brief"') == 5000
    assert text.count('class="trtcheck-picture"') == 50
    assert re.search(r"And 1\d{3} findings more|And 1\d{3} findings, which", text)


@needs_browser
def test_no_complaints_and_no_requests(page: Page, pages: Path) -> None:
    page.complaints(), page.requests()
    for name in ("models", "hostile", "many"):
        path = pages / f"{name}.html"
        page.open(path)
        assert page.complaints() == []
        assert {url for url in page.requests() if not url.startswith(("data:", "chrome"))} <= {path.as_uri()}


@needs_browser
def test_hostile_names_are_text(page: Page, pages: Path) -> None:
    page.open(pages / "hostile.html")
    assert page.all("img") == []
    assert page.run("return document.querySelectorAll('script').length") == 1
    assert "<img src=x onerror=alert(1)>" in page.one("main").get_attribute("textContent")
    assert "\x1b" not in page.driver.page_source
    assert "‮" not in page.driver.page_source


def shown(page: Page) -> list[Any]:
    return [finding for finding in page.all(".finding") if finding.is_displayed()]


def told(findings: list[Any]) -> int:
    """An element may stand for several findings of one cause."""
    return sum(int(finding.get_attribute("data-count") or 1) for finding in findings)


def wait_for_count(page: Page, expected: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(page.driver, 10).until(lambda _: page.one("#count").text.startswith(expected))


@needs_browser
def test_filters(page: Page, pages: Path) -> None:
    page.open(pages / "models.html")
    total = told(page.all(".finding"))
    assert page.one("#count").text == f"{total} findings"
    assert page.one("#count").get_attribute("aria-live") == "polite"

    page.one("[name=text]").send_keys("channel_shuffle WGT101")
    wait_for_count(page, "1 of ")
    assert [finding.get_attribute("data-rules") for finding in shown(page)] == ["WGT101"]
    assert len([section for section in page.all(".model") if section.is_displayed()]) == 1
    page.one("[type=reset]").click()
    wait_for_count(page, f"{total} findings")
    # What is in clean models is folded.
    folded = told(page.all(".clean-models .finding"))
    assert told(shown(page)) == total - folded

    page.one("[name=severity][value=error]").click()
    errors = told(page.all(".finding[data-severity=error]"))
    wait_for_count(page, f"{total - errors} of ")
    assert not [f for f in shown(page) if f.get_attribute("data-severity") == "error"]
    page.one("[name=severity][value=error]").click()

    page.run(
        """const select = document.querySelector("[name=rule]");
        select.value = "QDQ104";
        select.dispatchEvent(new Event("input", { bubbles: true }));"""
    )
    expected = told(page.all(".finding[data-rules~=QDQ104]"))
    assert 0 < expected < total
    wait_for_count(page, f"{expected} of ")
    page.one("[name=text]").send_keys("no such text anywhere")
    wait_for_count(page, "0 of ")
    assert shown(page) == []


@needs_browser
def test_the_keyboard_is_enough(page: Page, pages: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    page.open(pages / "models.html")
    page.press(Keys.TAB)
    active = page.driver.switch_to.active_element
    assert active.text == "Skip to the findings"
    assert active.rect["y"] >= 0  # it comes into view with the focus
    outline = active.value_of_css_property("outline-style"), active.value_of_css_property("outline-width")
    assert outline == ("solid", "3px")
    page.press(Keys.ENTER, Keys.TAB)
    first = page.one(".finding")
    assert page.driver.switch_to.active_element == first.find_element("css selector", "summary")
    before = first.get_attribute("open")
    page.press(Keys.ENTER)
    assert first.get_attribute("open") != before
    page.press(Keys.SPACE)
    assert first.get_attribute("open") == before
    # everything that can be clicked can be reached
    reachable = "a[href], button, input, select, summary, [tabindex]"
    left_out = "(e) => e.tabIndex < 0 && e.id !== 'findings'"
    assert not page.run(f"return [...document.querySelectorAll('{reachable}')].filter({left_out}).length")
    unlabelled = "(e) => e.labels.length === 0"
    assert not page.run(f"return [...document.querySelectorAll('input, select')].filter({unlabelled}).length")


@needs_browser
def test_links_open_the_rule(page: Page, pages: Path) -> None:
    page.open(pages / "models.html")
    page.one("#open-all").click()
    assert all(finding.get_attribute("open") for finding in page.all("details.finding"))
    page.run("document.querySelector('.finding a[href=\"#rule-WGT101\"]').click()")
    assert page.one("#rule-WGT101").is_displayed()
    page.one("#open-all").click()
    assert not [finding for finding in page.all("details.finding") if finding.get_attribute("open")]


@needs_browser
@pytest.mark.parametrize("name", ["models", "hostile"])
@pytest.mark.parametrize("width", [320, 360, 768, 1400])
def test_it_fits_the_screen(page: Page, pages: Path, name: str, width: int) -> None:
    page.open(pages / f"{name}.html", width=width)
    page.one("#open-all").click()
    page.run("for (const details of document.querySelectorAll('details')) details.open = true")
    assert page.run("return document.documentElement.scrollWidth") <= width


# How many lines the text of an element takes, as the browser has broken them.
LINES = """
const range = document.createRange();
range.selectNodeContents(arguments[0]);
return new Set(Array.from(range.getClientRects(), (rect) => Math.round(rect.bottom))).size;
"""


@needs_browser
@pytest.mark.parametrize("width", [320, 375])
def test_names_and_numbers_stay_whole_on_a_phone(page: Page, pages: Path, width: int) -> None:
    page.open(pages / "models.html", width=width)
    cells = page.all(".models td.number")
    assert len(cells) == 4 * len(MODELS)
    assert {
        cell.get_attribute("textContent"): page.run(LINES, cell) for cell in cells if page.run(LINES, cell) != 1
    } == {}
    # A name breaks after a slash only: the file's own name is on one line, and the folders before it take the others.
    most = 2 + max(len(str(path.parent)) for path in MODELS) // 24
    names = page.all(".models th[scope=row]")
    assert len(names) == len(MODELS) and all(0 < page.run(LINES, name) <= most for name in names)
    assert [cell for cell in page.all(".models thead th") if cell.is_displayed()] == []
    # The headings stand in front of the numbers.
    labels = [cell.get_attribute("data-label") for cell in cells[:4]]
    assert labels == ["errors", "warnings", "infos", "nodes"]
    assert "errors" in page.run("return getComputedStyle(arguments[0], '::before').content", cells[0])


@needs_browser
def test_headings_stay_whole(page: Page, pages: Path) -> None:
    page.open(pages / "models.html", width=768)
    cells = page.all(".models thead th, .models td.number")
    assert len(cells) == 6 + 4 * len(MODELS)
    assert {
        cell.get_attribute("textContent"): page.run(LINES, cell) for cell in cells if page.run(LINES, cell) != 1
    } == {}


def test_refused_models_come_first_and_clean_ones_are_folded(pages: Path) -> None:
    text = (pages / "models.html").read_text(encoding="utf-8")
    badges = re.findall(r'</a></th><td><span class="badge (\w+)">', text)
    order = ["refused", "uncertain", "clean"]
    assert len(badges) == len(MODELS) and badges == sorted(badges, key=order.index)
    sections = re.findall(r'<h2 id="m\d+-name">.*?<span class="badge (\w+)">', text)
    assert sections == badges
    _, _, folded = text.partition('<details class="clean-models"><summary>3 clean models</summary>')
    folded, _, _ = folded.partition('<section class="rules">')
    assert folded.count('<section class="model"') == badges.count("clean") == 3


def test_evidence_shows_code(tmp_path: Path) -> None:
    outside = 'agraph (float[N,3] x) => (float[N,2] y) <float[3,2] w = ["location": "../w.bin"]> { y = MatMul (x, w) }'
    path = model(tmp_path / "m.onnx", f'<ir_version: 8, opset_import: ["" : 17]> {outside}')
    text = report(tmp_path / "page.html", path)
    evidence = re.search(r"<dt>evidence</dt><dd>(.*?)</dd>", text, re.DOTALL)
    assert evidence and "<code>Relative paths to parent (../) are not allowed</code>" in evidence[1]
    assert "`" not in evidence[1]


def test_what_to_do_stands_before_the_reasons(pages: Path) -> None:
    text = (pages / "models.html").read_text(encoding="utf-8")
    bodies = re.findall(r"<dl>.*?</dl>", text, re.DOTALL)
    both = [body for body in bodies if "<dt>fix</dt>" in body and "<dt>because</dt>" in body]
    assert len(both) >= 3
    assert all(body.index("<dt>fix</dt>") < body.index("<dt>because</dt>") for body in both)


def test_the_picture_shows_what_stands_in_the_target_of_the_reshape(pages: Path) -> None:
    text = (pages / "models.html").read_text(encoding="utf-8")
    assert re.search(r">= \[batch,-1,[^<]*\]</text>|>= \[batch,-1,[^<]*</text>", text)


def test_few_findings_are_open_and_many_are_folded(pages: Path) -> None:
    few = (pages / "models.html").read_text(encoding="utf-8")
    many = (pages / "many.html").read_text(encoding="utf-8")
    assert few.count('<details class="finding"') == len(re.findall(r'<details class="finding"[^>]* open>', few)) >= 5
    assert not re.search(r'<details class="finding"[^>]* open>', many)


@needs_browser
def test_the_only_one_that_is_left_by_the_filter_is_opened(page: Page, pages: Path) -> None:
    page.open(pages / "many.html")
    page.one("[name=text]").send_keys("Foo17_17")
    wait_for_count(page, "1 of ")
    left = "[...document.querySelectorAll('.finding:not([hidden])')]"
    assert page.run(f"return {left}.map((finding) => finding.open)") == [True]


@needs_browser
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_can_be_read(page: Page, pages: Path, dark: bool) -> None:
    page.open(pages / "models.html", dark=dark)
    page.run("for (const details of document.querySelectorAll('details')) details.open = true")
    assert page.poor_contrasts(dark=dark) == []
    background = page.run("return getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, re.findall(r"\d+", background)[:3])) < 200) == dark


@needs_browser
def test_paper_shows_everything(page: Page, pages: Path) -> None:
    page.open(pages / "models.html")
    hidden = page.run(
        """const out = [];
        addEventListener("beforeprint", () => {
          for (const d of document.querySelectorAll("details")) if (!d.open) out.push(d.id);
        });
        globalThis.stillClosed = out;
        return document.querySelectorAll("details:not([open])").length;"""
    )
    assert hidden > 0
    pdf = page.emulate("Page.printToPDF", printBackground=False)["data"]
    assert len(pdf) > 50_000
    assert page.run("return stillClosed") == []
    assert page.run("return document.querySelectorAll('details:not([open])').length") == hidden  # as it was

    # the style alone opens them, too
    page.emulate("Emulation.setEmulatedMedia", media="print")
    # Not `is_displayed`, which takes all that is in a closed <details> for hidden.
    shown = "(e) => e.checkVisibility() && e.getBoundingClientRect().height > 0"
    assert page.run(f"return [...document.querySelectorAll('.finding dl, .rule .text')].every({shown})")
    assert not page.one("#filters").is_displayed()
    assert page.poor_contrasts() == []
    page.emulate("Emulation.setEmulatedMedia", media="")


@needs_browser
def test_without_script_everything_is_there(page: Page, pages: Path) -> None:
    page.emulate("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.open(pages / "models.html")
        assert not page.one("#filters").is_displayed()
        folded = page.all(".clean-models .finding")
        assert len(shown(page)) == len(page.all(".finding")) - len(folded)
        page.one(".clean-models > summary").click()
        assert len(shown(page)) == len(page.all(".finding"))
    finally:
        page.emulate("Emulation.setScriptExecutionDisabled", value=False)
