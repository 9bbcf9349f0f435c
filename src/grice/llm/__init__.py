"""LLMs that Grice itself uses, as judge and simulated user: clients, adapters, scripts, budgets."""

from grice.llm.adapter import LLMConfigError, bind_llm
from grice.llm.budget import Budget, Spent
from grice.llm.configured import llm_named, no_llm
from grice.llm.scripted_llm import ScriptedLLM

__all__ = [
    "Budget",
    "LLMConfigError",
    "ScriptedLLM",
    "Spent",
    "bind_llm",
    "llm_named",
    "no_llm",
]
