"""What stands in for the assistant's model."""
