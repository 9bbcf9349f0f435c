"""One conversation that is to be held: its agent and model, its log, judge, cassette and limits."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from grice.agents import AgentFailed
from grice.loops.caller import call_in_thread
from grice.records import MODEL_ADDRESS, Conversation, Message, Verdict
from grice.running.conversation import OpenConversation
from grice.running.embedders import embedder_of
from grice.running.entailments import entailment_of
from grice.running.verdict_log import VerdictLog, broken_verdict
from grice.wire import ScriptedModel

if TYPE_CHECKING:
    from grice.files.settings import Settings
    from grice.running.async_live import AsyncConversation
    from grice.running.events import Event
    from grice.running.simulated import Simulated
    from grice.running.state_sources import SimulatedState
    from grice.running.support import Support
    from grice.wire.cassettes import Cassette


C = TypeVar("C", bound=OpenConversation)


def log_for(name: str, settings: Settings, find_judge: Callable[[], Any] | None = None) -> VerdictLog:
    """The log of what is checked under that name: what its checks find is what the settings say."""
    return VerdictLog(
        name,
        judge=find_judge,
        embedder=partial(embedder_of, settings),
        entailment=partial(entailment_of, settings, find_judge),
        strict=settings.strict,
    )


class ConversationTask:
    """One conversation that is to be held. Tests, goldens, suites and sets are all set up here.

    `name` is what messages call it, `id` its stable id, `repeat` which one of its scenario it is.
    `find_judge` and `find_cassette` find them when they are first needed; `log` takes its verdicts, by
    default one of its own. `turn_timeout` and `timeout` go before those of the settings. `live` is the
    conversation once it is open, `state` what `simulate` read before it and after it.
    """

    def __init__(
        self,
        name: str,
        settings: Settings,
        *,
        id: str,  # noqa: A002 - the record's field
        model: ScriptedModel | None,
        find_judge: Callable[[], Any] | None = None,
        find_cassette: Callable[[], Cassette] | None = None,
        log: VerdictLog | None = None,
        turn_timeout: float | None = None,
        timeout: float | None = None,
        repeat: int = 1,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.name = name
        self.settings = settings
        self.id = id
        self.model = model
        if model is not None and settings.unoffered == "allow":
            model.unoffered = "allow"
        self.log = log_for(name, settings, find_judge) if log is None else log
        self.live: OpenConversation | None = None
        self.state: SimulatedState | None = None
        self._find_judge = find_judge
        self._find_cassette = find_cassette
        self._turn_timeout = settings.turn_timeout if turn_timeout is None else turn_timeout
        self._timeout = settings.timeout if timeout is None else timeout
        self._repeat = repeat
        self._clock = clock

    @property
    def record(self) -> Conversation:
        """The conversation as it stands; an empty one before it is open."""
        return Conversation(id=self.id, name=self.name) if self.live is None else self.live.record

    @contextmanager
    def open(
        self,
        kind: type[C],
        agent: object,
        *,
        history: Iterable[Message] = (),
        find_support: Callable[[], Support] | None = None,
        observe: Callable[[Event], None] | None = None,
    ) -> Iterator[C]:
        """The conversation with the agent, and its model at its fixed address, where the settings name one.

        It is still to be entered. Raises what `find_cassette` and `bind_agent` raise, and AddressTaken.
        """
        settings = self.settings
        if server := settings.find_server():
            _ = server.url  # it is started where nobody has asked for it yet
        goes_through = settings.records_agents or settings.model_upstream
        cassette = self._find_cassette() if goes_through and self._find_cassette else None
        if self.model is not None and settings.model_upstream:
            from grice.wire.upstream import Upstream  # with HTTP, which few tests need

            recorded = cassette if "model" in settings.record_kinds else None
            self.model.upstream = Upstream(
                settings.model_upstream, settings.upstream_key_env, cassette=recorded
            )
        live = self.live = kind(
            agent,
            id=self.id,
            history=history,
            turn_timeout=self._turn_timeout,
            timeout=self._timeout,
            model=self.model,
            recorder=self.log,
            cassette=cassette,
            clock=self._clock,
            find_support=find_support,
            observe=observe,
        )
        live.repeat = self._repeat
        port, model = settings.model_port, self.model
        if port is None or model is None:
            yield live
            return
        from grice.wire.fixed_model_address import fixed_address

        with fixed_address(model, port, key=settings.model_key, wait=live.timeout) as url:
            live.note(MODEL_ADDRESS, url)
            yield live

    def broken(self, error: BaseException) -> Verdict:
        """The verdict for what broke the conversation off, with why the project's server is gone."""
        verdict = broken_verdict(self.record, error)
        server = self.settings.find_server() if isinstance(error, AgentFailed) else None
        gone = "" if server is None else server.why_gone()
        if not gone:
            return verdict
        first, _, rest = gone.partition("\n")  # the first line is that of the summary
        return msgspec.structs.replace(verdict, reason="\n".join(filter(None, (first, verdict.reason, rest))))

    async def simulate(self, live: AsyncConversation, how: Simulated) -> None:
        """Have its user played from the first turn to the end; LLMs are asked on this very loop."""
        from grice.running.simulating import simulated_whole
        from grice.running.steps import make_later

        live.asks_here = True
        async with live:
            try:
                if how.state is not None:
                    await call_in_thread(self.read_state, live, how)
                await make_later(simulated_whole(live, how), live.say, here=True)
            finally:
                if self.state is not None:
                    await call_in_thread(self.state.end)

    def read_state(self, live: OpenConversation, how: Simulated) -> None:
        """Read the state that the conversation may change, where one is declared."""
        if how.state is not None:
            from grice.running.state_sources import simulated_state

            self.state = simulated_state(how.state, self.settings.root, live.support.scenario)

    def conduct(self) -> tuple[Verdict, ...]:
        """The verdicts on who played its user, as far as the settings want any."""
        if self.live is None or not self.live.played:
            return ()
        from grice.running.outcomes import conduct_steps
        from grice.running.steps import cannot_say, make

        return make(conduct_steps(self.live, self.settings.conduct, self._find_judge), cannot_say)

    async def conduct_later(self) -> tuple[Verdict, ...]:
        """The same in a coroutine."""
        if self.live is None or not self.live.played:
            return ()
        from grice.running.outcomes import conduct_steps
        from grice.running.steps import cannot_say, make_later

        steps = conduct_steps(self.live, self.settings.conduct, self._find_judge)
        return await make_later(steps, cannot_say, here=True)
