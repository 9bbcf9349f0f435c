"""Frozen records: the nouns of Grice."""

from grice.records.attachment import Attachment, attachments_of
from grice.records.capture import JsonValue, clean_json, clean_text, parse_arguments
from grice.records.codec import (
    FORMAT_VERSION,
    RecordFormatError,
    decode_conversation,
    encode_conversation,
    encode_results,
)
from grice.records.conversation import (
    MODEL_ADDRESS,
    AgentFailure,
    AgentResponse,
    Conversation,
    FailureKind,
    Message,
    Role,
    Simulation,
    Termination,
    ToolCall,
    Turn,
)
from grice.records.exchange import Exchange, offered_names
from grice.records.llm import Judgement, LLMMetadata, LLMRequest, LLMResponse, Purpose, Sample, Standing
from grice.records.outcome import Outcome, fold_all, fold_any, negate
from grice.records.reply import HasRecord, Reply
from grice.records.result import FailureType, Result, Spoiled, outcome_of
from grice.records.scenario import Scenario
from grice.records.state import State, StateChange, StateReading
from grice.records.topic import Classification, FollowedGraph, TopicVisit
from grice.records.verdict import (
    Evidence,
    PathMatch,
    Selection,
    Verdict,
    errored,
    failed,
    inconclusive,
    passed,
    skipped,
)

__all__ = [
    "FORMAT_VERSION",
    "MODEL_ADDRESS",
    "AgentFailure",
    "AgentResponse",
    "Attachment",
    "Classification",
    "Conversation",
    "Evidence",
    "Exchange",
    "FailureKind",
    "FailureType",
    "FollowedGraph",
    "HasRecord",
    "JsonValue",
    "Judgement",
    "LLMMetadata",
    "LLMRequest",
    "LLMResponse",
    "Message",
    "Outcome",
    "PathMatch",
    "Purpose",
    "RecordFormatError",
    "Reply",
    "Result",
    "Role",
    "Sample",
    "Scenario",
    "Selection",
    "Simulation",
    "Spoiled",
    "Standing",
    "State",
    "StateChange",
    "StateReading",
    "Termination",
    "ToolCall",
    "TopicVisit",
    "Turn",
    "Verdict",
    "attachments_of",
    "clean_json",
    "clean_text",
    "decode_conversation",
    "encode_conversation",
    "encode_results",
    "errored",
    "failed",
    "fold_all",
    "fold_any",
    "inconclusive",
    "negate",
    "offered_names",
    "outcome_of",
    "parse_arguments",
    "passed",
    "skipped",
]
