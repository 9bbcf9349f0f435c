"""Pages in Debian's Chromium, from files of this machine: nothing is asked of anybody else."""

import io
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from grice.reporting.renderers.html.page import html_page

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "tests" / "reporting"), str(HERE.parent / "benchmarks")]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WATCH = """
globalThis.hits = [];
globalThis.hit = (what) => hits.push(what || "hit");
for (const name of ["alert", "confirm", "prompt"]) globalThis[name] = () => hits.push(name);
addEventListener("securitypolicyviolation", (event) => hits.push(event.violatedDirective + event.blockedURI));
"""


def until(page, holds: str, seconds: float = 5) -> None:
    """Wait until an expression holds: Playwright's own way is an eval, which the policy forbids."""
    end = time.monotonic() + seconds
    while not page.evaluate(holds):
        assert time.monotonic() < end, f"{holds} after {seconds} s: {page.evaluate('location.hash')}"
        time.sleep(0.02)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium, tmp_path):
    """Opens a document as a file; the page knows its `problems` and what it asked for (`asked`)."""
    contexts = []

    def open_(document, address="", *, width=1440, height=900, scheme="light", javascript=True, bypass=False):
        stream = io.BytesIO()
        html_page(document, stream)
        file = tmp_path / "page.html"
        file.write_bytes(stream.getvalue())
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            java_script_enabled=javascript,
            bypass_csp=bypass,
        )
        contexts.append(context)
        page = context.new_page()
        page.problems, page.asked = [], []
        page.on("console", lambda message: page.problems.append(message.text))
        page.on("pageerror", lambda error: page.problems.append(str(error)))
        page.on("dialog", lambda dialog: page.problems.append(dialog.message))
        page.on("request", lambda request: page.asked.append(request.url))
        page.add_init_script(_WATCH)
        page.until = partial(until, page)
        page.where = file.as_uri()
        page.goto(page.where + address)
        return page

    yield open_
    for context in contexts:
        context.close()
