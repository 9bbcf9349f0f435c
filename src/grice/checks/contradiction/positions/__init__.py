"""What an assistant holds of a question, and whether it takes that back."""
