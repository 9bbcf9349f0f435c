"""Take the pictures of README and docs: docs/pictures/NAME-light.webp and NAME-dark.webp.

A terminal shows what a command prints, a page is what `--html` writes or what `grice serve` shows, all at
double resolution in Chromium.
Examples are run as `generate_reports.py` does, with the same ids and times. Run by hand, by `make pictures`,
or for some only:

    python tools/generate_pictures.py failure compare
"""

from __future__ import annotations

import base64
import io
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from generate_reports import EXAMPLES, environment, ready, show
from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from grice.api.server import ApiServer
from grice.api.service import Service
from grice.files.settings import Settings, load_settings
from grice.store.database import open_database
from grice.store.migrating import upgrade
from grice.store.tokens import new_token
from grice.web.site import make_site

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests" / "web"))

from review_project import FIRST, SECOND, write_prompt  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
CHROMIUM = "/usr/bin/chromium"
MOST = 150_000
"""Bytes of a picture."""


class Terminal(NamedTuple):
    """A command in a terminal, in a folder with files of README; of its lines some are shown."""

    name: str
    command: str
    files: tuple[str, ...]
    first: str = ""  # the line it begins with
    last: str = ""  # the line it ends before


class Shot(NamedTuple):
    """The first screen of a page, or the conversation that is opened at an address in it."""

    name: str
    example: str
    command: tuple[str, ...]
    height: int = 720
    address: str = ""  # of the conversation
    width: int = 1080


class Visit(NamedTuple):
    """The first screen of a page of `grice serve`, for an example that was run; "" has a prompt of the docs.

    `link` is text of a link that is followed from the address, `command` is run before. `narrow` pictures
    have the name NAME-narrow. Where there is an `output`, it is pasted into the editor of a case of ORDERS.
    """

    name: str
    example: str
    address: str
    height: int
    width: int = 1080
    link: str = ""
    command: tuple[str, ...] = ()
    narrow: bool = False
    output: str = ""


ORDERS = """\
agent: wordpress_assistant.app:agent
scenarios:
  - id: order-of-bob
    say: How is my order?
    expect:
      - {path: "$.items[*].status", pathMatch: ALL, matcher: toBeOneOf, expected: [READY, PENDING]}
      - {path: $.total, matcher: toEqual, expected: 0, not: true}
      - {path: $.user.name, matcher: toEqual, expected: Ann}
      - {path: $.user.nmae, matcher: toBeNull, not: true}
"""
_ORDER = """\
{"user": {"name": "bob"}, "items": [{"id": 1, "status": "READY"},
{"id": 2, "status": "PENDING"}], "total": 19.5, "note": null}"""
_QUOTES = "#c-testlastyearsprices-test-quotes-the-calendar"
_KEEP = ("scan", "talks.jsonl", "--checks", "self-contradiction", "--keep")
_QUESTION = {"question": "Does the reply take back what was said before?", "rater": "anna"}
_ASK = f"/labels/ask?{urlencode({'items': 'talks.jsonl', **_QUESTION})}"
_NARROW = 390
PICTURES: tuple[Terminal | Shot | Visit, ...] = (
    Terminal(
        "failure",
        "pytest -q",
        files=("test_booking.py",),
        first="    def test_books",
        last="test_booking.py:",
    ),
    Shot("report", "wordpress_assistant", ("report", "exp_bug_a"), 640),
    Shot("conversation", "room_booking", ("report", "exp_broken"), address=_QUOTES),
    Shot("gate", "prompt_versions", ("gate", "exp_v2"), 330),
    Shot("scan", "self_contradiction", ("scan", "talks.jsonl", "--checks", "self-contradiction"), 576),
    Shot("compare", "prompt_versions", ("compare", "exp_v1", "exp_v2"), 768),
    Visit("browser-runs", "venue_search", "/", 420),
    Visit("browser-trends", "venue_search", "/trends", 560),
    Visit("browser-run", "venue_search", "/runs/exp_broken", 760),
    Visit("browser-narrow", "venue_search", "/runs/exp_broken", 760, width=390),
    Visit("browser-conversation", "venue_search", "/runs/exp_broken", 760, link="overnight_training_east"),
    Visit("browser-compare", "prompt_versions", "/compare?a=exp_v1&b=exp_v2", 760, narrow=True),
    Visit("browser-findings", "self_contradiction", "/scans", 620, link="talks", command=_KEEP, narrow=True),
    Visit("browser-labels", "self_contradiction", _ASK, 520, narrow=True),
    Visit("browser-prompts", "", "/prompts", 520, link="capital.md", narrow=True),
    Visit("browser-editor", "wordpress_assistant", "/suites", 860, 1280, link="order-of-bob", output=_ORDER),
)
SCHEMES = ("light", "dark")

