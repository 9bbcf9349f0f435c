"""The assistant under test, the site it works on, and servers on the loopback address."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from wordpress_loopback import Client, ModelServer, serving

from grice import ScriptedModel
from wordpress_assistant.app import build_assistant
from wordpress_assistant.assistant import Assistant
from wordpress_assistant.server import make_server
from wordpress_assistant.site import TOOLS, Site, demo_site

Tools = dict[str, Callable[..., Any]]


@pytest.fixture
def agent(scripted_model: ScriptedModel) -> Assistant:
    """The assistant, on the scripted model of the test."""
    return build_assistant(scripted_model.transport)


@pytest.fixture
def site() -> Site:
    """A site whose tools run at once."""
    return demo_site()


@pytest.fixture
def tools(site: Site) -> Tools:
    """The tools of the site, as `conversation.say(..., tools=tools)` takes them."""
    return tools_of(site)


@pytest.fixture
def careful_site() -> Site:
    """A site that changes nothing before its user has confirmed it."""
    return demo_site(requires_confirmation=True)


@pytest.fixture
def careful_tools(careful_site: Site) -> Tools:
    return tools_of(careful_site)


def tools_of(site: Site) -> Tools:
    def run(name: str, /, **arguments: object) -> dict[str, Any]:
        return site.execute(name, arguments)

    return {tool["name"]: partial(run, tool["name"]) for tool in TOOLS}


@pytest.fixture
def client(agent: Assistant) -> Iterator[Client]:
    """A client of the assistant's own server."""
    server = make_server(agent)
    with serving(server) as port:
        yield Client(agent, port)


@pytest.fixture
def model_server(scripted_model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    """The scripted model behind a real HTTP server, to which the environment points."""
    server = ModelServer(scripted_model)
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "test-key")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving(server):
        yield server
