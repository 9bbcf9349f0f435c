"""Gates: thresholds that an operator declares, and whether an experiment keeps them."""
