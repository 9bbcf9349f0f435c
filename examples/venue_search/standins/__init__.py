"""Rules that stand in for LLMs while the cassettes are recorded: no model was asked for this example."""
