"""Recording an experiment from a runner that is not pytest."""
