"""The LLMs that the configuration names, and the placeholder where it names none."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from grice.llm.adapter import LLMConfigError
from grice.llm.budget import Budget
from grice.matching.protocols import BoundLLM, LLMError
from grice.records import LLMRequest, LLMResponse
from grice.text import did_you_mean, value_text
from grice.wire.load import load_object
from grice.wire.signature import signature_of

PROVIDERS = ("openai", "anthropic")
_CODE_ONLY = ("jitter_seed", "pause")
_BUDGET_KEYS = ("tokens", "money", "prices")


def llm_named(setting: object, root: Path) -> object:
    """The LLM that a setting names, for `bind_llm`.

    It is `openai:MODEL` or `anthropic:MODEL`; `module:attribute`, an LLM or something that makes one without
    arguments, with `root` on the import path; or a table with `provider`, `model` and the client's options.
    Raises LLMConfigError.
    """
    if isinstance(setting, Mapping):
        return _from_table(setting)
    if not isinstance(setting, str):
        raise LLMConfigError(f"expected {_EXPECTED}, found {value_text(setting)}")
    before, separator, after = setting.partition(":")
    if not separator or not before or not after:
        raise LLMConfigError(f"expected {_EXPECTED}, found {value_text(setting)}")
    if before in PROVIDERS:
        return _client(before)(after)
    return _loaded(setting, root)


_EXPECTED = "'provider:model', 'module:attribute' or a table with provider and model"


def _client(provider: str) -> Any:
    if provider == "openai":
        from grice.llm.openai_llm import OpenAILLM

        return OpenAILLM
    from grice.llm.anthropic_llm import AnthropicLLM

    return AnthropicLLM


def _loaded(setting: str, root: Path) -> object:
    """The LLM of a module, made where it is a class or a function without parameters."""
    try:
        target: Any = load_object(setting, root=root, what="LLM", error=LLMConfigError)
    except LLMConfigError as error:
        hint = did_you_mean(setting.partition(":")[0], PROVIDERS)
        providers = f"; providers are {' and '.join(PROVIDERS)}{hint}"
        raise LLMConfigError(f"{error}{providers if 'no module' in str(error) else ''}") from error.__cause__
    if isinstance(target, type) or _makes_one(target):
        try:
            return target()
        except Exception as error:
            message = f"LLM {setting!r}: making it raised {type(error).__name__}: {error}"
            raise LLMConfigError(message) from error
    return target


def _makes_one(target: Any) -> bool:
    if not callable(target) or hasattr(target, "complete") or hasattr(target, "ask"):
        return False
    signature = signature_of(target)
    return signature is not None and not signature.names and not signature.positional


def _from_table(table: Mapping[str, Any]) -> object:
    provider = table.get("provider")
    expected = " or ".join(map(repr, PROVIDERS))
    if provider not in PROVIDERS:
        if "provider" not in table:
            raise LLMConfigError(f"needs a provider: {expected}")
        hint = did_you_mean(str(provider), PROVIDERS)
        raise LLMConfigError(f"provider: expected {expected}, found {value_text(provider)}{hint}", "provider")
    client = _client(provider)
    known = ["provider", *(one.name for one in fields(client) if one.name not in _CODE_ONLY)]
    for name in table:
        if name not in known:
            hint = did_you_mean(str(name), known) or "; fields of the request's body go into 'parameters'"
            raise LLMConfigError(f"an LLM has no {name!r}{hint}", str(name))
    if "model" not in table:
        raise LLMConfigError("needs a model")
    given = {name: value for name, value in table.items() if name != "provider"}
    if "budget" in given:
        given["budget"] = _budget(given["budget"])
    try:
        return client(**given)
    except ValueError as error:
        name = str(error).partition(":")[0].partition(".")[0]
        raise LLMConfigError(str(error), name if name in given else "") from None


def _budget(table: object) -> object:
    if not isinstance(table, Mapping):
        return table  # the client says what it expected
    for name in table:
        if name not in _BUDGET_KEYS:
            raise LLMConfigError(
                f"budget: a budget has no {name!r}{did_you_mean(str(name), _BUDGET_KEYS)}", "budget"
            )
    try:
        return Budget(**table)
    except ValueError as error:
        raise LLMConfigError(f"budget: {error}", "budget") from None


def no_llm(role: str) -> BoundLLM:
    """The placeholder where no LLM is configured as `judge` or `user`: asking it raises LLMError."""
    return _NoLLM(role)


class _NoLLM:
    missing = "no LLM is configured"  # so that who asks can tell that there is nobody to ask
    provider = ""
    model = ""

    def __init__(self, role: str) -> None:
        self.role = role
        self.name = f"no {role} LLM"

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """Raise LLMError that says what to do."""
        setting = f"{self.role}_llm"
        raise LLMError(
            f"no LLM is configured as {self.role}, and one is asked for {request.purpose!r}: set "
            f'{setting} = "provider:model" in grice.toml or [tool.grice] of pyproject.toml, or write a '
            f"fixture named {setting}; "
            "where its answers are recorded none is needed: record a cassette with "
            "pytest --grice-record=once or grice run --record once"
        )
