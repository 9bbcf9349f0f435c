"""What a setting names: providers, modules, tables; and what stands where there is none."""

import pickle
import re
import sys
from pathlib import Path

import pytest
from llm_requests import JUDGED, ask, error_of

from grice.llm import Budget, LLMConfigError, bind_llm, llm_named, no_llm
from grice.llm.anthropic_llm import AnthropicLLM
from grice.llm.openai_llm import OpenAILLM

HERE = Path(__file__).parent
MODULE = """
class Mine:
    def complete(self, messages):
        return "mine"

made = Mine()

def factory():
    return Mine()

def bare(messages):
    return "bare"

def broken():
    raise RuntimeError("no luck")
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    (tmp_path / "my_llms.py").write_text(MODULE)
    yield tmp_path
    sys.modules.pop("my_llms", None)


@pytest.mark.parametrize(
    ("setting", "client", "name"),
    [
        ("openai:gpt-test", OpenAILLM, "openai:gpt-test"),
        ("anthropic:claude-test", AnthropicLLM, "anthropic:claude-test"),
        ("openai:org/model:tag", OpenAILLM, "openai:org/model:tag"),
        ({"provider": "openai", "model": "m"}, OpenAILLM, "openai:m"),
    ],
)
def test_providers(setting, client, name):
    llm = llm_named(setting, HERE)
    assert (type(llm), llm.name) == (client, name)


def test_a_table_has_the_options_of_the_client():
    llm = llm_named(
        {
            "provider": "openai",
            "model": "m",
            "base_url": "http://127.0.0.1:9/v1",
            "api_key": "${env:MY_KEY}",
            "max_tokens": 4000,
            "structured": "json_object",
            "budget": {"money": 2, "prices": {"m": [1, 4]}},
        },
        HERE,
    )
    assert (llm.max_tokens, llm.structured, llm.base_url) == (4000, "json_object", "http://127.0.0.1:9/v1")
    assert isinstance(llm.budget, Budget)
    assert llm.budget.prices == {"m": (1.0, 4.0)}


@pytest.mark.parametrize(
    ("attribute", "text"), [("Mine", "mine"), ("made", "mine"), ("factory", "mine"), ("bare", "bare")]
)
def test_modules(project, attribute, text):
    assert ask(bind_llm(llm_named(f"my_llms:{attribute}", project))).text == text


@pytest.mark.parametrize(
    ("setting", "said", "key"),
    [
        (7, "expected 'provider:model', 'module:attribute' or a table", ""),
        ("gpt-5", "expected 'provider:model', 'module:attribute' or a table", ""),
        ("openai:", "expected 'provider:model'", ""),
        ("opena:gpt", "there is no module 'opena'", ""),
        ("opena:gpt", "providers are openai and anthropic (did you mean 'openai'?)", ""),
        ("my_llms:Mien", "my_llms has no 'Mien' (did you mean 'Mine'?)", ""),
        ("my_llms:broken", "LLM 'my_llms:broken': making it raised RuntimeError: no luck", ""),
        ({}, "needs a provider: 'openai' or 'anthropic'", ""),
        ({"provider": "opnai", "model": "m"}, "found 'opnai' (did you mean 'openai'?)", "provider"),
        ({"provider": ["openai"], "model": "m"}, "provider: expected", "provider"),
        ({"provider": "openai"}, "needs a model", ""),
        ({"provider": "openai", "model": 5}, "model: expected the name of a model, found 5", "model"),
        ({"provider": "openai", "model": "m", "modle": 1}, "no 'modle' (did you mean 'model'?)", "modle"),
        ({"provider": "openai", "model": "m", "pause": 1}, "an LLM has no 'pause'", "pause"),
        ({"provider": "openai", "model": "m", "temperature": 0}, "go into 'parameters'", "temperature"),
        ({"provider": "anthropic", "model": "m", "max_tokens_field": "x"}, "has no", "max_tokens_field"),
        ({"provider": "openai", "model": "m", "api_key": 5}, "api_key: expected a text", "api_key"),
        ({"provider": "openai", "model": "m", "timeout": "1"}, "timeout: expected a number", "timeout"),
        ({"provider": "openai", "model": "m", "headers": {"a": 1}}, "headers.a: expected", "headers"),
        ({"provider": "openai", "model": "m", "budget": 5}, "budget: expected a Budget", "budget"),
        ({"provider": "openai", "model": "m", "budget": {"token": 5}}, "'token' (did you", "budget"),
        ({"provider": "openai", "model": "m", "budget": {}}, "budget: a budget limits", "budget"),
        ({"provider": "openai", "model": "m", "budget": {"money": 1}}, "has no price", "budget"),
    ],
)
def test_settings_that_are_wrong(project, setting, said, key):
    with pytest.raises(LLMConfigError, match=re.escape(said)) as caught:
        llm_named(setting, project)
    assert caught.value.key == key
    assert pickle.loads(pickle.dumps(caught.value)).key == key


def test_where_there_is_none_it_is_said_how_to_have_one():
    llm = no_llm("judge")
    assert bind_llm(llm) is llm
    message = error_of(llm, JUDGED)
    assert "no LLM is configured as judge, and one is asked for 'criterion'" in message
    assert 'judge_llm = "provider:model" in grice.toml or [tool.grice] of pyproject.toml' in message
    assert "a fixture named judge_llm" in message
    assert "pytest --grice-record=once" in message
    assert "user_llm" in error_of(no_llm("user"))
