"""The protocols of a scripted model, for the stub server and for clients in process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from grice.records import Exchange, JsonValue
from grice.wire.dialects import Dialect
from grice.wire.errors import ScriptError
from grice.wire.replies import Fault

if TYPE_CHECKING:
    from grice.wire.upstream import Upstream


class ScriptedAnswer(NamedTuple):
    """The script's answer to one request: a reply body, or what goes wrong. `exchange` is its record."""

    body: dict[str, JsonValue] | None
    wrong: Fault | BaseException | None
    delay: float
    exchange: Exchange


class AskedModel(Protocol):
    """A model that is asked in process, as `ScriptedModel` is."""

    def respond(self, request: Mapping[str, Any], dialect: str = ...) -> dict[str, JsonValue]: ...  # noqa: D102
    def embed(self, request: Mapping[str, Any]) -> dict[str, JsonValue]: ...  # noqa: D102


class ServedModel(Protocol):
    """A model that is asked over HTTP, as `ScriptedModel` is. `otherwise` answers where no script does."""

    otherwise: Callable[[Exchange], object] | None

    @property
    def unused(self) -> int: ...  # noqa: D102
    def pass_on(self) -> Upstream | None: ...  # noqa: D102
    def keep(self, exchange: Exchange) -> None: ...  # noqa: D102
    def take(  # noqa: D102
        self, request: dict[str, JsonValue], dialect: Dialect, *, elapsed: Callable[[], float] | None = None
    ) -> ScriptedAnswer: ...
    def embed(  # noqa: D102
        self, request: Mapping[str, Any], *, elapsed: Callable[[], float] | None = None
    ) -> dict[str, JsonValue]: ...
    def amend(  # noqa: D102
        self, exchange: Exchange, *, error: str | None = None, duration: float | None = None
    ) -> Exchange: ...
    def settle(self, exchange: Exchange) -> None: ...  # noqa: D102
    def add_problem(self, problem: ScriptError) -> None: ...  # noqa: D102
