"""An agent to try the matcher on."""

__all__ = ["agent"]


def agent(text: str) -> str:
    """Answer a question, with sources when it is about plugins."""
    if "plugin" in text.lower():
        return "Akismet filters spam [1] and needs an API key [2]."
    return "I would have to look that up."
