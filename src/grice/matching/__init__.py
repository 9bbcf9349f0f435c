"""The mechanism of matching, and the matchers on texts, values and tool calls."""
