"""Grice tests conversations with chatbots and LLM agents."""
