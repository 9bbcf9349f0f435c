"""Ask people about items at a terminal, one at a time, without showing what judges and other people say."""
