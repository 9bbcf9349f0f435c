"""The judge of checks that are made outside of any test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from grice.judging.judge import Judge
from grice.llm import bind_llm
from grice.matching.recording import JUDGE

__all__ = ["use_judge"]


@contextmanager
def use_judge(judge: object) -> Iterator[Judge]:
    """Have this judge, a Judge or an LLM, judge what is checked in the block; it goes before a test's own.

    Raises LLMConfigError for what is neither.
    """
    made = judge if isinstance(judge, Judge) else Judge(bind_llm(judge))
    token = JUDGE.set(made)
    try:
        yield made
    finally:
        JUDGE.reset(token)
