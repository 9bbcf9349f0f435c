"""A stub server for the tests of a file, and the SDKs' clients for it."""

import ssl
from contextlib import ExitStack

import anthropic
import openai
import pytest

from grice.wire.stub import StubServer

OPTIONS = {"max_retries": 0, "_strict_response_validation": True}
"""A client refuses a reply with a missing field or a wrong type, and asks once."""
NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Spares each client the reading of all certificates: the stub speaks plain HTTP."""


@pytest.fixture(scope="module")
def stub():
    with StubServer() as server:
        yield server


@pytest.fixture
def anthropic_client(stub):
    """Makes a client of Anthropic's SDK for a scripted model, see `OPTIONS`."""
    with ExitStack() as clients:

        def make(model, **options):
            given = OPTIONS | {"base_url": stub.address_of(model), "api_key": stub.key} | options
            sends = anthropic.DefaultHttpxClient(verify=NO_TLS)
            return clients.enter_context(anthropic.Anthropic(**{"http_client": sends} | given))

        yield make


@pytest.fixture
def openai_client(stub):
    """The same with OpenAI's SDK."""
    with ExitStack() as clients:

        def make(model, **options):
            given = OPTIONS | {"base_url": f"{stub.address_of(model)}/v1", "api_key": stub.key} | options
            sends = openai.DefaultHttpxClient(verify=NO_TLS)
            return clients.enter_context(openai.OpenAI(**{"http_client": sends} | given))

        yield make
