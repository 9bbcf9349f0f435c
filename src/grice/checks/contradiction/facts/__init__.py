"""What an assistant states, and which two statements cannot both hold."""
