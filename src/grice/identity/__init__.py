"""Canonical JSON, keys, stable ids, fingerprints and redaction."""

from grice.identity.canonical import canonical_json, fingerprint
from grice.identity.keys import scenario_key, stable_id, stable_path
from grice.identity.redaction import Redaction, redact, redact_text, redacted_arguments

__all__ = [
    "Redaction",
    "canonical_json",
    "fingerprint",
    "redact",
    "redact_text",
    "redacted_arguments",
    "scenario_key",
    "stable_id",
    "stable_path",
]
