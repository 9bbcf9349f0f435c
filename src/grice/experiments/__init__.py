"""Experiments: what the results of a run come to, whether two runs differ, and what an operator demands."""
