"""Measuring checks: how often each is right on labelled examples.

Judges are measured here too, by a module of their own, once they have cards.
"""

from grice.validation.validating import Validation, validate_checks

__all__ = ["Validation", "validate_checks"]
