"""Pages in Debian's Chromium, from files and from a server of this machine: nobody else is asked."""

import io
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from grice.reporting.renderers.html.page import html_page
from grice.web.site import make_site

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "tests" / name) for name in ("", "reporting", "api", "web")]
sys.path += [str(HERE.parent / "benchmarks")]

from live import serve  # noqa: E402
from web_project import write_hostile, write_long, write_project  # noqa: E402

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


def until(page, holds: str, seconds: float = 20) -> None:
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
def new_page(chromium):
    """Makes pages, which know their `problems` and what they asked for (`asked`)."""
    contexts = []

    def make(*, width=1440, height=900, scheme="light", javascript=True, bypass=False, state=None):
        context = chromium.new_context(
            storage_state=state,
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
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def opened(new_page, tmp_path):
    """Opens a document as a file."""

    def open_(document, address="", **how):
        stream = io.BytesIO()
        html_page(document, stream)
        file = tmp_path / "page.html"
        file.write_bytes(stream.getvalue())
        page = new_page(**how)
        page.where = file.as_uri()
        page.goto(page.where + address)
        return page

    return open_


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """A server of a project with runs of everything."""
    folder = tmp_path_factory.mktemp("served")
    for write in (write_project, write_hostile, write_long):
        write(folder)
    with serve(folder, make=make_site) as live:
        yield live


@pytest.fixture(scope="session")
def let_in(chromium):
    """Gives the cookies of somebody who followed the printed link of a server."""

    def follow(live):
        context = chromium.new_context()
        context.new_page().goto(live.server.link(live.token))
        cookies = context.storage_state()
        context.close()
        return cookies

    return follow


@pytest.fixture(scope="session")
def cookies(let_in, site):
    """The cookies of the project's server."""
    return let_in(site)


@pytest.fixture
def visited(new_page, site, cookies):
    """Opens an address of the server, as somebody who followed the printed link before."""

    def open_(address="/", **how):
        page = new_page(state=cookies, **how)
        page.where = site.server.url
        page.goto(page.where + address)
        return page

    return open_
