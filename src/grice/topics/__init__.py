"""Topics: the phases of a conversation, their order, and what is expected in each."""
