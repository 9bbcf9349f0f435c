"""The judge of one conversation: an LLM, criteria, and the cassette that its answers go through."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from os import scandir
from pathlib import Path
from typing import TYPE_CHECKING

from grice.judging.cards.shelf import CardShelf, shelf_of
from grice.judging.criterion import CriterionLevel
from grice.judging.judge import Judge
from grice.running.llms import UnavailableLLM, reachable_llm

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.wire.cassettes import Cassette

__all__ = ["cards_of", "make_judge"]


def make_judge(
    find_llm: Callable[[], object],
    find_cassette: Callable[[], Cassette] | None,
    criteria: CriterionLevel,
    settings: Settings,
) -> Judge:
    """The judge that asks the LLM that is found, or plays what the cassette has of it.

    A prompt that cannot be used is missed where an LLM is to be asked, as an LLM that cannot be had: code
    judges all the same.
    """
    llm = reachable_llm(find_llm, find_cassette, "judge")
    samples, prompts = settings.judge_samples, settings.judge_prompts
    cards = cards_of(settings)
    try:
        return Judge(llm, criteria=criteria, samples=samples, prompts=prompts, cards=cards)
    except LookupError as error:
        wrong = settings.problem_with("judge_prompts", str(error))
        return Judge(UnavailableLLM(wrong, "judge"), criteria=criteria, samples=samples, cards=cards)


def cards_of(settings: Settings) -> CardShelf:
    """The calibration cards of a project."""
    folder = settings.root / settings.cards
    return _shelf(folder, _content(folder), settings.require_card, settings.advisory)


@lru_cache(maxsize=64)
def _shelf(
    folder: Path,
    content: object,  # noqa: ARG001 - a part of the key
    require: bool | float,
    advisory: bool | tuple[str, ...],
) -> CardShelf:
    """The cards in the folder, read once for many conversations, and again when its content changes."""
    return shelf_of(folder, require=require, advisory=advisory)


def _content(folder: Path) -> tuple[tuple[str, int], ...]:
    """What lies in the folder, and since when; nothing where there is no such folder."""
    try:
        with scandir(folder) as entries:
            return tuple(sorted((one.name, one.stat().st_mtime_ns) for one in entries))
    except OSError:
        return ()
