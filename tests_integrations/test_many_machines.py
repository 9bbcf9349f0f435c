"""Ray and Daft on this machine: the findings of its own cores, byte for byte, after a kill too."""

import gzip
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

SCAN = """
import os, signal, sys
from pathlib import Path
from grice.scanning import FindingsFile, ScanOptions, choose_checks, scan
from grice.scanning.many_machines import engine_of
from grice.scanning.unfinished import Unfinished, scan_digest

engine, kill = sys.argv[1], int(sys.argv[2])
files = sorted(Path("logs").iterdir())
choice = choose_checks("checks.json")
output = Path(f"{engine}.json")
unfinished = Unfinished(output, scan_digest(files, choice, None, None), resume=True)
seen = []

def found(finding):
    seen.append(finding)
    if len(seen) == kill:
        os.kill(os.getpid(), signal.SIGKILL)

options = ScanOptions(engine=engine_of(engine) if engine != "here" else None)
report = scan(files, choice, options, on_finding=found, unfinished=unfinished)
with FindingsFile(output) as file:
    for line in unfinished.lines():
        file.write(line)
    file.finish(report)
unfinished.close(done=True)
print(len(seen))
"""


def scanned(folder: Path, engine: str, kill: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-c", SCAN, engine, str(kill)]
    environment = {**os.environ, "PYTHONWARNINGS": ""}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120)


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Four parts: files of 50 conversations, of which one is packed."""
    (tmp_path / "logs").mkdir()
    checks = [{"matcher": "toMatch", "expected": "TODO", "not": True, "id": "todo"}]
    (tmp_path / "checks.json").write_text(json.dumps(checks))
    for part in range(4):
        rows = []
        for number in range(50):
            reply = {"role": "assistant", "content": f"Reply {number}{' TODO' if number % 10 == 3 else ''}"}
            rows.append({"id": f"{part}-{number}", "messages": [{"role": "user", "content": "Hi"}, reply]})
        data = "".join(json.dumps(row) + "\n" for row in rows).encode()
        name = f"{part}.jsonl" if part else "0.jsonl.gz"
        (tmp_path / "logs" / name).write_bytes(data if part else gzip.compress(data))
    return tmp_path


@pytest.mark.timeout(300)
@pytest.mark.parametrize("engine", ["ray", "daft"])
def test_findings_are_those_of_this_machine_also_after_a_kill(logs: Path, engine: str) -> None:
    pytest.importorskip(engine)
    here = scanned(logs, "here")
    assert here.returncode == 0, here.stderr
    killed = scanned(logs, engine, kill=13)  # in the third part
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert json.loads((logs / f"{engine}.json.manifest.part").read_text())["place"][0] == 2
    again = scanned(logs, engine)
    assert again.returncode == 0, again.stderr
    assert again.stdout == "10\n"
    assert (logs / f"{engine}.json").read_bytes() == (logs / "here.json").read_bytes()
