"""Bundles: the checks that a kind of turn must pass, under one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import msgspec

from grice.checks.product_records import Records
from grice.checks.profiles import Profile, check_profile
from grice.checks.semantics.embedders import EmbedderName
from grice.checks.shop.constraints import Constraint
from grice.checks.shop.price_limit import PriceBudget
from grice.checks.structure.envelope_parts import EnvelopeShape
from grice.checks.tool_minimality import ToolPolicy
from grice.matching.matcher import ArgumentError, Matcher
from grice.matching.protocols import Embedder
from grice.records import JsonValue
from grice.text import did_you_mean, value_text

if TYPE_CHECKING:
    from typing import Unpack


BundleName = Literal["chat", "recommend", "policy"]

ROWS = (
    "tools",
    "self-report",
    "envelope",
    "boilerplate",
    "contractions",
    "exclamations",
    "repetition",
    "similarity",
    "openers",
    "clarifiers",
    "budget",
    "products",
    "policy",
    "memory",
    "naturalness",
    "guidance",
    "context use",
    "IQ",
    "topicality",
    "coverage",
)
"""The checks of a bundle, by layer, as its table names them."""


class BundleOptions(TypedDict, total=False):
    """The options of a bundle: see `Bundle`."""

    budget: PriceBudget | float | str | Mapping[str, Any] | None
    drivers: Mapping[str, Any] | None
    constraints: Sequence[Constraint | str | Mapping[str, Any]]
    records: Records | None
    store_card: JsonValue
    intent: str
    shape: EnvelopeShape | Mapping[str, Any] | None
    tools: ToolPolicy | Mapping[str, Any] | None
    store_card_text: str | None
    synonyms: Mapping[str, Sequence[str]] | None
    slots: Mapping[str, Any] | None
    profile: Profile
    language: str | None
    embedder: Embedder | EmbedderName | None
    judges: bool
    soft: Sequence[str]
    hard: Sequence[str]
    without: Sequence[str]
    also: Sequence[Matcher[Any]]


class Bundle(msgspec.Struct, frozen=True):
    """The checks that a turn of one kind must pass. Call it to set options: `recommend(budget=400)`.

    - `budget`, `drivers`: what the user may spend, and which attributes justify more, as
      `stay_within_budget` has them; `constraints`: what the user asked for, as `cover_constraints` has them.
    - `records`: the products by id, where they are not what tools returned; `store_card`: what the agent
      knows of its shop, any JSON.
    - `intent`: what the reply is meant to do, for the judge of guidance.
    - `shape`: where the parts of the envelope stand; `tools`: which tools such a turn takes, a `ToolPolicy`;
      `store_card_text`: a text that stands in every request which holds the store card.
    - `synonyms`, `slots`, `profile`, `language`, `embedder`: as the rules have them.
    - `judges`: False leaves layer 3 out, visibly. `soft` names checks that are shown and change nothing,
      `hard` those that decide, `without` those that are left out; `also` are further matchers.

    A rule that was right in less than nine of ten outcomes at its first look, or that nobody has measured so,
    is soft unless `hard` names it.

    A check that needs something nobody gave is `skipped`, and the table says what it needs.
    """

    name: BundleName
    budget: PriceBudget | float | str | Mapping[str, Any] | None = None
    drivers: Mapping[str, Any] | None = None
    constraints: tuple[Any, ...] = ()
    records: Records | None = None
    store_card: JsonValue = None
    intent: str = ""
    shape: EnvelopeShape | Mapping[str, Any] | None = None
    tools: ToolPolicy | Mapping[str, Any] | None = None
    store_card_text: str | None = None
    synonyms: Mapping[str, Sequence[str]] | None = None
    slots: Mapping[str, Any] | None = None
    profile: Profile = "robust"
    language: str | None = None
    embedder: Embedder | EmbedderName | None = None
    judges: bool = True
    soft: tuple[str, ...] = ()
    hard: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    also: tuple[Matcher[Any], ...] = ()

    def __call__(self, **options: Unpack[BundleOptions]) -> Bundle:
        """The same bundle with these options. Raises ArgumentError for one that is unknown or wrong."""
        return bundle_with(self, options)

    def __repr__(self) -> str:
        return f"<bundle {self.name}>"


chat = Bundle("chat", soft=("guidance", "context use"))
"""An ordinary turn: no tools, sound form and tone, nothing asked twice, natural."""

recommend = Bundle("recommend")
"""A turn that recommends: searched once or twice, 2-3 products within the budget whose reasons are true."""

policy = Bundle("policy", soft=("guidance",))
"""A turn on returns, shipping or warranty: only what the store card says."""

_OF_RECOMMEND = ("budget", "drivers", "constraints")

BUNDLES: Mapping[BundleName, Bundle] = {one.name: one for one in (chat, recommend, policy)}


def bundle_with(bundle: Bundle, options: Mapping[str, Any]) -> Bundle:
    """The bundle with these options. Raises ArgumentError for one that is unknown or wrong."""
    known = tuple(BundleOptions.__annotations__)
    for name in options:
        if name not in known:
            hint = did_you_mean(name, known) or f": {', '.join(known)}"
            raise ArgumentError(f"a bundle has no option {value_text(name)}{hint}")
    _refuse_foreign(bundle, options)
    taken = dict(options)
    for name in ("soft", "hard", "without"):
        if name in taken:
            taken[name] = _rows(name, taken[name])
    _settle_modes(bundle, taken)
    for name in ("constraints", "also"):
        if name in taken:
            taken[name] = _option_list(name, taken[name])
    if not all(isinstance(one, Matcher) for one in taken.get("also", ())):
        raise ArgumentError("also is a list of matchers, such as [contain('thank you')]")
    check_profile(taken.get("profile", bundle.profile))
    if not isinstance(taken.get("judges", True), bool):
        raise ArgumentError(f"judges is True or False, found {value_text(taken['judges'])}")
    if not isinstance(taken.get("intent", ""), str):
        raise ArgumentError(f"intent is a text, found {value_text(taken['intent'])}")
    return msgspec.structs.replace(bundle, **taken)


def _settle_modes(bundle: Bundle, taken: dict[str, Any]) -> None:
    """Let a check that is said to be hard now be soft no more, and the reverse."""
    for name, other in (("hard", "soft"), ("soft", "hard")):
        named = taken.get(name, ())
        if both := [one for one in named if one in taken.get(other, ())]:
            raise ArgumentError(f"{value_text(both[0])} is both hard and soft")
        if named and other not in taken:
            taken[other] = tuple(one for one in getattr(bundle, other) if one not in named)


def _refuse_foreign(bundle: Bundle, options: Mapping[str, Any]) -> None:
    if bundle.name == recommend.name:
        return
    for name in _OF_RECOMMEND:
        if options.get(name) not in (None, ()):
            raise ArgumentError(f"{name} is an option of the bundle recommend, and this is {bundle.name}")


def _rows(option: str, given: Any) -> tuple[str, ...]:
    names = _option_list(option, given)
    for name in names:
        if name not in ROWS:
            hint = did_you_mean(str(name), ROWS) or f": {', '.join(ROWS)}"
            raise ArgumentError(f"{option} names an unknown check {value_text(name)}{hint}")
    return names


def _option_list(option: str, given: Any) -> tuple[Any, ...]:
    if isinstance(given, str | Mapping) or not isinstance(given, Sequence):
        raise ArgumentError(f"{option} is a list, found {value_text(given)}")
    return tuple(given)
