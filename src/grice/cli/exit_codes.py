"""The exit codes of the commands."""

from __future__ import annotations

PASSED = 0
FAILED = 1
"""Something did not pass."""
UNUSABLE = 2
"""Wrong usage, or nothing or not everything could be done."""
INTERRUPTED = 130
"""Ended by Ctrl-C: 128 and the number of SIGINT."""
NOBODY_READS = 141
"""The reader of the output left: 128 and the number of SIGPIPE."""
