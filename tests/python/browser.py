"""A headless Chromium for tests of HTML pages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
needs_browser = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason="Debian's chromium is not installed")

# Contrast of every text with what is behind it (WCAG 2.2, 1.4.3), computed from what the browser would paint.
CONTRAST = """
const parse = (text) => {
  const parts = text.match(/[\\d.]+/g).map(Number);
  return [parts[0], parts[1], parts[2], parts.length > 3 ? parts[3] : 1];
};
const over = (top, bottom) => [0, 1, 2].map((i) => top[i] * top[3] + bottom[i] * (1 - top[3])).concat(1);
const light = (rgb) => {
  const [r, g, b] = rgb.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
  let color = arguments[0] ? [18, 18, 18, 1] : [255, 255, 255, 1];
  for (const layer of layers.reverse()) color = over(layer, color);
  return color;
};
const poor = [];
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.textContent.trim() || !element.checkVisibility({ opacityProperty: true })) continue;
  if (element.closest("script, style, title, desc, .visually-hidden")) continue;
  const style = getComputedStyle(element);
  const back = behind(element);
  const color = parse(element.closest("svg") ? style.fill : style.color);
  for (let at = element; at; at = at.parentElement) color[3] *= Number(getComputedStyle(at).opacity);
  const ink = over(color, back);
  const [a, b] = [light(ink.slice(0, 3)), light(back.slice(0, 3))];
  const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  seen += 1;
  if (ratio < 4.5) poor.push([element.className, node.textContent.trim().slice(0, 40), ratio.toFixed(2)]);
}
return { seen, poor };
"""


class Page:
    """One tab, what it asked the network for, and what it complained about."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    def open(self, path: Path, *, dark: bool = False, width: int = 1100, height: int = 900) -> None:
        self.emulate("Emulation.setEmulatedMedia", features=[scheme(dark)])
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.emulate("Emulation.setDeviceMetricsOverride", **size)
        self.driver.get(path.as_uri())

    def emulate(self, command: str, **arguments: Any) -> Any:
        return self.driver.execute_cdp_cmd(command, arguments)

    def run(self, script: str, *arguments: Any) -> Any:
        return self.driver.execute_script(script, *arguments)

    def all(self, selector: str) -> list[Any]:
        return list(self.driver.find_elements("css selector", selector))

    def one(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def complaints(self) -> list[str]:
        """Everything on the console since the last call: errors, refused scripts, broken styles."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> list[str]:
        """Addresses that were asked for since the last call."""
        messages = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        sent = [message["params"] for message in messages if message["method"] == "Network.requestWillBeSent"]
        return [params["request"]["url"] for params in sent]

    def poor_contrasts(self, *, dark: bool = False) -> list[list[str]]:
        found = self.run(CONTRAST, dark)
        assert found["seen"] > 20, "nothing was looked at"
        return list(found["poor"])


def scheme(dark: bool) -> dict[str, str]:
    return {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}


@contextmanager
def open_browser(profile: Path) -> Iterator[Page]:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = CHROMIUM or ""
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"):
        options.add_argument(argument)
    for argument in ("--no-first-run", "--disable-background-networking", "--disable-component-update"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(service=Service(DRIVER), options=options)
    try:
        yield Page(driver)
    finally:
        driver.quit()
