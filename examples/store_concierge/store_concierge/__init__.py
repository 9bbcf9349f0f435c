"""A shopping assistant for computer monitors, without a model: rules read what the user says, templates answer."""
