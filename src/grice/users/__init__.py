"""Who plays the user: a script, a simulator, a prober."""
