"""The rows of a bundle are counted as its own, so that a gate on it knows them from others."""

from made_experiments import experiment

from grice.experiments.attempts import attempt_of
from grice.experiments.check_rows import CheckRow
from grice.experiments.gates.declared import GateOptions, declared_gates
from grice.experiments.gates.judging import judge_gates
from grice.experiments.results import ExperimentResults
from grice.judging.bundles import Bundle, chat, policy
from grice.judging.meeting import meet
from grice.matching.answers import Later, judge_soon
from grice.matching.context import Context
from grice.records import Conversation, Judgement, Message, Outcome, Result, Sample, ToolCall, Turn, Verdict


async def met(bundle: Bundle, *tools: str) -> Verdict:
    calls = tuple(ToolCall(name) for name in tools)
    turn = Turn(1, (Message("user", "Hi"), Message("assistant", "I'm fine, and it's sunny.")), calls)
    made = judge_soon(meet(bundle(judges=False)), turn, Context(Conversation("c", (turn,))), "the reply", "soft")
    return await made.run() if isinstance(made, Later) else made


def result(*verdicts: Verdict) -> Result:
    return Result("example:1", "s", Outcome.PASS, Conversation(turns=(Turn(1),)), verdicts)
