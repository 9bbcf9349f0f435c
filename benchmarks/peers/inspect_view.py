"""A conversation of 300 turns, each of which tells the model all that was said: Grice beside Inspect View.

The time from opening its address in a fresh Chromium until a turn can be read (Grice opens at the one that
failed), the best of three; the first time of each server is told too. Inspect's log is measured as its writer
makes it, which keeps a message once, and with each request in full, as Grice's journal of 127 MB has it.

    python3.11 -m venv /tmp/inspect-env && /tmp/inspect-env/bin/pip install inspect-ai
    python benchmarks/peers/inspect_view.py --inspect /tmp/inspect-env [--chromium /usr/bin/chromium]
"""

from __future__ import annotations

import argparse
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
from web_pages import HUGE, write_huge  # type: ignore[import-not-found]  # in the folder above

TOKEN = "a-token-of-the-benchmark"
WRITE = """
import json, sys, zipfile
from pathlib import Path
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import ChatMessageUser, GenerateConfig, ModelOutput

said, events = [], []
for number in range(1, 301):
    filler = f"turn {number}: " + "the room has a view of the harbour, and lunch is served there. " * 43
    said.append(ChatMessageUser(content=filler))
    output = ModelOutput.from_content("model", f"answer {number}")
    asked = {"model": "model", "input": list(said), "tools": [], "tool_choice": "auto"}
    events.append(ModelEvent(**asked, config=GenerateConfig(), output=output))
    said.append(output.message)
sample = EvalSample(id=1, epoch=1, input="rooms", target="", messages=said, events=events, output=output)
spec = {"created": "2026-11-27T10:00:00+00:00", "task": "huge", "dataset": EvalDataset(samples=1)}
log = EvalLog(eval=EvalSpec(**spec, model="model", config=EvalConfig()), samples=[sample], status="success")
whole = json.dumps(json.loads(sample.model_dump_json(exclude_none=True, warnings=False)))
short, full = Path(sys.argv[1], "short.eval"), Path(sys.argv[1], "full.eval")
write_eval_log(log, str(short))
with zipfile.ZipFile(short) as before, zipfile.ZipFile(full, "w", zipfile.ZIP_DEFLATED) as after:
    for name in before.namelist():
        after.writestr(name, whole if name.startswith("samples/") else before.read(name))
    for file in (short, full):
        sizes = [one.file_size for one in zipfile.ZipFile(file).infolist()] if file == short else [len(whole)]
        print(f"{file.name}: {sum(sizes) / 1e6:.1f} MB")
"""


@contextmanager
def served(command: list[str], folder: Path, url: str) -> Iterator[None]:
    """A server of that command, which listens at the address until the block ends."""
    port = int(url.rpartition(":")[2])
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            for _ in range(600):
                with socket.socket() as asking:
                    if asking.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)
            yield
        finally:
            server.terminate()


def free_address() -> str:
    """An address where nobody listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{found.getsockname()[1]}"


def measure(browser: Any, name: str, address: str, login: str = "") -> None:
    """Print how long it takes until a turn can be read, each time in a browser that knows nothing."""
    times = []
    for _ in range(3):
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = context.new_page()
        if login:
            page.goto(login)
        begun = time.perf_counter()
        page.goto(address, wait_until="commit")
        page.get_by_text(re.compile(r"turn \d+: the room has a view")).first.wait_for(timeout=120_000)
        times.append(time.perf_counter() - begun)
        context.close()
    print(f"{name:<40}{times[0]:>8.2f} s first{min(times):>8.2f} s best")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--inspect", type=Path, required=True, help="the environment with inspect-ai")
    parser.add_argument("--chromium", default="/usr/bin/chromium")
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as work, sync_playwright() as play:
        root, theirs, code = Path(work) / "grice", Path(work) / "inspect", given.inspect / "bin"
        theirs.mkdir()
        write_huge(root / ".grice" / "runs" / HUGE)
        (root / "token.txt").write_text(TOKEN)
        subprocess.run([code / "python", "-c", WRITE, theirs], check=True)
        browser = play.chromium.launch(executable_path=given.chromium, args=["--headless", "--no-sandbox"])
        url = free_address()
        port = url.rpartition(":")[2]
        grice = [sys.executable, "-m", "grice", "serve", "--port", port, "--token-file", "token.txt"]
        with served(grice, root, url):
            address = f"{url}/runs/{HUGE}/conversations/{HUGE}/main/000000002"
            measure(browser, "Grice, journal of 127 MB", address, f"{url}/login?token={TOKEN}")
        url = free_address()
        view = [
            str(code / "inspect"),
            "view",
            "start",
            "--log-dir",
            str(theirs),
            "--port",
            url.rpartition(":")[2],
        ]
        with served(view, theirs, url):
            for name in ("short", "full"):
                measure(browser, f"Inspect View, {name}.eval", f"{url}/#/logs/{name}.eval/samples/sample/1/1")
        browser.close()


if __name__ == "__main__":
    main()
