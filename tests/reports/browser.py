"""A report in a real Chromium: opened from disk, watched for requests and errors, and photographed.

As a program: `python tests/reports/browser.py REPORT.html OUT_DIRECTORY` writes the pictures a person should look at.
first-screen.png, of `flashscope examine sim:onyx-32`, is docs/images/report.png.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Page

Scheme = Literal["light", "dark"]

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
]


def chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser")


@dataclass
class Opened:
    page: Page
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@contextmanager
def running() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    # A home of its own: Chromium leaves crash settings in the user's.
    with TemporaryDirectory() as home, sync_playwright() as playwright:
        environment: dict[str, str | float | bool] = {
            **os.environ,
            "HOME": home,
            "XDG_CONFIG_HOME": home,
            "XDG_CACHE_HOME": home,
        }
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS, env=environment)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(
    browser: Browser, report: Path, *, width: int, height: int = 900, scheme: Scheme = "light", touch: bool = False
) -> Iterator[Opened]:
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=touch, is_mobile=touch
    )
    page = context.new_page()
    result = Opened(page)
    address = report.absolute().as_uri()
    page.on("request", lambda request: result.requests.append(request.url))
    page.on("console", lambda message: result.complaints.append(message.text))
    page.on("pageerror", lambda error: result.complaints.append(str(error)))
    page.goto(address)
    # The file itself, and the empty icon that stands in it, are no requests to anywhere.
    result.requests = [url for url in result.requests if url.split("#")[0] != address and not url.startswith("data:")]
    try:
        yield result
    finally:
        context.close()


def main() -> None:
    report, directory = Path(sys.argv[1]), Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    with running() as browser:
        pictures: tuple[tuple[str, int, Scheme], ...] = (
            ("desktop-light", 1280, "light"),
            ("desktop-dark", 1280, "dark"),
            ("phone-light", 390, "light"),
            ("phone-dark", 390, "dark"),
        )
        for name, width, scheme in pictures:
            with opened(browser, report, width=width, scheme=scheme) as seen:
                seen.page.screenshot(path=directory / f"{name}.png", full_page=True)
        with opened(browser, report, width=1280) as seen:
            first = seen.page.locator("#first-screen")  # pages of many drives have none
            box = first.bounding_box() if first.count() else None
            height = box["y"] + box["height"] + 16 if box else 900
            clip: FloatRect = {"x": 0, "y": 0, "width": 1280, "height": height}
            seen.page.screenshot(path=directory / "first-screen.png", full_page=True, clip=clip)
        with opened(browser, report, width=800) as seen:
            seen.page.pdf(path=directory / "paper.pdf", format="A4")


if __name__ == "__main__":
    main()
