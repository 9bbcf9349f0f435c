"""Asking people about items at a terminal, one at a time, blind to what judges and other people say."""
