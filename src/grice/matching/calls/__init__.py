"""Matchers on tool calls: one call, how often, and several in an order."""