# Background, foreground, and the eight colours of ANSI; all of them have a contrast of 4.5 and more.
_LIGHT = TerminalTheme(
    (255, 255, 255),
    (31, 35, 40),
    [
        (31, 35, 40),
        (180, 35, 24),
        (26, 127, 55),
        (154, 103, 0),
        (9, 105, 218),
        (130, 80, 223),
        (27, 124, 131),
        (87, 96, 106),
    ],
)
_DARK = TerminalTheme(
    (22, 24, 28),
    (223, 226, 230),
    [
        (110, 118, 129),
        (255, 123, 114),
        (86, 211, 100),
        (227, 179, 65),
        (121, 192, 255),
        (210, 168, 255),
        (86, 212, 221),
        (223, 226, 230),
    ],
)
_SCREEN = """<!doctype html><meta charset="utf-8"><style>
body {{ margin: 0; display: inline-block; background: {background}; color: {foreground}; }}
pre {{ margin: 0; padding: 18px 22px; border: 1px solid {line};
  font: 14px/20px "DejaVu Sans Mono", monospace; }}
</style><pre>{code}</pre>"""


def terminal_page(text: str, scheme: str) -> str:
    """What a terminal shows, as a page in its colours."""
    theme, line = (_LIGHT, "#d0d7de") if scheme == "light" else (_DARK, "#30343b")
    screen = Console(record=True, width=100, file=io.StringIO(), force_terminal=True, color_system="standard")
    screen.print(Text.from_ansi(text), soft_wrap=True)
    return _SCREEN.format(
        background=theme.background_color.hex,
        foreground=theme.foreground_color.hex,
        line=line,
        code=screen.export_html(theme=theme, code_format="{code}", inline_styles=True),
    )


_BLOCK = r"`{name}`:\n\n```\w+\n(.*?)```"


