"""A shopping assistant for computer monitors, without a model: patterns read, templates answer."""
