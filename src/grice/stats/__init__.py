"""Statistics: numbers in, numbers out."""

from grice.stats.intervals import wilson
from grice.stats.pass_k import pass_at_k, pass_hat_k

__all__ = ["pass_at_k", "pass_hat_k", "wilson"]