def printed(terminal: Terminal, folder: Path) -> str:
    """What the command prints in colour, behind its prompt."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for name in terminal.files:
        block = re.search(_BLOCK.format(name=re.escape(name)), readme, re.DOTALL)
        assert block is not None, f"README.md has no {name}"
        (folder / name).write_text(block[1], encoding="utf-8")
    program, *arguments = terminal.command.split()
    coloured = {"FORCE_COLOR": "1", "COLUMNS": "100", "PYTEST_ADDOPTS": "-p no:randomly -p no:cacheprovider"}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", program, *arguments],
        cwd=folder,
        env=environment() | coloured,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    lines = ran.stdout.rstrip().split("\n")
    plain = [Text.from_ansi(one).plain for one in lines]
    first = next(at for at, one in enumerate(plain) if one.startswith(terminal.first))
    last = next((at for at, one in enumerate(plain) if terminal.last and one.startswith(terminal.last)), None)
    return "\n".join([f"\x1b[1m$ {terminal.command}\x1b[0m", *lines[first:last]]).rstrip()


def pages(picture: Terminal | Shot) -> dict[str, str]:
    """The page that is to be photographed, by the scheme."""
    if isinstance(picture, Terminal):
        with tempfile.TemporaryDirectory() as name:
            text = printed(picture, Path(name))
        return {scheme: terminal_page(text, scheme) for scheme in SCHEMES}
    (example,) = (one for one in EXAMPLES if one.name == picture.example)
    with ready(example) as folder:
        show(folder, [((*picture.command, "--html", "../page.html"), os.devnull)])
        page = (folder.parent / "page.html").read_text(encoding="utf-8")
    return dict.fromkeys(SCHEMES, page)


def take(browser: Browser, picture: Terminal | Shot, scheme: str, html: str, folder: Path) -> bytes:
    """The picture as WebP."""
    file = folder / "page.html"
    file.write_text(html, encoding="utf-8")
    height = picture.height if isinstance(picture, Shot) else 800
    width = picture.width if isinstance(picture, Shot) else 1400
    page = browser.new_page(
        viewport={"width": width, "height": height},
        device_scale_factor=2,
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.goto(file.as_uri() + (picture.address if isinstance(picture, Shot) else ""))
    page.wait_for_timeout(300)
    clip = shown(page, picture)
    png = page.screenshot(clip=clip, full_page=True)
    return as_webp(page, png, f"{picture.name}-{scheme}")


def as_webp(page: Page, png: bytes, name: str) -> bytes:
    """The picture as WebP; the page is closed."""
    page.goto("about:blank")
    webp = page.evaluate(_TO_WEBP, base64.b64encode(png).decode())
    page.close()
    if debug := os.environ.get("PICTURES_AS_PNG"):  # to be looked at where WebP cannot be
        Path(debug, f"{name}.png").write_bytes(png)
    return base64.b64decode(webp.partition(",")[2])


_TO_WEBP = """async (png) => {
  const picture = new Image();
  picture.src = "data:image/png;base64," + png;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.width, picture.height];
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return canvas.toDataURL("image/webp", 0.75);
}"""


def shown(page: Page, picture: Terminal | Shot) -> dict[str, float]:
    """What of the page is in the picture: a terminal whole, of a page what fits on the screen."""
    if isinstance(picture, Terminal):
        box = page.locator("pre").bounding_box()
        assert box is not None
        return dict(box)
    if picture.address:
        box = page.locator(picture.address).bounding_box()
        assert box is not None
        top = page.evaluate("scrollY") + box["y"]
        return {"x": 0, "y": top, "width": picture.width, "height": box["height"] + 24}
    return {"x": 0, "y": 0, "width": picture.width, "height": picture.height}


def visits(browser: Browser, visit: Visit) -> dict[str, bytes]:
    """The pictures of a page that a server makes, by name and scheme."""
    with _project(visit) as folder:
        if visit.output:
            folder.joinpath("orders.grice.yaml").write_text(ORDERS, encoding="utf-8")
        engine = open_database("sqlite:///.grice/grice.db", folder)
        upgrade(engine)
        token = new_token()
        service = Service(
            load_settings(folder) or Settings(folder), engine, folder / ".grice" / "runs", token
        )
        with ApiServer(service, make=make_site) as server:
            taken = {
                f"{name}-{scheme}": _visited(browser, visit, width, scheme, server, token)
                for name, width in _sizes(visit)
                for scheme in SCHEMES
            }
        engine.dispose()
    return taken


def _sizes(visit: Visit) -> Iterator[tuple[str, int]]:
    yield visit.name, visit.width
    if visit.narrow:
        yield f"{visit.name}-narrow", _NARROW


@contextmanager
def _project(visit: Visit) -> Iterator[Path]:
    """The folder of the example, or one with a suite and two versions of its prompt."""
    if visit.example:
        (example,) = (one for one in EXAMPLES if one.name == visit.example)
        with ready(example) as folder:
            show(folder, [(visit.command, os.devnull)] if visit.command else [])
            yield folder
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "capitals"
        folder.mkdir()
        write_prompt(folder, FIRST, SECOND)
        yield folder


def _visited(browser: Browser, visit: Visit, width: int, scheme: str, server: ApiServer, token: str) -> bytes:
    page = browser.new_page(
        viewport={"width": width, "height": visit.height},
        device_scale_factor=2,
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    page.goto(server.link(token))
    page.goto(server.url + visit.address)
    if visit.link:
        page.get_by_role("link", name=visit.link).first.click()
    if visit.output:
        page.locator("#editor[data-ready]").wait_for()
        page.get_by_label("pasted", exact=True).check()
        page.locator("#pasted").fill(visit.output)
    page.wait_for_timeout(500)
    return as_webp(page, page.screenshot(), f"{visit.name}-{width}-{scheme}")


def main(names: Sequence[str]) -> None:
    """Take the pictures that are named, or all."""
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as play, tempfile.TemporaryDirectory() as name:
        browser = play.chromium.launch(executable_path=CHROMIUM, args=["--headless", "--no-sandbox"])
        for picture in PICTURES:
            if names and picture.name not in names:
                continue
            if isinstance(picture, Visit):
                made = visits(browser, picture)
            else:
                drawn = pages(picture).items()
                made = {
                    f"{picture.name}-{one}": take(browser, picture, one, html, Path(name))
                    for one, html in drawn
                }
            for file, taken in made.items():
                assert len(taken) <= MOST, f"{file}: {len(taken):,} bytes"
                (FOLDER / f"{file}.webp").write_bytes(taken)
                print(f"{file}.webp {len(taken):,}")
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
