"""The real server, and a client of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from fastapi import FastAPI

from grice.api.app import make_app
from grice.api.server import ApiServer
from grice.api.service import Service
from grice.files.settings import Settings, load_settings
from grice.store.database import locked, open_database
from grice.store.tokens import Role, add_token, new_token
from migrated_database import bring_tables

SETTINGS = 'agent = "bots:agent"\nmodel_key = "sk-0123456789abcdef0123456789"\n'


class Live(NamedTuple):
    """A server that answers: `client` asks with the owner's token, `folder` is the project's."""

    server: ApiServer
    service: Service
    client: httpx.Client
    token: str
    folder: Path

    @property
    def runs(self) -> Path:
        """The folder of journals."""
        return self.service.runs

    def client_with(self, role: str) -> httpx.Client:
        """A client with a new token of that role; the test closes it."""
        with locked(self.service.engine) as connection:
            token = add_token(connection, self.service.project, f"a {role}er", Role(role))
        return client_of(self.server, token)

    def get(self, path: str, status: int = 200, **params: Any) -> Any:
        """The JSON of an answer that has to have this status."""
        answer = self.client.get(path, params=params or None)
        assert answer.status_code == status, answer.text
        return answer.json()


def client_of(server: ApiServer, token: str) -> httpx.Client:
    """A client that sends the token, and asks nobody else."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return httpx.Client(base_url=server.url, headers=headers, timeout=60, trust_env=False)


@contextmanager
def serve(
    folder: Path,
    url: str = "sqlite:///.grice/grice.db",
    make: Callable[[Service], FastAPI] = make_app,
    *,
    allow_code: bool = False,
) -> Iterator[Live]:
    """A server of the project in that folder, which gets settings where it has none."""
    if not (folder / "grice.toml").exists():
        (folder / "grice.toml").write_text(SETTINGS)
    settings = load_settings(folder) or Settings(folder)
    engine = open_database(url, folder)
    bring_tables(engine)
    token = new_token()
    service = Service(settings, engine, folder / ".grice" / "runs", token, allow_code=allow_code)
    with ApiServer(service, make=make) as server, client_of(server, token) as client:
        yield Live(server, service, client, token, folder)
    engine.dispose()
