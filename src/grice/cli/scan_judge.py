"""A judge for `grice scan`: it is asked about the conversations that were drawn, before the scan."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grice.cli.log_mapping import MappedLogs
from grice.files.settings import Settings
from grice.judging.judge import NO_JUDGE, Judge
from grice.llm import LLMConfigError
from grice.matching.protocols import BoundLLM, LLMError, missing_reason
from grice.records import LLMRequest, LLMResponse, Verdict
from grice.reporting.console import Screen, print_line
from grice.reporting.progress import AskingProgress
from grice.scanning.check_choice import LogCheck
from grice.scanning.chosen_lines import LineFilter
from grice.scanning.judged_sample import drawn_conversations, judged_check
from grice.text import estimated_tokens, plural, visible
from grice.validation.judges.items import Item
from grice.validation.judges.judge_calls import Judged, ask_about, judged_named
from grice.validation.judges.project import JudgingProject, judging_project
from grice.wire.cassettes import Cassette, CassetteLLM

_ANSWER = 300
"""The tokens that an answer of a judge takes, about."""


def ask_judge(
    name: str,
    logs: MappedLogs,
    chosen: LineFilter,
    limit: int | None,
    settings: Settings | None,
    errors: Screen,
) -> LogCheck:
    """Ask about the last reply of each conversation that was drawn; the check that has what was said.

    What it takes is told first. Answers go into a cassette, and what is in it is not asked again; those that
    came before a Ctrl-C are kept. Raises SettingsError, AgentLoadError, CriterionError, UnknownJudge,
    CassetteError and LLMConfigError for what cannot be used.
    """
    project = judging_project(Path.cwd())
    judged = judged_named(name, project.criteria)
    found = drawn_conversations(logs.files, logs.mappings, chosen, limit)
    cut = [(one, one.to_last_reply) for one in found]
    items = [Item(each.id, each, file=one.file, line=one.line) for one, each in cut if each is not None]
    if judged.by_code:
        verdicts = [one for one, *_ in ask_about(project.judge, judged, items)]
    else:
        folder = Path("cassettes") if settings is None else settings.root / settings.cassettes
        verdicts = _asked(project, judged, items, folder / "scan" / f"{name}.jsonl", errors)
    return judged_check(name, judged.matcher.phrase, found, verdicts)


def _asked(
    project: JudgingProject, judged: Judged, items: Sequence[Item], place: Path, errors: Screen
) -> list[Verdict]:
    told = f"grice scan --judge {judged.name}"
    llm = project.judge.llm
    counting = _Counting(llm)
    with Cassette.open(place, "new", test=told, kinds=("judge",)) as cassette:
        ask_about(_with(project.judge, CassetteLLM(counting, cassette, "judge")), judged, items)
        cassette.discard()
    if counting.requests and (missing := missing_reason(llm)):
        raise LLMConfigError(NO_JUDGE if missing == missing_reason(None) else missing)
    print_line(errors, f"{judged.name}: {_cost(counting, len(items), llm)}")
    cassette = Cassette.open(place, "new", test=told, kinds=("judge",))
    progress = AskingProgress(errors)
    done = 0

    def tell(*_: object) -> None:
        nonlocal done
        done += 1
        if counting.requests:
            progress(done, len(items))

    try:
        asked = _with(project.judge, CassetteLLM(llm, cassette, "judge"))
        answers = ask_about(asked, judged, items, concurrency=project.concurrency, tell=tell)
    finally:
        progress.close()
        if done < len(items):
            print_line(errors, f"{judged.name}: stopped after {done:,} of {len(items):,} answers")
        if cassette.finish() is not None:
            print_line(errors, f"recorded {visible(str(place), newlines=False)}")
    return [one for one, *_ in answers]


def _with(judge: Judge, llm: BoundLLM) -> Judge:
    return Judge(llm, criteria=judge.criteria, prompts=judge.prompts)


def _cost(counting: _Counting, items: int, llm: BoundLLM | None) -> str:
    """What the questions will take that nobody recorded: `200 conversations, ... 0.51 at the prices ...`."""
    there = items - counting.requests
    replayed = f", {there:,} of them recorded" if there else ""
    told = f"{plural(items, 'conversation')}{replayed}"
    if not counting.requests:
        return f"{told}: nothing is asked"
    written = counting.requests * _ANSWER
    asked = f"{plural(counting.requests, 'question')} to {counting.model or counting.name}"
    tokens = f"about {counting.tokens:,} tokens sent and {written:,} answered"
    prices = getattr(getattr(llm, "budget", None), "prices", {})
    if counting.model not in prices:
        return f"{told}: {asked}, {tokens}; no price is known (judge_llm has no budget.prices for it)"
    sent, answered = prices[counting.model]
    money = (counting.tokens * sent + written * answered) / 1_000_000
    price = f"about {money:,.2f}" if money >= 0.01 else "less than 0.01"
    return f"{told}: {asked}, {tokens}, {price} at its prices"


class _Counting:
    """Stands for an LLM, asks nobody and counts what would be asked."""

    def __init__(self, llm: BoundLLM | None) -> None:
        self.name, self.provider, self.model = (llm.name, llm.provider, llm.model) if llm else ("", "", "")
        self.requests = 0
        self.tokens = 0

    async def ask(self, request: LLMRequest) -> LLMResponse:
        """Count it. Raises LLMError."""
        self.requests += 1
        self.tokens += sum(estimated_tokens(str(one.get("content", ""))) for one in request.messages)
        raise LLMError("it is only counted")
