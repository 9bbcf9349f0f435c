"""A cluster of PostgreSQL for tests: in a folder of its own, on a socket only, gone when the tests end."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

USER = "postgres"


def missing() -> str:
    """What a cluster lacks here, "" for nothing."""
    if find_spec("psycopg") is None:
        return "no psycopg: pip install 'psycopg[binary]'"
    return "" if _binary("initdb") else "no PostgreSQL: apt-get install postgresql"


@contextmanager
def cluster() -> Iterator[str]:
    """A running cluster; the URL of a database in it. As root it runs as the user of Debian's package."""
    folder = Path(tempfile.mkdtemp(prefix="grice-postgres-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, USER, USER)
        data = folder / "data"
        _run("initdb", "-D", data, "-A", "trust", "-U", "grice", "-E", "UTF8", "--locale=C", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{folder}' -c fsync=off"
        _run("pg_ctl", "-D", data, "-o", settings, "-l", folder / "log", "-w", "start")
        try:
            yield f"postgresql+psycopg://grice@/postgres?host={folder}"
        finally:
            _run("pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(name: str, *arguments: object) -> None:
    as_user = ["runuser", "-u", USER, "--"] if os.geteuid() == 0 else []
    command = [*as_user, str(_binary(name)), *map(str, arguments)]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        cwd="/",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode(errors='replace')}")


def _binary(name: str) -> Path | None:
    """The program, of the newest version that is installed."""
    versions = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), key=lambda one: int(one.parts[4]))
    found = str(versions[-1]) if versions else shutil.which(name)
    return Path(found) if found else None
