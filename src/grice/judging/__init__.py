"""Judge by an LLM: criteria, versioned prompts, and the judge that asks and reads the answers."""
